"""How far annotators agree, by their first labels: Table 9's kappas, pair agreement, and what is left to discuss."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from lengthwise.metrics.agreement import Kappa, TypeAgreement, cohen_kappa, kappa_by_type
from lengthwise.metrics.fault_types import HallucinationType
from lengthwise.metrics.pairs import PairAccuracy, pair_accuracy

from .desk import pair_differences
from .judgements import Judgement
from .pairs import ReviewPair, Side
from .store import Reviewed


@dataclass(frozen=True)
class Agreement:
    """Two annotators over the summaries that both labelled.

    Attributes:
        annotators: the two.
        presence: kappa of hallucinated or not.
        counts: type -> summaries that have it, by final decision, by construction where there is none yet.
        types: type -> kappa of that type given or not.
        pairs: pairs that both labelled.
        pairs_alike: of these, those whose two summaries both have one presence from both.
    """

    annotators: tuple[str, str]
    presence: Kappa
    counts: Mapping[str, int]
    types: Mapping[str, TypeAgreement]
    pairs: int
    pairs_alike: int


@dataclass(frozen=True)
class Standing:
    """One annotator against the gold: the final decision, or the construction where there is none yet.

    Attributes:
        annotator: who.
        presence: how many pairs have both summaries right, and how many summaries are.
        found: hallucinated summaries in which an injected sentence was marked, of those with a known place.
        placed: those with a known place.
    """

    annotator: str
    presence: PairAccuracy
    found: int
    placed: int


def gold(side: Side, pair: ReviewPair, reviewed: Reviewed) -> tuple[bool, tuple[str, ...]]:
    """Return presence and types of a summary: as decided, as constructed before that."""
    decisions = reviewed.decisions.get(pair.key.id)
    if decisions:
        final = decisions[-1].judgements[side.id]
        return bool(final.hallucinated), final.types
    return side.hallucinated, side.types


def agreement(pairs: Mapping[str, ReviewPair], reviewed: Reviewed, first: str, second: str) -> Agreement:
    """Return the agreement of two annotators; of nothing, where they share no pair."""
    one: list[Judgement] = []
    other: list[Judgement] = []
    counts: Counter[str] = Counter()
    shared = alike = 0
    for name, pair in pairs.items():
        labels = reviewed.labels.get(name, {})
        if first not in labels or second not in labels:
            continue
        shared += 1
        mine = [labels[first].judgements[side.id] for side in pair.sides]
        yours = [labels[second].judgements[side.id] for side in pair.sides]
        alike += all(a.hallucinated == b.hallucinated for a, b in zip(mine, yours, strict=True))
        one += mine
        other += yours
        for side in pair.sides:
            counts.update(gold(side, pair, reviewed)[1])
    types = [kind.value for kind in HallucinationType]
    return Agreement(
        (first, second),
        cohen_kappa([a.hallucinated for a in one], [b.hallucinated for b in other]),
        {kind: counts[kind] for kind in types},
        kappa_by_type([a.types for a in one], [b.types for b in other], types),
        shared,
        alike,
    )


def agreements(pairs: Mapping[str, ReviewPair], reviewed: Reviewed) -> list[Agreement]:
    """Return the agreement of any two annotators who share a pair."""
    found = [agreement(pairs, reviewed, *two) for two in combinations(reviewed.annotators, 2)]
    return [one for one in found if one.pairs]


def standing(pairs: Mapping[str, ReviewPair], reviewed: Reviewed, annotator: str) -> Standing:
    """Return how one annotator's first labels stand to the gold: a pair counts only if both summaries are right."""
    right: list[bool] = []
    names: list[str] = []
    found = placed = 0
    for name, pair in pairs.items():
        given = reviewed.labels.get(name, {}).get(annotator)
        for side in pair.sides if given is not None else ():
            assert given is not None
            said = given.judgements[side.id]
            right.append(said.hallucinated == gold(side, pair, reviewed)[0])
            names.append(name)
            placed += bool(side.injected)
            found += bool(set(side.injected) & set(said.sentences))
    return Standing(annotator, pair_accuracy(right, names), found, placed)


def disagreements(pairs: Mapping[str, ReviewPair], reviewed: Reviewed) -> dict[str, list[str]]:
    """Return the pairs without a decision over which first labels differ, and in what."""
    found = {name: pair_differences(pair, reviewed) for name, pair in pairs.items() if name not in reviewed.decisions}
    return {name: differ for name, differ in found.items() if differ}


def review_column(pairs: Mapping[str, ReviewPair], reviewed: Reviewed) -> dict[str, str]:
    """Return what the column `review` says of the rows that have been decided.

    "confirmed" where people came to the construction's presence and types; else "disputed: " and what they found.
    """
    column = {}
    for name, pair in pairs.items():
        for side in pair.sides if name in reviewed.decisions else ():
            presence, types = gold(side, pair, reviewed)
            if (presence, types) == (side.hallucinated, side.types):
                column[side.id] = "confirmed"
            else:
                column[side.id] = f"disputed: {', '.join(types) if presence else 'faithful'}"
    return column


@dataclass(frozen=True)
class TextTable:
    """A small table for a terminal."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


def _kappa(value: Kappa) -> str:
    return "–" if value.kappa is None else f"{value.kappa:.3f}"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


def tables(pairs: Mapping[str, ReviewPair], reviewed: Reviewed) -> list[TextTable]:
    """Return the review as tables: progress, Table 9 for any two annotators, pairs, and what is to be discussed."""
    whole = len(pairs)
    names = reviewed.annotators
    progress = [[who, f"{sum(who in given for given in reviewed.labels.values())} of {whole}"] for who in names]
    progress.append(["decided", f"{len(reviewed.decisions)} of {whole}"])
    found = [TextTable("Pairs labelled", ["annotator", "pairs"], progress)]
    for one in agreements(pairs, reviewed):
        first, second = one.annotators
        rows = [
            [kind, str(one.counts[kind]), _kappa(of.agreement), str(of.first), str(of.second), str(of.both)]
            for kind, of in one.types.items()
        ]
        overall = one.presence
        rows.append(["hallucinated or not", str(overall.n), _kappa(overall), "", "", ""])
        found.append(
            TextTable(
                f"Cohen's kappa, {first} and {second} (Table 9): {one.pairs} pairs, {one.pairs_alike} of them alike",
                ["type", "count", "kappa", first, second, "both"],
                rows,
            )
        )
    rights = [standing(pairs, reviewed, who) for who in names]
    if rights:
        rows = [
            [one.annotator, str(one.presence.n_pairs), _percent(one.presence.pair_accuracy),
             _percent(one.presence.item_accuracy), f"{one.found} of {one.placed}"]
            for one in rights
        ]  # fmt: skip
        head = ["annotator", "pairs", "both right %", "summaries right %", "injected sentence found"]
        found.append(TextTable("Against the final decision, or the construction before it", head, rows))
    to_discuss = disagreements(pairs, reviewed)
    if to_discuss:
        found.append(
            TextTable(
                "To discuss", ["pair", "differ in"], [[name, ", ".join(differ)] for name, differ in to_discuss.items()]
            )
        )
    return found
