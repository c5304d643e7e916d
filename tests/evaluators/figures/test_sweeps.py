from collections.abc import Callable
from typing import Any

from lengthwise.evaluators.figures.model import Figure
from lengthwise.evaluators.figures.sweeps import by_decoys, by_radius, by_targets
from lengthwise.evaluators.scoring import Scored

MakeScored = Callable[..., Scored]


def lines(figure: Figure | None) -> dict[str, dict[str, float | None]]:
    """The first series of each panel: value by place."""
    assert figure is not None
    return {
        panel.title: {
            place.name: point and point.value
            for place, point in zip(panel.places, panel.series[0].points, strict=True)
        }
        for panel in figure.panels
    }


def decoys(n: int) -> list[dict[str, Any]]:
    return [{"decoys": [{"start": 0, "length": 5, "kind": "near-sorted"}] * n}]


def test_from_the_baseline_over_the_default_to_the_most(make_scored: MakeScored):
    cells = {
        "lex-locate/4k": [1],
        "lex-scattered--decoys-16/4k": [0],
        "lex-scattered--decoys-2/4k": [1],
        "lex-scattered/4k": [0],
    }
    run = make_scored(cells, rows={"lex-scattered/4k": decoys(8)})
    assert lines(by_decoys([run])) == {"lex-scattered, 4k": {"0": 1.0, "2": 1.0, "8": 0.0, "16": 0.0}}


def test_a_build_with_another_default_is_read_off_its_rows(make_scored: MakeScored):
    cells = {"lex-scattered--decoys-8/4k": [0], "lex-scattered/4k": [1]}
    run = make_scored(cells, rows={"lex-scattered/4k": decoys(3)})
    assert lines(by_decoys([run])) == {"lex-scattered, 4k": {"3": 1.0, "8": 0.0}}


def test_shares_of_near_misses(make_scored: MakeScored):
    cells = {f"unary-decoys--near-miss-{share}/4k": [0] for share in ("0.01", "0.1")}
    run = make_scored({**cells, "unary-locate/4k": [1], "unary-decoys/4k": [0]})
    assert list(lines(by_decoys([run]))["unary-decoys, 4k"]) == ["0", "0.01", "0.05", "0.1"]


def test_the_radius_ends_with_the_whole_list(make_scored: MakeScored):
    cells = {"lex-scattered/4k": [0], "lex-clustered--radius-60/4k": [1], "lex-clustered/4k": [1]}
    assert lines(by_radius([make_scored(cells)])) == {"lex-clustered, 4k": {"60": 1.0, "100": 1.0, "all": 0.0}}


def test_two_parameters_are_lines_of_their_own(make_scored: MakeScored):
    cells = {f"lex-clustered--decoys-{n}--radius-{radius}/4k": [int(n == 4)] for n in (4, 16) for radius in (60, 200)}
    run = make_scored({**cells, "lex-scattered--decoys-4/4k": [0]})
    assert lines(by_radius([run])) == {
        "lex-clustered (4 decoys), 4k": {"60": 1.0, "200": 1.0, "all": 0.0},
        "lex-clustered (16 decoys), 4k": {"60": 0.0, "200": 0.0},
    }


def test_a_variant_without_a_sweep_has_no_line(make_scored: MakeScored):
    run = make_scored({"lex-locate/4k": [1], "lex-scattered/4k": [1]}, rows={"lex-scattered/4k": decoys(8)})
    assert by_decoys([run]) is None
    assert by_radius([run]) is None


def test_one_value_is_no_line(make_scored: MakeScored):
    assert by_decoys([make_scored({"lex-scattered--decoys-4/4k": [1]})]) is None


def test_all_points_at_one_length(make_scored: MakeScored):
    cells = {f"lex-scattered--decoys-{n}/4k": [1] for n in (2, 4)}
    run = make_scored({**cells, "lex-scattered--decoys-4/8k": [0]})
    assert lines(by_decoys([run])) == {"lex-scattered, 4k": {"2": 1.0, "4": 1.0}}


def test_runs_that_share_no_length_with_all_points(make_scored: MakeScored):
    run = make_scored(
        {"lex-scattered--decoys-2/4k": [1], "lex-scattered--decoys-4/4k": [0], "lex-scattered--decoys-16/8k": [0]}
    )
    assert lines(by_decoys([run])) == {"lex-scattered, 4k": {"2": 1.0, "4": 0.0, "16": None}}


def test_number_of_answers(make_scored: MakeScored):
    cells = {"unary-all/4k": [1], "unary-all--targets-3/4k": [0]}
    assert lines(by_targets([make_scored(cells)])) == {"unary-all, 4k": {"1": 1.0, "3": 0.0}}
