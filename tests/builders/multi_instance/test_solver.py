import json

import pytest

from lengthwise.builders.multi_instance.configs import SETTINGS
from lengthwise.builders.multi_instance.noise import POSITIONS, add_noise
from lengthwise.builders.multi_instance.prompts import assemble, load_prompts
from lengthwise.builders.multi_instance.solver import solve_prompt
from lengthwise.builders.multi_instance.tasks import TASKS


def prompt(task: str, setting: str, texts: list[str]) -> str:
    return assemble(TASKS[task], load_prompts().question(TASKS[task], setting), texts)  # type: ignore[arg-type]


def test_sums_are_exact() -> None:
    texts = ["What is the difference between -2 and 251860?", "-9259432 + 1", "What is 1141.09 less than 1?"]
    found = solve_prompt(prompt("arithmetic", "aggregate", texts))
    assert found is not None
    assert json.loads(found)["answer"] == "-9008709.09"


def test_every_instance_is_answered_where_that_is_asked() -> None:
    found = solve_prompt(prompt("word", "instances", ["Women and women", "woman", "WOMENS"]))
    assert json.loads(found or "") == {"1": 2, "2": 0, "3": 1, "total": 3, "reasoning": ""}


@pytest.mark.parametrize("position", POSITIONS)
def test_noise_is_read_through(position: str) -> None:
    texts = [add_noise(text, position, 1) for text in ("Subtract 3 from 10.", "5+0.5")]  # type: ignore[arg-type]
    assert json.loads(solve_prompt(prompt("arithmetic", "aggregate", texts)) or "")["answer"] == "12.5"


@pytest.mark.parametrize("task", ["category", "language", "ner", "sentiment", "wsd"])
@pytest.mark.parametrize("setting", SETTINGS)
def test_tasks_of_judgement_are_not_solved(task: str, setting: str) -> None:
    assert solve_prompt(prompt(task, setting, ["an apple"])) is None


def test_a_prompt_of_another_shape_is_not_solved() -> None:
    assert solve_prompt("How many are odd? 1 2 3") is None


def test_a_question_that_cannot_be_read_is_not_guessed() -> None:
    assert solve_prompt(prompt("arithmetic", "aggregate", ["What is two plus two?"])) is None
