import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from lengthwise.builders.predicate.proof import ProofError, prove

Row = dict[str, Any]
Change = Callable[[Row], object]


@pytest.fixture(scope="module")
def rows(built: Path) -> dict[str, Row]:
    return {path.parent.name: pq.read_table(path).to_pylist()[0] for path in built.glob("*/*.parquet")}


def words_of(row: Row) -> list[str]:
    start, end = row["list_span"]
    words: list[str] = row["prompt"][start:end].split()
    return words


def with_words(row: Row, words: list[str]) -> None:
    """Put other words into the prompt of a single list, the offsets kept right."""
    shown = f"Words: {' '.join(words)}"
    row.update(prompt=f"{shown}\n\n{row['question']}", list_span=[7, len(shown)], n_words=len(words))


def swap_words(place: int, other: int) -> Change:
    def change(row: Row) -> None:
        words = words_of(row)
        words[place], words[other] = words[other], words[place]
        with_words(row, words)

    return change


def swap_target_words(row: Row) -> None:
    start = row["target_start"]
    swap_words(start, start + 1)(row)


def repeat_a_word(row: Row) -> None:
    words = words_of(row)
    place = 0 if row["target_start"] > 20 else len(words) - 1
    words[place] = words[(place + 9) % len(words)]
    with_words(row, words)


def add_a_second_answer(row: Row) -> None:
    words = words_of(row)
    start = 0 if row["target_start"] > 20 else len(words) - 12
    words[start : start + row["k"]] = [f"{word[:-1]}{'q' if word[-1] != 'q' else 'r'}" for word in row["answer"]]
    with_words(row, words)


def drop_the_last_word(row: Row) -> None:
    with_words(row, words_of(row)[:-1])
    row["n_words"] += 1


def reword(old: str, new: str) -> Change:
    def change(row: Row) -> None:
        assert old in row["question"]
        question = row["question"].replace(old, new)
        row["prompt"] = row["prompt"].replace(row["question"], question)
        row["question"] = question

    return change


def change_predicate(**values: Any) -> Change:
    def change(row: Row) -> None:
        assert any(row["predicates"][1][name] != value for name, value in values.items())
        row["predicates"][1].update(values)

    return change


def move(column: str, number: int, by: int) -> Change:
    def change(row: Row) -> None:
        row[column][number]["start"] += by

    return change


def put(**values: Any) -> Change:
    return lambda row: row.update(values)


TAMPERED: list[tuple[str, str, Change]] = [
    ("answer", "lex-locate", lambda row: row["answer"].reverse()),
    ("answer", "unary-locate", lambda row: row["answer"].pop()),
    ("answers", "lex-locate", lambda row: row["answers"].append(["a"] * 5)),
    ("answers", "unary-all", put(answers=[])),
    ("answers", "lex-longest", lambda row: row["answers"][0].pop()),
    ("answer_text", "lex-locate", put(answer_text="a b c d e")),
    ("target_start", "lex-locate", put(target_start=0)),
    ("k", "lex-locate", put(k=4)),
    ("k", "lex-longest", put(k=6)),
    ("k", "sum-locate", put(k=4)),
    ("n_words", "lex-locate", put(n_words=7)),
    ("list_starts", "lex-lists", lambda row: row["list_starts"].pop()),
    ("list_starts", "lex-lists", put(list_starts=[0])),
    ("list_starts", "lex-locate", put(list_starts=[0, 9])),
    ("list_span", "lex-locate", put(list_span=[7, 100])),
    ("list_span", "lex-lists", put(list_span=[7, 100])),
    ("quantifier", "lex-locate", put(quantifier="longest")),
    ("quantifier", "unary-all", put(quantifier="exists")),
    ("predicates", "unary-locate", lambda row: row["predicates"].reverse()),
    ("predicates", "unary-locate", lambda row: row["predicates"].pop()),
    ("predicates", "unary-locate", change_predicate(parameters='{"string": "qqq"}')),
    ("predicates", "unary-locate", change_predicate(parameters="{")),
    ("predicates", "unary-locate", change_predicate(kind="palindrome")),
    ("predicates", "unary-locate", change_predicate(position=4)),
    ("predicates", "unary-locate", change_predicate(text="is nice")),
    ("predicates", "lex-locate", put(predicates=[])),
    ("predicates", "sum-locate", lambda row: row["predicates"][0].update(parameters='{"total": 12}')),
    ("question", "lex-locate", put(question="Find the words.")),
    ("question", "unary-locate", reword("- word 1 ", "- word 9 ")),
    ("question", "lex-locate", reword("run of exactly 5", "run of exactly 6")),
    ("question", "lex-locate", reword("Find such a run of exactly 5 consecutive words", "Say hello")),
    ("question", "unary-locate", reword("Find 5 words", "Find every sequence of 5 words")),
    ("prompt", "lex-locate", lambda row: row.update(prompt=row["prompt"] + " ")),
    ("prompt", "lex-locate", lambda row: row.update(prompt=row["prompt"].replace("\n\nAbove", "\nAbove"))),
    ("prompt", "lex-lists", lambda row: row.update(prompt=row["prompt"].replace("\nList 2:", "\nLIST2:", 1))),
    ("target moved", "lex-locate", swap_target_words),
    ("target moved", "unary-locate", swap_target_words),
    ("target moved", "shape-locate", swap_target_words),
    ("a word gone", "lex-locate", drop_the_last_word),
    ("duplicate", "lex-locate", repeat_a_word),
    ("duplicate", "unary-decoys", repeat_a_word),
    ("second answer", "lex-locate", add_a_second_answer),
    ("second answer", "lex-longest", add_a_second_answer),
    ("decoys", "lex-scattered", move("decoys", 0, 1)),
    ("decoys", "lex-clustered", move("decoys", -1, -1)),
    ("decoys", "lex-scattered", lambda row: row["decoys"][2].update(length=4)),
    ("decoys", "lex-scattered", lambda row: row["decoys"][2].update(start=10**6)),
    ("decoys", "lex-scattered", lambda row: row["decoys"][2].update(start=-3)),
    ("decoys", "lex-scattered", lambda row: row["decoys"][2].update(kind="boundary-run")),
    ("decoys", "lex-scattered", lambda row: row["decoys"].reverse()),
    ("decoys", "lex-scattered", lambda row: row["decoys"].append(dict(row["decoys"][-1]))),
    ("decoys", "lex-lists", lambda row: row["decoys"].pop()),
    ("decoys", "lex-lists", move("decoys", 3, 1)),
    ("decoys", "lex-lists", put(decoys=[])),
    ("decoys", "unary-decoys", lambda row: row["decoys"][0].update(start=row["target_start"])),
    ("decoys", "unary-decoys", lambda row: row["decoys"][0].update(length=2)),
    ("decoys", "unary-decoys", move("decoys", 0, -1)),
    ("decoys", "unary-locate", put(decoys=[{"start": 0, "length": 5, "kind": "near-sorted"}])),
]  # fmt: skip


def test_every_built_row_is_proven(rows: dict[str, Row]) -> None:
    assert len(rows) == 11
    for row in rows.values():
        prove(row)


@pytest.mark.parametrize(
    ("config", "change"),
    [pytest.param(c, change, id=f"{c}-{name}-{number}") for number, (name, c, change) in enumerate(TAMPERED)],
)
def test_tampering_is_caught(rows: dict[str, Row], config: str, change: Change) -> None:
    row = copy.deepcopy(rows[config])
    change(row)
    assert row != rows[config]
    with pytest.raises(ProofError, match=row["id"]):
        prove(row)


def decoy_block(row: Row, number: int) -> tuple[list[str], int]:
    return words_of(row), row["decoys"][number]["start"]


@pytest.mark.parametrize("flank", [-1, 5])
def test_a_flank_that_does_not_stop_a_decoy_is_caught(rows: dict[str, Row], flank: int) -> None:
    row = copy.deepcopy(rows["lex-scattered"])
    words, start = decoy_block(row, 0)
    # A word smaller than all before the run, or larger than all behind it.
    words[start + flank] = "aaaaaaaa" if flank < 0 else "zzzzzzzz"
    with_words(row, words)
    with pytest.raises(ProofError, match=r"extends it|answers instead of one"):
        prove(row)


def test_a_decoy_whose_swap_is_undone_is_a_second_answer(rows: dict[str, Row]) -> None:
    row = copy.deepcopy(rows["lex-scattered"])
    words, start = decoy_block(row, 0)
    words[start : start + 5] = sorted(words[start : start + 5])
    with_words(row, words)
    with pytest.raises(ProofError, match="2 answers instead of one"):
        prove(row)


@pytest.mark.parametrize("pair", [(0, 1), (3, 4)])
def test_a_swap_at_the_end_of_a_decoy_is_caught(rows: dict[str, Row], pair: tuple[int, int]) -> None:
    row = copy.deepcopy(rows["lex-scattered"])
    words, start = decoy_block(row, 0)
    block = sorted(words[start : start + 5])
    block[pair[0]], block[pair[1]] = block[pair[1]], block[pair[0]]
    words[start : start + 5] = block
    with_words(row, words)
    with pytest.raises(ProofError, match="not a run of 5 with one interior pair swapped"):
        prove(row)


def test_a_word_that_satisfies_two_conditions_beside_near_misses_is_caught(rows: dict[str, Row]) -> None:
    row = copy.deepcopy(rows["unary-decoys"])
    row["predicates"] = [
        {"kind": kind, "text": text, "position": j, "parameters": f'{{"string": "{string}"}}'}
        for j, (kind, text, string) in enumerate(
            [("prefix", 'starts with "ab"', "ab"), ("suffix", 'ends with "cd"', "cd")]
        )
    ]
    question = row["question"].splitlines()
    question[1:6] = [f"- word {entry['position'] + 1} {entry['text']}" for entry in row["predicates"]]
    row["question"] = "\n".join(question).replace("Find 5 words", "Find 2 words")
    row.update(k=2, answer=["abq", "qcd"], answers=[["abq", "qcd"]], answer_text="abq qcd", target_start=0)
    row["decoys"] = [{"start": 3, "length": 1, "kind": "near-miss"}]
    with_words(row, ["abq", "qcd", "xx", "aby", "zz", "y"])
    prove(row)
    with_words(row, ["abq", "qcd", "xx", "aby", "zz", "abcd"])
    with pytest.raises(ProofError, match="satisfies several conditions"):
        prove(row)


def test_no_answer_at_all_is_caught(rows: dict[str, Row]) -> None:
    row = copy.deepcopy(rows["unary-all"])
    words = words_of(row)
    del words[row["target_start"]]
    with_words(row, words)
    with pytest.raises(ProofError, match="0 answers instead of one"):
        prove(row)
