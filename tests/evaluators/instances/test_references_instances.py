"""The ceilings are 1.0 on a real build, at all sizes, in both settings, with noise and in other orders."""

import asyncio
import json
from pathlib import Path

import pytest

from lengthwise.builders.multi_instance.build import build_multi_instance
from lengthwise.builders.multi_instance.configs import paper_configs
from lengthwise.builders.multi_instance.settings import InstanceSettings
from lengthwise.contracts import Message, ReplyError, Request
from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import MULTI_INSTANCE
from lengthwise.evaluators.providers import make_model
from lengthwise.evaluators.references_instances import SOLVABLE
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_run
from lengthwise.evaluators.settings import RunSettings

# Every config but single instances, which the filter's tests run; and some at the largest size.
CONFIGS = tuple(config.name for config in paper_configs() if config.choice != "single")
LARGE = ("arithmetic-instances", "ner-instances", "parity-instances", "word-noise-random", "wsd-shuffled")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "data"
    build_multi_instance(folder, CONFIGS, settings=InstanceSettings(sizes=(2, 50), seeds=(1,)), progress=False)
    return folder


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large") / "data"
    build_multi_instance(folder, LARGE, settings=InstanceSettings(sizes=(2000,), seeds=(1,)), progress=False)
    return folder


def rates(data: Path, model: str, out: Path, configs: tuple[str, ...] = ()) -> dict[tuple[str, str], float | None]:
    run_benchmark(RunSettings(str(data), model, configs), out, RunOptions())
    return {(cell.config, cell.split): cell.accuracy.value for cell in score_run(out).cells}


def solvable(configs: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in configs if name.split("-")[0] in SOLVABLE)


def test_gold_is_right_everywhere(whole, large, tmp_path):
    assert set(rates(whole, "reference:gold", tmp_path / "gold").items()) == {
        ((config, split), 1.0) for config in CONFIGS for split in ("n2", "n50")
    }
    found = rates(large, "reference:gold", tmp_path / "large")
    assert found == {(config, "n2000"): 1.0 for config in LARGE}


def test_the_solver_is_right_where_rules_can_solve_the_task(whole, large, tmp_path):
    found = rates(whole, "reference:solver", tmp_path / "solver", solvable(CONFIGS))
    assert {config.split("-")[0] for config, _ in found} == set(SOLVABLE) and set(found.values()) == {1.0}
    found = rates(large, "reference:solver", tmp_path / "large", solvable(LARGE))
    assert found == {(config, "n2000"): 1.0 for config in solvable(LARGE)} and len(found) == 3


def ask(name, example, prompt=None):
    request = Request((Message("user", prompt or example.prompt),))
    return asyncio.run(make_model(f"reference:{name}").ask_for(example, 0)(request)).text


def test_the_solver_says_what_it_cannot_solve(example_of):
    with pytest.raises(ReplyError, match="wsd takes judgement"):
        ask("solver", example_of("wsd-random_2_seed1"))
    with pytest.raises(ReplyError, match="cannot read this prompt"):
        ask("solver", example_of("word-random_2_seed1"), "How many?")


@pytest.mark.parametrize("name", ["random", "constant"])
@pytest.mark.parametrize("row", ["parity-instances-random_10_seed1", "word-instances-random_10_seed2"])
def test_the_floors_add_up_what_they_answer(example_of, name, row):
    example = example_of(row)
    details = MULTI_INSTANCE.judge(example.columns, ask(name, example), lambda: None).details
    assert details["failure"] == "individual" and details["missing"] == details["extra"] == 0


def test_random_is_the_same_each_time_and_knows_all_classes(example_of):
    example = example_of("parity-instances-random_10_seed1")
    assert ask("random", example) == ask("random", example)
    answers = {json.loads(ask("random", example))[str(number)] for number in range(1, 11)}
    assert answers == {0, 1}


def test_constant_is_the_first_class_or_nothing(example_of):
    assert json.loads(ask("constant", example_of("wsd-random_5_seed1")))["answer"] == 5
    assert json.loads(ask("constant", example_of("word-random_5_seed1")))["answer"] == 0


def test_a_reference_of_another_benchmark_is_refused_before_the_run(mip, tmp_path):
    with pytest.raises(InputError, match="multi-instance has no such reference; it has solver, gold"):
        run_benchmark(RunSettings(str(mip), "reference:first-window"), tmp_path / "out")
    assert not (tmp_path / "out").exists()
