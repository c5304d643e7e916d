"""Cohen's kappa: how far two raters agree beyond chance, overall and type by type (LongNovel, section 3.4, table 9).

kappa = (observed - expected) / (1 - expected), with the expected agreement from each rater's own shares
(J. Cohen, Educational and Psychological Measurement 20, 1960).
"""

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lengthwise.errors import InputError

if TYPE_CHECKING:
    from .resampling import Array


@dataclass(frozen=True, slots=True)
class Kappa:
    """The agreement of two raters.

    Attributes:
        kappa: in [-1, 1]; None where it is undefined.
        n: items that both rated.
        observed: share of the items with equal labels, in [0, 1]; None of no items.
        expected: the share that chance would give; None of no items.
        interval: percentile bootstrap interval over the items; None unless asked for, or where kappa is undefined.
        reason: why kappa is undefined; None otherwise.
    """

    kappa: float | None
    n: int
    observed: float | None
    expected: float | None
    interval: tuple[float, float] | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class TypeAgreement:
    """The agreement on one type of a multi-label rating: present or not.

    Attributes:
        first: items to which the first rater gave the type.
        second: items to which the second did.
        both: items to which both did.
        agreement: kappa of present against absent.
    """

    first: int
    second: int
    both: int
    agreement: Kappa


def cohen_kappa(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    *,
    confidence_level: float | None = None,
    n_resamples: int = 10_000,
    seed: int = 0,
) -> Kappa:
    """Return the agreement of two raters over the same items.

    Args:
        first: a label for each item.
        second: the other rater's, in the same order.
        confidence_level: of a bootstrap interval, in (0, 1); None for none.
        n_resamples: of the bootstrap.
        seed: of the bootstrap.

    Raises:
        InputError: lengths differ, or an option is out of its range.

    >>> cohen_kappa("yyynn", "yynnn").kappa
    0.6153846153846154
    """
    if len(first) != len(second):
        raise InputError(f"first has {len(first)} labels, second {len(second)}: give one of each for an item")
    n = len(first)
    if not n:
        return Kappa(None, 0, None, None, reason="there are no items")
    table = Counter(zip(first, second, strict=True))
    rows, columns = Counter(first), Counter(second)
    agreed = sum(count for (one, other), count in table.items() if one == other)
    by_chance = sum(count * columns[label] for label, count in rows.items())
    observed, expected = agreed / n, by_chance / n**2
    if by_chance == n**2:
        return Kappa(None, n, observed, expected, reason="both raters gave all items the same label")
    # In whole numbers until the last step, so that perfect agreement is exactly 1.
    kappa = (agreed * n - by_chance) / (n**2 - by_chance)
    interval = None
    if confidence_level is not None:
        interval = _interval(table, confidence_level, n_resamples, seed)
    return Kappa(kappa, n, observed, expected, interval)


def kappa_by_type(
    first: Sequence[Collection[str]],
    second: Sequence[Collection[str]],
    types: Collection[str] | None = None,
    *,
    confidence_level: float | None = None,
    n_resamples: int = 10_000,
    seed: int = 0,
) -> dict[str, TypeAgreement]:
    """Return the agreement of two raters on each type of a multi-label rating.

    Args:
        first: the types that one rater gave each item; may be none.
        second: the other rater's, in the same order.
        types: the types to report, in order; None for all that came up, sorted.
        confidence_level: as for `cohen_kappa`.
        n_resamples: of the bootstrap.
        seed: of the bootstrap.

    Raises:
        InputError: lengths differ, a rating is a bare string, or a type is not in `types`.

    >>> kappa_by_type([{"event"}, {"event", "entity"}, set()], [{"event"}, {"event"}, set()])["event"].agreement.kappa
    1.0
    """
    if len(first) != len(second):
        raise InputError(f"first has {len(first)} ratings, second {len(second)}: give one of each for an item")
    if any(isinstance(rating, str) for rating in (*first, *second)):
        raise InputError("a rating is a bare string: give a list of types for each item")
    seen = {name for rating in (*first, *second) for name in rating}
    if types is not None and (unknown := seen - set(types)):
        raise InputError(f"types lacks {', '.join(sorted(unknown))}: add them, or map aliases to the canonical names")
    found = {}
    for name in sorted(seen) if types is None else types:
        one, other = [name in rating for rating in first], [name in rating for rating in second]
        agreement = cohen_kappa(one, other, confidence_level=confidence_level, n_resamples=n_resamples, seed=seed)
        both = sum(a and b for a, b in zip(one, other, strict=True))
        found[name] = TypeAgreement(sum(one), sum(other), both, agreement)
    return found


def _interval(
    table: Mapping[tuple[Hashable, Hashable], int], confidence: float, n_resamples: int, seed: int
) -> tuple[float, float] | None:
    from .bootstrap import bootstrap
    from .resampling import from_counts

    keys = list(table)
    same = [place for place, (one, other) in enumerate(keys) if one == other]
    sides = [
        [[place for place, key in enumerate(keys) if key[side] == label] for side in (0, 1)]
        for label in {label for key in keys for label in key}
    ]

    def statistic(counts: "Array") -> "Array":
        n = counts.sum(axis=0)
        agreed = counts[same].sum(axis=0)
        by_chance = sum(counts[row].sum(axis=0) * counts[column].sum(axis=0) for row, column in sides)
        values: Array = (agreed * n - by_chance) / (n**2 - by_chance)
        return values

    found = bootstrap(
        from_counts(list(table.values())),
        {"kappa": statistic},
        confidence=confidence,
        n_resamples=n_resamples,
        seed=seed,
    )
    return found["kappa"].interval
