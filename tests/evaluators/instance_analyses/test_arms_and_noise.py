"""Arms over the same samples, and the tables of noise."""

from instance_cases import Asked, instance_run, series

from lengthwise.evaluators.instance_analyses.arms import all_places, tokens_each, with_and_without
from lengthwise.evaluators.instance_analyses.noise import noise_table, places_table
from lengthwise.evaluators.instance_analyses.trials import trials_of


def test_only_samples_with_noise_and_without_are_compared() -> None:
    run = instance_run([*series("word", {2: "11", 5: "11"}), *series("word-noise-tail", {2: "10"})])
    found = with_and_without(trials_of([run]))
    assert sorted((one.config.noise or "", one.size, one.seed) for one in found) == [
        ("", 2, 1), ("", 2, 2), ("tail", 2, 1), ("tail", 2, 2),
    ]  # fmt: skip


def test_without_noise_there_are_no_arms() -> None:
    assert with_and_without(trials_of([instance_run(series("word", {2: "11"}))])) == []


def test_a_model_without_noise_does_not_join_the_others() -> None:
    runs = [
        instance_run([*series("word", {2: "1"}), *series("word-noise-tail", {2: "0"})]),
        instance_run(series("word", {2: "1"}), "other"),
    ]
    assert {one.model for one in with_and_without(trials_of(runs))} == {"toy"}


def test_places_are_of_seed_1_in_all_of_them() -> None:
    places = [f"word-noise-{place}" for place in ("head", "middle", "tail", "random")]
    run = instance_run([one for config in ("word", *places) for one in series(config, {2: "11"})])
    found = all_places(trials_of([run]))
    assert len(found) == 5
    assert {one.seed for one in found} == {1}


def test_tokens_of_an_instance_are_the_mean_over_prompts() -> None:
    run = instance_run([Asked("word", 2, tokens=100), Asked("word", 10, tokens=300)])
    assert tokens_each(trials_of([run])) == 40


def test_the_table_has_success_prompts_and_tokens() -> None:
    run = instance_run(
        [*series("word", {2: "11", 5: "10"}, tokens=50), *series("word-noise-tail", {2: "10", 5: "00"}, tokens=90)]
    )
    table = noise_table([run])
    assert table is not None
    assert table.head == ("instances", "no noise", "tokens", "noise at the tail", "tokens")
    assert table.rows == (
        ("2", "100.0 (2)", "50", "50.0 (2)", "90"),
        ("5", "50.0 (2)", "50", "0.0 (2)", "90"),
        ("all sizes", "75.0 (4)", "50", "25.0 (4)", "90"),
    )


def test_places_need_more_than_the_tail() -> None:
    assert places_table([instance_run([*series("word", {2: "1"}), *series("word-noise-tail", {2: "0"})])]) is None
