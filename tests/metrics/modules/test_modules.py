"""What holds for every module alike."""

import ast
import doctest
import importlib.util
import inspect
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from lengthwise.errors import InputError
from lengthwise.metrics.modules import MODULES, module_path

# Rows that each module takes, and options without which it cannot compute them.
ROWS: dict[str, dict[str, list[Any]]] = {
    "hallucination_detection": {"predictions": ["Score: 1", None, "", "Score: 5"], "references": [1, 1, 0, 0]},
    "hallucination_types": {
        "predictions": ["Entity: Al, not Bob", None],
        "references": [[{"type": "Entity", "sentence": "Bob sank it.", "original": "Al sank it."}], []],
    },
    "sequence_match": {"predictions": [None, "<answer>ab bc</answer>", ""], "references": ["ab", "ab bc", ""]},
    "multi_instance": {"predictions": ['{"answer": 4}', None, ""], "references": [4, "5", 6]},
    "pair_accuracy": {"predictions": [None, "Score: 5"], "references": [1, 0], "pairs": ["a", "a"]},
    "paired_comparison": {
        "predictions1": ["Score: 1", None, "Score: 4"],
        "predictions2": [None, "Score: 2", ""],
        "references": [1, 1, 0],
    },
}
HEADINGS = (
    "## How to Use", "### Inputs", "### Output Values", "#### Values from Popular Papers", "### Examples",
    "## Limitations and Bias", "## Citation", "## Further References",
)  # fmt: skip


def folder(name: str) -> Path:
    return Path(module_path(name))


def script(name: str, file: str | None = None) -> ModuleType:
    """Import a script of a module's folder under a name of its own."""
    path = folder(name) / (file or f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"module_{name}_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module


def test_every_folder_is_a_module_and_every_module_a_folder() -> None:
    room = folder("sequence_match").parent
    assert {path.parent.name for path in room.glob("*/*.py")} == set(MODULES) == set(ROWS)


@pytest.mark.parametrize("name", MODULES)
def test_the_folder_is_laid_out_as_a_space(name: str) -> None:
    files = {path.name for path in folder(name).iterdir() if path.name != "__pycache__"}
    assert files == {f"{name}.py", "README.md", "requirements.txt", "app.py"}


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name: str) -> None:
    found = doctest.testmod(script(name))
    assert found.failed == 0
    assert found.attempted >= 2


@pytest.mark.parametrize("name", MODULES)
def test_keywords_are_explicit(name: str, load: Any) -> None:
    kinds = {parameter.kind for parameter in inspect.signature(load(name)._compute).parameters.values()}
    assert kinds == {inspect.Parameter.POSITIONAL_OR_KEYWORD}


@pytest.mark.parametrize("name", MODULES)
def test_an_unknown_keyword_is_refused(name: str, load: Any) -> None:
    with pytest.raises(TypeError, match="no_such_option"):
        load(name).compute(**ROWS[name], no_such_option=1)


@pytest.mark.parametrize("name", MODULES)
def test_imports_are_such_as_evaluate_can_scan(name: str) -> None:
    text = (folder(name) / f"{name}.py").read_text("utf-8")
    for line in re.findall(r"^(?:import|from)\b.*", text, re.MULTILINE):
        assert "#" not in line
        assert not line.startswith("import") or "," not in line
    tree = ast.parse(text)
    assert all(node.level == 0 for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))


@pytest.mark.parametrize("name", MODULES)
def test_none_and_empty_replies_are_counted(name: str, load: Any) -> None:
    found = load(name).compute(**ROWS[name])
    assert found


@pytest.mark.parametrize("name", MODULES)
def test_no_rows_at_all(name: str, load: Any) -> None:
    assert load(name).compute(**{column: [] for column in ROWS[name]}) is not None


@pytest.mark.parametrize("name", MODULES)
def test_batches_rows_and_all_at_once_are_the_same(name: str, load: Any) -> None:
    columns = ROWS[name]
    module = load(name)
    whole = module.compute(**columns)
    module.add_batch(**{column: values[:1] for column, values in columns.items()})
    module.add_batch(**{column: values[1:] for column, values in columns.items()})
    assert module.compute() == whole
    single = {"predictions": "prediction", "references": "reference"}
    for place in range(len(next(iter(columns.values())))):
        module.add(**{single.get(column, column): values[place] for column, values in columns.items()})
    assert module.compute() == whole


@pytest.mark.parametrize("name", MODULES)
def test_values_of_the_wrong_kind_are_refused_wherever_they_stand(name: str, load: Any) -> None:
    columns = {column: [*values[:-1], 3.5] for column, values in ROWS[name].items()}
    place = len(next(iter(columns.values()))) - 1
    with pytest.raises(InputError, match=rf"predictions1?\[{place}\] is"):
        load(name).compute(**columns)


@pytest.mark.parametrize("name", MODULES)
def test_columns_of_different_length_are_refused(name: str, load: Any) -> None:
    columns = {column: values if "predictions" in column else values[:1] for column, values in ROWS[name].items()}
    with pytest.raises(InputError, match="differ in length"):
        load(name).compute(**columns)


@pytest.mark.parametrize("name", MODULES)
def test_a_lone_string_is_no_list(name: str, load: Any) -> None:
    columns = {column: values if "predictions" not in column else "Score: 4" for column, values in ROWS[name].items()}
    with pytest.raises(InputError, match="give a list"):
        load(name).compute(**columns)


@pytest.mark.parametrize("name", MODULES)
def test_results_are_json(name: str, load: Any) -> None:
    import json

    found = load(name).compute(**ROWS[name])
    assert json.loads(json.dumps(found, allow_nan=False))


@pytest.mark.parametrize("name", MODULES)
def test_the_card_is_complete(name: str) -> None:
    text = (folder(name) / "README.md").read_text("utf-8")
    _, front, body = text.split("---\n", 2)
    head = yaml.safe_load(front)
    kind = "comparison" if name == "paired_comparison" else "metric"
    assert head["tags"] == ["evaluate", kind]
    assert head["sdk"] == "gradio" and head["app_file"] == "app.py" and head["description"]
    headings = [line for line in body.splitlines() if line.startswith("#")]
    assert headings[:2] == [f"# {kind.title()} Card for {head['title']}", f"## {kind.title()} Description"]
    assert headings[2:] == list(HEADINGS)
    assert "TODO" not in body and "More Information Needed" not in body


@pytest.mark.parametrize("name", MODULES)
def test_the_card_names_every_input_and_figure(name: str, load: Any) -> None:
    text = (folder(name) / "README.md").read_text("utf-8")
    module = load(name)
    found = module.compute(**ROWS[name])
    figures = next(iter(found.values())) if name == "paired_comparison" else found
    for parameter in inspect.signature(module._compute).parameters:
        assert f"**{parameter}**" in text
    for key in figures:
        stem = key.removesuffix("_sd") if key.endswith("_sd") else key
        assert f"`{key}`" in text or f"`{stem}`" in text or (key.startswith("answered_") and "`answered_...`" in text)


@pytest.mark.parametrize("name", MODULES)
def test_the_cards_examples(name: str, load: Any) -> None:
    """The blocks of a card run from top to bottom in one session, as a reader would run them."""
    import evaluate

    text = (folder(name) / "README.md").read_text("utf-8")
    module = load(name)
    session: dict[str, Any] = {
        "evaluate": evaluate,
        "module_path": module_path,
        "metric": module,
        "comparison": module,
    }
    examples = 0
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        if block.startswith(">>>"):
            test = doctest.DocTestParser().get_doctest(block, session, name, None, None)
            found = doctest.DocTestRunner().run(test, clear_globs=False)
            assert found.failed == 0
            session.update(test.globs)
            examples += found.attempted
        else:
            exec("\n".join(line for line in block.splitlines() if "ORG/" not in line), session)
            session["comparison"] = session["metric"] = module
    assert examples >= 2


@pytest.mark.parametrize("name", MODULES)
def test_gradio_is_imported_only_when_a_page_is_made(name: str) -> None:
    tree = ast.parse((folder(name) / "app.py").read_text("utf-8"))
    top = {alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
    top |= {str(node.module) for node in tree.body if isinstance(node, ast.ImportFrom)}
    assert top == {"pathlib", "typing"}


def test_an_unknown_module_is_named() -> None:
    with pytest.raises(InputError, match="did you mean 'sequence_match'"):
        module_path("sequence-match")


def test_modules_can_be_imported_without_evaluate_load() -> None:
    from lengthwise.metrics.sequence_match.sequence_match import SequenceMatch

    assert SequenceMatch().compute(predictions=["<answer>a b</answer>"], references=["a b"])["exact_match"] == 1.0
