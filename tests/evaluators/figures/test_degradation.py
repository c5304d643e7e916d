from collections.abc import Callable
from dataclasses import replace

import pytest

from lengthwise.evaluators.figures.degradation import by_length_of_all
from lengthwise.evaluators.figures.model import Figure
from lengthwise.evaluators.scoring import Scored
from lengthwise.metrics.intervals import clopper_pearson

MakeScored = Callable[..., Scored]


def lines(figure: Figure | None) -> dict[str, list[float | None]]:
    assert figure is not None
    return {one.name: [point and point.value for point in one.points] for one in figure.panels[0].series}


def one_list(n: int) -> list[dict[str, str]]:
    return [{"list_id": f"lex-4k-s1-{number:04d}"} for number in range(n)]


def test_every_variant_counts_alike(make_scored: MakeScored):
    cells = {"lex-locate/4k": [1, 1, 1, 1], "lex-longest/4k": [0, 1], "lex-locate/8k": [1], "lex-longest/8k": [0]}
    assert lines(by_length_of_all([make_scored(cells)])) == {"toy": [0.75, 0.5]}


def test_variants_of_one_list_do_not_narrow_the_band(make_scored: MakeScored):
    names = ("lex-locate/4k", "lex-longest/4k", "lex-locate/8k", "lex-longest/8k")
    run = make_scored({name: [1, 0, 1, 1] for name in names}, rows={name: one_list(4) for name in names})
    figure = by_length_of_all([run])
    assert figure is not None
    point = figure.panels[0].series[0].points[0]
    assert point is not None
    assert (point.value, point.n, (point.low, point.high)) == (0.75, 4, tuple(clopper_pearson(3, 4)))


def test_only_what_all_runs_have_at_all_of_their_lengths(make_scored: MakeScored):
    both = {f"{config}/{split}": [1] for config in ("lex-locate", "lex-longest") for split in ("4k", "8k")}
    a = make_scored({**both, "lex-scattered/4k": [0], "lex-locate/16k": [0], "lex-longest/16k": [0]}, label="a")
    b = make_scored({**both, "unary-locate/4k": [0], "unary-locate/8k": [0]}, label="b")
    figure = by_length_of_all([a, b])
    assert lines(figure) == {"a": [1.0, 1.0, 0.0], "b": [1.0, 1.0, None]}
    assert figure is not None
    assert "(lex-locate, lex-longest)" in figure.caption


def test_runs_without_a_variant_in_common_are_said_to_be_so(make_scored: MakeScored):
    a, b = (
        make_scored({f"{family}-{arm}/{split}": [1] for arm in arms for split in ("4k", "8k")}, label=family)
        for family, arms in (("lex", ("locate", "longest")), ("unary", ("locate", "all")))
    )
    figure = by_length_of_all([a, b])
    assert lines(figure) == {"lex": [1.0, 1.0], "unary": [1.0, 1.0]}
    assert figure is not None
    assert "not the same for all" in figure.caption


def test_one_variant_or_one_length_has_no_such_figure(make_scored: MakeScored):
    assert by_length_of_all([make_scored({"lex-locate/4k": [1], "lex-locate/8k": [1]})]) is None
    assert by_length_of_all([make_scored({"lex-locate/4k": [1], "lex-longest/4k": [1]})]) is None


CELLS = {f"{config}/{split}": [1, 0] for config in ("lex-locate", "lex-longest") for split in ("4k", "8k")}


def test_ceiling_and_floor_from_runs_of_references(make_scored: MakeScored):
    solver = make_scored({name: [1, 1] for name in CELLS}, spec="reference:solver")
    random = make_scored({name: [0, 0] for name in list(CELLS)[:2]}, spec="reference:random")
    # The floor is known of one of the two variants alone.
    assert lines(by_length_of_all([make_scored(CELLS), solver, random])) == {
        "toy": [0.5, 0.5],
        "ceiling (solver)": [1.0, 1.0],
    }


def test_ceiling_from_notes_beside_a_run(make_scored: MakeScored):
    run, solver = make_scored(CELLS), make_scored({name: [1, 1] for name in CELLS}, spec="reference:solver")
    run = replace(run, results=replace(run.results, bounds=(solver.results,)))
    figure = by_length_of_all([run])
    assert lines(figure)["ceiling (solver)"] == [1.0, 1.0]
    assert figure is not None
    ceiling = figure.panels[0].series[-1].points[0]
    assert ceiling is not None
    assert (ceiling.n, ceiling.low) == (4, pytest.approx(0.025 ** (1 / 4)))
