"""The eight types of hallucination, and the names that papers, prompts and models give them.

LongNovel's paper (appendix B), its prompts in English and Chinese, and its figure 3 (abbreviations) name the same
eight types differently; models vary them further. A name is compared without case, spacing, punctuation and the word
"hallucination", and as a whole: "Event" is inside "Event Fabrication" and must not match it.
"""

import re
import unicodedata
from enum import StrEnum
from typing import NamedTuple


class HallucinationType(StrEnum):
    """The canonical names, in the order of the paper's Table 9."""

    ENTITY = "entity"
    NUMERICAL = "numerical"
    RELATION = "relation"
    EVENT = "event"
    EVENT_FABRICATION = "event-fabrication"
    CAUSAL = "causal"
    LOGICAL_INVERSION = "logical-inversion"
    TEMPORAL = "temporal"


# Without "hallucination" / 幻觉, which may stand behind any of them.
_ALIASES: dict[HallucinationType, tuple[str, ...]] = {
    HallucinationType.ENTITY: ("entity", "entities", "ent", "实体"),
    HallucinationType.NUMERICAL: ("numerical", "numeric", "number", "numbers", "num", "数字", "数值", "数量"),
    HallucinationType.RELATION: (*("relation", "relational", "relationship", "relations", "rel", "关系", "人物关系"),),
    HallucinationType.EVENT: ("event", "events", "evt", "事件"),
    HallucinationType.EVENT_FABRICATION: (
        *("event fabrication", "fabricated event", "fictional event", "fictitious event", "fabrication", "fab"),
        *("虚构事件", "事件虚构", "事件捏造", "捏造事件", "事件编造", "编造事件"),
    ),
    HallucinationType.CAUSAL: (
        *("causal", "causality", "causal chain fabrication", "causal chain", "cause and effect", "cau"),
        *("因果链伪造", "因果", "因果关系", "因果链", "伪造因果链", "伪造因果"),
    ),
    HallucinationType.LOGICAL_INVERSION: (
        *("logical inversion", "logic inversion", "contradictory statement", "contradiction", "polarity", "log"),
        *("反向陈述", "逻辑反转", "逻辑颠倒", "逻辑倒置", "矛盾陈述"),
    ),
    HallucinationType.TEMPORAL: (
        *("temporal", "timeline disruption", "timeline", "chronological", "time", "tmp"),
        *("时间线乱序", "时间线", "时间", "时序", "时间线错乱", "时间顺序", "时间线混乱"),
    ),
}
_TAIL = re.compile(r"(?:hallucinations?|幻觉|错误|errors?)$")


def _plain(name: str) -> str:
    """Return a name without case, spacing and punctuation."""
    return "".join(char for char in unicodedata.normalize("NFKC", name).casefold() if char.isalnum())


_TYPES = {_plain(alias): one for one, aliases in _ALIASES.items() for alias in aliases}


def hallucination_type(name: str) -> HallucinationType | None:
    """Return the type that a name means, None for a name that means none of the eight.

    Args:
        name: any case and spacing, English or Chinese, with or without "hallucination".

    >>> hallucination_type("Timeline Disruption"), hallucination_type("数字幻觉")
    (<HallucinationType.TEMPORAL: 'temporal'>, <HallucinationType.NUMERICAL: 'numerical'>)
    >>> hallucination_type("Event Fabrication").value, hallucination_type("Event Hallucination").value
    ('event-fabrication', 'event')
    >>> hallucination_type("Omission") is None
    True
    """
    if len(name) > 80:
        return None
    plain = _plain(name)
    return _TYPES.get(plain) or _TYPES.get(_TAIL.sub("", plain))


class TypeLabel(NamedTuple):
    """A type named in front of a point ("Entity Hallucination: ..."), with the offsets of the label."""

    type: HallucinationType
    start: int
    end: int


# A point begins a line, a list item or a sentence; its label is short and ends in a colon or a dash with spaces.
_LABEL = re.compile(
    r"(?:^|(?<=[\n;；.。!！?？|,，、]))[\s\"'“”‘’*_#>\-•·（(【\[\d.、)）]{0,12}"
    r"(?P<name>[^\W\d_][^\n;；.。!！?？|:：()（）\[\]【】\"]{0,50}?)"
    r"[\s\"'“”‘’*_`】\])）]{0,6}(?:[(（][^()（）\n]{0,30}[)）][\s*_]{0,4})?(?:[:：]|\s[-–—]{1,2}\s|——)[*_]{0,3}",
)


def type_labels(text: str) -> list[TypeLabel]:
    """Return the types that stand as labels in front of points, in order.

    >>> [(label.type.value, label.start) for label in type_labels("Entity: Bob did it; Fictional Event: a feast.")]
    [('entity', 0), ('event-fabrication', 20)]
    """
    found = []
    for match in _LABEL.finditer(text):
        kind = hallucination_type(match["name"])
        if kind is not None:
            found.append(TypeLabel(kind, match.start("name"), match.end()))
    return found
