import json
from collections.abc import Callable
from pathlib import Path

import pytest

from lengthwise.contracts import Reply
from lengthwise.evaluators.benchmarks import PREDICATELONGBENCH
from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.scoring import score_run
from lengthwise.evaluators.variant_pairs import VariantPair, variant_pairs
from lengthwise.metrics.comparison import compare_values
from lengthwise.metrics.intervals import newcombe
from lengthwise.metrics.significance import exact_fisher
from lengthwise.recording import Failure

RIGHT, WRONG = "<answer>ba ca da ea za</answer>", "<answer>fa</answer>"


def pairs(*cells: tuple[str, str, str], split: str = "4k") -> tuple[VariantPair, ...]:
    """Pairs of a run of cells (config, what a list_id begins with and may end with, a mark a row and repeat).

    Marks are 1 or 0 for each row; repeats are parted by "|".
    """
    rows, outcomes = {}, {}
    for config, lists, marks in cells:
        family, plus, arrangement = lists.partition("+")
        for repeat, of_repeat in enumerate(marks.split("|")):
            for index, mark in enumerate(of_repeat):
                example = f"{config}-{split}-s42-{index:04}"
                list_id = f"{family}-{split}-s42-{index:04}{plus}{arrangement}"
                rows[example] = {"id": example, "config": config, "split": split, "list_id": list_id}
                outcomes[example, repeat] = Outcome(example, repeat, "correct" if mark == "1" else "wrong")
    return variant_pairs(PREDICATELONGBENCH, rows, outcomes)


def test_counted_by_hand():
    (found,) = pairs(("lex-locate", "lex", "11111100"), ("lex-scattered", "lex+scattered", "10000010"))
    assert (found.config, found.reference, found.split, found.n) == ("lex-scattered", "lex-locate", "4k", 8)
    assert (found.accuracy, found.reference_accuracy, found.difference) == (0.25, 0.75, -0.5)
    assert found.mcnemar is not None
    # Lists 1 to 5 only the reference has right, list 6 only the variant: 2 * (1 + 6) / 2^6.
    assert (found.mcnemar.only_first, found.mcnemar.only_second, found.test) == (1, 5, "mcnemar")
    assert found.p_value == found.holm == 14 / 64
    assert (found.alone, found.reference_alone, found.significant) == (0, 0, False)


def test_it_is_the_comparison_of_the_metrics():
    reference, variant = "1101111001", "0101000001"
    (found,) = pairs(("lex-locate", "lex", reference), ("lex-longest", "lex", variant))
    same = compare_values([int(mark) for mark in variant], [int(mark) for mark in reference])
    assert (found.difference, found.interval) == (same.difference.value, same.difference.interval)
    assert found.mcnemar == same.mcnemar


def test_p_values_are_corrected_over_the_run():
    found = pairs(
        ("lex-locate", "lex", "11111111"),
        ("lex-longest", "lex", "00000000"),
        ("lex-scattered", "lex+scattered", "00000011"),
        ("lex-lists", "lex+lists", "11111110"),
    )
    assert [pair.p_value for pair in found] == [2 / 2**8, 2 / 2**6, 1]
    assert [pair.holm for pair in found] == pytest.approx([3 * 2 / 2**8, 2 * 2 / 2**6, 1])
    assert [pair.significant for pair in found] == [True, False, False]


def test_points_of_a_sweep_have_the_reference_of_their_variant():
    found = pairs(
        ("lex-scattered--decoys-4", "lex+scattered", "0011"),
        ("lex-locate", "lex", "1111"),
        ("lex-scattered--decoys-16", "lex+scattered", "0001"),
        ("unary-all--targets-3", "unary+3-targets", "0000"),
        ("unary-locate", "unary", "0000"),
    )
    assert [(pair.config, pair.reference, pair.n) for pair in found] == [
        ("lex-scattered--decoys-4", "lex-locate", 4),
        ("lex-scattered--decoys-16", "lex-locate", 4),
        ("unary-all--targets-3", "unary-locate", 4),
    ]
    assert found[0].difference == -0.5


def test_lists_without_a_partner_are_left_out_and_counted():
    (found,) = pairs(("lex-locate", "lex", "11"), ("lex-longest", "lex", "10111"))
    assert (found.n, found.alone, found.reference_alone, found.accuracy) == (2, 3, 0, 0.5)


def test_other_words_are_compared_as_independent_samples():
    (found,) = pairs(("lex-locate", "lex", "1111011111"), ("lex-short-words", "lex-short", "001000000010"))
    assert (found.n, found.alone, found.reference_alone, found.mcnemar) == (0, 12, 10, None)
    assert found.difference == pytest.approx(2 / 12 - 9 / 10)
    assert found.interval == newcombe(2, 12, 9, 10)
    assert (found.test, found.p_value) == ("fisher", exact_fisher(2, 12, 9, 10))
    assert found.significant


def test_repeats_are_averaged_and_have_no_exact_test():
    (found,) = pairs(("lex-locate", "lex", "111|110"), ("lex-longest", "lex", "100|110"))
    assert (found.accuracy, found.reference_accuracy) == (pytest.approx(0.5), pytest.approx(5 / 6))
    assert (found.mcnemar, found.test) == (None, "bootstrap")
    same = compare_values([[1, 0, 0], [1, 1, 0]], [[1, 1, 1], [1, 1, 0]])
    assert (found.interval, found.p_value) == (same.difference.interval, same.difference.p_value)


def test_independent_samples_with_repeats_have_an_interval_alone():
    (found,) = pairs(("lex-locate", "lex", "111|110"), ("sum-locate", "letter-sum", "100|110"))
    assert found.interval == newcombe(1.5, 3, 2.5, 3)
    assert (found.test, found.p_value, found.holm, found.significant) == (None, None, None, False)


def test_without_its_reference_a_variant_has_no_pair():
    assert pairs(("lex-scattered", "lex+scattered", "01"), ("unary-locate", "unary", "11"), ("mine", "lex", "1")) == ()


def test_each_length_is_paired_with_itself(make_run: Callable[..., Path], reply: Callable[..., Reply]):
    cells = {("lex-locate", "4k"): 2, ("lex-locate", "8k"): 2, ("lex-longest", "8k"): 2}
    calls = {(row, 0): [reply(RIGHT)] for row in range(5)}
    run = make_run(calls | {(4, 0): [Failure("error", "HTTP 500")]}, cells)
    (found,) = score_run(run).pairs
    # The error and the row that was never asked count as wrong.
    assert (found.split, found.n, found.difference) == ("8k", 2, -1)
    (noted,) = json.loads((run / "results.json").read_text())["pairs"]
    assert (noted["config"], noted["only_reference"], noted["p_value_holm"]) == ("lex-longest", 2, 0.5)


def test_a_bound_has_no_pairs_of_the_run(make_run: Callable[..., Path], reply: Callable[..., Reply]):
    cells = {("lex-locate", "4k"): 1, ("lex-longest", "4k"): 1}
    run = make_run({(0, 0): [reply(RIGHT)], (1, 0): [reply(WRONG)]}, cells)
    (run / "bounds.jsonl").write_text('{"id": "lex-locate-4k-s42-0000", "solver": true}\n')
    results = score_run(run)
    assert len(results.pairs) == 1
    assert [bound.pairs for bound in results.bounds] == [(), ()]
