import pytest

from lengthwise.builders.predicate.variants import VARIANTS
from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import BENCHMARKS, PREDICATELONGBENCH, find_benchmark, list_source
from lengthwise.evaluators.contracts import OUTCOME_KINDS


def test_found_by_alias():
    assert find_benchmark("predicate") is PREDICATELONGBENCH


def test_unknown_name_gives_the_nearest():
    with pytest.raises(InputError, match="did you mean 'predicatelongbench'"):
        find_benchmark("predicatelongbnch")


@pytest.mark.parametrize("benchmark", BENCHMARKS.values())
def test_every_outcome_has_one_category(benchmark):
    kinds = [kind for kinds in benchmark.categories.values() for kind in kinds]
    assert sorted(kinds) == sorted(OUTCOME_KINDS)


def test_every_variant_has_one_row():
    rows = [row for group in PREDICATELONGBENCH.layout.groups for row in group.rows]
    assert sorted(rows) == sorted(VARIANTS)


def test_sixteen_k_is_sixteen_thousand():
    assert PREDICATELONGBENCH.sampling.max_tokens == 16_000


def test_points_of_a_sweep_stand_behind_their_variant_in_the_order_given():
    layout = PREDICATELONGBENCH.layout.holding(
        ["lex-scattered--decoys-4", "lex-locate", "lex-scattered--decoys-16", "of-another-version"]
    )
    (group,) = (group for group in layout.groups if "lex-scattered" in group.rows)
    assert group.rows[1:4] == ("lex-scattered", "lex-scattered--decoys-4", "lex-scattered--decoys-16")
    assert layout.captions["lex-scattered--decoys-4"] == "Lexicographic, near-sorted, scattered (4 decoys)"
    assert layout.references["lex-scattered--decoys-4"] == "lex-locate"
    assert "of-another-version" not in layout.captions
    assert layout.holding(layout.captions) == layout


def test_a_base_list_is_what_variants_share():
    assert list_source({"list_id": "lex-4k-s42-0001+near-miss"}) == list_source({"list_id": "lex-4k-s42-0001"})
    assert list_source({"list_id": "lex-short-4k-s42-0001"}) != list_source({"list_id": "lex-4k-s42-0001"})
