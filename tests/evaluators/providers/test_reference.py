import asyncio

import pytest
from run_helpers import make_row

from lengthwise.contracts import Message, Request
from lengthwise.evaluators.benchmarks import PREDICATELONGBENCH
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.outcomes import decide
from lengthwise.evaluators.providers import make_model

ROW = make_row("lex-locate", "4k", 0)


def example(**changes):
    row = {**ROW, **changes}
    prompt = row.pop("prompt")
    return Example(row["id"], prompt, row, PREDICATELONGBENCH.name)


def answer(name, one, repeat=0):
    ask = make_model(f"reference:{name}").ask_for(one, repeat)
    return asyncio.run(ask(Request((Message("user", one.prompt),)))).text


def test_gold_is_right():
    row = example()
    ask = make_model("reference:gold").ask_for(row, 0)
    reply = asyncio.run(ask(Request((Message("user", row.prompt),))))
    assert decide(PREDICATELONGBENCH, row.columns, [reply]).kind == "correct"


def test_gold_gives_a_line_for_each_answer():
    answers = [["a", "b"], ["c", "d"]]
    assert answer("gold", example(answers=answers)) == "<answer>a b</answer>\n<answer>c d</answer>"
    assert answer("gold", example(answers=[])) == "<answer></answer>"


def test_first_window_is_the_first_k_words():
    assert answer("first-window", example()) == "<answer>x a b</answer>"


def test_headings_of_lists_are_no_words():
    prompt = "List 1: p q\nList 2: r s t\n\nWhich?"
    span = [0, prompt.index("\n\n")]
    assert answer("first-window", example(prompt=prompt, list_span=span)) == "<answer>p q r</answer>"


def test_random_is_a_run_of_the_list_and_the_same_each_time():
    words = " ".join(f"w{index:03d}" for index in range(500))
    row = example(prompt=words, list_span=[0, len(words)])
    found = [answer("random", row, repeat) for repeat in (0, 0, 1)]
    assert found[0] == found[1] != found[2]
    assert found[0].removeprefix("<answer>").removesuffix("</answer>") in words


def test_a_list_shorter_than_k_is_given_whole():
    assert answer("random", example(k=50)) == "<answer>x a b c y z</answer>"


@pytest.mark.parametrize("name", ["gold", "random", "first-window", "solver"])
def test_references_have_no_limit(name):
    assert asyncio.run(make_model(f"reference:{name}").window()).tokens is None
