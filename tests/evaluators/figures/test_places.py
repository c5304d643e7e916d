from collections.abc import Callable

from lengthwise.evaluators.figures.places import by_length, by_position, by_variant
from lengthwise.evaluators.scoring import Scored

MakeScored = Callable[..., Scored]


def test_each_variant_at_the_longest_shared_length(make_scored: MakeScored):
    a = make_scored({"lex-locate/4k": [1], "lex-locate/8k": [0], "unary-locate/4k": [1]}, label="a")
    b = make_scored({"lex-locate/4k": [0]}, label="b")
    figure = by_variant([a, b])
    assert figure is not None
    panel = figure.panels[0]
    assert [place.name for place in panel.places] == ["unary-locate", "lex-locate"]
    assert panel.title == "4k"
    assert [[point and point.value for point in one.points] for one in panel.series] == [[1.0, 1.0], [None, 0.0]]


def test_lengths_that_differ_stand_at_the_variants(make_scored: MakeScored):
    figure = by_variant([make_scored({"lex-locate/8k": [1], "unary-locate/4k": [1], "documents-locate/full": [1]})])
    assert figure is not None
    assert figure.panels[0].title == ""
    assert [place.name for place in figure.panels[0].places] == [
        "unary-locate 4k",
        "lex-locate 8k",
        "documents-locate",
    ]


def test_no_shared_length_is_said(make_scored: MakeScored):
    figure = by_variant([make_scored({"lex-locate/8k": [1]}), make_scored({"lex-locate/4k": [1]})])
    assert figure is not None
    assert figure.panels[0].places[0].caption == "Lexicographic, locate (each at its own longest length)"


def test_reference_models_are_marked_and_numbered_apart(make_scored: MakeScored):
    runs = [
        make_scored({"lex-locate/4k": [1]}, spec=spec)
        for spec in ("reference:solver", "http://x/v1#a", "reference:random", "http://x/v1#b")
    ]
    figure = by_variant(runs)
    assert figure is not None
    drawn = [(one.colour, one.reference) for one in figure.panels[0].series]
    assert drawn == [(0, True), (0, False), (1, True), (1, False)]


def test_lines_need_two_lengths(make_scored: MakeScored):
    run = make_scored({"lex-locate/4k": [1], "lex-locate/16k": [0], "lex-locate/8k": [1], "unary-locate/4k": [1]})
    figure = by_length([run])
    assert figure is not None
    assert [panel.title for panel in figure.panels] == ["lex-locate"]
    assert [place.name for place in figure.panels[0].places] == ["4k", "8k", "16k"]
    assert [point and point.value for point in figure.panels[0].series[0].points] == [1.0, 1.0, 0.0]
    assert by_length([make_scored({"lex-locate/4k": [1]})]) is None


def test_position_in_five_equal_parts(make_scored: MakeScored):
    starts = [0, 19, 20, 99] * 5
    rows = {"lex-locate/4k": [{"target_start": start} for start in starts]}
    right = [1, 0, 1, 0] * 5
    figure = by_position([make_scored({"lex-locate/4k": right}, rows=rows)])
    assert figure is not None
    panel = figure.panels[0]
    assert [place.name for place in panel.places] == ["0–20", "20–40", "40–60", "60–80", "80–100"]
    points = panel.series[0].points
    assert [point and (point.value, point.n) for point in points] == [(0.5, 10), (1.0, 5), None, None, (0.0, 5)]
    # Clopper-Pearson for 5 of 5: 0.025 ** (1 / 5).
    assert points[1] is not None
    assert round(points[1].low, 4) == 0.4782


def test_position_at_one_length_only(make_scored: MakeScored):
    figure = by_position([make_scored({"lex-locate/4k": [1] * 20, "lex-locate/8k": [0] * 20})])
    assert figure is not None
    points = figure.panels[0].series[0].points
    assert points[0] is not None
    assert (figure.panels[0].title, points[0].value, points[0].n) == ("lex-locate, 8k", 0.0, 20)


def test_too_few_examples_to_part(make_scored: MakeScored):
    assert by_position([make_scored({"lex-locate/4k": [1] * 19})]) is None
