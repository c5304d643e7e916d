"""The benchmarks as the evaluator knows them: one table; a new benchmark is one entry and one judge."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, TypeAlias

from lengthwise.builders.predicate.variants import GROUPS, VARIANTS, find_variant
from lengthwise.contracts import Sampling
from lengthwise.errors import InputError, unknown_name
from lengthwise.evaluators.causes import Examine, examine_predicate
from lengthwise.evaluators.contracts import OutcomeKind
from lengthwise.evaluators.judging import Judgement, PromptOf, judge_predicate

Judge: TypeAlias = Callable[[Mapping[str, Any], str, PromptOf], Judgement]
Source: TypeAlias = Callable[[Mapping[str, Any]], tuple[str, str]]


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
class Place:
    """Where a config goes that has no row of its own in the layout.

    Attributes:
        row: the config of the layout behind which it stands, and with whose reference row it is compared.
        caption: its readable name.
    """

    row: str
    caption: str


def _no_place(config: str) -> Place | None:
    return None


@dataclass(frozen=True, slots=True)
class Layout:
    """How a benchmark's main table is laid out.

    Attributes:
        name: of the benchmark, as its paper writes it.
        title: of the whole table.
        groups: its sections.
        references: the row that each config's arrow compares with; rows without one get no arrow.
        captions: a readable name per config.
        place: gives further configs (points of a sweep) their place; None for one that it does not know.
    """

    name: str
    title: str
    groups: tuple[TableGroup, ...]
    references: Mapping[str, str]
    captions: Mapping[str, str]
    place: Callable[[str], Place | None] = _no_place

    def reference(self, config: str) -> str | None:
        """Return the reference row of a config, that of its variant for a point of a sweep; None if it has none."""
        place = None if config in self.captions else self.place(config)
        return self.references.get(config if place is None else place.row)

    def holding(self, configs: Iterable[str]) -> "Layout":
        """Return the layout with a row for each of these configs that has none yet and whose place is known.

        Args:
            configs: names of configs; new rows stand in their order.
        """
        new = (config for config in dict.fromkeys(configs) if config not in self.captions)
        placed = {config: place for config in new if (place := self.place(config)) is not None}

        def with_new(row: str) -> tuple[str, ...]:
            return (row, *(config for config, place in placed.items() if place.row == row))

        return replace(
            self,
            groups=tuple(
                replace(group, rows=tuple(config for row in group.rows for config in with_new(row)))
                for group in self.groups
            ),
            references={
                **self.references,
                **{c: self.references[place.row] for c, place in placed.items() if place.row in self.references},
            },
            captions={**self.captions, **{config: place.caption for config, place in placed.items()}},
        )


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
        source: the stratum of a row, and its source within: rows of one source are no independent evidence, and a
            variant and its reference row are paired by it.
        categories: the paper's words for our outcomes; each outcome kind stands under exactly one.
        layout: of the main table.
        examine: reads off a reply that is not right why; None if nothing is known to look for.
    """

    name: str
    aliases: tuple[str, ...]
    description: str
    sampling: Sampling
    method: str
    judge: Judge
    source: Source
    categories: Mapping[str, tuple[OutcomeKind, ...]]
    layout: Layout
    examine: Examine | None = None


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
        place=_predicate_place,
    )


def _predicate_place(config: str) -> Place | None:
    try:
        variant = find_variant(config)
    except InputError:  # of a version that had other variants
        return None
    return Place(variant.in_table, variant.title)


def list_source(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return the family and the base list of a row of PredicateLongBench; its variants share both.

    A row that does not name its list is one of its own.

    >>> list_source({"list_id": "lex-128k-s42-0007+scattered"})
    ('lex-128k-s42', 'lex-128k-s42-0007')
    """
    base = str(row.get("list_id") or row["id"]).partition("+")[0]
    return base.rpartition("-")[0], base


PREDICATELONGBENCH = Benchmark(
    name="predicatelongbench",
    aliases=("predicate",),
    description="find the run of words that satisfies a predicate, in a list of up to 128K tokens, among decoys",
    sampling=Sampling(max_tokens=16_000, temperature=1.0, top_p=1.0),
    method="zero-shot",
    judge=judge_predicate,
    source=list_source,
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
    examine=examine_predicate,
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
