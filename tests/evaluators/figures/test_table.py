from collections.abc import Callable
from dataclasses import replace

from lengthwise.evaluators.benchmarks import BENCHMARKS
from lengthwise.evaluators.contracts import Spent
from lengthwise.evaluators.figures import FIGURES, make_figures
from lengthwise.evaluators.scoring import Scored

MakeScored = Callable[..., Scored]

SWEEP = {f"lex-clustered--radius-{radius}/{split}": [1] * 20 for radius in (60, 200) for split in ("4k", "8k")}
CELLS = {
    f"{config}/{split}": [1, 0] * 10
    for config in ("unary-locate", "unary-decoys", "unary-all", "lex-locate", "lex-scattered", "lex-clustered")
    for split in ("4k", "8k")
}
MORE = {"lex-scattered--decoys-4/8k": [1] * 20, "unary-all--targets-2/8k": [1] * 20}


def everything(make_scored: MakeScored) -> list[Scored]:
    """Runs that hold something for every figure."""
    rows = {"lex-scattered/8k": [{"decoys": [{}] * 8}] * 20}
    runs = [
        make_scored({**CELLS, **SWEEP, **MORE}, rows=rows, budgets=[8_000, 16_000], reasoning_effort=effort)
        for effort in ("none", "high")
    ]
    return [replace(run, results=replace(run.results, spent=Spent(1, cost=0.1))) for run in runs]


def test_every_entry_makes_a_figure_of_its_name(make_scored: MakeScored):
    figures = make_figures(everything(make_scored))
    assert [figure.id for figure in figures] == list(FIGURES["predicatelongbench"])


def test_the_table_names_benchmarks_that_are_there():
    assert FIGURES.keys() <= BENCHMARKS.keys()


def test_every_series_has_a_point_per_place(make_scored: MakeScored):
    panels = [panel for figure in make_figures(everything(make_scored)) for panel in figure.panels]
    assert panels
    assert all(len(one.points) == len(panel.places) for panel in panels for one in panel.series)


def test_captions_name_the_interval(make_scored: MakeScored):
    figures = [figure for figure in make_figures(everything(make_scored)) if figure.panels and figure.id != "cost"]
    assert all("exact 95 % (Clopper-Pearson) intervals" in figure.caption for figure in figures)


def test_axis_labels_fit_a_small_chart(make_scored: MakeScored):
    panels = [panel for figure in make_figures(everything(make_scored)) for panel in figure.panels]
    assert max(len(panel.axis) for panel in panels) <= 42


def test_shorter_names_are_said(make_scored: MakeScored):
    figure = make_figures([make_scored({"lex-scattered--decoys-8/4k": [1]})])[1]
    assert figure.panels[0].places[0].name == "lex-scattered"
    assert figure.caption.endswith("go by the shorter name of their variant.")


def test_runs_that_ask_again_are_left_out(make_scored: MakeScored):
    whole, part = make_scored({"lex-locate/4k": [1]}), make_scored({"lex-locate/4k": [0]})
    settings = {**part.results.settings, "again": {"outcomes": ["truncated_output"]}}
    part = replace(part, results=replace(part.results, settings=settings))
    figure = make_figures([whole, part])[1]
    assert len(figure.panels[0].series) == 1
    assert figure.caption.endswith("ask a part of an earlier run again are left out.")
    assert len(make_figures([part])[1].panels[0].series) == 1
