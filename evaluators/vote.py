"""`vote`: the majority of some models on each summary (section 4.4). It asks nobody; the ballots are finished runs.

More than half of all ballots with a score below 3 make a summary hallucinated, more than half with one above 2 make it
faithful (the paper has three models, and so two of them). A reply without a score abstains: it is no vote for either
side, but one of those that a majority is taken of. Without a majority there is no score, which counts as wrong.

The prediction has the form of a reply: the middle score of the majority (the lower of two), and all that its ballots
report as faults, by which recall per type is counted. `reasoning` says how each voted.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lengthwise.builders.longnovel.prompt_texts import TYPE_NAMES
from lengthwise.builders.longnovel.records import Language
from lengthwise.contracts import Ask, Reply, ReplyError
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example, Method, OutcomeKind, Prediction
from lengthwise.evaluators.method_parts import MethodKind, Resources
from lengthwise.metrics.classification import THRESHOLD
from lengthwise.metrics.hallucinations import Point

if TYPE_CHECKING:
    import pyarrow as pa

# Holds no number in figures or words, so that nothing in it can be taken for a score; in the form asked for, so that
# no failure of form is seen in it.
NO_MAJORITY = '{"reason": "There is no majority among the votes.", "score": null}'


@dataclass(frozen=True, slots=True)
class Ballot:
    """What one run says of one summary.

    Attributes:
        voter: what the run is called.
        kind: how the row ended in it.
        score: that it gave, 0 to 5; None for an abstention.
        points: the faults that it reports.
    """

    voter: str
    kind: OutcomeKind
    score: int | None
    points: tuple[Point, ...] = ()


def count_votes(ballots: Sequence[Ballot], language: Language) -> Reply:
    """Return the reply that stands for the majority of the ballots on one summary.

    Args:
        ballots: one of each run.
        language: of the row, for the names of the types.

    Raises:
        ReplyError: there is no majority, but there could be one with a ballot whose run has no reply yet (`error`).
    """
    sides = {
        "hallucinated": [one for one in ballots if one.score is not None and one.score < THRESHOLD],
        "faithful": [one for one in ballots if one.score is not None and one.score >= THRESHOLD],
    }
    said = "; ".join(f"{one.voter}: {one.kind if one.score is None else one.score}" for one in ballots)
    for side, votes in sides.items():
        if 2 * len(votes) > len(ballots):
            note = f"{len(votes)} of {len(ballots)} call it {side} ({said})"
            return Reply(_text(votes, language), reasoning=note)
    silent = [one for one in ballots if one.kind == "error"]
    if 2 * (max(map(len, sides.values())) + len(silent)) > len(ballots):
        raise ReplyError(f"no majority without {', '.join(one.voter for one in silent)}, where no reply came ({said})")
    return Reply(NO_MAJORITY, reasoning=said)


def _text(votes: Sequence[Ballot], language: Language) -> str:
    scores = sorted(one.score for one in votes if one.score is not None)
    score = scores[(len(scores) - 1) // 2]
    points = list(dict.fromkeys(point for one in votes for point in one.points)) if score < THRESHOLD else []
    names = TYPE_NAMES[language]
    reply = {"reason": "; ".join(f"{names[point.type]}: {point.text}" for point in points), "score": score}
    if score < THRESHOLD:
        reply["hallucination_types"] = [names[kind] for kind in dict.fromkeys(point.type for point in points)]
    return json.dumps(reply, ensure_ascii=False)


def vote(ballots: Mapping[str, Sequence[Ballot]]) -> Method:
    """Return the method that counts ballots, given by the id of the row."""

    async def method(example: Example, ask: Ask) -> Prediction:
        return Prediction(count_votes(ballots[example.id], example.columns.get("language", "en")))

    return method


def _elsewhere(model: str = "", rows: "pa.Table | None" = None) -> None:
    raise InputError(
        "--method vote: asks no model, but counts the replies of finished runs: lengthwise vote RUN RUN RUN --out DIR"
    )


def _make(resources: Resources) -> Method:
    _elsewhere()
    return vote({})


VOTE = MethodKind(
    "takes the majority of finished runs, and asks nobody: lengthwise vote RUN RUN RUN (longnovel)",
    make=_make,
    most_calls=1,
    check=_elsewhere,
)
