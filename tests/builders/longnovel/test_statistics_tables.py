import csv
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.builders.longnovel.statistics_tables import (
    Composition,
    class_counts,
    compositions,
    token_lengths,
    type_shares,
)
from lengthwise.metrics.fault_types import HallucinationType

KINDS = [("original", 0), ("erhg", 1), ("mma", 0), ("mma", 1)]


@st.composite
def rows(draw: st.DrawFn) -> list[dict[str, Any]]:
    found = []
    for origin, positive in draw(st.lists(st.sampled_from(KINDS), max_size=30)):
        types = draw(st.lists(st.sampled_from([one.value for one in HallucinationType]), max_size=3, unique=True))
        language = draw(st.sampled_from(["en", "zh"]))
        found.append(
            {"language": language, "origin": origin, "hallucinated": positive, "types": types if positive else []}
        )
    return found


def table_7(shared_dir: Path) -> list[Composition]:
    with (shared_dir / "reference" / "longnovel_table_7.tsv").open() as file:
        lines = list(csv.DictReader(file, delimiter="\t"))
    return [Composition(line["subset"], *(int(line[one.name]) for one in fields(Composition)[1:])) for line in lines]


@pytest.mark.shared
def test_the_papers_table_adds_up(shared_dir: Path) -> None:
    table = table_7(shared_dir)
    assert [problem for line in table for problem in line.problems()] == []
    assert sum(line.total for line in table) == 6354
    assert [line.mma_classes for line in table] == [
        (491, 616), (355, 444), (60, 40), (60, 40), (52, 36), (39, 31), (23, 9), (30, 12)
    ]  # fmt: skip


@pytest.mark.shared
def test_one_more_row_in_any_column_is_seen(shared_dir: Path) -> None:
    for line in table_7(shared_dir):
        for place in range(1, len(line.cells)):
            cells: list[Any] = list(line.cells)
            cells[place] += 1
            assert list(Composition(*cells).problems())


@given(rows())
def test_a_composition_adds_up(some: list[dict[str, Any]]) -> None:
    (line,) = compositions({("s", "test"): some})
    assert list(line.problems()) == []
    both = [sum(row["origin"] == "mma" and row["hallucinated"] == positive for row in some) for positive in (1, 0)]
    assert line.mma_classes == tuple(both)


@given(rows(), rows())
def test_classes_agree_with_the_composition(train: list[dict[str, Any]], test: list[dict[str, Any]]) -> None:
    subsets = {("s", "train"): train, ("s", "test"): test}
    (classes,) = class_counts(subsets)
    assert classes.totals == {"train": len(train), "test": len(test)}
    assert [classes.hallucinated[split] for split in ("train", "test")] == [
        one.hallucinated for one in compositions(subsets)
    ]


@given(rows())
def test_shares_of_types_add_up_to_one(some: list[dict[str, Any]]) -> None:
    english, chinese, both = type_shares({("s", "test"): some, ("s", "train"): some})
    assert both.total == sum(len(row["types"]) for row in some) == english.total + chinese.total
    for bar in (english, chinese, both):
        assert sum(bar.shares.values()) == (1 if bar.total else 0)
        assert len(bar.shares) == 8


def test_an_impossible_reference_is_named() -> None:
    line = Composition("test s", 2, 0, 2, 2, 0, 0, 1, 1)
    assert list(line.problems()) == ["test s: more original than faithful rows, or more erhg than hallucinated ones"]


def test_lengths_by_any_number_of_tokenizers() -> None:
    texts = {"s": ["a b", "a b", "a b c d"], "m": ["a"]}
    found = token_lengths(texts, {"words": lambda text: len(text.split()), "letters": len})
    assert [(one.scale, one.tokenizer, one.n, one.least, one.most) for one in found] == [
        ("s", "words", 3, 2, 4), ("s", "letters", 3, 3, 7), ("m", "words", 1, 1, 1), ("m", "letters", 1, 1, 1)
    ]  # fmt: skip
    assert found[0].mean == pytest.approx(8 / 3)
    assert found[1].thousands == ("0.00", "0.00", "0.01")


@pytest.mark.shared
def test_the_papers_lengths_lie_in_the_range_of_a_window_only_if_k_is_1000(shared_dir: Path) -> None:
    scales = {"S": 16, "M": 32, "L": 64, "XL": 100}
    with (shared_dir / "reference" / "longnovel_table_3.tsv").open() as file:
        lines = [line for line in csv.DictReader(file, delimiter="\t") if line["tokenizer"] == "Qwen-3"]
    for line in lines:
        low, high = scales[line["scale"]] - 2, scales[line["scale"]] + 4
        assert low <= float(line["min_ktok"]) <= float(line["mean_ktok"]) <= float(line["max_ktok"]) <= high
    assert float(lines[1]["min_ktok"]) < (32 - 2) * 1.024
