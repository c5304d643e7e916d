"""Tests for what all formats share: cells, names of files, and blocks in the formats for people."""

import pickle

import pytest

from lengthwise.evaluators.table_formats.cells import Figure, Marked, Number, Place
from lengthwise.evaluators.table_formats.grid import Block, GridTable, file_names
from lengthwise.evaluators.table_formats.render import render_blocks, render_grid


def test_a_figure_is_its_text_and_survives_being_sent_to_another_process():
    figure = Figure("50.0", Number(0.5))
    assert figure == "50.0"
    assert pickle.loads(pickle.dumps(figure)).numbers == (Number(0.5),)


def test_a_marked_figure_is_what_a_terminal_shows():
    cell = Marked.make("83.3", "n=6", Number(5 / 6), arrow="down", starred=True, best=True)
    assert cell == "83.3● ↓* n=6"


def test_a_place_is_filled_up_by_what_is_around_it():
    column = Place(split="4k", metric="accuracy", part="budget=1")
    assert column.within(Place(config="lex", split="8k", part="by=rule")) == Place(
        config="lex", split="4k", metric="accuracy", part="by=rule;budget=1"
    )


def test_files_are_named_by_benchmark_table_and_run_and_each_once():
    def table(title: str, **about: str) -> GridTable:
        return GridTable(title, ("a",), (), **about)

    tables = [
        table("Main", benchmark="predicatelongbench"),
        table("x", name="details", run="Qwen/Qwen3-8B"),
        table("x", name="details", run="../../etc/passwd"),
        table("模型", run="模型"),
        table("模型", run="通义"),
    ]
    assert file_names(tables) == [
        "predicatelongbench-main", "details-qwen-qwen3-8b", "details-etc-passwd", "table-run", "table-run-2"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("format", "first"), [("text", "PLB\n==="), ("markdown", "## PLB"), ("latex", "% PLB\n\n% INCOMPLETE a b")]
)
def test_headings_and_lines_stand_above_the_tables(format, first: str):
    block = Block((GridTable("T", ("a",), (("b",),)),), "PLB", ("INCOMPLETE a b",))
    text = render_blocks([block], format)
    assert text.startswith(first)
    assert text.index("INCOMPLETE") < text.index("T\n" if format == "text" else "T")


def test_wide_characters_take_two_columns_on_a_terminal():
    assert render_grid("T", ["model", "n"], [["模型", "1"], ["abcd", "2"]]).splitlines()[4:] == [
        "模型   1",
        "abcd   2",
    ]
