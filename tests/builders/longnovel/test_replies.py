import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lengthwise.builders.longnovel.replies import (
    CriticReply,
    Declined,
    InjectionReply,
    read_critic,
    read_injection,
    read_judgement,
)
from lengthwise.metrics.answers import Unparsed
from lengthwise.metrics.fault_types import HallucinationType as Type

EDIT = InjectionReply("T1", "He left.", "He stayed.", "", "")


def judged(text: str) -> tuple[int, str, tuple[str, ...]]:
    reply = read_judgement(text)
    assert not isinstance(reply, Unparsed), reply
    return reply.score, reply.reason, tuple(map(str, reply.types))


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ('{"score": 5, "reason": "All of it is there."}', (5, "All of it is there.", ())),
        (
            '{"reason": "Entity Hallucination: Bob, not Al; Event Fabrication: no feast", "score": 1,'
            ' "hallucination_types": ["Entity Hallucination", "Event Fabrication"]}',
            (1, "Entity Hallucination: Bob, not Al; Event Fabrication: no feast", ("entity", "event-fabrication")),
        ),
        (
            '```json\n{"reason": "时序幻觉：颠倒；数值幻觉：三人", "score": 2, "hallucination_types": ["时序"]}\n```',
            (2, "时序幻觉：颠倒；数值幻觉：三人", ("temporal", "numerical")),
        ),
        ("{“score”：4，“reason”：“基本属实。”}", (4, "基本属实。", ())),
        ("<think>score 1?</think>{'score': '3/5', 'reason': 'he said \"no\"',}", (3, 'he said "no"', ())),
        ('{"reason": "Causal: none", "score": 2, "hallucination_types": ["Causal"', (2, "Causal: none", ("causal",))),
        ('{{"score": 4, "reason": ["a", "b"]}}', (4, "a; b", ())),
        ("**Score:** 4/5\nNothing is wrong.", (4, "**Score:** 4/5 Nothing is wrong.", ())),
        ("评分为2分。\n逻辑反转：他去了。", (2, "评分为2分。 逻辑反转：他去了。", ("logical-inversion",))),
        ('{"score": 2, "reason": "Omission: much", "hallucination_types": []}', (2, "Omission: much", ())),
        ('{"score": 4, "reason": "Event: told well", "hallucination_types": "none"}', (4, "Event: told well", ())),
    ],
)  # fmt: skip
def test_judgements(text: str, reply: tuple[int, str, tuple[str, ...]]):
    assert judged(text) == reply


def test_types_listed_beside_a_high_score_are_a_contradiction():
    reply = read_judgement('{"score": 3, "reason": "r", "hallucination_types": ["Event Hallucination"]}')
    assert not isinstance(reply, Unparsed)
    assert reply.contradictory


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the reply is empty"),
        ("<think>4, I think", "the reply is all reasoning"),
        ("The novel tells of Ahab.", "the reply holds no score"),
        ('{"score": 7, "reason": "r"}', "the score is not from 0 to 5"),
        ('{"score": <3 to 5>, "reason": "<why>"}', "the reply holds no score"),
        ("抱歉，我无法处理这么长的文本。", "a refusal: 抱歉,我无法"),
    ],
)
def test_no_judgement(text: str, reason: str):
    assert read_judgement(text) == Unparsed(reason)


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ('{"score": 5, "reason": "r", "deficiencies": [], "suggestions": []}', CriticReply(5, "r", (), ())),
        (
            '{"score": 3, "reason": "r", "deficiencies": ["a", "b"], "suggestions": ["c"]}',
            CriticReply(3, "r", ("a", "b"), ("c",)),
        ),
        (
            '{"score": 3, "reason": "r", "deficiencies": [{"quote": "a", "fault": "b"}], "suggestions": "c"}',
            CriticReply(3, "r", ("a - b",), ("c",)),
        ),
        ('{"评分": 2, "理由": "甲", "问题": ["“乙”有误"], "建议": ["无"]}', CriticReply(2, "甲", ("“乙”有误",), ())),
        ('Sure!\n{"score": 4, "reason": "r", "deficiencies": ["<a faulty statement>"', CriticReply(4, "r", (), ())),
        ("Score: 4", CriticReply(4, "Score: 4", (), ())),
    ],
)
def test_critics(text: str, reply: CriticReply):
    assert read_critic(text) == reply


def test_a_critic_without_a_score_is_unread():
    assert read_critic('{"reason": "r"}') == Unparsed("the reply holds no score")


@pytest.mark.parametrize(
    "text",
    [
        '{"is_success": true, "subtype": "T1", "original_sentence": "He left.", "changed_sentence": "He stayed."}',
        '{"is_success": "是", "subtype": "T1: x", "original_sentence": "He left.", "changed_sentence": "He stayed."}',
        "{'subtype': 1, 'original_sentence': 'He left.', 'changed_sentence': 'He stayed.',}",
        'Here it is:\n```json\n{"subtype": "t1", "original": "He left.", "hallucinated": "He stayed."}\n```\nDone.',
        '<think>{"is_success": false}</think>{"subtype": "T1", "original_sentence": "He left.", "changed_sentence":'
        ' "He stayed."}',
        '{"is_success": false} No: {"is_success": true, "subtype": "T 1", "original_sentence": "He left.",'
        ' "changed_sentence": "He stayed."}',
        '{"result": {"subtype": "T1", "original_sentence": " He left.\\n", "changed_sentence": "He stayed."}}',
        '{"subtype": "T1", "original_sentence": "He left.", "changed_sentence": "He stayed."',
        "{“编号”：“T1”，“原句”：“He left.”，“改动后的句子”：“He stayed.”}",
    ],
)
def test_an_edit(text: str):
    assert read_injection(text, Type.EVENT) == EDIT


@pytest.mark.parametrize(
    "said",
    [
        '"False"',
        "false",
        "False",
        '"no"',
        '"No."',
        '"否"',
        "否",
        "0",
        '"失败"',
        '"无法植入"',
        '"false (no numbers)"',
        "null",
    ],
)
def test_an_injector_may_decline(said: str):
    text = f'{{"is_success": {said}, "reason": "no numbers", "original_sentence": "A.", "changed_sentence": "B."}}'
    assert read_injection(text, Type.NUMERICAL) == Declined("no numbers")


@pytest.mark.parametrize("said", ['"True"', "true", '"yes"', '"是"', "1", '"成功"', '"<true or false>"'])
def test_any_other_word_is_success(said: str):
    text = f'{{"is_success": {said}, "original_sentence": "A.", "changed_sentence": "B."}}'
    assert read_injection(text, Type.CAUSAL) == InjectionReply("", "A.", "B.", "", "")


def test_an_added_sentence_says_what_it_follows():
    text = '{"is_success": true, "subtype": "T2", "sentence_before": "A.", "added_sentence": "“走！”他说。"}'
    assert read_injection(text, Type.EVENT_FABRICATION) == InjectionReply("T2", "", "“走！”他说。", "A.", "")


def test_without_its_place_a_sentence_gives_way_to_the_whole_summary():
    text = '{"hallucinated": "C.", "summary": "A. C."}'
    assert read_injection(text, Type.ENTITY) == InjectionReply("", "", "", "", "A. C.")


def test_a_whole_summary_is_kept():
    text = '{"type": "T1", "hal_summary": "A. C."}'
    assert read_injection(text, Type.ENTITY) == InjectionReply("", "", "", "", "A. C.")


@pytest.mark.parametrize(
    ("said", "subtype"), [("T3", "T3"), ("t-2", "T2"), ("T1 or T2", ""), ("2.", "T2"), ("T12", "")]
)
def test_subtypes(said: str, subtype: str):
    reply = read_injection(f'{{"subtype": "{said}", "original": "A.", "changed": "B."}}', Type.EVENT)
    assert isinstance(reply, InjectionReply)
    assert reply.subtype == subtype


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the reply holds no changed sentence"),
        ("He left.", "the reply holds no changed sentence"),
        ('{"is_success": true}', "the reply holds no changed sentence"),
        ('{"original_sentence": "<the sentence>", "changed_sentence": "<the sentence with the error>"}',
         "the reply holds no changed sentence"),
        ('{"changed_sentence": "B."}', "the reply does not say where its sentence belongs"),
        ("I'm sorry, but I can't help with that.", "a refusal: i'm sorry, but i can't"),
    ],
)  # fmt: skip
def test_no_injection(text: str, reason: str):
    assert read_injection(text, Type.EVENT) == Unparsed(reason)


PIECES = st.lists(
    st.sampled_from([
        *('{"score": 4', '"reason": "', '"', "'", "{", "}", "[", "]", ",", ":", "：", "“", "”", "\\", "```"),
        *("<think>", "</think>", "is_success", '"original_sentence": "A."', '"changed_sentence": '),
        *('"people": [', "无", "False", "\n", "summary", "**", "# ", "摘要：", "Score: 2/5", "<summary>"),
        *("</summary>", "9" * 50, "抱歉，我无法"),
    ])
    | st.text(max_size=8)
).map("".join)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(PIECES, st.sampled_from(Type))
def test_no_text_raises(text: str, kind: Type):
    read_judgement(text)
    read_critic(text)
    read_injection(text, kind)


@pytest.mark.parametrize("piece", ['{"score": [', '"reason": "', " ", "{", "T1 ", "“", "\\", '{"a": 1} ', "Event: "])
def test_long_replies_take_linear_time(piece: str):
    text = piece * (60_000 // len(piece))
    start = time.process_time()
    read_judgement(text)
    read_critic(text)
    read_injection(text, Type.EVENT)
    assert time.process_time() - start < 10
