import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from lengthwise.builders.predicate.instance import LEX, Predicate
from lengthwise.builders.predicate.prompts import join, list_text, question
from lengthwise.builders.predicate.reader import read_prompt, solve_prompt, split_lists
from lengthwise.errors import InputError

UNARY = (
    Predicate("prefix", 0, {"string": "ab"}, 'starts with "ab"'),
    Predicate("suffix", 1, {"string": "cd"}, 'ends with "cd"'),
    Predicate("contains", 2, {"string": "ef"}, 'contains "ef"'),
    Predicate("length", 3, {"letters": 9}, "has exactly 9 letters"),
    Predicate("vowels", 4, {"vowels": 1}, "has exactly 1 vowel (aeiou)"),
)
SUM = Predicate("letter-sum", -1, {"total": 31}, "the letters of all 3 words together add up to 31, counting a = 1")
CASES = [
    ("lex-locate", 5, (LEX,), (0,), "exists"),
    ("lex-longest", 5, (LEX,), (0,), "longest"),
    ("lex-lists", 12, (LEX,), (0, 2, 3), "exists"),
    ("unary-exists", 5, UNARY, (0,), "exists"),
    ("unary-all", 5, UNARY, (0,), "all"),
    ("unary-exists", 1, UNARY[:1], (0,), "exists"),
    ("letter-sum", 3, (SUM,), (0,), "exists"),
]


def prompt_of(name: str, k: int, predicates: tuple[Predicate, ...], starts: tuple[int, ...], words: str) -> str:
    return join(list_text(words, starts), question(name, k, predicates, len(starts)))


@pytest.mark.parametrize(("name", "k", "predicates", "starts", "quantifier"), CASES)
def test_every_question_is_read_back(
    name: str, k: int, predicates: tuple[Predicate, ...], starts: tuple[int, ...], quantifier: str
) -> None:
    task = read_prompt(prompt_of(name, k, predicates, starts, " d a b c"))
    assert task.words == ["d", "a", "b", "c"]
    assert task.starts == [*starts]
    assert task.quantifier == quantifier
    assert task.k == (None if quantifier == "longest" else k)
    assert task.predicates == [(each.kind, each.parameters) for each in predicates]


def test_every_built_prompt_is_solved_from_its_text_alone(built: Path) -> None:
    rows: list[dict[str, Any]] = [
        row
        for path in built.glob("*/*.parquet")
        for row in pq.read_table(path, columns=["prompt", "answers"]).to_pylist()
    ]
    assert len(rows) == 33
    for row in rows:
        expected = "\n".join(f"<answer>{' '.join(answer)}</answer>" for answer in row["answers"])
        assert solve_prompt(row["prompt"]) == expected


def test_all_windows_are_given_where_all_are_asked_for() -> None:
    prompt = prompt_of("unary-all", 2, UNARY[:2], (0,), " abx ycd q abz zcd")
    assert solve_prompt(prompt) == "<answer>abx ycd</answer>\n<answer>abz zcd</answer>"


def test_the_first_window_is_given_where_one_is_asked_for() -> None:
    assert (
        solve_prompt(prompt_of("unary-exists", 2, UNARY[:2], (0,), " abx ycd q abz zcd")) == "<answer>abx ycd</answer>"
    )


@pytest.mark.parametrize("name", ["unary-all", "unary-exists"])
def test_nothing_found_is_an_empty_answer(name: str) -> None:
    assert solve_prompt(prompt_of(name, 2, UNARY[:2], (0,), " q r s")) == "<answer></answer>"


def test_no_run_crosses_from_list_to_list() -> None:
    assert solve_prompt(prompt_of("lex-lists", 3, (LEX,), (0, 2), " a b c d e")) == "<answer>c d e</answer>"


def test_list_labels_are_no_words() -> None:
    assert split_lists("List 1: a b\nList 2:\nList 3: c") == (["a", "b", "c"], [0, 2, 2])


LIST = "Words: a b c"


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "Hello",
        LIST,
        f"{LIST}\n\n",
        "\n\nFind 3 words",
        "a b c\n\nFind such a run of exactly 3 consecutive words.",
        f"{LIST}\n\nWhat is the capital of France?",
        f"{LIST}\n\nFind every word.",
        json.dumps({"prompt": LIST}),
    ],
)
def test_what_is_no_prompt_of_ours_is_refused(prompt: str) -> None:
    with pytest.raises(InputError, match="no PredicateLongBench prompt"):
        solve_prompt(prompt)
