import pytest

from lengthwise.builders.predicate.variants import VARIANTS
from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import BENCHMARKS, PREDICATELONGBENCH, find_benchmark
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
