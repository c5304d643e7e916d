"""Charts that multi-instance processing brought: stacks, bars along ticks of their own, figures of one section."""

import re
from pathlib import Path

import pytest

from lengthwise.evaluators.figures.files import can_write_figures, write_figures
from lengthwise.evaluators.figures.model import KINDS, Figure, Panel, Place, Point, Series
from lengthwise.evaluators.report.chart_sections import figure, figure_group
from lengthwise.evaluators.report.charts import MOST_WITH_INTERVALS, bar_chart, line_panel, stack_panel

STYLE = Path(__file__).parents[3] / "evaluators" / "report" / "style.css"


def stacked(*shares: float) -> Panel:
    kinds = list(KINDS)[: len(shares)]
    drawn = tuple(
        Series(KINDS[kind][0], (Point(share, 0, 1, 40),), place, kind=kind)
        for place, (kind, share) in enumerate(zip(kinds, shares, strict=True))
    )
    return Panel("title", "stacks", "instances", (Place("500"),), drawn, "share of prompts")


def test_shares_stand_on_top_of_each_other() -> None:
    parts = re.findall(r'y="([\d.]+)" width="[\d.]+" height="([\d.]+)" class="part', stack_panel(stacked(0.5, 0.25)))
    # The axis is 160 high and ends at 168.
    assert parts == [("88.0", "80.0"), ("48.0", "40.0")]


def test_a_part_says_what_it_is() -> None:
    assert "wrong: keys do not span 1 to n, 500: 50.0 % [0.0, 100.0], n = 40" in stack_panel(stacked(0.5))


def test_nothing_is_drawn_of_a_share_of_nothing() -> None:
    assert "part" not in stack_panel(stacked(0.0))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_colour_on_the_page(kind: str) -> None:
    name = f".f-{kind.replace(' ', '-')}"
    assert re.search(rf"{name}\b[^}}]*{{ fill:", STYLE.read_text("utf-8"))


def test_colours_of_kinds_are_the_same_in_files_and_on_the_light_page() -> None:
    light = STYLE.read_text("utf-8").split("@media")[0]
    for kind in ("key", "individual", "aggregation", "combined", "parse", "overlong"):
        assert f"--f-{kind}: {KINDS[kind][1]};" in light


def test_bars_can_have_ticks_and_words_of_their_own() -> None:
    point = Point(0.5, 0.4, 0.6, 10, "120")
    panel = Panel(
        "", "bars", "task", (Place("NER"),), (Series("", (point,), 0),), "size", ((0.0, "2"), (1.0, "2,000"))
    )
    drawn = bar_chart(panel)
    assert 'style="left:100.00%">2,000<' in drawn
    assert "<b>120</b>" in drawn
    # A series without a name leaves its place's name to the bar.
    assert '<span class="who">NER</span>' in drawn and "<strong>" not in drawn


def test_the_numbers_of_such_a_figure_are_its_words() -> None:
    point = Point(0.5, 0.4, 0.6, 10, "120")
    panel = Panel("", "bars", "task", (Place("NER"),), (Series("", (point,), 0),), "size", ((0.0, "2"), (1.0, "9")))
    drawn = figure(Figure("x", "X", "caption", (panel,)))
    assert "120<small>n=10</small>" in drawn
    assert '<th scope="col">size</th>' in drawn


def test_intervals_of_many_lines_are_left_to_the_numbers() -> None:
    def drawn(n: int) -> str:
        point = Point(0.5, 0.4, 0.6, 10)
        named = tuple(Series(f"s{number}", (point, point), number) for number in range(n))
        return line_panel(Panel("", "lines", "n", (Place("1"), Place("2")), named))

    assert "reach" in drawn(MOST_WITH_INTERVALS) and "reach" not in drawn(MOST_WITH_INTERVALS + 1)
    assert "polygon" in drawn(2) and "polygon" not in drawn(3)


def test_figures_of_one_section_stand_behind_a_line_each() -> None:
    made = [Figure(name, name.title(), "caption", (stacked(0.5),)) for name in ("first", "second")]
    drawn = figure_group(made)
    assert re.findall(r"<details([^>]*)><summary><strong>(\w+)", drawn) == [
        (" open", "First"),
        (' id="second"', "Second"),
    ]


@pytest.mark.skipif(not can_write_figures(), reason="needs the extra `plots`")
def test_stacks_are_written_as_files(tmp_path: Path) -> None:
    written = write_figures([Figure("failures", "Failures", "caption", (stacked(0.5, 0.25, 0.1),))], tmp_path)
    assert written.written == ("failures.png", "failures.svg")
    svg = (tmp_path / "failures.svg").read_text("utf-8")
    # Drawn in their own colours.
    assert all(KINDS[kind][1] in svg for kind in list(KINDS)[:3])
