import json
import random
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.errors import InputError
from lengthwise.metrics.fault_types import HallucinationType, hallucination_type, type_labels
from lengthwise.metrics.hallucinations import (
    Fault,
    Point,
    fault,
    hits,
    key_terms,
    ngram_f1,
    points_at,
    read_points,
    reported_points,
    type_recall,
)

T = HallucinationType


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Entity Hallucination", "实体幻觉", "entity", " ENTITY hallucinations "), T.ENTITY),
        (("Numerical Hallucination", "Numeric Hallucination", "数字幻觉", "数值幻觉", "Num"), T.NUMERICAL),
        (("Relation Hallucination", "Relational Hallucination", "关系幻觉", "Rel"), T.RELATION),
        (
            ("Logical Inversion", "Contradictory Statement", "反向陈述", "Log", "logical_inversion"),
            T.LOGICAL_INVERSION,
        ),
        (("Event Hallucination", "事件幻觉", "Evt", "Event"), T.EVENT),
        (("Temporal Hallucination", "Timeline Disruption", "时间线乱序", "Tmp"), T.TEMPORAL),
        (("Causal Hallucination", "Causal Chain Fabrication", "因果链伪造", "Cau"), T.CAUSAL),
        (("Event Fabrication", "Fictional Event", "虚构事件", "Fab", "event-fabrication"), T.EVENT_FABRICATION),
    ],
)
def test_names(names: tuple[str, ...], expected: HallucinationType) -> None:
    assert {hallucination_type(name) for name in names} == {expected}


@pytest.mark.parametrize("name", ["", "hallucination", "Omission", "Event Entity", "幻觉", "e" * 1000])
def test_no_names(name: str) -> None:
    assert hallucination_type(name) is None


@pytest.mark.parametrize("kind", T)
def test_canonical_names_are_names(kind: HallucinationType) -> None:
    assert hallucination_type(kind.value) is kind


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("Entity Hallucination: a; Fictional Event: b", [T.ENTITY, T.EVENT_FABRICATION]),
        ("1. **Numeric Hallucination**: a\n2. **Timeline Disruption** - b", [T.NUMERICAL, T.TEMPORAL]),
        ("实体幻觉：甲；时间线乱序：乙。事件幻觉: 丙", [T.ENTITY, T.TEMPORAL, T.EVENT]),
        ("[Event Hallucination] (T2): a", [T.EVENT]),
        ("He said: no. The event was: a feast", []),
    ],
)
def test_labels(text: str, types: list[HallucinationType]) -> None:
    assert [label.type for label in type_labels(text)] == types


def test_points_of_a_reply_as_asked_for() -> None:
    reply = (
        '<think>Entity Hallucination: a draft</think>{"reason": "Entity Hallucination: Al, not Bob; '
        'Event Hallucination: he fell", "score": 2, '
        '"hallucination_types": ["Entity Hallucination", "Event Hallucination"]}'
    )
    assert read_points(reply) == [Point(T.ENTITY, "Al, not Bob"), Point(T.EVENT, "he fell")]


def test_points_without_labels_take_the_types_listed() -> None:
    reply = '{"reason": "Al did it, not Bob.", "score": 1, "hallucination_types": ["Entity Hallucination"]}'
    assert read_points(reply) == [Point(T.ENTITY, "Al did it, not Bob.")]


@pytest.mark.parametrize(
    "reply",
    [
        "实体幻觉：是甲，不是乙。",
        '{"reason": {"实体幻觉": "是甲，不是乙。"}, "score": 2}',
        '{"reason": ["实体幻觉：是甲，不是乙。"], "score": 2}',
    ],
)
def test_points_in_other_shapes(reply: str) -> None:
    assert read_points(reply) == [Point(T.ENTITY, "是甲，不是乙。")]


@pytest.mark.parametrize(
    "reply", ["", "I cannot tell.", '{"score": 5, "reason": "all is right"}', "{", '{"reason": null}']
)
def test_no_points(reply: str) -> None:
    assert read_points(reply) == []


BOB = Fault(T.ENTITY, "Bob Marsh sank the old ship near Ostia.", "Al Reed sank the old ship near Ostia.")


@pytest.mark.parametrize(
    ("text", "hit"),
    [
        ('"Bob Marsh sank the old ship near Ostia" is wrong', True),
        ("Bob Marsh sank the old ship off Ostia. In the book it is someone else.", True),
        ("it was Al Reed, not Bob Marsh", True),
        ("it was not Bob Marsh", False),
        ("the captain is called Reed", False),
        ("the harbour lies near Rome", False),
        ("", False),
    ],
)
def test_the_offline_matcher(text: str, hit: bool) -> None:
    assert points_at(Point(T.ENTITY, text), BOB) is hit
    assert points_at(Point(T.EVENT, text), BOB) is False


def test_the_offline_matcher_in_chinese() -> None:
    gold = Fault(T.ENTITY, "李云龙带兵去了北京。", "李云龙带兵去了南洋。")
    assert points_at(Point(T.ENTITY, "原文说的是南洋，摘要写成北京"), gold)
    assert points_at(Point(T.ENTITY, "摘要称“李云龙带兵去了北京”"), gold)
    assert not points_at(Point(T.ENTITY, "原文没有提到北京"), gold)


def test_given_key_terms_take_the_place_of_derived_ones() -> None:
    gold = Fault(T.ENTITY, "She met him.", "He met her.", key_terms=("Anna", "Boris"))
    assert points_at(Point(T.ENTITY, "Boris is taken for Anna"), gold)
    assert not points_at(Point(T.ENTITY, "Boris is not there"), gold)


def test_one_key_term_alone_proves_nothing() -> None:
    assert not points_at(Point(T.ENTITY, "Anna is right"), Fault(T.ENTITY, "x", key_terms=("Anna",)))


def test_a_term_is_a_whole_word() -> None:
    gold = Fault(T.NUMERICAL, "They had 3 dogs.", "They had 12 dogs.")
    assert points_at(Point(T.NUMERICAL, "12 and not 3"), gold)
    assert not points_at(Point(T.NUMERICAL, "1234 and not 37"), gold)


def test_common_words_are_no_key_terms() -> None:
    assert key_terms("He was there.", "He had been there.") == []


def test_a_fabricated_event_is_hit_by_its_sentence_only() -> None:
    gold = Fault(T.EVENT_FABRICATION, "That night the mayor danced on the roof.")
    assert points_at(Point(T.EVENT_FABRICATION, "the mayor danced on the roof that night: nowhere in the text"), gold)
    assert not points_at(Point(T.EVENT_FABRICATION, "the mayor is mentioned too often"), gold)


@given(st.text(max_size=60), st.text(max_size=60))
def test_ngram_f1_is_a_share(one: str, other: str) -> None:
    assert 0 <= ngram_f1(one, other) <= 1
    if any(char.isalnum() for char in one):
        assert ngram_f1(one, one) == 1


def test_a_type_counts_once_a_summary_however_many_faults_it_has() -> None:
    two = [Fault(T.EVENT, "a"), Fault(T.EVENT, "b"), Fault(T.CAUSAL, "c")]
    found = type_recall([two], [[False, True, False]])
    assert (found.n["event"], found.n_hits["event"], found.recall["event"]) == (1, 1, 1.0)
    assert (found.micro, found.macro) == (0.5, 0.5)


def test_micro_and_macro_differ() -> None:
    golds = [[Fault(T.EVENT, "a")]] * 3 + [[Fault(T.CAUSAL, "c")]]
    found = type_recall(golds, [[True], [True], [True], [False]])
    assert (found.micro, found.macro) == (0.75, 0.5)


def test_of_no_summaries_recall_is_none() -> None:
    found = type_recall([], [])
    assert (found.micro, found.macro, set(found.recall.values()), len(found.recall)) == (None, None, {None}, 8)


def test_verdicts_must_fit_the_faults() -> None:
    with pytest.raises(InputError, match="one verdict for each"):
        type_recall([[Fault(T.EVENT, "a")]], [[True, False]])


def test_an_unknown_type_is_refused() -> None:
    with pytest.raises(InputError, match="hallucination type"):
        fault({"type": "Omission"})


def test_the_reply_our_prompts_ask_for_hits_every_type() -> None:
    golds = [Fault(kind, f"Sentence {place} speaks of {kind.value} things.") for place, kind in enumerate(T)]
    reason = "; ".join(f"{gold.type.value}: {gold.sentence}" for gold in golds)
    found = type_recall([golds], [hits(reported_points(reason), golds)])
    assert set(found.recall.values()) == {1.0}


@pytest.mark.parametrize("unit", ["a. ", ": ", "Entity: x; ", "\n", '{"reason": "', "实体幻觉："])
def test_long_replies_take_linear_time(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    start = time.perf_counter()
    points = read_points(text)
    hits(points[:3], [BOB])
    assert time.perf_counter() - start < 5


@pytest.mark.shared
@pytest.mark.parametrize("book", ["novels_en/great_expectations", "novels_zh/xiyouji"])
def test_sentences_of_a_novel_are_not_taken_for_each_other(book: str, shared_dir: Path) -> None:
    """Two sentences of one book share names and style; the matcher must not take one for the other."""
    lines = (shared_dir / "data" / f"{book}.jsonl").read_text("utf-8").splitlines()
    text = " ".join(json.loads(line)["text"] for line in lines[:20])
    # A summary's sentences are longer than "So said Mr." by far.
    shortest = 12 if book.startswith("novels_zh") else 40
    parts = (part.strip() for part in re.split(r"(?<=[。！？])|(?<=[.!?])\s+", text))
    sentences = [part for part in parts if shortest < len(part) < 200]
    rng = random.Random(0)
    for _ in range(300):
        wrong, original, other = rng.sample(sentences, 3)
        gold = Fault(T.EVENT, wrong, original)
        assert not points_at(Point(T.EVENT, other), gold)
        assert points_at(Point(T.EVENT, f'It says "{wrong}", which is not so.'), gold)
