"""Rank agreement between the settings."""

from instance_cases import instance_run, series

from lengthwise.evaluators.instance_analyses.agreement import agreement_table, rank_agreement


def model(name: str, aggregate: str, instances: str):
    return instance_run([*series("parity", {2: aggregate}), *series("parity-instances", {2: instances})], name)


def test_models_that_rank_alike_agree() -> None:
    found = rank_agreement([model("a", "111", "110"), model("b", "110", "100"), model("c", "100", "000")])
    assert found is not None
    assert found.models == {"a": (1.0, 2 / 3), "b": (2 / 3, 1 / 3), "c": (1 / 3, 0.0)}
    assert (found.spearman.value, found.kendall.value, found.n) == (1.0, 1.0, 3)
    # Of the six orders two are as far from 0.
    assert round(found.spearman.p_value or 0, 4) == 0.3333


def test_models_that_rank_the_other_way_round_disagree() -> None:
    found = rank_agreement([model("a", "111", "000"), model("b", "110", "100"), model("c", "100", "110")])
    assert found is not None and found.spearman.value == -1.0


def test_two_models_are_too_few() -> None:
    assert rank_agreement([model("a", "111", "110"), model("b", "110", "100")]) is None


def test_only_samples_that_all_models_have_in_both_settings_count() -> None:
    runs = [model("a", "111", "110"), model("b", "110", "100")]
    runs.append(instance_run([*series("parity", {2: "0", 5: "11"}), *series("parity-instances", {2: "0"})], "c"))
    found = rank_agreement(runs)
    assert found is not None
    assert found.n == 1
    assert found.models["c"] == (0.0, 0.0)


def test_the_table_is_in_order_of_rank() -> None:
    table = agreement_table([model("c", "100", "000"), model("a", "111", "110"), model("b", "110", "100")])
    assert table is not None
    assert [row[0] for row in table.rows] == ["a", "b", "c"]
    assert table.rows[0] == ("a", "100.0", "1", "66.7", "1")
    assert "Spearman's rho 1.00 (p 0.3333, exact)" in table.notes[0]
