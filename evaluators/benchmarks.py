"""The benchmarks as the evaluator knows them: one table; a new benchmark is one entry and one judge."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

from lengthwise.builders.predicate.variants import GROUPS, VARIANTS
from lengthwise.contracts import Sampling
from lengthwise.errors import unknown_name
from lengthwise.evaluators.contracts import OutcomeKind
from lengthwise.evaluators.judging import Judgement, PromptOf, judge_predicate

Judge: TypeAlias = Callable[[Mapping[str, Any], str, PromptOf], Judgement]


@dataclass(frozen=True, slots=True)
class TableGroup:
    """A section of the paper's main table.

    Attributes:
        title: what the section shows.
        rows: its configs in order.
    """

    title: str
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """How a benchmark's main table is laid out.

    Attributes:
        name: of the benchmark, as its paper writes it.
        title: of the whole table.
        groups: its sections.
        references: the row that each config's arrow compares with; rows without one get no arrow.
        captions: a readable name per config.
    """

    name: str
    title: str
    groups: tuple[TableGroup, ...]
    references: Mapping[str, str]
    captions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One benchmark.

    Attributes:
        name: as in build.json and run.json.
        aliases: what else it may be called.
        description: one line.
        sampling: the paper's settings.
        method: the default method, a key of `lengthwise.evaluators.methods.METHODS`.
        judge: scores one reply given the row's columns.
        categories: the paper's words for our outcomes; each outcome kind stands under exactly one.
        layout: of the main table.
    """

    name: str
    aliases: tuple[str, ...]
    description: str
    sampling: Sampling
    method: str
    judge: Judge
    categories: Mapping[str, tuple[OutcomeKind, ...]]
    layout: Layout


def _predicate_layout() -> Layout:
    """Return the layout of Table 2, read off the table of variants."""
    groups = {number: TableGroup(f"({number}) {title}", ()) for number, title in GROUPS.items()}
    for variant in VARIANTS.values():
        group = groups[variant.group]
        groups[variant.group] = TableGroup(group.title, (*group.rows, variant.name))
    return Layout(
        name="PredicateLongBench",
        title="PredicateLongBench: accuracy by axis of difficulty (%)",
        groups=tuple(group for group in groups.values() if group.rows),
        references={name: variant.reference for name, variant in VARIANTS.items() if variant.reference},
        captions={name: variant.title for name, variant in VARIANTS.items()},
    )


PREDICATELONGBENCH = Benchmark(
    name="predicatelongbench",
    aliases=("predicate",),
    description="find the run of words that satisfies a predicate, in a list of up to 128K tokens, among decoys",
    sampling=Sampling(max_tokens=16_000, temperature=1.0, top_p=1.0),
    method="zero-shot",
    judge=judge_predicate,
    # Section 4 counts all of these against the model; refusals and spent budgets are also told apart (Table 2, 4.9).
    categories=MappingProxyType(
        {
            "correct": ("correct",),
            "incorrect": ("wrong", "unparsed", "empty"),
            "refusal": ("refused",),
            "over the output budget": ("truncated_output",),
            "not run": ("overlength", "error"),
        }
    ),
    layout=_predicate_layout(),
)

BENCHMARKS: Mapping[str, Benchmark] = MappingProxyType({one.name: one for one in (PREDICATELONGBENCH,)})


def find_benchmark(name: str) -> Benchmark:
    """Return a benchmark by its name or an alias.

    Raises:
        InputError: there is none of that name.
    """
    for benchmark in BENCHMARKS.values():
        if name in (benchmark.name, *benchmark.aliases):
            return benchmark
    raise unknown_name("benchmark", name, BENCHMARKS)
