import asyncio
import json

import pytest

from lengthwise.contracts import Reply, ReplyError, Request
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.judging_longnovel import judge_consistency
from lengthwise.evaluators.methods import method_kind
from lengthwise.evaluators.vote import Ballot, count_votes, vote
from lengthwise.metrics.answers import parse_consistency_score
from lengthwise.metrics.fault_types import HallucinationType
from lengthwise.metrics.hallucinations import Point, read_points
from lengthwise.metrics.reported import read_report

POINT = Point(HallucinationType.NUMERICAL, "The captain had nine sons.")
OTHER = Point(HallucinationType.EVENT, "They did not sail.")


def ballots(*scores: int | str | None, points: tuple[Point, ...] = ()) -> list[Ballot]:
    """One of each voter: a score, None for an abstention, or "error"."""
    return [
        Ballot(f"m{n}", "wrong", score, points)
        if isinstance(score, int)
        else Ballot(f"m{n}", "error" if score == "error" else "unparsed", None)
        for n, score in enumerate(scores)
    ]


@pytest.mark.parametrize(
    ("scores", "found"),
    [
        # The paper's three: two below 3, else two above 2.
        ((2, 2, 5), 2),
        ((0, 5, 2), 0),
        ((3, 4, 0), 3),
        ((5, 4, 3), 4),
        ((2, 1, 0), 1),
        # An abstention is no vote, but one of those that a majority is taken of.
        ((2, 2, None), 2),
        ((5, 3, None), 3),
        ((2, 5, None), None),
        ((2, None, None), None),
        ((None, None, None), None),
        # Any number of them; half is no majority.
        ((2, 5), None),
        ((2, 1), 1),
        ((2, 2, 5, 5), None),
        ((2, 2, 0, 5), 2),
        ((5, 4, 4, 0, 1), 4),
        ((2, 2, 2, None, None), 2),
    ],
)
def test_more_than_half_decide(scores: tuple[int | None, ...], found: int | None) -> None:
    text = count_votes(ballots(*scores), "en").text
    assert getattr(parse_consistency_score(text or ""), "value", None) == found


def test_a_vote_without_a_majority_shows_no_failure_of_form() -> None:
    report = read_report(count_votes(ballots(2, 5), "en").text or "")
    assert report.in_json and not report.types


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_majoritys_reasons_are_read_back(language: str) -> None:
    cast = [*ballots(2, points=(POINT,)), *ballots(1, points=(OTHER, POINT)), *ballots(5)]
    text = count_votes(cast, language).text or ""  # type: ignore[arg-type]
    assert read_points(text) == [POINT, OTHER]
    assert json.loads(text)["hallucination_types"] and "m0" not in text


def test_what_the_minority_reports_is_left_out() -> None:
    text = count_votes([*ballots(1, points=(POINT,)), *ballots(5, 5)], "en").text or ""
    assert read_points(text) == [] and json.loads(text)["score"] == 5


def test_recall_by_type_works_on_a_vote() -> None:
    row = {
        "hallucinated": 1,
        "injections": [{"type": "numerical", "hallucinated": POINT.text, "original": "The captain had three sons."}],
    }
    text = count_votes([*ballots(2, points=(OTHER,)), *ballots(1, points=(POINT,)), *ballots(5)], "en").text or ""
    assert judge_consistency(row, text).details["hits"] == [True]


def test_how_each_voted_is_told_and_not_scored() -> None:
    reply = count_votes(ballots(2, 1, None), "en")
    assert reply.reasoning == "2 of 3 call it hallucinated (m0: 2; m1: 1; m2: unparsed)"
    assert "unparsed" not in (reply.text or "")


@pytest.mark.parametrize("scores", [(2, 5, "error"), (2, None, "error")])
def test_a_missing_reply_that_could_decide_is_an_error(scores: tuple[int | str | None, ...]) -> None:
    with pytest.raises(ReplyError, match="no majority without m2"):
        count_votes(ballots(*scores), "en")


@pytest.mark.parametrize(
    ("scores", "found"), [((2, 2, "error"), 2), ((5, 5, "error"), 5), ((None, None, "error"), None)]
)
def test_a_missing_reply_that_cannot_decide_does_no_harm(
    scores: tuple[int | str | None, ...], found: int | None
) -> None:
    text = count_votes(ballots(*scores), "en").text
    assert getattr(parse_consistency_score(text or ""), "value", None) == found


def test_the_method_asks_nobody() -> None:
    async def ask(request: Request) -> Reply:
        raise AssertionError("asked")

    method = vote({"x": ballots(2, 2, 5)})
    prediction = asyncio.run(method(Example("x", "", {"language": "en"}), ask))
    assert json.loads(prediction.reply.text or "")["score"] == 2


def test_run_says_where_the_vote_is() -> None:
    kind = method_kind("vote")
    assert kind.check is not None
    with pytest.raises(InputError, match="lengthwise vote RUN RUN RUN"):
        kind.check("reference:gold", None)  # type: ignore[arg-type]
