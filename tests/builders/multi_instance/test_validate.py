from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lengthwise.builders.benchmarks import validate

Build = Callable[..., Path]


def spoil(folder: Path, cell: str, change: Callable[[dict[str, Any]], None]) -> list[str]:
    """Change the first row of a cell and return what validate has to say."""
    (path,) = folder.glob(f"{cell}-*.parquet")
    table = pq.read_table(path, partitioning=None)
    rows = table.to_pylist()
    change(rows[0])
    pq.write_table(pa.Table.from_pylist(rows, table.schema), path, write_page_index=True)
    return [problem for report in validate(folder) for problem in report.problems if "digest" not in problem]


def swap_instances(row: dict[str, Any]) -> None:
    row["indices"] = row["indices"][::-1]


def other_label(row: dict[str, Any]) -> None:
    row["labels"] = ["even" if label == "odd" else "odd" for label in row["labels"]]


def other_answer(row: dict[str, Any]) -> None:
    row["answer"] = str(int(row["answer"]) + 1)


def other_text(row: dict[str, Any]) -> None:
    row["prompt"] = row["prompt"].replace("Number 1: ", "Number 1: 1")


def lost_instance(row: dict[str, Any]) -> None:
    row["prompt"] = row["prompt"].replace("Number 2: ", "Number two: ")


def other_count(row: dict[str, Any]) -> None:
    row["n_tokens"] += 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (swap_instances, "not those that random_5_seed1 draws"),
        (other_label, "do not follow from the labels"),
        (other_answer, "do not follow from the labels"),
        (other_text, "not those of the generated pool"),
        (lost_instance, "disagree about the number of instances"),
        (other_count, "n_tokens is"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_planted_fault_is_named(build: Build, change: Callable[[dict[str, Any]], None], said: str) -> None:
    assert any(said in problem for problem in spoil(build("data", "parity"), "parity/n5", change))


def test_a_table_that_is_not_the_answer_is_named(build: Build) -> None:
    def change(row: dict[str, Any]) -> None:
        row["answer_text"] = row["answer_text"].replace('"1": ', '"1": 1')

    problems = spoil(build("data", "parity-instances"), "parity-instances/n2", change)
    assert any("answer_text is not the answer" in problem for problem in problems)
