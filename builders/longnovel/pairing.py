"""Pairs: one window, two summaries, one of each class (section 3.4).

"minimal" pairs an injected summary with the reference that it was made from: they differ in the injected sentences
alone. "window" pairs two models' summaries of one window. A pair has exactly two rows of one split, so that pair
accuracy (`lengthwise.metrics.pairs`) can be counted; a row whose partner was not chosen has none.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from .labels import Label

PairKind: TypeAlias = Literal["minimal", "window", ""]


@dataclass(frozen=True, slots=True)
class Pair:
    """The pair of a row; both empty for a row without one."""

    id: str
    kind: PairKind


NO_PAIR = Pair("", "")


def pair_labels(labels: Sequence[Label]) -> Mapping[str, Pair]:
    """Return the pair of each label of one split, by its id.

    Of several injected summaries of one window the first is the reference's partner; of models' summaries the first
    hallucinated one pairs with the first faithful one, and so on.
    """
    windows: dict[object, dict[tuple[str, bool], list[Label]]] = defaultdict(lambda: defaultdict(list))
    for label in labels:
        windows[label.key][label.origin, label.hallucinated].append(label)
    pairs = {label.id: NO_PAIR for label in labels}
    for groups in windows.values():
        minimal = zip(groups["erhg", True], groups["original", False], strict=False)
        window = zip(groups["mma", True], groups["mma", False], strict=False)
        found: list[tuple[PairKind, tuple[Label, Label]]] = [("minimal", both) for both in minimal]
        found += [("window", both) for both in window]
        for number, (kind, both) in enumerate(found, 1):
            for label in both:
                pairs[label.id] = Pair(f"{label.key.id}-pair-{number}", kind)
    return pairs
