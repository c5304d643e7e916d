"""The benchmarks as the evaluator knows them: one table; a new benchmark is one entry and one judge."""

from collections.abc import Mapping
from types import MappingProxyType

from lengthwise.errors import unknown_name
from lengthwise.evaluators.benchmark_instances import MULTI_INSTANCE
from lengthwise.evaluators.benchmark_longnovel import LONGNOVEL, STORYWORLD
from lengthwise.evaluators.benchmark_predicate import PREDICATELONGBENCH, list_source
from lengthwise.evaluators.benchmark_types import Benchmark
from lengthwise.evaluators.layouts import Layout, Place, TableGroup

__all__ = [
    "BENCHMARKS",
    "LONGNOVEL",
    "MULTI_INSTANCE",
    "PREDICATELONGBENCH",
    "STORYWORLD",
    "Benchmark",
    "Layout",
    "Place",
    "TableGroup",
    "find_benchmark",
    "list_source",
]

BENCHMARKS: Mapping[str, Benchmark] = MappingProxyType(
    {one.name: one for one in (PREDICATELONGBENCH, MULTI_INSTANCE, LONGNOVEL, STORYWORLD)}
)


def find_benchmark(name: str) -> Benchmark:
    """Return a benchmark by its name or an alias.

    Raises:
        InputError: there is none of that name.
    """
    for benchmark in BENCHMARKS.values():
        if name in (benchmark.name, *benchmark.aliases):
            return benchmark
    raise unknown_name("benchmark", name, BENCHMARKS)
