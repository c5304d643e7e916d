"""Minimal pairs: a pair counts only if both of its items are right (NoCha; LongNovel, section 3.4).

A pair is one text with two summaries, of which one is hallucinated; who answers alike for both, whatever they are,
scores 0 here and 50 % item by item. Guessing scores 25 %.
"""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from lengthwise.errors import InputError

from .classification import cells_of
from .intervals import Interval, clopper_pearson


@dataclass(frozen=True, slots=True)
class PairAccuracy:
    """How many pairs are right.

    Attributes:
        pair_accuracy: share of the pairs with both items right, in [0, 1]; None of no pairs.
        item_accuracy: share of the items that are right, for comparison; None of no pairs.
        n_pairs: pairs.
        both: of these, with both items right.
        one: with one right: the system told them alike.
        neither: with none.
        interval: exact (Clopper-Pearson) interval of `pair_accuracy`, taking pairs for independent.
    """

    pair_accuracy: float | None
    item_accuracy: float | None
    n_pairs: int
    both: int
    one: int
    neither: int
    interval: Interval


def pair_accuracy(right: Sequence[bool], pairs: Sequence[Hashable], *, confidence_level: float = 0.95) -> PairAccuracy:
    """Count the pairs of which both items are right.

    Args:
        right: whether each item was answered right.
        pairs: the name of each item's pair; each comes exactly twice, in any order.
        confidence_level: of the interval, in (0, 1).

    Raises:
        InputError: lengths differ, or a pair does not come exactly twice.

    >>> found = pair_accuracy([True, True, True, False], ["a", "a", "b", "b"])
    >>> found.pair_accuracy, found.item_accuracy
    (0.5, 0.75)
    """
    if len(right) != len(pairs):
        raise InputError(f"pairs has {len(pairs)} entries for {len(right)} items: name a pair for each")
    members: dict[Hashable, list[bool]] = defaultdict(list)
    for value, pair in zip(right, pairs, strict=True):
        members[pair].append(bool(value))
    uneven = [pair for pair, values in members.items() if len(values) != 2]
    if uneven:
        first = uneven[0]
        raise InputError(
            f"pairs: {len(uneven)} of {len(members)} do not have two items, e.g. {first!r} ({len(members[first])}); "
            "give both items of every pair, an unparsed reply as wrong"
        )
    sums = [sum(values) for values in members.values()]
    n, both, one = len(sums), sums.count(2), sums.count(1)
    return PairAccuracy(
        pair_accuracy=both / n if n else None,
        item_accuracy=sum(sums) / (2 * n) if n else None,
        n_pairs=n,
        both=both,
        one=one,
        neither=n - both - one,
        interval=clopper_pearson(both, n, confidence_level),
    )


def pair_accuracy_of_scores(
    predictions: Sequence[int | None],
    references: Sequence[int],
    pairs: Sequence[Hashable],
    *,
    confidence_level: float = 0.95,
) -> PairAccuracy:
    """Count the pairs of which both summaries were classified right by their consistency scores.

    Args:
        predictions: scores 0 to 5, None for an unparsed reply (wrong); see `classification`.
        references: gold labels: 1 is hallucinated, 0 is not; a pair holds one of each.
        pairs: the name of each item's pair.
        confidence_level: of the interval, in (0, 1).

    Raises:
        InputError: as `pair_accuracy` and `detection` say, or both items of a pair have one label.

    >>> pair_accuracy_of_scores([2, 4, 5, 5], [1, 0, 1, 0], ["a", "a", "b", "b"]).pair_accuracy
    0.5
    """
    right = [cell in (0, 3) for cell in cells_of(predictions, references)]
    found = pair_accuracy(right, pairs, confidence_level=confidence_level)
    labels: dict[Hashable, list[int]] = defaultdict(list)
    for label, pair in zip(references, pairs, strict=True):
        labels[pair].append(int(label))
    alike = [pair for pair, two in labels.items() if sum(two) != 1]
    if alike:
        raise InputError(f"references: both items of pair {alike[0]!r} have one label; a pair holds one of each")
    return found
