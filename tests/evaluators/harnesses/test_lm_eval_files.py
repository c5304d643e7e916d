"""The task files for lm-eval, and which prompts it would cut; lm-eval itself is not needed here."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from run_helpers import write_data

from lengthwise.errors import InputError
from lengthwise.evaluators.harnesses.lm_eval_files import METRICS, write_lm_eval_tasks
from lengthwise.evaluators.harnesses.lm_eval_fit import Asked, check_uncut


class Loader(yaml.SafeLoader):
    pass


Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))


def load(path: Path) -> dict[str, Any]:
    return yaml.load(path.read_text(), Loader)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_data(tmp_path / "data", {"lex-locate/4k": 2, "lex-locate/8k": 1, "unary-all/4k": 1})


def test_one_file_per_config_and_split_and_one_for_all(folder: Path, tmp_path: Path) -> None:
    group, *tasks = write_lm_eval_tasks(str(folder), tmp_path / "tasks")
    names = ["lex_locate_4k", "lex_locate_8k", "unary_all_4k"]
    assert [path.stem for path in tasks] == [f"lengthwise_predicate_{name}" for name in names]
    assert load(group)["task"] == [load(path)["task"] for path in tasks]
    assert [entry["metric"] for entry in load(group)["aggregate_metric_list"]] == list(METRICS)


def test_only_what_is_wanted(folder: Path, tmp_path: Path) -> None:
    written = write_lm_eval_tasks(str(folder), tmp_path, ["lex-locate"], ["8k"])
    assert [path.stem for path in written[1:]] == ["lengthwise_predicate_lex_locate_8k"]


def test_the_sampling_is_the_papers(folder: Path, tmp_path: Path) -> None:
    task = load(write_lm_eval_tasks(str(folder), tmp_path)[1])
    wanted = {"until": [], "do_sample": True, "max_gen_toks": 16_000, "temperature": 1.0, "top_p": 1.0}
    assert task["generation_kwargs"] == wanted
    assert task["num_fewshot"] == 0


def test_repeats_are_all_scored(folder: Path, tmp_path: Path) -> None:
    task = load(write_lm_eval_tasks(str(folder), tmp_path, repeats=3)[1])
    assert task["repeats"] == 3
    assert task["filter_list"] == [{"name": "none", "filter": [{"function": "take_first_k", "k": 3}]}]


def test_files_of_other_data_go(folder: Path, tmp_path: Path) -> None:
    write_lm_eval_tasks(str(folder), tmp_path / "tasks")
    (tmp_path / "tasks" / "mine.yaml").write_text("task: mine")
    written = write_lm_eval_tasks(str(folder), tmp_path / "tasks", ["unary-all"])
    assert sorted((tmp_path / "tasks").iterdir()) == sorted([*written, tmp_path / "tasks" / "mine.yaml"])


def test_no_repeats(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--repeats 0: must be at least 1"):
        write_lm_eval_tasks(str(folder), tmp_path, repeats=0)


def test_out_is_a_file(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(InputError, match="is a file"):
        write_lm_eval_tasks(str(folder), tmp_path / "out")


def model(**attributes: Any) -> SimpleNamespace:
    """Return a model that counts words, with room for 20."""
    return SimpleNamespace(**({"max_length": 20, "tok_encode": lambda text: [0] * len(text.split())} | attributes))


def asked(words: int, **settings: Any) -> Asked:
    return Asked(f"row-{words}", " ".join(["long-word"] * words), {"max_gen_toks": 5} | settings)


def test_a_prompt_that_just_fits() -> None:
    check_uncut(model(), "task", [asked(15)])


def test_a_prompt_that_would_be_cut() -> None:
    with pytest.raises(
        InputError, match=r"task: 2 of 3 rows do not fit; row-17 needs 22 tokens \(17 of prompt, 5 for"
    ):
        check_uncut(model(), "task", [asked(15), asked(16), asked(17)])


def test_the_largest_budget_counts() -> None:
    """A limit in --gen_kwargs has another name than that in the task, and both reach the model."""
    with pytest.raises(InputError, match="12 for output"):
        check_uncut(model(), "task", [asked(10, max_tokens=12)])


def test_the_models_own_budget() -> None:
    with pytest.raises(InputError, match="11 for output"):
        check_uncut(model(max_gen_toks=11), "task", [Asked("row", "word " * 10, {})])


def test_a_model_that_sends_text_is_not_looked_at() -> None:
    check_uncut(model(tokenized_requests=False), "task", [asked(30)])


def test_a_model_without_a_limit_is_not_looked_at() -> None:
    check_uncut(SimpleNamespace(), "task", [asked(30)])


def test_tokens_that_cannot_be_counted() -> None:
    with pytest.raises(InputError, match="its tokens cannot be counted"):
        check_uncut(model(tok_encode=lambda text: [text]), "task", [asked(15)])
