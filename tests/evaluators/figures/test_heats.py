from collections.abc import Callable

from lengthwise.evaluators.figures.endings import endings_by_length
from lengthwise.evaluators.figures.heats import length_by_position, variants_by_model
from lengthwise.evaluators.figures.model import Figure
from lengthwise.evaluators.scoring import Scored

MakeScored = Callable[..., Scored]
THREE = ("unary-locate", "lex-locate", "lex-longest")


def rows(figure: Figure | None, panel: int = 0) -> dict[str, list[tuple[float, int] | None]]:
    assert figure is not None
    return {
        one.name: [None if point is None else (point.value, point.n) for point in one.points]
        for one in figure.panels[panel].series
    }


def test_variants_are_rows_and_runs_columns(make_scored: MakeScored):
    a = make_scored({f"{config}/4k": [1, 0] for config in THREE}, label="a")
    b = make_scored({"lex-locate/4k": [1, 1, 1, 0]}, label="b")
    figure = variants_by_model([a, b])
    assert rows(figure) == {
        "unary-locate": [(0.5, 2), None],
        "lex-locate": [(0.5, 2), (0.75, 4)],
        "lex-longest": [(0.5, 2), None],
    }
    assert figure is not None
    assert (figure.panels[0].title, [place.name for place in figure.panels[0].places]) == ("4k", ["a", "b"])


def test_lengths_that_differ_are_named(make_scored: MakeScored):
    a = make_scored({"unary-locate/4k": [1], "lex-locate/8k": [1], "documents-locate/full": [1]}, label="a")
    b = make_scored({"unary-locate/8k": [1]}, label="b")
    assert list(rows(variants_by_model([a, b]))) == [
        "unary-locate, each at its own longest",
        "lex-locate, 8k",
        "documents-locate",
    ]


def test_too_few_for_a_map(make_scored: MakeScored):
    run = make_scored({f"{config}/4k": [1] for config in THREE})
    assert variants_by_model([run]) is None
    # References are no second model.
    assert variants_by_model([run, make_scored({"lex-locate/4k": [1]}, spec="reference:solver")]) is None
    assert variants_by_model([make_scored({"lex-locate/4k": [1]}), make_scored({"lex-longest/4k": [1]})]) is None


def test_lengths_by_position(make_scored: MakeScored):
    starts = [{"target_start": start} for start in (0, 19, 20, 99) * 5]
    right = {"lex-locate/4k": [1, 0, 1, 0] * 5, "lex-locate/16k": [0] * 20}
    figure = length_by_position([make_scored(right, rows=dict.fromkeys(right, starts))])
    assert rows(figure) == {
        "4k": [(0.5, 10), (1.0, 5), None, None, (0.0, 5)],
        "16k": [(0.0, 10), (0.0, 5), None, None, (0.0, 5)],
    }
    assert figure is not None
    assert (figure.panels[0].kind, figure.panels[0].rows, figure.panels[0].title) == ("heat", "length", "toy")


def test_too_few_examples_for_positions(make_scored: MakeScored):
    assert length_by_position([make_scored({"lex-locate/4k": [1] * 19, "lex-locate/8k": [1] * 19})]) is None


def test_endings_are_shares_of_all_examples(make_scored: MakeScored):
    figure = endings_by_length([make_scored({"lex-locate/4k": [1, 1, 1, 0], "lex-locate/8k": [0, 0, 0, 1]})])
    assert rows(figure) == {"correct": [(0.75, 4), (0.25, 4)], "wrong": [(0.25, 4), (0.75, 4)]}
    assert figure is not None
    assert [one.kind for one in figure.panels[0].series] == ["k-correct", "k-wrong"]
    assert endings_by_length([make_scored({"lex-locate/4k": [1]})]) is None
