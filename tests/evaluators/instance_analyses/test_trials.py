"""Trials over several runs: which are shown, by what name, and their shares."""

import pytest
from instance_cases import Asked, instance_run, series

from lengthwise.evaluators.instance_analyses.trials import (
    direct,
    in_paper,
    models_of,
    paper_note,
    plain,
    success_of,
    trials_of,
)


def test_runs_of_one_model_are_put_together() -> None:
    runs = [instance_run([Asked("parity", 2)]), instance_run([Asked("word", 2)])]
    assert models_of(trials_of(runs)) == ["toy"]


def test_a_second_run_of_the_same_prompts_goes_by_another_name() -> None:
    runs = [instance_run([Asked("parity", 2)]), instance_run([Asked("parity", 2)])]
    assert models_of(trials_of(runs)) == ["toy", "toy #2"]


def test_reference_models_are_left_out_beside_real_ones() -> None:
    gold = instance_run([Asked("parity", 2)], "gold", spec="reference:gold")
    assert models_of(trials_of([gold, instance_run([Asked("parity", 2)])])) == ["toy"]
    assert models_of(trials_of([gold])) == ["gold (reference)"]


def test_runs_that_ask_again_are_left_out() -> None:
    again = instance_run([Asked("parity", 2)], label="again", again={"kinds": ["wrong"]})
    assert models_of(trials_of([again, instance_run([Asked("parity", 2)])])) == ["toy"]


def test_single_instances_are_no_trials() -> None:
    assert trials_of([instance_run([Asked("parity-single", 1)])]) == []


def test_methods_that_split_the_prompt_are_not_direct() -> None:
    runs = [instance_run([Asked("parity", 2)]), instance_run([Asked("parity", 2)], method="batched:20")]
    assert [one.method for one in direct(trials_of(runs))] == ["reask"]


def test_two_direct_methods_of_a_model_are_two_names() -> None:
    runs = [instance_run([Asked("parity", 2)], method=method) for method in ("reask", "zero-shot")]
    assert models_of(direct(trials_of(runs))) == ["toy (reask)", "toy (zero-shot)"]


def test_plain_trials_have_no_noise_and_the_default_order() -> None:
    asked = [Asked(f"parity{tail}", 2) for tail in ("", "-instances", "-noise-tail", "-shuffled", "-shortest")]
    found = trials_of([instance_run(asked)])
    assert [one.row["config"] for one in plain(found)] == ["parity"]
    assert [one.row["config"] for one in plain(found, "instances")] == ["parity-instances"]


def test_several_models_do_not_make_more_prompts() -> None:
    runs = [instance_run([Asked("parity", 2)]), instance_run([Asked("parity", 2, kind="wrong")], "other")]
    found = success_of(trials_of(runs))
    assert found is not None
    assert (found.value, found.n) == (0.5, 1)


def test_a_prompt_counts_once_however_many_answered_it() -> None:
    # Prompt 1 is right of two models, prompt 2 wrong of one.
    runs = [instance_run(series("parity", {2: "10"})), instance_run([Asked("parity", 2)], "other")]
    found = success_of(trials_of(runs))
    assert found is not None
    assert (found.value, found.n) == (0.5, 2)


def test_nothing_has_no_share() -> None:
    assert success_of([]) is None


@pytest.mark.parametrize(
    ("kind", "failure", "said", "invalid"),
    [
        ("correct", None, None, False),
        ("wrong", "key", "key", False),
        ("unparsed", None, "parse", True),
        ("empty", None, "parse", True),
        ("truncated_output", None, "parse", True),
        ("refused", None, "parse", True),
        ("overlength", None, "overlong", True),
        ("error", None, "not run", False),
    ],
)
def test_each_outcome_is_a_failure_of_one_kind(kind, failure, said, invalid) -> None:
    (found,) = trials_of([instance_run([Asked("parity-instances", 2, kind=kind, failure=failure)])])
    assert (found.failure(), found.invalid) == (said, invalid)


def test_both_readings_of_an_aggregation_error() -> None:
    asked = Asked("parity-instances", 2, kind="wrong", failure="individual", by_gold="combined")
    (found,) = trials_of([instance_run([asked])])
    assert (found.failure(), found.failure(by_gold=True)) == ("individual", "combined")


def test_prompt_tokens_are_those_of_one_call() -> None:
    (found,) = trials_of([instance_run([Asked("parity", 2, tokens=360, calls=3)])])
    assert found.prompt_tokens == 120


@pytest.mark.parametrize(("method", "tokens"), [("reask", None), ("batched:2", 90)])
def test_our_count_stands_in_for_the_providers(method, tokens) -> None:
    (found,) = trials_of([instance_run([Asked("parity", 2, tokens=tokens)], method=method)])
    assert found.prompt_tokens == 100


def test_the_papers_cells_are_kept_where_there_are_any() -> None:
    found = trials_of([instance_run([Asked("parity", 2), Asked("parity", 3, paper=False)])])
    assert [one.size for one in in_paper(found)] == [2]
    assert "1 experiments of other sizes or seeds are left out" in paper_note(found)


def test_without_the_papers_cells_all_are_kept() -> None:
    found = trials_of([instance_run([Asked("parity", 3, paper=False)])])
    assert len(in_paper(found)) == 1
    assert paper_note(found).startswith("None of these cells")
