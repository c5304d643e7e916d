"""Pushed metrics in an environment that has evaluate, numpy and regex, and not this package."""

import ast
import json
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from lengthwise.errors import InputError
from lengthwise.metrics.modules import MODULES
from lengthwise.metrics.push_metric import push_metric
from lengthwise.metrics.space_bundle import bundle

from .conftest import environment
from .hub_server import Hub

# Metric -> how it is loaded beside its name, what it is given, and one figure of what must come out.
CASES: dict[str, tuple[dict[str, object], str, object]] = {
    "hallucination_detection": (
        {"predictions": ['{"score": 1}', "Score: 4/5", "none"], "references": [1, 0, 0], "confidence_level": 0.9,
         "n_resamples": 50},
        "balanced_accuracy", 0.75,
    ),
    "hallucination_types": (
        {
            "predictions": ['{"score": 2, "reason": "Entity Hallucination: Al sank it, not Bob"}'],
            "references": [[{"type": "Entity", "sentence": "Bob sank the ship.", "original": "Al sank the ship.",
                             "key_terms": ["Bob", "Al"]}]],
        },
        "micro", 1.0,
    ),
    "sequence_match": (
        {"predictions": ["<answer>ab bc</answer>", "no"], "references": ["ab bc", "ab bc"]}, "exact_match", 0.5,
    ),
    "multi_instance": ({"predictions": ['{"answer": 7}', "4"], "references": ["7", "5"]}, "success_rate", 0.5),
    "pair_accuracy": (
        {"predictions": ["1", "5", "4", "5"], "references": [1, 0, 1, 0], "pairs": ["a", "a", "b", "b"]},
        "pair_accuracy", 0.5,
    ),
    "paired_comparison": (
        {"predictions1": ["1", "1", "5", "5"], "predictions2": ["1", "4", "5", "1"], "references": [1, 1, 0, 0],
         "n_resamples": 50},
        "accuracy", None,
    ),
}  # fmt: skip


def test_every_metric_has_a_case() -> None:
    assert set(CASES) == set(MODULES)


@pytest.mark.parametrize("name", MODULES)
def test_nothing_of_the_package_is_imported(name: str) -> None:
    files = bundle(name, f"ORG/{name}")
    for path, text in files.items():
        if path.endswith(".py"):
            for node in ast.walk(ast.parse(text)):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                assert not [one for one in names if one.split(".")[0] == "lengthwise"], path


@pytest.mark.parametrize("name", MODULES)
def test_the_script_names_every_module_that_travels(name: str) -> None:
    files = bundle(name, f"ORG/{name}")
    named = {
        f"{node.module}.py" for node in ast.walk(ast.parse(files[f"{name}.py"]))
        if isinstance(node, ast.ImportFrom) and node.level == 1
    }  # fmt: skip
    assert named == set(files) - {f"{name}.py", "app.py", "space.py", "README.md", "requirements.txt"}


def test_card_and_examples_load_the_space() -> None:
    files = bundle("sequence_match", "someone/sequence_match")
    assert 'evaluate.load("someone/sequence_match")' in files["README.md"]
    assert "module_path" not in files["sequence_match.py"]


@pytest.mark.parametrize("name", MODULES)
def test_what_modules_need_is_required(name: str) -> None:
    files = bundle(name, f"ORG/{name}")
    wanted = {line.partition(">")[0] for line in files["requirements.txt"].splitlines()}
    for path, text in files.items():
        if path.endswith(".py") and path not in ("app.py", "space.py"):
            for node in ast.walk(ast.parse(text)):
                tops = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                tops += [node.module or ""] if isinstance(node, ast.ImportFrom) and node.level == 0 else []
                assert {one.split(".")[0] for one in tops} <= wanted | set(sys.stdlib_module_names), path


def test_a_space_of_another_name_would_not_load() -> None:
    with pytest.raises(InputError, match="push to ORG/sequence_match"):
        bundle("sequence_match", "ORG/sequences")


def test_a_second_push_sends_nothing(hub: Hub) -> None:
    first = push_metric("sequence_match", "ORG/sequence_match")
    assert first.created and "app.py" in first.sent
    assert push_metric("sequence_match", "ORG/sequence_match").sent == ()
    assert hub.unknown == []


def test_modules_that_no_longer_travel_are_removed(hub: Hub) -> None:
    push_metric("sequence_match", "ORG/sequence_match")
    repository = hub.repositories["space", "ORG/sequence_match"]
    files = dict(repository.files())
    repository.commit("main", {**files, "old.py": files["app.py"], "picture.png": files["app.py"]})
    assert push_metric("sequence_match", "ORG/sequence_match").removed == ("old.py",)


@pytest.fixture(scope="session")
def without(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Python of an environment with evaluate, numpy and regex, in the versions that are installed here."""
    from importlib.metadata import version

    folder = tmp_path_factory.mktemp("without")
    venv.create(folder, with_pip=True)
    python = str(folder / ("Scripts" if sys.platform == "win32" else "bin") / "python")
    wanted = [f"{name}=={version(name)}" for name in ("evaluate", "datasets", "huggingface_hub", "numpy", "regex")]
    subprocess.run([python, "-m", "pip", "install", "-q", *wanted], check=True, timeout=500)
    return python


_COMPUTE = """
import importlib.util, json, sys
assert importlib.util.find_spec("lengthwise") is None
import evaluate
found = {}
for name, given in json.load(sys.stdin).items():
    metric = evaluate.load(f"ORG/{name}")
    found[name] = metric.compute(**given)
print(json.dumps(found, default=str))
"""


@pytest.mark.slow
def test_the_metrics_work_without_this_package(hub: Hub, without: str, tmp_path: Path) -> None:
    import evaluate

    from lengthwise.metrics.modules import module_path

    for name in MODULES:
        push_metric(name, f"ORG/{name}")
    done = subprocess.run(
        [without, "-W", "ignore", "-c", _COMPUTE], env=environment(hub, tmp_path / "home"), cwd=tmp_path, text=True,
        capture_output=True, timeout=300, input=json.dumps({name: case[0] for name, case in CASES.items()}),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    for name, (given, figure, value) in CASES.items():
        here = json.loads(json.dumps(evaluate.load(module_path(name)).compute(**given), default=str))
        assert found[name] == here, name
        assert value is None or found[name][figure] == value
