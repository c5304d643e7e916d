from collections.abc import Callable
from dataclasses import replace

import pytest

from lengthwise.contracts import Usage
from lengthwise.evaluators.contracts import Spent
from lengthwise.evaluators.figures.cost import along, cost_against_quality, ends
from lengthwise.evaluators.figures.model import Panel
from lengthwise.evaluators.scoring import Scored

MakeScored = Callable[..., Scored]


def spending(make_scored: MakeScored, label: str, tokens: int | None, cost: float | None) -> Scored:
    """A run with 3 of 4 right that took so much altogether."""
    run = make_scored({"lex-locate/4k": [1, 1, 1, 0]}, label=label)
    usage = Usage(input=tokens and tokens // 2, output=tokens and tokens // 2)
    return replace(run, results=replace(run.results, spent=Spent(4, usage, 1.0, cost)))


def panel_of(*runs: Scored) -> Panel:
    figure = cost_against_quality(runs)
    assert figure is not None
    return figure.panels[0]


def said(panel: Panel) -> dict[str, str]:
    return {one.name: point.at_text for one in panel.series if (point := one.points[0]) is not None}


def test_dollars_where_all_are_priced(make_scored: MakeScored):
    panel = panel_of(spending(make_scored, "a", 4000, 0.004), spending(make_scored, "b", 4000, 0.4))
    assert (panel.axis, said(panel)) == ("US$ per 1,000 examples", {"a": "$1", "b": "$100"})
    point = panel.series[0].points[0]
    assert point is not None
    assert (point.value, point.n) == (0.75, 4)


def test_tokens_where_one_has_no_price(make_scored: MakeScored):
    panel = panel_of(spending(make_scored, "a", 4000, None), spending(make_scored, "b", 400_000, 0.4))
    assert (panel.axis, said(panel)) == ("tokens per example, in and out", {"a": "1k", "b": "100k"})


def test_what_is_free_has_no_place_on_the_axis(make_scored: MakeScored):
    panel = panel_of(spending(make_scored, "a", 4000, 0.0), spending(make_scored, "b", 400_000, 0.4))
    assert panel.axis == "tokens per example, in and out"


def test_runs_without_a_count_are_named(make_scored: MakeScored):
    runs = [spending(make_scored, "a", 40, None), spending(make_scored, "b", 80, None)]
    figure = cost_against_quality([*runs, spending(make_scored, "uncounted", None, None)])
    assert figure is not None
    assert figure.caption.endswith("not shown: uncounted.")
    assert len(figure.panels[0].series) == 2


def test_one_run_has_nothing_to_be_compared_with(make_scored: MakeScored):
    assert cost_against_quality([spending(make_scored, "a", 40, 0.1)]) is None
    reference = make_scored({"lex-locate/4k": [1]}, spec="reference:solver")
    assert cost_against_quality([spending(make_scored, "a", 40, 0.1), reference]) is None


def test_distances_on_the_axis_are_ratios(make_scored: MakeScored):
    panel = panel_of(*(spending(make_scored, name, 40, cost) for name, cost in (("a", 1), ("b", 10), ("c", 100))))
    at = [point.at for one in panel.series if (point := one.points[0]) is not None]
    assert at[1] == pytest.approx(0.5)
    assert at[1] - at[0] == pytest.approx(at[2] - at[1])
    assert all(0 <= tick <= 1 for tick, _ in panel.ticks)


def test_values_that_are_alike_stand_in_the_middle():
    low, high = ends([2.0, 2.0])
    assert along(2.0, low, high) == pytest.approx(0.5)
    assert high > low
