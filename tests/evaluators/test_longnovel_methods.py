import json
import shutil
from importlib.resources import files
from pathlib import Path

import pytest
from faulty_server import FaultyServer, Step, completion
from novel_cases import write_novels

from lengthwise.builders.longnovel.prompt_texts import load_prompts
from lengthwise.builders.tokens import load_tokenizer
from lengthwise.errors import InputError
from lengthwise.evaluators.benchmark_longnovel import LONGNOVEL
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.examples import ids_by_cell, open_data
from lengthwise.evaluators.longnovel_methods import prompt_b, prompt_cot
from lengthwise.evaluators.main_table import main_tables
from lengthwise.evaluators.methods import method_kind
from lengthwise.evaluators.plan import plan_run
from lengthwise.evaluators.runner import run_benchmark
from lengthwise.evaluators.scoring import score_outcomes, score_run
from lengthwise.evaluators.settings import RunSettings, prepare

REPLY = '{"reason": "", "score": 5}'


def examples(folder: Path) -> list[Example]:
    data, cells = open_data(str(folder))
    return list(data.stream(ids_by_cell(data.short_columns(cells))))


def ask_all(server: FaultyServer, folder: Path, method: str, out: Path) -> list[str]:
    """Run a method on all rows over HTTP; return the prompts that came in."""
    server.default = lambda body: Step(body=completion(REPLY))
    run_benchmark(RunSettings(str(folder), server.spec, method=method), out)
    return [one.body["messages"][-1]["content"] for one in server.seen]


@pytest.fixture
def novels(tmp_path: Path) -> Path:
    return write_novels(tmp_path / "novels")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A data folder with English prompts of its own."""
    folder = tmp_path / "own"
    (folder / "prompts/en").mkdir(parents=True)
    packages = files("lengthwise.builders.longnovel").joinpath("prompts/en/headings.txt").read_text("utf-8")
    headings = packages.replace("summary=", "summary=OUR OWN ", 1)
    (folder / "prompts/en/headings.txt").write_text(headings, "utf-8")
    (folder / "prompts/en/detection.txt").write_text("Is it all true? $verdict", "utf-8")
    (folder / "prompts/en/detection-cot.txt").write_text("Think, then say if it is true. $verdict", "utf-8")
    return write_novels(folder)


def test_prompt_b_has_the_summary_before_the_text(novels: Path) -> None:
    for example in examples(novels):
        prompt = prompt_b(example)
        places = [prompt.index(example.texts[name]) for name in ("summary", "article")]
        assert prompt.startswith(example.columns["question"]) and places == sorted(places)
        # The same words as in Prompt-E, in another order.
        assert sorted(prompt.split("\n")) == sorted(example.prompt.split("\n"))


def test_cot_asks_for_an_analysis_and_changes_nothing_else(novels: Path) -> None:
    for example in examples(novels):
        task = load_prompts(example.columns["language"]).detection(cot=True)
        rest = example.prompt.removeprefix(example.columns["question"])
        assert prompt_cot(example) == task + rest != example.prompt


@pytest.mark.parametrize("method", ["prompt-e", "prompt-b", "cot"])
def test_what_is_counted_is_what_is_sent(novels: Path, tmp_path: Path, server: FaultyServer, method: str) -> None:
    sent = ask_all(server, novels, method, tmp_path / "run")
    kind = method_kind(method)
    counted = [
        part.prompt if kind.parts is not None else example.prompt
        for example in examples(novels)
        for part in (kind.parts(example) if kind.parts is not None else [example])
    ]
    assert sorted(sent) == sorted(counted)
    count = load_tokenizer("qwen3").count
    plan = plan_run(RunSettings(str(novels), "reference:gold", method=method))
    assert plan.input_tokens == sum(map(count, sent)) + 64 * len(sent)


@pytest.mark.parametrize("method", ["prompt-e", "prompt-b", "cot"])
def test_a_folder_with_prompts_of_its_own_is_asked_in_them(
    own: Path, tmp_path: Path, server: FaultyServer, method: str
) -> None:
    task = "Think, then say" if method == "cot" else "Is it all true?"
    for prompt in ask_all(server, own, method, tmp_path / "run"):
        english = "[s-en" in prompt
        assert prompt.startswith(task) is english and ("OUR OWN" in prompt) is english


def test_without_its_folder_of_prompts_the_packages_stand_in(own: Path) -> None:
    shutil.rmtree(own / "prompts")
    example = examples(own)[0]
    assert "OUR OWN" not in example.prompt and prompt_cot(example).startswith(load_prompts("en").detection(cot=True))


@pytest.mark.parametrize("method", ["prompt-e", "prompt-b", "cot"])
def test_other_benchmarks_are_refused(data: Path, method: str) -> None:
    with pytest.raises(InputError, match="it is for longnovel"):
        prepare(RunSettings(str(data), "reference:solver", method=method))


@pytest.mark.parametrize("method", ["prompt-b", "cot"])
def test_the_score_is_read_as_ever(novels: Path, tmp_path: Path, server: FaultyServer, method: str) -> None:
    server.default = lambda body: Step(body=completion("I look at each sentence.\n" + json.dumps({"score": 1})))
    run = run_benchmark(RunSettings(str(novels), server.spec, method=method), tmp_path / "run")
    scored = score_outcomes(run.path)
    assert {outcome.answer for outcome in scored.outcomes.values()} == {1}


@pytest.mark.parametrize("method", ["prompt-e", "prompt-b", "cot", "minicheck"])
def test_every_table_has_the_three_floors(novels: Path, tmp_path: Path, server: FaultyServer, method: str) -> None:
    server.default = lambda body: Step(body=completion("Yes" if method == "minicheck" else REPLY))
    run = run_benchmark(RunSettings(str(novels), server.spec, method=method), tmp_path / "run")
    floor = run_benchmark(RunSettings(str(novels), "reference:faithful"), tmp_path / "faithful")
    bounds = ["ceiling (gold)", "floor (faithful)", "floor (hallucinated)", "floor (random)"]
    for runs in ([run], [run, floor]):
        (table,) = main_tables([score_run(one.path) for one in runs], LONGNOVEL.layout)
        assert sorted(column.label for column in table.columns[1:]) == bounds
