"""From a build to the causes of every wrong reply and the second asking of those cut, all through the command line."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from faulty_server import FaultyServer, Step, completion

WRONG = "<answer>zz yy</answer>"

# What the model says to each row, by its number: one fault each.
FAULTS: dict[int, tuple[str | None, Callable[[dict[str, Any], list[str]], dict[str, Any]]]] = {
    0: ("budget_spent", lambda row, words: completion("I begin with the first", "length")),
    1: ("looped", lambda row, words: completion(f"<think>{'no, wait, ' * 100}</think>{WRONG}")),
    2: ("copied", lambda row, words: completion(WRONG, reasoning_content=" ".join(words))),
    3: ("target_lost", lambda row, words: completion(WRONG, reasoning_content=f"{row['answer_text']}? No.")),
    4: (None, lambda row, words: completion(WRONG)),
    5: (None, lambda row, words: completion(f"<answer>{row['answer_text']}</answer>")),
}


@pytest.fixture
def built(tmp_path: Path, lengthwise: Any, server: FaultyServer) -> Path:
    """A small build, and a server that shows one fault a row; with more tokens allowed it is right."""
    sizes = ("--words", 200, "--examples", len(FAULTS))
    done = lengthwise("build", "predicate", "lex-locate", *sizes, "--out", "data")
    assert done.returncode == 0, done.stderr
    file = next((tmp_path / "data" / "lex-locate").glob("*.parquet"))
    rows = {row["prompt"]: row for row in pq.read_table(file, partitioning=None).to_pylist()}

    def said(body: dict[str, Any]) -> Step:
        row = rows[body["messages"][-1]["content"]]
        if body["max_tokens"] > 20_000:
            return Step(body=completion(f"<answer>{row['answer_text']}</answer>"))
        start, end = row["list_span"]
        return Step(body=FAULTS[int(row["id"][-4:])][1](row, row["prompt"][start:end].split()[1:]))

    server.default = said
    return tmp_path / "data"


def test_every_wrong_reply_shows_its_cause_and_no_other(
    built: Path, server: FaultyServer, tmp_path: Path, lengthwise: Any
):
    done = lengthwise("run", built, "--model", server.spec, "--out", "run", "--quiet")
    assert done.returncode == 0, done.stderr
    outcomes = pq.read_table(tmp_path / "run" / "outcomes.parquet").to_pylist()
    found = {int(outcome["example_id"][-4:]): outcome["causes"] for outcome in outcomes}
    assert found == {
        number: None if number == 5 else [cause] if cause else [] for number, (cause, _) in FAULTS.items()
    }
    causes = json.loads((tmp_path / "run" / "results.json").read_text())["cells"][0]["causes"]
    assert (causes["replies"], causes["unexplained"], causes["not_looked_up"]) == (5, 1, {})
    assert causes["by_cause"] == {
        "budget_spent": 1,
        "looped": 1,
        "looped_at_target": 0,
        "copied": 1,
        "target_lost": 1,
    }
    table = done.stdout.partition("why replies were not right")[2]
    assert table.splitlines()[4].split()[2:] == ["5", "1", "1", "0", "1", "1", "1"]
    assert "list copied: 50 words or more of the list in a row" in table


def test_those_cut_are_asked_again_with_more_tokens(
    built: Path, server: FaultyServer, tmp_path: Path, lengthwise: Any
):
    server.models = [{"id": "fake", "owned_by": "vllm", "max_model_len": 131_072}]
    lengthwise("run", built, "--model", server.spec, "--out", "run", "--quiet")
    server.seen.clear()
    again = ("run", "--again", "truncated_output", "--limit", 5, "--max-tokens", 64_000)
    done = lengthwise(*again, "run", "--out", "new", "--quiet")
    assert done.returncode == 0, done.stderr
    assert [one.body["max_tokens"] for one in server.seen] == [64_000]
    then, now = done.stdout.partition("asked again")[2].splitlines()[2:5:2]
    assert (then.split(), now.split()) == (["then", "\\", "now", "correct"], ["truncated", "output", "1"])
    assert "max tokens 16,000 then, 64,000 now" in done.stdout
    shutil.rmtree(tmp_path / "run")
    assert lengthwise("score", "new").stdout == done.stdout
    copy = lengthwise("run", "--from", "new/run.json", "--out", "copy", "--quiet")
    assert copy.stdout == done.stdout


def refused(done: Any, *parts: str) -> None:
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    for part in parts:
        assert part in done.stderr


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--again", "wrong"], ["RUN: with --again"]),
        (["--again", "wrong", "nowhere"], ["nowhere/run.json: no such file"]),
        (["--again", ",", "nowhere"], ["--again: name an outcome", "truncated_output"]),
        (["--again", "wrong", "--from", "x/run.json"], ["--from: a run.json says already", "name the run: x"]),
    ],
)
def test_bad_input_is_one_clear_line(lengthwise: Any, tmp_path: Path, arguments: list[str], parts: list[str]):
    refused(lengthwise("run", *arguments, "--out", "new"), *parts)
    assert not (tmp_path / "new").exists()
