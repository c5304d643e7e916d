import pytest

from lengthwise.builders.longnovel.review.agreement import (
    agreement,
    disagreements,
    review_column,
    standing,
    tables,
)
from lengthwise.builders.longnovel.review.judgements import Judgement
from lengthwise.builders.longnovel.review.pairs import PairKey, ReviewPair, Side
from lengthwise.builders.longnovel.review.store import Given, Reviewed

NO = Judgement(False)


def yes(*types: str, at: int = 0) -> Judgement:
    return Judgement(True, (at,), types, "why")


def pair(number: int, *types: str) -> ReviewPair:
    spans = ((0, 2), (2, 4))
    injections = ({"type": types[0], "hallucinated": "a。", "original": "c。"},)
    wrong = Side(f"{number}-erhg", "a。b。", spans, True, types, injections, "")
    right = Side(f"{number}-original", "c。b。", spans, False, (), (), "")
    return ReviewPair(PairKey("s", "zh", str(number)), "b", (1, 2), "text", (wrong, right))


PAIRS = {
    str(n): pair(n, *types) for n, types in enumerate([("event",), ("event", "causal"), ("temporal",), ("entity",)])
}
# What each says of the (hallucinated, faithful) summary of pairs 0 to 3.
LIN = [(yes("event"), NO), (yes("event", "causal"), NO), (yes("temporal", at=1), NO), (NO, yes("entity"))]
MAYA = [(yes("event"), NO), (yes("event"), NO), (yes("causal"), yes("event")), (NO, NO)]


@pytest.fixture
def reviewed() -> Reviewed:
    found = Reviewed()
    for who, said in (("lin", LIN), ("maya", MAYA)):
        for number, (wrong, right) in enumerate(said):
            given = Given(who, "", {f"{number}-erhg": wrong, f"{number}-original": right})
            found.labels.setdefault(str(number), {})[who] = given
    return found


def test_kappa_overall_by_hand(reviewed: Reviewed):
    # lin: y n y n y n n y; maya: y n y n y y n n. 6 of 8 alike, both say yes to half: kappa .5.
    found = agreement(PAIRS, reviewed, "lin", "maya")
    assert found.presence.n == 8
    assert found.presence.kappa == pytest.approx(0.5)


def test_kappa_by_type_by_hand(reviewed: Reviewed):
    types = agreement(PAIRS, reviewed, "lin", "maya").types
    # event: lin on 0 and 1, maya on 0, 1 and 2: 7 of 8 alike; by chance (2*3 + 6*5) / 64 = .5625.
    assert types["event"].agreement.kappa == pytest.approx((0.875 - 0.5625) / (1 - 0.5625))
    # causal: once each, of different summaries: 6 of 8; by chance (1 + 49) / 64.
    assert types["causal"].agreement.kappa == pytest.approx((0.75 - 50 / 64) / (1 - 50 / 64))
    assert types["relation"].agreement.kappa is None


def test_counts_are_the_constructions_until_people_decide(reviewed: Reviewed):
    before = agreement(PAIRS, reviewed, "lin", "maya").counts
    assert (before["event"], before["causal"], before["temporal"], before["entity"]) == (2, 1, 1, 1)
    reviewed.decisions["2"] = [Given("lin", "", {"2-erhg": yes("event"), "2-original": NO})]
    after = agreement(PAIRS, reviewed, "lin", "maya").counts
    assert (after["event"], after["temporal"]) == (3, 0)


def test_a_pair_counts_only_if_both_are_right(reviewed: Reviewed):
    lin, maya = standing(PAIRS, reviewed, "lin"), standing(PAIRS, reviewed, "maya")
    assert (lin.presence.pair_accuracy, lin.presence.item_accuracy) == (0.75, 0.75)
    assert (maya.presence.pair_accuracy, maya.presence.item_accuracy) == (0.5, 0.75)
    assert (lin.found, lin.placed) == (2, 4)
    assert agreement(PAIRS, reviewed, "lin", "maya").pairs_alike == 2


def test_what_is_decided_is_discussed_no_more(reviewed: Reviewed):
    assert disagreements(PAIRS, reviewed) == {
        "1": ["types"], "2": ["presence", "sentences", "types"], "3": ["presence", "sentences", "types"]
    }  # fmt: skip
    reviewed.decisions["3"] = [Given("lin", "", {"3-erhg": yes("entity"), "3-original": NO})]
    assert list(disagreements(PAIRS, reviewed)) == ["1", "2"]


def test_what_rows_say_of_their_review(reviewed: Reviewed):
    reviewed.decisions["0"] = [Given("lin", "", {"0-erhg": yes("event"), "0-original": NO})]
    reviewed.decisions["1"] = [Given("lin", "", {"1-erhg": yes("event"), "1-original": NO})]
    reviewed.decisions["2"] = [Given("lin", "", {"2-erhg": NO, "2-original": NO})]
    assert review_column(PAIRS, reviewed) == {
        "0-erhg": "confirmed", "0-original": "confirmed", "1-erhg": "disputed: event", "1-original": "confirmed",
        "2-erhg": "disputed: faithful", "2-original": "confirmed",
    }  # fmt: skip


def test_tables_in_the_layout_of_table_9(reviewed: Reviewed):
    progress, kappas, rights, discuss = tables(PAIRS, reviewed)
    assert progress.rows == [["lin", "4 of 4"], ["maya", "4 of 4"], ["decided", "0 of 4"]]
    assert [row[0] for row in kappas.rows] == [
        "entity", "numerical", "relation", "event", "event-fabrication", "causal", "logical-inversion", "temporal",
        "hallucinated or not",
    ]  # fmt: skip
    assert kappas.rows[3] == ["event", "2", "0.714", "2", "3", "2"]
    assert kappas.rows[1][2] == "–"
    assert rights.rows[1] == ["maya", "4", "50.0", "75.0", "3 of 4"]
    assert len(discuss.rows) == 3


def test_one_annotator_has_no_kappa(reviewed: Reviewed):
    for labels in reviewed.labels.values():
        del labels["maya"]
    assert [one.title for one in tables(PAIRS, reviewed)] == [
        "Pairs labelled",
        "Against the final decision, or the construction before it",
    ]
