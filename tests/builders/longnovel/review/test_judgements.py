from typing import Any

import pytest

from lengthwise.builders.longnovel.review.judgements import Judgement, differences, read_judgement
from lengthwise.errors import InputError

WHOLE = Judgement(True, (0,), ("event",), "why")


def test_it_survives_its_json():
    assert read_judgement(WHOLE.to_json(["One.", "Two."]), 2) == WHOLE


def test_a_faithful_summary_has_neither_sentences_nor_types():
    assert read_judgement({"hallucinated": False, "sentences": [0], "types": ["event"]}, 1) == Judgement(False)


@pytest.mark.parametrize(
    ("said", "missing"),
    [
        (Judgement(), "presence"),
        (Judgement(False), None),
        (Judgement(True), "sentences"),
        (Judgement(True, (1,)), "types"),
        (Judgement(True, (1,), ("event",), "  "), "explanation"),
        (WHOLE, None),
    ],
)
def test_what_a_label_lacks(said: Judgement, missing: str | None):
    assert said.missing() == missing


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "object"),
        ({"hallucinated": "yes"}, "true, false"),
        ({"sentences": [3]}, "no sentence"),
        ({"sentences": [True]}, "no sentence"),
        ({"sentences": "0"}, "list of indices"),
        ({"types": ["omission"]}, "hallucination type"),
        ({"types": "event"}, "list of names"),
        ({"explanation": "x" * 20_001}, "explanation"),
    ],
)
def test_what_is_none_is_refused(value: Any, message: str):
    with pytest.raises(InputError, match=message):
        read_judgement(value, 3)


def test_a_summary_without_sentences_has_none_to_mark():
    with pytest.raises(InputError, match="no sentence"):
        read_judgement({"sentences": [0]}, 0)


def test_half_a_surrogate_pair_is_no_text():
    assert read_judgement({"explanation": "a\ud800"}).explanation == "a?"


def test_explanations_are_no_difference_and_one_label_has_none():
    assert differences([WHOLE, Judgement(True, (0,), ("event",), "else")]) == ()
    assert differences([WHOLE]) == ()
    assert differences([WHOLE, Judgement(False)]) == ("presence", "types", "sentences")
