"""The figures of multi-instance processing, on points worked out by hand."""

import pytest
from instance_cases import Asked, instance_run, series

from lengthwise.evaluators.contracts import OutcomeKind
from lengthwise.evaluators.figures.heats import configs_by_model
from lengthwise.evaluators.figures.instance_distances import distances
from lengthwise.evaluators.figures.instance_failures import failures, failures_of_models, failures_of_tasks
from lengthwise.evaluators.figures.instance_halving import halving
from lengthwise.evaluators.figures.instance_noise import (
    noise,
    noise_by_length,
    noise_of_models,
    noise_of_tasks,
    noise_places,
)
from lengthwise.evaluators.figures.instance_success import (
    models_of_tasks,
    orders,
    success_by_size,
    success_by_task,
    tasks_of_models,
)
from lengthwise.evaluators.figures.model import Figure, Panel
from lengthwise.evaluators.figures.table import FIGURES, make_figures
from lengthwise.metrics.intervals import clopper_pearson


def lines(figure: Figure | None, panel: int = 0) -> dict[str, list[tuple[float, int] | None]]:
    """Name of each series -> share and n at each place."""
    assert figure is not None
    return {
        one.name: [None if point is None else (round(point.value, 4), point.n) for point in one.points]
        for one in figure.panels[panel].series
    }


def places(panel: Panel) -> list[str]:
    return [place.name for place in panel.places]


def test_success_is_the_mean_over_tasks_at_each_size() -> None:
    run = instance_run([*series("parity", {2: "11", 1000: "10"}), *series("word", {2: "11", 1000: "00"})])
    figure = success_by_size([run])
    assert lines(figure) == {"toy": [(1.0, 4), (0.25, 4)]}
    assert figure is not None and places(figure.panels[0]) == ["2", "1,000"]
    point = figure.panels[0].series[0].points[1]
    assert point is not None and (point.low, point.high) == tuple(clopper_pearson(1, 4))


def test_both_settings_have_a_panel_and_a_model_one_colour() -> None:
    first = instance_run(series("parity", {2: "1", 5: "0"}), "a")
    second = instance_run([*series("parity", {2: "1", 5: "1"}), *series("parity-instances", {2: "1", 5: "0"})], "b")
    figure = success_by_size([first, second])
    assert figure is not None
    assert [panel.title for panel in figure.panels] == ["The aggregate alone", "Every instance answered"]
    assert [one.colour for panel in figure.panels for one in panel.series if one.name == "b"] == [1, 1]


def test_one_size_has_no_line() -> None:
    assert success_by_size([instance_run(series("parity", {2: "11"}))]) is None


def test_tasks_are_means_over_models() -> None:
    runs = [
        instance_run(series("parity", {2: "11", 5: "00"}), "a"),
        instance_run(series("parity", {2: "10", 5: "00"}), "b"),
    ]
    assert lines(success_by_task(runs)) == {"Parity": [(0.75, 2), (0.0, 2)]}


def test_orders_are_of_the_samples_of_seed_1_run_in_all() -> None:
    shuffled = [
        Asked("parity-shuffled", n, order=order, kind="correct" if right else "wrong")
        for n, order, right in ((2, 1, True), (2, 2, False), (5, 1, False), (5, 2, False), (10, 1, True))
    ]
    figure = orders([instance_run([*series("parity", {2: "11", 5: "10", 10: "11"}), *shuffled])])
    assert lines(figure) == {
        "default order": [(1.0, 1), (1.0, 1)],
        "shuffled, order 1": [(1.0, 1), (0.0, 1)],
        "shuffled, order 2": [(0.0, 1), (0.0, 1)],
    }


def test_models_and_tasks_have_panels_of_each_other() -> None:
    runs = [instance_run(series("parity", {2: "1", 5: "0"}), name) for name in ("a", "b")]
    by_model, by_task = tasks_of_models(runs), models_of_tasks(runs)
    assert by_model is not None and [panel.title for panel in by_model.panels] == ["a", "b"]
    assert by_task is not None and [panel.title for panel in by_task.panels] == ["Parity"]
    assert lines(by_task) == {"a": [(1.0, 1), (0.0, 1)], "b": [(1.0, 1), (0.0, 1)]}


def failed(n: int, *kinds: str | None, by_gold: str | None = None) -> list[Asked]:
    return [
        Asked(
            "parity-instances",
            n,
            seed,
            "wrong" if kind else "correct",
            failure=kind,
            by_gold=by_gold if kind else None,
        )
        for seed, kind in enumerate(kinds, 1)
    ]


def test_failures_are_shares_of_all_prompts() -> None:
    asked = [*failed(2, None, None, None, "key"), *failed(5, "individual", "individual", "aggregation", None)]
    asked.append(Asked("parity-instances", 10, kind="overlength"))
    asked.append(Asked("parity-instances", 10, 2, kind="unparsed"))
    figure = failures([instance_run(asked)])
    assert lines(figure) == {
        "wrong: keys do not span 1 to n": [(0.25, 4), (0.0, 4), (0.0, 2)],
        "wrong: instances": [(0.0, 4), (0.5, 4), (0.0, 2)],
        "wrong: the aggregate of right instances": [(0.0, 4), (0.25, 4), (0.0, 2)],
        "invalid: no readable answer": [(0.0, 4), (0.0, 4), (0.5, 2)],
        "invalid: prompt does not fit": [(0.0, 4), (0.0, 4), (0.5, 2)],
    }
    assert figure is not None and figure.panels[0].kind == "stacks"
    assert [one.kind for one in figure.panels[0].series] == ["key", "individual", "aggregation", "parse", "overlong"]


def test_two_readings_that_differ_have_a_panel_each() -> None:
    figure = failures([instance_run(failed(2, "individual", by_gold="combined"))])
    assert list(lines(figure)) == ["wrong: instances"]
    assert list(lines(figure, 1)) == ["wrong: instances and aggregate"]


def test_failures_of_the_aggregate_alone_are_not_shown() -> None:
    assert failures([instance_run(series("parity", {2: "01"}))]) is None


def test_failures_by_model_need_two() -> None:
    runs = [instance_run(failed(2, "key"), name) for name in ("a", "b")]
    assert failures_of_models(runs[:1]) is None
    figure = failures_of_models(runs)
    assert figure is not None and [panel.title for panel in figure.panels] == ["a", "b"]
    by_task = failures_of_tasks(runs)
    assert by_task is not None and [panel.title for panel in by_task.panels] == ["Parity"]


def test_a_model_without_failures_is_seen_to_have_none() -> None:
    right = instance_run([Asked("parity-instances", 2, seed) for seed in (1, 2)], "never wrong")
    figure = failures_of_models([right, instance_run(failed(2, "key"), "wrong")])
    assert lines(figure) == {"wrong: keys do not span 1 to n": [(0.0, 2)]}
    alone = failures([right])
    assert alone is not None and all(one.points[0].n == 2 for one in alone.panels[0].series)  # type: ignore[union-attr]


def test_how_far_off_aggregates_are() -> None:
    def off(n: int, seed: int, error: str | None, kind: OutcomeKind = "wrong") -> Asked:
        return Asked("parity", n, seed, kind, failure="wrong", details={"error": error})

    # The right aggregate is 1 in all of these.
    asked = [
        off(2, 1, "-0.05"),
        off(2, 2, "0.2"),
        off(2, 3, "0.21"),
        off(2, 4, "7"),
        Asked("parity", 5),
        off(5, 2, "0"),
    ]
    figure = distances([instance_run([*asked, off(5, 3, None, "unparsed")])])
    assert lines(figure) == {
        "exact": [(0.0, 4), (0.6667, 3)],
        "off by up to 5 %": [(0.25, 4), (0.0, 3)],
        "5 to 20 %": [(0.25, 4), (0.0, 3)],
        "20 to 50 %": [(0.25, 4), (0.0, 3)],
        "more than 50 %": [(0.25, 4), (0.0, 3)],
        "no aggregate": [(0.0, 4), (0.3333, 3)],
    }
    assert figure is not None and figure.panels[0].title == "toy"
    both = distances([instance_run([*asked, off(5, 2, "0"), Asked("word-instances", 2)])])
    assert both is not None and [panel.title for panel in both.panels] == ["toy, the aggregate alone"]


def test_aggregates_that_are_all_exact_are_not_shown() -> None:
    assert distances([instance_run([Asked("parity", 2), Asked("parity", 5)])]) is None


def test_ceiling_and_floor_where_they_are_known_of_all_prompts() -> None:
    sizes = {2: "11", 5: "10"}
    run = instance_run([*series("parity", sizes), *series("ner", {5: "11"})])
    solved = series("parity", {2: "11", 5: "11"})
    failed = [Asked("ner", 5, seed, "error") for seed in (1, 2)]
    # At 5 no rule solves ner, so what the solver gets right there bounds nothing, whether ner was left out or failed.
    for asked in (solved, [*solved, *failed]):
        solver = instance_run(asked, spec="reference:solver")
        assert lines(success_by_size([run, solver])) == {
            "toy": [(1.0, 2), (0.75, 4)],
            "ceiling (solver)": [(1.0, 2), None],
        }


def test_configs_by_model() -> None:
    runs = [
        instance_run(
            [one for config in ("parity", "word", "ner") for one in series(config, {2: "11", 5: right})], name
        )
        for name, right in (("a", "10"), ("b", "00"))
    ]
    figure = configs_by_model(runs)
    found = lines(figure)
    assert sorted(found) == ["ner", "parity", "word"] and found["parity"] == [(0.5, 2), (0.0, 2)]
    assert figure is not None and figure.panels[0].title == "n5" and figure.panels[0].measure == "success rate"


WITH_NOISE = [
    *series("word", {2: "11", 5: "10", 10: "11"}, tokens=60),
    *series("word-noise-tail", {2: "10", 5: "00"}, tokens=1200),
]


def test_noise_is_compared_on_the_same_samples() -> None:
    figure = noise([instance_run(WITH_NOISE)])
    assert lines(figure) == {"no noise": [(1.0, 2), (0.5, 2)], "noise at the tail": [(0.5, 2), (0.0, 2)]}
    assert figure is not None
    # 60 tokens over 2 and 5 instances: 21 on average; 1,200: 420.
    assert "21 tokens an instance without it and 420 with it" in figure.caption
    assert [place.caption for place in figure.panels[0].places] == ["60 / 1,200 prompt tokens"] * 2


def test_lengths_are_powers_of_two() -> None:
    figure = noise_by_length([instance_run(WITH_NOISE)])
    assert figure is not None and places(figure.panels[0]) == ["64", "2k"]
    assert lines(figure) == {"no noise": [(0.75, 4), None], "noise at the tail": [None, (0.25, 4)]}


def test_noise_by_model_and_by_task() -> None:
    runs = [instance_run(WITH_NOISE, name) for name in ("a", "b")]
    by_model, by_task = noise_of_models(runs), noise_of_tasks(runs)
    assert by_model is not None and [panel.title for panel in by_model.panels] == ["a", "b"]
    assert by_task is not None and [panel.title for panel in by_task.panels] == ["Word"]
    assert noise_of_models(runs[:1]) is None


def test_places_of_noise_keep_their_order() -> None:
    tails = ("-noise-random", "-noise-tail", "-noise-middle", "-noise-head", "")
    run = instance_run([one for tail in tails for one in series(f"word{tail}", {2: "11", 5: "01"})])
    found = lines(noise_places([run]))
    assert list(found) == [
        "no noise", "noise at the head", "noise in the middle", "noise at the tail", "noise anywhere",
    ]  # fmt: skip
    assert found["no noise"] == [(1.0, 1), (0.0, 1)]


def test_halving_lies_on_a_logarithmic_axis() -> None:
    figure = halving([instance_run([*series("parity", {2: "1", 200: "0"}), *series("word", {2: "1", 200: "1"})])])
    assert figure is not None
    by_model, by_task = figure.panels
    assert places(by_task) == ["Parity", "Word"]
    half_way, never = by_task.series[0].points
    assert half_way is not None and (half_way.value, half_way.text) == (pytest.approx(0.5), "20")
    assert never is not None and (never.value, never.text) == (1.0, ">200")
    assert by_task.ticks[0] == (0.0, "2") and by_task.ticks[-1] == (1.0, "200")
    assert places(by_model) == ["toy"]


def test_every_figure_is_in_the_table_and_the_detailed_ones_share_a_section() -> None:
    asked = [
        *WITH_NOISE,
        *failed(2, "key"),
        *failed(5, "individual"),
        Asked("word", 20, kind="wrong", failure="wrong", details={"error": "1"}),
    ]
    runs = [instance_run(asked, name) for name in ("a", "b")]
    made = make_figures(runs)
    assert [one.id for one in made] == [
        name for name in FIGURES["multi-instance"] if name not in ("orders", "noise-places", "cost")
    ]
    assert {one.id for one in made if one.group} == {
        f"{what}-of-{each}" for what, each in (("tasks", "models"), ("models", "tasks"))
    } | {f"{what}-of-{each}" for what in ("failures", "noise") for each in ("models", "tasks")}  # fmt: skip
