"""Rows of a finished run that are asked again: which, and how they ended then and now.

Section 4.9 took five items that had spent a budget of 16K tokens and asked them again with 64K.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from lengthwise.evaluators.contracts import OUTCOME_KINDS, Outcome, OutcomeKind


@dataclass(frozen=True, slots=True)
class Again:
    """What of a finished run is asked again; it holds all that is told of that run, whose folder may be gone.

    Attributes:
        run: folder of that run.
        created: when that run was begun.
        model: spec of its model.
        sampling: its sampling.
        kinds: the outcomes that were chosen.
        matching: how many rows of that run had one of these.
        before: how each chosen row ended then, repeat by repeat, by example id.
    """

    run: str
    created: str
    model: str
    sampling: Mapping[str, Any]
    kinds: tuple[OutcomeKind, ...]
    matching: int
    before: Mapping[str, tuple[OutcomeKind, ...]]

    def to_json(self) -> dict[str, Any]:
        """Return what run.json says of it; `from_json` is the inverse."""
        return asdict(self)

    @staticmethod
    def from_json(record: Mapping[str, Any]) -> "Again":
        """Rebuild it from what `to_json` gave."""
        before = {example: tuple(kinds) for example, kinds in record["before"].items()}
        return Again(**{**record, "kinds": tuple(record["kinds"]), "before": before})


@dataclass(frozen=True, slots=True)
class Change:
    """How many replies ended in one way then and in another now.

    Attributes:
        then: the outcome then; None for repeats that there were not.
        now: the outcome now; None for repeats that were not asked again.
        count: how many, over all repeats.
    """

    then: OutcomeKind | None
    now: OutcomeKind | None
    count: int


def changes(again: Again, outcomes: Iterable[Outcome]) -> tuple[Change, ...]:
    """Count how rows ended then and now; repeats are paired by their number.

    Args:
        again: how they ended then.
        outcomes: of the new run.

    Returns:
        In the order of `OUTCOME_KINDS`, by then and now.
    """
    now: dict[str, dict[int, OutcomeKind]] = {}
    for outcome in outcomes:
        now.setdefault(outcome.example_id, {})[outcome.repeat] = outcome.kind
    pairs: Counter[tuple[OutcomeKind | None, OutcomeKind | None]] = Counter()
    for example, kinds in now.items():
        then = dict(enumerate(again.before.get(example, ())))
        pairs.update((then.get(repeat), kinds.get(repeat)) for repeat in then.keys() | kinds.keys())
    order = {kind: place for place, kind in enumerate((*OUTCOME_KINDS, None))}
    ordered = sorted(pairs.items(), key=lambda pair: (order[pair[0][0]], order[pair[0][1]]))
    return tuple(Change(*pair, count) for pair, count in ordered)
