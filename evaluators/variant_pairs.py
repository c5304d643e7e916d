"""Each variant of a run against its reference row (the table's arrows), on the word lists that both were asked about.

A variant and its baseline are built on one list, so what makes a list hard for both does not blur the difference.
Lists are paired within a run and a split; what has no partner is left out and counted. Where two rows share no list at
all, as with other kinds of words, they are compared as independent samples. Every outcome but `correct` is wrong.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, TypeAlias

from lengthwise.evaluators.benchmark_types import Benchmark
from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.layouts import POOLED
from lengthwise.metrics.comparison import compare_values
from lengthwise.metrics.intervals import newcombe
from lengthwise.metrics.significance import McNemar, exact_fisher, holm

Test: TypeAlias = Literal["mcnemar", "bootstrap", "fisher"]
# Per repeat, whether each row of a cell was right.
Right: TypeAlias = Sequence[Sequence[int]]

# Of a p-value after the correction; the intervals are of one minus this.
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class VariantPair:
    """A variant and its reference row at one split.

    Attributes:
        config: the variant.
        reference: its reference row, which the run holds at the same split.
        split: of both; `POOLED` for all together.
        n: lists that both were asked about; 0 where they share none and all rows of both were compared.
        alone: rows of the variant without a partner.
        reference_alone: rows of the reference without a partner.
        accuracy: the variant's on what was compared, the mean over repeats.
        reference_accuracy: the reference's.
        difference: of these, variant minus reference.
        interval: of it, at 95 %: of the paired bootstrap, or Newcombe's where `n` is 0.
        mcnemar: lists that only the variant (first) or only the reference (second) got right; None with repeats or
            where `n` is 0.
        test: where `p_value` comes from: McNemar's exact test, or with repeats the bootstrap; where `n` is 0 Fisher's
            exact test, or with repeats none.
        p_value: of no difference.
        holm: corrected for the number of differences of the run.
        basis: what is shared, in a word; see `Layout.basis`.
    """

    config: str
    reference: str
    split: str
    n: int
    alone: int
    reference_alone: int
    accuracy: float
    reference_accuracy: float
    difference: float
    interval: tuple[float, float]
    mcnemar: McNemar | None
    test: Test | None
    p_value: float | None
    holm: float | None = None
    basis: str = "list"

    @property
    def significant(self) -> bool:
        """Whether the difference is beyond chance, given how many the run has."""
        return self.holm is not None and self.holm < LEVEL

    def to_json(self) -> dict[str, Any]:
        """Return one flat dict of JSON types."""
        return {
            "config": self.config,
            "reference": self.reference,
            "split": self.split,
            "n": self.n,
            "alone": self.alone,
            "reference_alone": self.reference_alone,
            "accuracy": self.accuracy,
            "reference_accuracy": self.reference_accuracy,
            "difference": self.difference,
            "difference_ci": list(self.interval),
            "only_config": self.mcnemar and self.mcnemar.only_first,
            "only_reference": self.mcnemar and self.mcnemar.only_second,
            "test": self.test,
            "p_value": self.p_value,
            "p_value_holm": self.holm,
        }


def variant_pairs(
    benchmark: Benchmark,
    rows: Mapping[str, Mapping[str, Any]],
    outcomes: Mapping[tuple[str, int], Outcome],
) -> tuple[VariantPair, ...]:
    """Return each variant of a run against its reference row, in the order of the run.

    That is per split, or over all splits together for a benchmark with `pooled_pairs`. Of several rows of a variant on
    one list (the orders of one sample) the first is taken.

    Args:
        benchmark: of the run; says which row is the reference of which, and which list a row is built on.
        rows: columns of the run's examples by id, with `config` and `split`.
        outcomes: by (example id, repeat); every repeat holds all examples.
    """
    configs = dict.fromkeys(row["config"] for row in rows.values())
    references = benchmark.layout.holding(configs).references
    compared = {config: references[config] for config in configs if references.get(config) in configs}
    if not compared:
        return ()
    wanted = {*compared, *compared.values()}
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for example, row in rows.items():
        if row["config"] in wanted:
            split = POOLED if benchmark.pooled_pairs else row["split"]
            cells.setdefault((row["config"], split), {}).setdefault(benchmark.source(row)[1], example)
    repeats = sorted({repeat for _, repeat in outcomes})

    def right(examples: Sequence[str]) -> Right:
        return [[int(outcomes[one, repeat].kind == "correct") for one in examples] for repeat in repeats]

    pairs = []
    for (config, split), lists in cells.items():
        reference = compared.get(config, "")
        against = cells.get((reference, split))
        if against is None:
            continue
        shared = [name for name in lists if name in against]
        chosen = [right([side[name] for name in shared or side]) for side in (lists, against)]
        alone, reference_alone = len(lists) - len(shared), len(against) - len(shared)
        begun = partial(VariantPair, config, reference, split, len(shared), alone, reference_alone)
        pairs.append(_paired(begun, *chosen) if shared else _unpaired(begun, *chosen))
    corrected = holm([pair.p_value for pair in pairs])
    return tuple(replace(pair, holm=p, basis=benchmark.layout.basis) for pair, p in zip(pairs, corrected, strict=True))


def _paired(begun: "partial[VariantPair]", one: Right, other: Right) -> VariantPair:
    found = compare_values(one, other, confidence_level=1 - LEVEL)
    first, second, difference, exact = found.first, found.second, found.difference, found.mcnemar
    # All are known of one item or more.
    assert (
        first is not None and second is not None and difference.value is not None and difference.interval is not None
    )
    return begun(
        accuracy=first,
        reference_accuracy=second,
        difference=difference.value,
        interval=difference.interval,
        mcnemar=exact,
        test="bootstrap" if exact is None else "mcnemar",
        p_value=difference.p_value if exact is None else exact.p_value,
    )


def _unpaired(begun: "partial[VariantPair]", one: Right, other: Right) -> VariantPair:
    # With repeats the interval is that of one run with the mean count right, as in the main table.
    counts = [(sum(map(sum, side)) / len(side), len(side[0])) for side in (one, other)]
    first, second = (right / n for right, n in counts)
    once = len(one) == 1
    return begun(
        accuracy=first,
        reference_accuracy=second,
        difference=first - second,
        interval=tuple(newcombe(*counts[0], *counts[1], 1 - LEVEL)),
        mcnemar=None,
        test="fisher" if once else None,
        p_value=exact_fisher(sum(one[0]), len(one[0]), sum(other[0]), len(other[0])) if once else None,
    )
