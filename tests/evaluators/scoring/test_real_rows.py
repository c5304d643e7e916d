"""Judging on rows as the builder makes them: offsets of target and decoys mean what the judge takes them for."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from lengthwise.builders.predicate.build import build_predicate
from lengthwise.builders.predicate.settings import Settings
from lengthwise.evaluators.judging_predicate import judge_predicate, list_words

CONFIGS = ["unary-locate", "unary-all", "unary-decoys", "lex-longest", "lex-scattered", "lex-lists"]


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Two rows of each of several configs."""
    folder: Path = tmp_path_factory.mktemp("plb")
    build_predicate(folder, CONFIGS, splits=["4k"], settings=Settings(examples=2))
    files = sorted(folder.glob("*/*.parquet"))
    return [row for file in files for row in pq.read_table(file, partitioning=None).to_pylist()]


def said(*sequences: list[str]) -> str:
    return "\n".join(f"<answer>{' '.join(words)}</answer>" for words in sequences)


def words_of(row: dict[str, Any]) -> list[str]:
    words = list_words(row, row["prompt"])
    assert words is not None
    return words


def with_decoys(rows: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], int, list[str]]]:
    for row in rows:
        for index, decoy in enumerate(row["decoys"][:4]):
            yield row, index, words_of(row)[decoy["start"] : decoy["start"] + decoy["length"]]


def test_gold_scores_one_and_starts_where_the_row_says(rows: list[dict[str, Any]]):
    assert len(rows) == 2 * len(CONFIGS)
    for row in rows:
        assert judge_predicate(row, said(*row["answers"])).correct
        assert words_of(row)[row["target_start"] :][: row["k"]] == row["answer"]


def test_the_whole_list_nothing_and_a_shuffled_answer_score_zero(rows: list[dict[str, Any]]):
    for row in rows:
        for words in (words_of(row), [], row["answer"][::-1], row["answer"][1:]):
            assert not judge_predicate(row, said(words)).correct


def test_each_decoy_is_recognised(rows: list[dict[str, Any]]):
    found = set()
    for row, index, words in with_decoys(rows):
        hit = judge_predicate(row, said(words), lambda prompt=row["prompt"]: prompt).details["decoy_hit"]
        assert hit["index"] == index
        found.add(hit["kind"])
    assert found == {"near-miss", "near-sorted", "boundary-run"}


def test_the_prompt_given_back_is_no_answer(rows: list[dict[str, Any]]):
    for row in rows:
        assert not judge_predicate(row, row["prompt"]).correct
        assert judge_predicate(row, f"{said(*row['answers'])}\n\n{row['question'].splitlines()[-1]}").correct
