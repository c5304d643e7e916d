from collections.abc import Callable

from lengthwise.evaluators.figures.ended import Ended, ended_of, share_of_kind
from lengthwise.evaluators.scoring import Scored

MakeScored = Callable[..., Scored]


def test_replies_by_cell_with_their_lists_and_places(make_scored: MakeScored):
    rows = [{"list_id": f"lex-4k-s1-000{number}+scattered", "target_start": 30 * number} for number in range(2)]
    found = ended_of(make_scored({"lex-scattered/4k": [1, 0]}, rows={"lex-scattered/4k": rows}))
    assert found == {
        ("lex-scattered", "4k"): [
            Ended(("lex-4k-s1", "lex-4k-s1-0000"), 0, "correct", 0),
            Ended(("lex-4k-s1", "lex-4k-s1-0001"), 0, "wrong", 1),
        ]
    }


def test_the_interval_is_of_one_run_of_the_rows():
    rows = [
        Ended(("", str(row)), repeat, "correct" if row == repeat else "wrong", 0)
        for row in (0, 1)
        for repeat in (0, 1)
    ]
    point = share_of_kind(rows)
    assert point is not None
    # Clopper-Pearson for 1 of 2.
    assert (point.value, point.n, round(point.low, 4), round(point.high, 4)) == (0.5, 2, 0.0126, 0.9874)


def test_no_rows_have_no_share():
    assert share_of_kind([]) is None
