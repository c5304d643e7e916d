"""The scorers of `eval.yaml` are a lower bound: looked at with the replies that our own parsers are tested with."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from lengthwise.builders.eval_yaml import eval_yaml, task_of

CASES = Path(__file__).parents[1] / "metrics"


def tasks(benchmark: str, *configs: str) -> list[dict[str, Any]]:
    build = {"benchmark": benchmark, "version": 1, "digest": "0", "configs": {name: {"4k": {}} for name in configs}}
    text = eval_yaml(build)
    return [] if text is None else list(yaml.safe_load(text)["tasks"])


def captured(benchmark: str, config: str, reply: str) -> str | None:
    """Return what the harness's `pattern` scorer would compare with the target, in any case of letters."""
    (task,) = tasks(benchmark, config)
    found = re.search(task["scorers"][0]["args"]["pattern"], reply, re.IGNORECASE)
    return None if found is None else found[1].lower()


def cases(name: str) -> list[Any]:
    lines = (CASES / name).read_text("utf-8").splitlines()
    return [pytest.param(case, id=case["why"]) for case in map(json.loads, lines)]


@pytest.mark.parametrize("case", cases("sequence_cases.jsonl"))
def test_of_sequences(case: dict[str, Any]) -> None:
    found = captured("predicatelongbench", "lex-locate", case["text"])
    # One word alone is no answer of any row.
    assert found is None or " " not in found or found.split() == case["value"]


@pytest.mark.parametrize("case", cases("sequences_cases.jsonl"))
def test_of_all_sequences(case: dict[str, Any]) -> None:
    found = captured("predicatelongbench", "unary-all", case["text"])
    assert found is None or " " not in found or [found.split()] == case["value"]


@pytest.mark.parametrize("case", cases("aggregate_cases.jsonl"))
def test_of_aggregates(case: dict[str, Any]) -> None:
    found = captured("multi-instance", "ner", case["text"])
    # Right answers are written in one way: integers where something is counted, no zeros at the end of a fraction.
    right = r"0|-?[1-9][0-9]*" + ("" if case["answer_type"] == "integer" else r"|-?(0|[1-9][0-9]*)\.[0-9]*[1-9]")
    longest = 40  # digits; more of them are rounded by our own reading, and no row has so many
    assert found is None or not re.fullmatch(right, found) or len(found) > longest or found == case["value"]


def test_a_third_of_hard_replies_are_taken_for_what_they_are() -> None:
    replies = [case.values[0] for case in cases("sequence_cases.jsonl")]
    said = [(one["value"], captured("predicatelongbench", "lex-locate", one["text"])) for one in replies]
    answers = [(value, found) for value, found in said if value]
    alike = sum(found is not None and found.split() == value for value, found in answers)
    assert 0.25 < alike / len(answers) < 0.45


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ("Found.\n<answer>abc bcd</answer>", "abc bcd"),
        ("<answer>no</answer> Better:\n<answer> Abc  Bcd\n</answer> Done.", "abc  bcd"),
        ("<think><answer>no way</answer></think>\n<answer>abc bcd</answer>", "abc bcd"),
        ("<think>so <answer>abc bcd</answer>", None),
        ("<answer>abc bcd</answer> as I thought</think>\nDone.", None),
        ("<answer>abc, bcd</answer>", None),
    ],
)
def test_the_last_block(reply: str, found: str | None) -> None:
    assert captured("predicatelongbench", "lex-locate", reply) == found


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ('{"reasoning": "r", "answer": 17}', "17"),
        ('{"answer": "-2.5", "reasoning": "r"}', "-2.5"),
        ('{"answer": 1}</think>{"answer": 7}', "7"),
        ('{"answer": 1,024}', None),
        ('{"answer": "1,024"}', None),
        ('{"answer": "seven"}', None),
    ],
)
def test_the_last_answer(reply: str, found: str | None) -> None:
    assert captured("multi-instance", "parity", reply) == found


def test_tables_are_no_task() -> None:
    assert [task["id"] for task in tasks("multi-instance", "ner", "ner-instances", "ner-noise-tail")] == [
        "ner-4k",
        "ner-noise-tail-4k",
    ]
    assert tasks("multi-instance", "ner-instances") == []


def test_long_replies_take_no_time() -> None:
    reply = "<think>" + "<answer>a b" * 20_000 + " " * 20_000 + "</think>" + '{"answer": 1, ' * 5_000
    assert captured("predicatelongbench", "lex-locate", reply) is None
    assert captured("predicatelongbench", "unary-all", reply) is None
    assert captured("multi-instance", "parity", reply) is None


@pytest.mark.parametrize(
    ("benchmark", "config", "split", "task"),
    [
        ("longnovel", "xl", "test", "xl"),
        ("longnovel", "xl-prompt", "test", "xl"),
        ("longnovel", "xl", "train", None),
        ("longnovel-storyworld", "xl-en", "test", None),
        ("multi-instance", "ner-noise-tail", "n20", "ner-noise-tail-n20"),
        ("multi-instance", "ner-instances", "n20", None),
        ("predicatelongbench", "unary-all", "4k", "unary-all-4k"),
    ],
)
def test_what_a_run_is_a_result_of(benchmark: str, config: str, split: str, task: str | None) -> None:
    assert task_of(benchmark, config, split) == task
