from collections.abc import Callable

from lengthwise.evaluators.figures.compute import by_budget, by_effort
from lengthwise.evaluators.scoring import Scored

MakeScored = Callable[..., Scored]


def test_levels_of_a_model_from_least_to_most(make_scored: MakeScored):
    runs = [
        make_scored({"lex-locate/4k": right}, reasoning_effort=effort)
        for effort, right in (("high", [1, 1]), (None, [0, 1]), ("none", [0, 0]), ("low", [1, 0]))
    ]
    figure = by_effort(runs)
    assert figure is not None
    panel = figure.panels[0]
    assert panel.title == "toy, 4k"
    named = [(one.name, one.points[0] and one.points[0].value) for one in panel.series]
    assert named == [("none", 0.0), ("low", 0.5), ("high", 1.0), ("model's default", 0.5)]


def test_thinking_tokens_are_levels_too(make_scored: MakeScored):
    runs = [make_scored({"lex-locate/4k": [1]}, thinking_tokens=tokens) for tokens in (12_000, 1_024)]
    figure = by_effort(runs)
    assert figure is not None
    assert [one.name for one in figure.panels[0].series] == ["1,024 thinking tokens", "12,000 thinking tokens"]


def test_output_budgets_that_differ_are_named(make_scored: MakeScored):
    runs = [
        make_scored({"lex-locate/4k": [1]}, reasoning_effort=effort, max_tokens=most)
        for effort, most in (("none", 16_000), ("high", 128_000))
    ]
    figure = by_effort(runs)
    assert figure is not None
    assert [one.name for one in figure.panels[0].series] == ["none; 16,000 tokens out", "high; 128,000 tokens out"]


def test_one_level_or_different_models(make_scored: MakeScored):
    high = make_scored({"lex-locate/4k": [1]}, reasoning_effort="high")
    other = make_scored({"lex-locate/4k": [1]}, name="other", reasoning_effort="none")
    assert by_effort([high]) is None
    assert by_effort([high, other]) is None


def test_variants_at_one_level_only_are_left_out(make_scored: MakeScored):
    high = make_scored({"lex-locate/4k": [1], "lex-scattered/4k": [1]}, reasoning_effort="high")
    figure = by_effort([high, make_scored({"lex-locate/4k": [0]}, reasoning_effort="none")])
    assert figure is not None
    assert [place.name for place in figure.panels[0].places] == ["lex-locate"]


def test_runs_of_one_level_are_laid_together(make_scored: MakeScored):
    high = [make_scored({f"{config}/4k": [1]}, reasoning_effort="high") for config in ("lex-locate", "unary-locate")]
    none = make_scored({"lex-locate/4k": [0], "unary-locate/4k": [0]}, reasoning_effort="none")
    figure = by_effort([*high, none])
    assert figure is not None
    series = figure.panels[0].series
    assert [[point and point.value for point in one.points] for one in series] == [[0.0, 0.0], [1.0, 1.0]]


def test_replies_over_a_budget_are_wrong(make_scored: MakeScored):
    tokens = {"lex-locate/4k": [5_000, 8_000, 8_001, 30_000]}
    run = make_scored(
        {"lex-locate/4k": [1, 1, 1, 0]}, tokens=tokens, budgets=[8_000, 16_000, 32_000], max_tokens=32_000
    )
    figure = by_budget([run])
    assert figure is not None
    panel = figure.panels[0]
    assert (panel.title, [place.name for place in panel.places]) == ("toy: lex, 4k", ["8K", "16K", "32K"])
    assert [point and point.value for point in panel.series[0].points] == [0.5, 0.75, 0.75]


def test_budgets_beyond_the_runs_own_are_not_shown(make_scored: MakeScored):
    run = make_scored({"lex-locate/4k": [1]}, budgets=[4_000, 8_000, 16_000, 32_000], max_tokens=16_000)
    figure = by_budget([run])
    assert figure is not None
    assert [place.name for place in figure.panels[0].places] == ["4K", "8K", "16K"]
    assert by_budget([make_scored({"lex-locate/4k": [1]}, budgets=[16_000, 32_000])]) is None


def test_a_panel_a_family_the_baseline_first(make_scored: MakeScored):
    cells = {f"{config}/4k": [1] for config in ("lex-scattered", "lex-locate", "unary-all", "unary-locate")}
    figure = by_budget([make_scored(cells, budgets=[8_000, 16_000])])
    assert figure is not None
    drawn = {panel.title: [(one.name, one.colour) for one in panel.series] for panel in figure.panels}
    assert drawn == {
        "toy: unary, 4k": [("locate", 0), ("all", 1)],
        "toy: lex, 4k": [("locate", 0), ("scattered", 2)],
    }


def test_replies_without_counts(make_scored: MakeScored):
    cells, budgets = {"lex-locate/4k": [1, 1]}, [8_000, 16_000]
    unknown = make_scored(cells, tokens={"lex-locate/4k": [None, None]}, budgets=budgets)
    assert by_budget([unknown]) is None
    some = by_budget([make_scored(cells, tokens={"lex-locate/4k": [None, 9_000]}, budgets=budgets)])
    assert some is not None
    assert some.caption.endswith("without a token count are counted as they are.")
    assert [point and point.value for point in some.panels[0].series[0].points] == [0.5, 1.0]
