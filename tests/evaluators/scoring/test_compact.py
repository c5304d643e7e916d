"""The rows, the outcomes and the log of a run, held compactly, read like the dictionaries and lists they stand for."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.contracts import Reply, Usage
from lengthwise.evaluators.arrow_tables import lists_of_strings, numbers, repeated, strings
from lengthwise.evaluators.call_index import CallIndex
from lengthwise.evaluators.contracts import Outcome, Spent
from lengthwise.evaluators.outcome_store import OutcomeStore
from lengthwise.evaluators.row_table import RowTable
from lengthwise.recording import Failure, Key, Record

ROWS = [
    {"id": f"r{number}", "config": "c", "split": "4k", "answer": [str(number), "b"], "document": None}
    for number in range(300)
]


def test_a_row_is_what_its_table_holds() -> None:
    rows = RowTable(pa.Table.from_pylist(ROWS))
    assert [dict(row) for row in rows.values()] == ROWS
    assert rows["r7"] == ROWS[7]
    assert (rows["r7"].get("none"), "document" in rows["r7"], "r7" in rows, "x" in rows) == (None, True, True, False)


def test_a_row_that_is_not_there_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        RowTable(pa.Table.from_pylist(ROWS))["x"]


def outcome(number: int, repeat: int) -> Outcome:
    usage, spent = Usage(input=number, written=repeat), Spent(1, Usage(output=3), 0.5)
    roles = {"embed": spent, "generate": spent} if number % 3 else {}
    details = {"finish_reason": "stop", "hit": {"kind": "near"}, "pair": (number, None), "share": 1 / 3}
    return Outcome(f"r{number}", repeat, "wrong", ["é", "\udc00"], None, details, usage, 0.1, 0.25, 2, roles)


def test_outcomes_come_back_as_they_were_in_their_order() -> None:
    made = {(f"r{number}", repeat): outcome(number, repeat) for number in range(150) for repeat in range(2)}
    store = OutcomeStore({f"r{number}": number for number in range(150)}, 2, made.values())
    assert list(store.items()) == list(made.items())
    assert list(store.values()) == list(made.values())
    assert [store[key] for key in reversed(made)] == list(reversed(made.values()))
    assert list(store) == list(made)


@pytest.mark.parametrize("key", [("x", 0), ("r0", 1), ("r0", -1)])
def test_an_outcome_that_is_not_there_is_a_key_error(key: tuple[str, int]) -> None:
    store = OutcomeStore({"r0": 0}, 1, [outcome(0, 0)])
    assert store.get(key) is None
    assert key not in store


@pytest.mark.parametrize("count", [1, 3])
def test_outcomes_too_few_or_many_are_refused(count: int) -> None:
    with pytest.raises(ValueError, match=f"{count} outcomes of 2"):
        OutcomeStore({"r0": 0, "r1": 1}, 1, [outcome(0, 0)] * count)


def write_log(path: Path, *records: Record) -> Path:
    path.write_bytes(b"".join(record.to_line() for record in records) + b'{"torn')
    return path


def record(example: str, repeat: int, call: int, text: str | None) -> Record:
    said = Failure("error", "HTTP 500") if text is None else Reply(text)
    return Record(Key(example, repeat, call, "d"), said)


def texts(calls: Sequence[Reply | Failure]) -> list[str | None]:
    return [call.text if isinstance(call, Reply) else None for call in calls]


def test_the_last_line_of_a_call_counts_and_calls_are_in_order(tmp_path: Path) -> None:
    lines = [("b", 0, 0, None), ("a", 1, 1, "a11"), ("a", 1, 0, "a10"), ("b", 0, 0, "b00"), ("z", 0, 0, "z")]
    log = write_log(tmp_path / "log", *(record(*line) for line in lines))
    with CallIndex(log, {"a": 0, "b": 1, "c": 2}, 2) as index:
        found = [texts(index.calls(number, repeat)) for number in range(3) for repeat in range(2)]
        assert found == [[], ["a10", "a11"], ["b00"], [], [], []]
    with CallIndex(log) as index:
        told = [(example, repeat, texts(calls)) for example, repeat, calls in index.in_order_of_log()]
    assert told == [("a", 1, ["a10", "a11"]), ("b", 0, ["b00"]), ("z", 0, ["z"])]


def test_an_empty_log_has_no_calls(tmp_path: Path) -> None:
    with CallIndex(tmp_path / "none", {"a": 0}, 1) as index:
        assert index.calls(0, 0) == []
        assert list(index.in_order_of_log()) == []


texts_of = st.lists(st.none() | st.text(st.characters(exclude_categories=["Cs"])))


@given(texts_of)
def test_a_column_of_strings_is_pyarrows(values: list[str | None]) -> None:
    column = strings(values)
    column.validate(full=True)
    assert column.equals(pa.array(values, pa.string()))


@given(st.lists(st.none() | st.lists(st.text("ab"))))
def test_a_column_of_lists_is_pyarrows(values: list[list[str] | None]) -> None:
    column = lists_of_strings(values)
    column.validate(full=True)
    assert column.equals(pa.array(values, pa.list_(pa.string())))


@pytest.mark.parametrize("type", [pa.int32(), pa.int64(), pa.float64()])
def test_a_column_of_numbers_is_pyarrows(type: pa.DataType) -> None:
    assert numbers([1, None, -3], type).equals(pa.array([1, None, -3], type))


def test_a_number_too_large_is_refused() -> None:
    with pytest.raises(OverflowError):
        numbers([2**40], pa.int32())


def test_a_repeated_text_is_pyarrows() -> None:
    assert repeated("4k-é", 5).equals(pa.array(["4k-é"] * 5, pa.string()))
