"""PredicateLongBench as the evaluator knows it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from lengthwise.builders.predicate.variants import GROUPS, VARIANTS, find_variant
from lengthwise.contracts import Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.benchmark_types import Benchmark
from lengthwise.evaluators.causes import examine_predicate
from lengthwise.evaluators.judging_predicate import judge_predicate
from lengthwise.evaluators.layouts import Layout, Place, TableGroup
from lengthwise.evaluators.references_predicate import PREDICATE_REFERENCES


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
    # Several questions are asked on one list, which comes before them.
    shared=("list_id",),
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
    references=PREDICATE_REFERENCES,
    examine=examine_predicate,
)
