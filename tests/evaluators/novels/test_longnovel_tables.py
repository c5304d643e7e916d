"""Tests for LongNovel's tables: layouts, order, marks, bounds."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from novel_run_cases import toy_results

from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.longnovel_rows import shown_runs
from lengthwise.evaluators.longnovel_tables import headline, novel_tables
from lengthwise.evaluators.naming import distinguish
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.table_formats.grid import GridTable
from lengthwise.evaluators.tables import render_results


def tables(runs: Sequence[Results]) -> dict[str, GridTable]:
    return {table.title: table for table in novel_tables(distinguish(runs))}


def rows_of(table: GridTable) -> dict[str, tuple[str, ...]]:
    return {row[0]: row[1:] for row in table.rows}


def test_table_4_has_methods_below_their_model_in_the_sections_of_the_paper():
    runs = [
        toy_results({"s": [(100, 100, 9)], "xl": [(50, 48, 0)]}, "Intern", group="Open-Source Models"),
        toy_results({"s": [(100, 44, 66)]}, "Claude", "prompt-b", group="Commercial Models"),
        toy_results({"s": [(100, 100, 11)]}, "Intern", "cot", group="Open-Source Models"),
        toy_results({"s": [(100, 74, 77)]}, "Claude", group="Commercial Models"),
    ]
    table = tables(runs)["Balanced accuracy and MCC (Table 4)"]
    assert table.head == ("Model", "S (16k) BAcc.", "S (16k) MCC.", "XL (100k) BAcc.", "XL (100k) MCC.")
    assert [row[0] for row in table.rows] == [
        "Open-Source Models", "Intern", "—CoT", "Commercial Models", "Claude", "—Prompt-B",
        "ceiling (gold)", "floor (random)", "floor (faithful)", "floor (hallucinated)",
    ]  # fmt: skip
    assert rows_of(table)["Intern"] == ("0.545○", "0.217○", "0.480", "-0.143")
    assert rows_of(table)["—CoT"] == ("0.555●", "0.241●", "–", "–")
    assert rows_of(table)["floor (faithful)"] == ("0.500", "0.000", "0.500", "0.000")


def test_tables_10_and_11_have_both_recalls_first():
    scales = {config: [(50, 44, 12)] for config in ("s", "m", "l", "xl")}
    found = tables([toy_results(scales)])
    table = found["Both recalls, L (64k), XL (100k) (Table 11)"]
    assert table.head[1:5] == ("L (64k) Non-H", "L (64k) Hallu", "L (64k) BAcc.", "L (64k) MCC.")
    assert rows_of(table)["toy"][:4] == ("0.880", "0.240", "0.560", "0.156")
    assert "Both recalls, S (16k), M (32k) (Table 10)" in found


def test_table_5_has_intervals_by_book_and_as_printed():
    # Claude at 64k: 0.680 [0.590, 0.770], 0.363 [0.181, 0.543].
    found = tables([toy_results({"l": [(50, 37, 31)]})])
    printed = rows_of(found["Intervals, rows resampled within their class (Table 5 as printed)"])["toy"]
    assert printed[0].startswith("0.680 [0.590, 0.770]")
    by_book = found["Intervals, books resampled (Table 5)"]
    assert rows_of(by_book)["toy"][0].startswith("0.680 [")
    assert rows_of(by_book)["toy"] != printed
    assert "25 here" in by_book.notes[0]


def test_table_6_puts_the_training_data_below_each_other():
    runs = [
        toy_results({"s": [(100, 97, 57)]}, "Qwen3-8B-FULL", group="FULL"),
        toy_results({"s": [(100, 97, 16)]}, "Qwen3-8B", group="base"),
        toy_results({"s": [(100, 97, 18)]}, "Qwen3-8B", group="MMA-only"),
    ]
    table = tables(runs)["What the training data were made of (Table 6)"]
    assert [row[0] for row in table.rows][:3] == ["Qwen3-8B", "Qwen3-8B-MMA", "Qwen3-8B-FULL"]
    assert rows_of(table)["Qwen3-8B-FULL"][0] == "0.770"
    assert not [title for title in tables(runs[:1]) if "Table 6" in title]


def test_the_position_of_the_summary():
    runs = [toy_results({"s": [(10, 8, 8)]}), toy_results({"s": [(10, 8, 6)]}, method="prompt-b")]
    table = tables(runs)["Where the summary stands in the prompt (appendix F)"]
    assert rows_of(table)["toy"][:4] == ("S (16k)", "0.800", "0.700", "-0.100")


def test_every_table_ends_with_the_ceiling_and_the_floors():
    runs = [toy_results({"s": [(10, 8, 8), (10, 7, 8)]}), toy_results({"s": [(10, 8, 6)]}, method="prompt-b")]
    for title, table in tables(runs).items():
        ends = [row[0] for row in table.rows][-4:]
        assert ends == ["ceiling (gold)", "floor (random)", "floor (faithful)", "floor (hallucinated)"], title
        assert {len(row) for row in table.rows} == {len(table.head)}, title


def test_a_reference_run_takes_the_place_of_its_bound():
    run = toy_results({"s": [(10, 10, 0)]}, "reference:faithful")
    names = [row[0] for row in tables([run])["Balanced accuracy and MCC (Table 4)"].rows]
    assert names.count("floor (faithful)") == 1


def test_the_headline_is_the_papers_figure():
    assert headline(toy_results({"s": [(10, 9, 5)]})) == {"balanced accuracy": "0.700", "MCC": "0.436"}


def test_the_main_table_says_which_figure_is_the_papers():
    text = render_results([toy_results({"s": [(10, 9, 5)]})])
    assert "The paper's first figure is balanced accuracy" in text


def test_the_story_world_has_the_same_tables_and_never_the_name_of_the_paper():
    assert find_benchmark("longnovel-storyworld").tables is find_benchmark("longnovel").tables
    text = render_results([toy_results({"4k": [(10, 9, 5)]}, benchmark="longnovel-storyworld")])
    assert "LongNovel" not in text and "4k BAcc." in text


@pytest.mark.parametrize(
    ("label", "method", "model", "said"),
    [
        ("Qwen (cot)", "cot", "Qwen", "CoT"),
        ("Qwen (high, prompt-b)", "prompt-b", "Qwen (high)", "Prompt-B"),
        ("Qwen (rag:100) #2", "rag:100", "Qwen #2", "RAG 100"),
        ("Ensemble", "vote", "Ensemble", ""),
        ("Qwen", "own-method", "Qwen", "own-method"),
    ],
)
def test_models_and_methods_are_told_apart(label: str, method: str, model: str, said: str):
    (shown,) = shown_runs([toy_results({"s": [(2, 1, 1)]}, method=method, label=label)])
    assert (shown.model, shown.method) == (model, said)


def test_chosen_rows_are_no_row_of_a_table():
    run = toy_results({"s": [(2, 1, 1)]})
    assert novel_tables([replace(run, settings={**run.settings, "again": {"kinds": ["wrong"]}})]) == ()
