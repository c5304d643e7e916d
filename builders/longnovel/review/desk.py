"""What each annotator may see and do of the pairs, without HTTP: blind before their own label, open after it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lengthwise.errors import InputError, unknown_name

from ..text import paragraphs
from .judgements import Judgement, differences, read_judgement
from .pairs import ReviewPair, Side, list_pairs, load_pairs
from .sampling import PAPER_SAMPLE, sample_pairs
from .store import Given, Reviewed, ReviewLog, Sample

SIDES = ("A", "B")


@dataclass(frozen=True)
class PairDesk:
    """The pairs of one review.

    Attributes:
        pairs: in the order shown.
        log: where everything goes.
        annotators: who may work here.
        needed: first labels that a pair needs before it is decided.
    """

    pairs: Mapping[str, ReviewPair]
    log: ReviewLog
    annotators: Sequence[str]
    needed: int = 2

    def listing(self, annotator: str) -> list[dict[str, Any]]:
        """Return the pairs as one annotator sees them, in order.

        `state` is "new", "draft", "labelled" or "decided"; `differ` says in what the labels differ, "" for a pair
        that this annotator has not labelled: others' labels are nothing to them yet.
        """
        self._known(annotator)
        shown = []
        for name, pair in self.pairs.items():
            entry = {"id": name, "scale": pair.key.scale, "language": pair.key.language, "book": pair.book,
                     "state": self._state(name, annotator), "differ": []}  # fmt: skip
            if self._labelled(name, annotator):
                entry["differ"] = self._differ(pair)
            shown.append(entry)
        return shown

    def show(self, name: str, annotator: str) -> dict[str, Any]:
        """Return one pair as JSON types; the truth and others' labels only to whoever has labelled it.

        Raises:
            InputError: there is no such pair or annotator.
        """
        pair = self._pair(name, annotator)
        reviewed = self.log.reviewed
        labels = reviewed.labels.get(name, {})
        open_to_them = annotator in labels
        own = labels.get(annotator) or reviewed.drafts.get((name, annotator))
        shown: dict[str, Any] = {
            "id": name,
            "scale": pair.key.scale,
            "language": pair.key.language,
            "book": pair.book,
            "units": list(pair.units),
            "state": self._state(name, annotator),
            "article": paragraphs(pair.article),
            "sides": [
                {"name": letter, "pieces": _pieces(side)} for letter, side in zip(SIDES, pair.sides, strict=True)
            ],
            "own": None if own is None else _judgements(pair, own),
            "open": None,
        }
        if open_to_them:
            decisions = reviewed.decisions.get(name, [])
            shown["open"] = {
                "truth": [_truth(side) for side in pair.sides],
                "labels": {who: _judgements(pair, given) for who, given in labels.items()},
                "differ": self._differ(pair),
                "missing": max(0, self.needed - len(labels)),
                "decision": _judgements(pair, decisions[-1]) if decisions else None,
                "decided_by": decisions[-1].annotator if decisions else None,
            }
        return shown

    def draft(self, name: str, annotator: str, sides: Any) -> None:
        """Keep a draft; see `ReviewLog.draft`."""
        pair = self._pair(name, annotator)
        self.log.draft(pair, annotator, _read(pair, sides))

    def label(self, name: str, annotator: str, sides: Any) -> None:
        """Keep a first label; see `ReviewLog.label`."""
        pair = self._pair(name, annotator)
        self.log.label(pair, annotator, _read(pair, sides))

    def decide(self, name: str, annotator: str, sides: Any) -> None:
        """Keep a decision; see `ReviewLog.decide`.

        Raises:
            InputError: they have not labelled the pair, or too few have.
        """
        pair = self._pair(name, annotator)
        labels = self.log.reviewed.labels.get(name, {})
        if annotator not in labels:
            raise InputError(f"{annotator} has not labelled this pair: a decision comes after one's own label")
        if len(labels) < self.needed:
            raise InputError(f"{len(labels)} of {self.needed} labels are there: a decision comes after all of them")
        self.log.decide(pair, annotator, _read(pair, sides))

    def _pair(self, name: str, annotator: str) -> ReviewPair:
        self._known(annotator)
        if name not in self.pairs:
            raise InputError(f"pair {name!r} is not under review")
        return self.pairs[name]

    def _known(self, annotator: str) -> None:
        if annotator not in self.annotators:
            raise unknown_name("annotator", annotator, self.annotators)

    def _labelled(self, name: str, annotator: str) -> bool:
        return annotator in self.log.reviewed.labels.get(name, {})

    def _state(self, name: str, annotator: str) -> str:
        reviewed = self.log.reviewed
        if not self._labelled(name, annotator):
            return "draft" if (name, annotator) in reviewed.drafts else "new"
        return "decided" if name in reviewed.decisions else "labelled"

    def _differ(self, pair: ReviewPair) -> list[str]:
        return pair_differences(pair, self.log.reviewed)


def pair_differences(pair: ReviewPair, reviewed: Reviewed) -> list[str]:
    """Return in what the first labels of a pair differ, over either summary."""
    labels = reviewed.labels.get(pair.key.id, {}).values()
    found = {name for side in pair.sides for name in differences([one.judgements[side.id] for one in labels])}
    return sorted(found)


def open_pairs(
    folder: Path, log: ReviewLog, size: int | None = None, seed: int | None = None, split: str | None = None
) -> dict[str, ReviewPair]:
    """Return the pairs under review; a new review draws them and writes down which.

    Args:
        folder: of the build.
        log: of the review.
        size: pairs to draw; None takes the review's own, or the paper's 102.
        seed: of the draw; None takes the review's own, or 42.
        split: which; None takes the review's own, or "test".

    Raises:
        InputError: the review was begun with something else, or its pairs are no longer those of the build.
    """
    begun = log.reviewed.sample
    if begun is None:
        size, seed, split = PAPER_SAMPLE if size is None else size, 42 if seed is None else seed, split or "test"
        drawn = [key.id for key in sample_pairs(list_pairs(folder, split), size, seed)]
        pairs = load_pairs(folder, drawn, split, seed)
        log.begin(Sample(size, seed, split, {name: pair.digest for name, pair in pairs.items()}))
        return pairs
    for option, asked, own in (
        ("--sample", size, begun.size),
        ("--seed", seed, begun.seed),
        ("--split", split, begun.split),
    ):
        if asked is not None and asked != own:
            raise InputError(
                f"{option} {asked}: this review was begun with {own}; leave the option out, or move the folder "
                "`review` away to begin another"
            )
    return pairs_of(folder, begun)


def pairs_of(folder: Path, sample: Sample) -> dict[str, ReviewPair]:
    """Return the pairs of a review that was begun.

    Raises:
        InputError: they are no longer those of the build.
    """
    pairs = load_pairs(folder, list(sample.digests), sample.split, sample.seed)
    changed = [name for name, pair in pairs.items() if pair.digest != sample.digests[name]]
    if changed:
        raise InputError(
            f"{len(changed)} pairs of this review, e.g. {changed[0]!r}, have other summaries in the build now: move "
            "the folder `review` away to begin another"
        )
    return pairs


def _read(pair: ReviewPair, sides: Any) -> list[Judgement]:
    if not isinstance(sides, list) or len(sides) != len(SIDES):
        raise InputError("sides: give two judgements, of A and of B")
    return [read_judgement(one, len(side.spans)) for one, side in zip(sides, pair.sides, strict=True)]


def _judgements(pair: ReviewPair, given: Given) -> list[dict[str, Any]]:
    return [given.judgements[side.id].to_json(side.sentences) for side in pair.sides]


def _truth(side: Side) -> dict[str, Any]:
    injections = [
        {"type": one["type"], "places": side.places(one["hallucinated"]), "hallucinated": one["hallucinated"],
         "original": one["original"]}
        for one in side.injections
    ]  # fmt: skip
    return {"hallucinated": side.hallucinated, "types": list(side.types), "places": side.injected,
            "injections": injections, "reason": side.reason}  # fmt: skip


def _pieces(side: Side) -> list[dict[str, Any]]:
    """Return a summary as its sentences and what is between them: a page counts characters in another way."""
    found: list[dict[str, Any]] = []
    last = 0
    for index, (start, end) in enumerate(side.spans):
        if start > last:
            found.append({"text": side.summary[last:start], "sentence": None})
        found.append({"text": side.summary[start:end], "sentence": index})
        last = end
    if last < len(side.summary):
        found.append({"text": side.summary[last:], "sentence": None})
    return found
