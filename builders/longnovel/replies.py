"""What models answer to the prompts of the construction, read into records; raw text in, a record or a reason out.

Readers raise on no text and take time linear in its length. They read JSON with the repairs of `metrics.json_reader`,
after the reasoning has been blanked out, and do not check what is said: whether an original sentence stands in the
summary, or a subtype belongs to the type, is the caller's to verify. `entity_replies` and `summary_replies` read the
extractor's lists and the summaries.
"""

import re
from dataclasses import dataclass

from lengthwise.metrics.answers import Unparsed, parse_consistency_score
from lengthwise.metrics.fault_types import HallucinationType, hallucination_type
from lengthwise.metrics.found_json import find_held
from lengthwise.metrics.hallucinations import read_points
from lengthwise.metrics.json_reader import Scalar
from lengthwise.metrics.reasoning import mask_reasoning

from .reply_values import plain, sentence, unread, values


@dataclass(frozen=True, slots=True)
class JudgeReply:
    """What a judge or the arbiter says.

    Attributes:
        score: 0 to 5.
        reason: as given; the whole visible reply where it is no JSON.
        types: named hallucination types, each once: with a score under 3 those of list and reason, else of the list.
    """

    score: int
    reason: str
    types: tuple[HallucinationType, ...]

    @property
    def contradictory(self) -> bool:
        """Whether it lists hallucinations and yet scores the summary as free of them (appendix I.6)."""
        return self.score >= 3 and bool(self.types)


@dataclass(frozen=True, slots=True)
class CriticReply:
    """What the critic says of a compressed summary: score 0 to 5, reason, faults found and advice."""

    score: int
    reason: str
    deficiencies: tuple[str, ...]
    suggestions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InjectionReply:
    """A planted hallucination, as the injector says it did it.

    Attributes:
        subtype: "T1" to "T9", "" where none or no single one is named.
        original: the sentence that is to be replaced; "" for an added one.
        hallucinated: the sentence in its place, or the added one; "" where only a whole summary was given.
        before: for an added sentence, the one that it is to follow; else "".
        summary: the whole summary with the hallucination, where one was given.
    """

    subtype: str
    original: str
    hallucinated: str
    before: str
    summary: str


@dataclass(frozen=True, slots=True)
class Declined:
    """The injector says that the summary has no place for this type, and why."""

    reason: str


# All keys as `normal_key` writes them; the prompts ask for the first of each.
_REASON = ("reason", "reasons", "explanation", "justification", "rationale", "理由", "原因", "说明")
_TYPES = ("hallucinationtypes", "hallucinationtype", "types", "幻觉类型")
_DEFICIENCIES = ("deficiencies", "faults", "issues", "problems", "errors", "问题", "不足", "缺陷", "存在的问题")
_SUGGESTIONS = ("suggestions", "advice", "recommendations", "建议", "修改建议", "改进建议")
_SUCCESS = ("issuccess", "success", "issuccessful", "successful", "possible", "是否成功", "成功")
_SUBTYPE = ("subtype", "method", "way", "subtypes", "子类型", "编号", "做法", "方法")
_ORIGINAL = ("originalsentence", "original", "原句", "原句子", "原文句子")
_CHANGED = (
    *("changedsentence", "hallucinatedsentence", "changed", "hallucinated", "hallucination", "newsentence"),
    *("modifiedsentence", "改动后的句子", "改后的句子", "改句", "幻觉句", "幻觉句子", "修改后的句子"),
)
_BEFORE = ("sentencebefore", "before", "precedingsentence", "previoussentence", "前一句", "前句")
_ADDED = ("addedsentence", "added", "newsentence", "insertedsentence", *_CHANGED, "新增的句子", "新增句子", "新句子")
_WHOLE = ("halsummary", "hallucinatedsummary", "changedsummary", "newsummary", "summary", "摘要", "幻觉摘要")
_FALSE = frozenset({
    "false", "no", "n", "f", "0", "none", "null", "failed", "failure", "fail", "unsuccessful", "impossible",
    "notpossible", "否", "不", "假", "失败", "不成功", "未成功", "不能", "不可以", "不可能", "无法"
})  # fmt: skip
_BEGINS_FALSE = ("false", "否", "失败", "无法")
_SUBTYPE_NAME = re.compile(r"(?<![a-z0-9])t[\s_-]?([1-9])(?![0-9])", re.IGNORECASE)


def read_judgement(text: str) -> JudgeReply | Unparsed:
    """Read the reply of a judge or of the arbiter.

    >>> read_judgement('{"reason": "Event Hallucination: he fled", "score": 2}').types
    (<HallucinationType.EVENT: 'event'>,)
    """
    score = parse_consistency_score(text)
    if isinstance(score, Unparsed):
        return unread(text, score.reason)
    visible = mask_reasoning(text)
    reason = "; ".join(values(visible, _REASON)) or _tidy(visible)
    if score.value < 3:
        types = [point.type for point in read_points(text)]
    else:
        names = [name for item in values(visible, _TYPES) for name in re.split(r"[,，、;；|/]", item)]
        types = [kind for name in names if (kind := hallucination_type(name)) is not None]
    return JudgeReply(score.value, reason, tuple(dict.fromkeys(types)))


def read_critic(text: str) -> CriticReply | Unparsed:
    """Read the critic's reply; lists that it leaves out are empty.

    >>> read_critic('{"score": "3/5", "reason": "r", "deficiencies": ["a"], "suggestions": "none"}')
    CriticReply(score=3, reason='r', deficiencies=('a',), suggestions=())
    """
    score = parse_consistency_score(text)
    if isinstance(score, Unparsed):
        return unread(text, score.reason)
    visible = mask_reasoning(text)
    reason = "; ".join(values(visible, _REASON)) or _tidy(visible)
    lists = (tuple(values(visible, keys)) for keys in (_DEFICIENCIES, _SUGGESTIONS))
    return CriticReply(score.value, reason, *lists)


def read_injection(text: str, kind: HallucinationType) -> InjectionReply | Declined | Unparsed:
    """Read an injector's reply.

    Args:
        text: the reply.
        kind: the type that was asked for; event fabrication adds a sentence, the others replace one.

    >>> read_injection('{"is_success": "False", "reason": "no numbers"}', HallucinationType.NUMERICAL)
    Declined(reason='no numbers')
    >>> read_injection('{"original_sentence": "A.", "changed_sentence": "B."}', HallucinationType.EVENT).hallucinated
    'B.'
    """
    visible = mask_reasoning(text)
    if _declines(visible):
        return Declined("; ".join(values(visible, _REASON)))
    adds = kind is HallucinationType.EVENT_FABRICATION
    place = sentence(visible, _BEFORE if adds else _ORIGINAL)
    hallucinated = sentence(visible, _ADDED if adds else _CHANGED)
    summary = sentence(visible, _WHOLE)
    if not summary and not (place and hallucinated):
        if hallucinated:
            return Unparsed("the reply does not say where its sentence belongs")
        return unread(text, "the reply holds no changed sentence")
    return InjectionReply(
        subtype=_subtype(sentence(visible, _SUBTYPE)),
        original="" if adds else place,
        # A sentence of which no one knows where it belongs is not given beside the summary that has it.
        hallucinated=hallucinated if place else "",
        before=place if adds else "",
        summary=summary,
    )


def _declines(text: str) -> bool:
    held = find_held(text, _SUCCESS)
    if held is None or not isinstance(held.value, Scalar):
        return False
    said = plain(held.value.text)
    return said in _FALSE or said.startswith(_BEGINS_FALSE)


def _subtype(text: str) -> str:
    """Return the one subtype that is named, e.g. "T2"; a number alone is one too."""
    named = set(_SUBTYPE_NAME.findall(text)) or set(re.findall(r"\A\W*([1-9])\W*\Z", text))
    return f"T{named.pop()}" if len(named) == 1 else ""


def _tidy(text: str) -> str:
    return " ".join(text.split())
