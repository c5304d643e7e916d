from pathlib import Path

import pyarrow.parquet as pq
import pytest

from lengthwise.builders.predicate.instance import LEX, Predicate
from lengthwise.builders.predicate.prompts import join, labels, list_span, list_text, question
from lengthwise.builders.predicate.variants import VARIANTS


def test_conditions_are_numbered_from_one() -> None:
    predicates = [Predicate("prefix", j, {"string": "ab"}, f'starts with "a{j}"') for j in range(2)]
    assert '\n- word 1 starts with "a0"\n- word 2 starts with "a1"\n' in question("unary-exists", 2, predicates)


@pytest.mark.parametrize("name", sorted({variant.question for variant in VARIANTS.values()}))
def test_no_placeholder_is_left(name: str) -> None:
    shown = question(name, 7, (LEX,), 20)
    assert "$" not in shown and "  " not in shown and shown == shown.strip()


def test_one_list_is_called_words() -> None:
    assert labels(1) == ["Words:"]


def test_several_lists_are_numbered_each_on_its_line() -> None:
    assert list_text(" a b c d", (0, 1, 3)) == "List 1: a\nList 2: b c\nList 3: d"


@pytest.mark.parametrize(("starts", "inside"), [((0,), "a b c"), ((0, 2), "List 1: a b\nList 2: c")])
def test_the_span_is_the_list_in_the_prompt(starts: tuple[int, ...], inside: str) -> None:
    shown = list_text(" a b c", starts)
    start, end = list_span(shown, len(starts))
    assert join(shown, "Why?")[start:end] == inside


def test_examples_of_the_questions_share_no_word_with_the_data(built: Path) -> None:
    for path in built.glob("*/*.parquet"):
        for row in pq.read_table(path).to_pylist():
            start, end = row["list_span"]
            assert not {"toluma", "bidako", "fesiru", "hapoke"} & {*row["prompt"][start:end].split()}
