"""Tests for tables as rows of figures."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.evaluators.table_formats.cells import Figure, Name, Number, count
from lengthwise.evaluators.table_formats.grid import GridTable
from lengthwise.evaluators.table_formats.render import render_tables
from lengthwise.evaluators.table_formats.tidy import COLUMNS, Origin, guard, tidy_rows, unguard, write_csv


def rows_of(table: GridTable, **origins: Origin) -> list[dict[str, str]]:
    known = {("b", name): origin for name, origin in origins.items()}
    return list(tidy_rows(table, "t", known))


def said(row: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in row.items() if value and name != "table"}


def test_a_row_a_number_with_what_its_row_and_column_say():
    head = ("model", Name("16k", split="16k", config="lex", metric="accuracy"), "tokens")
    table = GridTable("T", head, (("m", Figure("50.0", Number(0.5, 0.4, 0.6, 10)), count(3)),), benchmark="b")
    about = {"benchmark": "b", "run": "m", "model": "http://h#m", "complete": "true"}
    interval = {"value": "0.5", "low": "0.4", "high": "0.6", "confidence": "0.95", "n": "10"}
    assert [said(row) for row in rows_of(table, m=Origin("http://h#m", True))] == [
        {**about, "config": "lex", "split": "16k", "metric": "accuracy", **interval},
        {**about, "metric": "tokens", "value": "3"},
    ]


def test_names_beside_a_figure_say_what_it_is_a_part_of():
    head = ("config", "language", Name("MCC.", metric="mcc", part="answer=all"))
    table = GridTable("T", head, (("s", "zh", Figure("0.1", Number(0.1))),), run="m")
    assert [said(row) for row in rows_of(table)] == [
        {"run": "m", "config": "s", "part": "language=zh;answer=all", "metric": "mcc", "value": "0.1"}
    ]


def test_several_numbers_of_a_cell_are_rows_of_their_own():
    cell = Figure("2 right, 1 wrong", Number(2, metric="n", part="outcome=right"), Number(1, metric="n"))
    found = rows_of(GridTable("T", ("config", "outcomes"), (("s", cell),)))
    assert [(row["metric"], row["part"], row["value"]) for row in found] == [
        ("n", "outcome=right", "2"),
        ("n", "", "1"),
    ]


def test_what_stands_twice_is_one_row():
    rows = (("m", "a", count(3)), ("m", "b", count(3)))
    table = GridTable("T", ("model", Name("figure"), "n"), tuple((one, Name(two), n) for one, two, n in rows))
    assert [row["value"] for row in rows_of(table)] == ["3"]


def test_what_has_no_value_is_left_out_and_texts_are_no_figures():
    table = GridTable("T", ("model", "a", "b"), (("m", Figure("–", Number(None)), "words"),))
    assert rows_of(table) == []


@given(st.floats(allow_nan=False) | st.integers(-(2**53), 2**53))
def test_a_number_is_read_back_as_it_was(value: float):
    (row,) = rows_of(GridTable("T", ("a", "b"), (("x", Figure("", Number(value))),)))
    assert float(row["value"]) == value


@pytest.mark.parametrize("label", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "'=1", "''-1"])
def test_no_label_is_a_formula_to_a_spreadsheet(label: str):
    assert guard(label).startswith("'")
    assert unguard(guard(label)) == label


@given(st.text())
def test_every_label_comes_back(label: str):
    assert unguard(guard(label)) == label


@pytest.mark.parametrize("label", ["GPT-5, high", 'say "hi"', "two\nlines", "通义千问", "a;b|c", "'quoted'", "-x"])
def test_csv_is_read_back_cell_by_cell(label: str):
    table = GridTable("T", ("model", "a"), ((label, Figure("x", Number(-0.1))),))
    text = write_csv(rows_of(table))
    head, row = csv.reader(io.StringIO(text, newline=""), strict=True)
    assert head == list(COLUMNS)
    assert unguard(row[head.index("run")]) == label
    assert row[head.index("value")] == "-0.1"
    assert text.endswith("\r\n")


def test_tables_of_any_kind_stand_in_one_csv():
    tables = [GridTable(name, ("model", name), (("m", count(1)),)) for name in ("One", "Two")]
    lines = render_tables(tables, "csv", ["INCOMPLETE m"]).splitlines()
    assert lines[0] == ",".join(COLUMNS)
    assert [line.split(",")[0] for line in lines[1:]] == ["one", "two"]
