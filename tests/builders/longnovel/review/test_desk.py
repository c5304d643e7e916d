import json
from collections.abc import Mapping

import pytest

from lengthwise.builders.longnovel.review.desk import PairDesk
from lengthwise.builders.longnovel.review.pairs import ReviewPair
from lengthwise.errors import InputError

FAITHFUL = {"hallucinated": False, "sentences": [], "types": [], "explanation": ""}
WRONG = {"hallucinated": True, "sentences": [1], "types": ["event"], "explanation": "no"}


def first(pairs: Mapping[str, ReviewPair]) -> str:
    return next(iter(pairs))


def test_before_their_label_nobody_is_told_the_truth(desk: PairDesk):
    name = first(desk.pairs)
    desk.label(name, "maya", [WRONG, FAITHFUL])
    shown = desk.show(name, "lin")
    assert shown["open"] is None
    assert shown["own"] is None
    sent = json.dumps([shown, desk.listing("lin")])
    for tell in ("erhg", "original", "injected", "maya", "T1"):
        assert tell not in sent


def test_the_order_of_sides_does_not_tell_either(desk: PairDesk):
    assert {pair.sides[0].hallucinated for pair in desk.pairs.values()} == {True, False}


def test_after_their_label_they_see_the_place_and_the_others(desk: PairDesk):
    name = first(desk.pairs)
    pair = desk.pairs[name]
    desk.label(name, "lin", [WRONG, FAITHFUL])
    desk.label(name, "maya", [FAITHFUL, WRONG])
    shown = desk.show(name, "lin")["open"]
    wrong = [side.hallucinated for side in pair.sides].index(True)
    assert shown["truth"][wrong]["places"] == list(range(len(pair.sides[wrong].injections)))
    assert shown["truth"][1 - wrong] == {
        "hallucinated": False, "types": [], "places": [], "injections": [], "reason": pair.sides[1 - wrong].reason
    }  # fmt: skip
    assert list(shown["labels"]) == ["lin", "maya"]
    assert shown["differ"] == ["presence", "sentences", "types"]


def test_a_summary_is_its_pieces(desk: PairDesk):
    for name, pair in desk.pairs.items():
        for side, shown in zip(pair.sides, desk.show(name, "lin")["sides"], strict=True):
            assert "".join(piece["text"] for piece in shown["pieces"]) == side.summary
            assert [p["text"] for p in shown["pieces"] if p["sentence"] is not None] == side.sentences


def test_a_decision_waits_for_all_labels_and_leaves_them_alone(desk: PairDesk):
    name = first(desk.pairs)
    with pytest.raises(InputError, match="after one's own label"):
        desk.decide(name, "lin", [FAITHFUL, WRONG])
    desk.label(name, "lin", [WRONG, FAITHFUL])
    with pytest.raises(InputError, match="1 of 2 labels"):
        desk.decide(name, "lin", [FAITHFUL, WRONG])
    desk.label(name, "maya", [FAITHFUL, WRONG])
    desk.decide(name, "lin", [WRONG, WRONG])
    desk.decide(name, "maya", [FAITHFUL, WRONG])
    shown = desk.show(name, "lin")
    assert shown["state"] == "decided"
    assert [one["hallucinated"] for one in shown["open"]["decision"]] == [False, True]
    assert [one["hallucinated"] for one in shown["own"]] == [True, False]
    assert len(desk.log.reviewed.decisions[name]) == 2


def test_strangers_and_other_pairs_are_refused(desk: PairDesk):
    with pytest.raises(InputError, match="unknown annotator 'eve'"):
        desk.show(first(desk.pairs), "eve")
    with pytest.raises(InputError, match="not under review"):
        desk.label("s-x", "lin", [FAITHFUL, FAITHFUL])
    with pytest.raises(InputError, match="two judgements"):
        desk.label(first(desk.pairs), "lin", [FAITHFUL])
