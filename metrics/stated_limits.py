"""What a reply says of its own limits: that it stops early, leaves instances out, or would rather have batches.

Some models know that there is too much to do and say so ("self-awareness", section 5.2 of the multi-instance paper,
which counts the replies that suggest batches). The rules are for English and some Chinese, and flag what is likely,
for a person to confirm: they ask for wording that suggests, or that owns to a limit. A reply that only tells how it
went about it ("I counted them in batches of 50") states none.
"""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from .reasoning import mask_reasoning

LimitKind: TypeAlias = Literal["batches", "first-only", "left-out", "too-many", "limit"]


@dataclass(frozen=True, slots=True)
class StatedLimit:
    """A limit that a reply states.

    Attributes:
        kind: "batches" (suggests to split the instances up), "first-only" (says that it does only the first so many),
            "left-out" (says that it leaves some out), "too-many" (says that there are too many, or that it cannot do
            all), "limit" (names a limit of length, space or tokens as the reason for less).
        text: the words, with some around them, on one line.
    """

    kind: LimitKind
    text: str


# Up to so many characters of one sentence. A full stop inside a number does not end it.
_NEAR, _NEARER = r"(?:[^.!?\n]|\.(?=\d)){0,80}?", r"(?:[^.!?\n]|\.(?=\d)){0,30}?"
_ZH_NEAR = r"[^。！？\n]{0,20}?"

_ASKS = (
    r"(?:please|(?:recommend|suggest|advise|propose|consider)(?:ing)?|(?:recommended|advisable|better|best|easier)"
    r"|(?:could|can|would) you|if you (?:could|can|would|want|like|wish|need|'d)|you (?:may|might|can|could|should)"
    r"|let me know|(?:would|will|'ll|'d)? ?(?:need|have)s? to(?: be)?|(?:should|must) be)"
)
_SPLIT = (
    r"(?:split|divid|break|send|submit|provid|process|handl|work|giv|shar|resend|us|run|do|continu|ask)"
    r"(?:e|es|ing|ting|ted|ed|s|t)?"
)
_BATCHES = (
    r"(?:batch(?:es)?|chunks?"
    r"|(?:smaller|separate|several|multiple|two|three|four|five) (?:groups?|parts?|sets?|portions?|pieces|requests))"
)
_DO = (
    r"(?:list|provid|process|answer|giv|show|includ|do|handl|solv|classify|classifi|cover|output|complet|label|count"
    r"|evaluat|enumerat|go through|writ)(?:e|es|ing|ed|n|d|s)?(?: out| down)?"
)
_ITEMS = (
    r"(?:items?|instances?|entries|numbers?|questions?|articles?|paragraphs?|sentences?|reviews?|tweets?|answers?)"
)
_REST = r"(?:rest|remaining|remainder|others)"
_SPACE = r"(?:length|space|size|token|output|context|response|character)s?"
_LIMITS = r"(?:limit(?:ation)?s?|constraints?|restrictions?|window|capacity|budget)"
_CANNOT = (
    r"(?:can(?:no|')t|can not|could not|couldn't|unable to|not able to|(?:not|isn't) (?:feasible|possible|practical)"
    r"(?: for me)? to|(?:impractical|infeasible|impossible)(?: for me)? to)"
)

_PATTERNS: tuple[tuple[LimitKind, str], ...] = (
    ("batches", rf"\b{_ASKS}\b{_NEAR}\b{_SPLIT}\b{_NEAR}\b{_BATCHES}\b"),
    ("batches", rf"\b(?:smaller|separate|multiple|several) batch(?:es)?\b{_NEAR}\b(?:recommended|advisable|needed)\b"),
    ("batches", rf"(?:建议|请|最好|可以|需要|应){_ZH_NEAR}(?:分批|分段|分块|分组|分多次|逐批|分成(?:若干|几|多))"),
    ("first-only", rf"\b(?:i|we)\b(?: \w+|'\w+){{0,3}} {_DO}(?: only| just)?(?: the)? first \d[\d,]*"),
    ("first-only", rf"\b(?:only|just) (?:the )?first \d[\d,]*(?: {_ITEMS})? (?:are|were|is|was|have been) {_DO}"),
    ("first-only", r"(?:只|仅)(?:能)?(?:列出|处理|回答|提供|给出|列举|展示|输出)了?前\s?\d+"),
    ("left-out", rf"\b{_REST}\b(?: \w+){{0,4}} (?:omitted|left out|skipped|truncated|not (?:shown|listed|{_DO}))\b"),
    ("left-out", rf"\b(?:omitted|truncated|shortened)(?: here)? (?:for|due to) {_NEARER}(?:brevity|{_SPACE})\b"),
    ("left-out", rf"\bfor (?:the sake of )?brevity\b{_NEAR}\b(?:omit|skip|only|first|{_REST})"),
    ("left-out", rf"\b(?:and so on|continu\w+) (?:\w+ )?(?:for|with|through) (?:all )?(?:the )?{_REST}\b"),
    ("left-out", r"(?:其余|剩余|剩下|后面)[^。！？\n]{0,12}(?:省略|略去|从略|未列出|不再列出)"),
    ("too-many", rf"\btoo (?:many|much|long|large|lengthy|numerous)\b{_NEARER}\bto (?:\w+ )?(?:fit|{_DO})\b"),
    ("too-many", rf"\b{_CANNOT}(?: \w+){{0,2}} {_DO}\b{_NEARER}\b(?:all|every|each|entire|full|\d{{2,}})\b"),
    ("too-many", r"(?:数量|数目|内容|条目|文本)(?:太|过)(?:多|长|大)"),
    ("too-many", r"(?:无法|不能|难以)(?:全部|逐一|逐条|一一|一次性)"),
    ("limit", rf"\b(?:due to|because of|given|owing to)(?: \w+){{0,3}} {_SPACE}(?: \w+){{0,2}} {_LIMITS}\b"),
    ("limit", rf"\b(?:exceed(?:s|ing)?|beyond)(?: \w+){{0,3}} {_SPACE}(?: \w+){{0,2}} {_LIMITS}\b"),
    ("limit", r"(?:由于|因|受|鉴于)[^。！？\n]{0,10}(?:篇幅|长度|字数|输出|上下文)[^。！？\n]{0,6}(?:限制|有限|所限)"),
)  # fmt: skip
_COMPILED = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _PATTERNS)
_AROUND = 60


def find_stated_limit(text: str) -> StatedLimit | None:
    """Return the first limit that a reply states, or None; suggestions of batches come before all others.

    What the model only thought does not count; a note inside its JSON does. Takes time linear in the text.

    Args:
        text: the raw reply, any string.

    >>> find_stated_limit('{"1": 0, "reasoning": "I will only list the first 100 numbers."}').kind
    'first-only'
    >>> find_stated_limit("There are too many. Please split the list into smaller batches.").kind
    'batches'
    >>> find_stated_limit("I counted the reviews in batches of 50 and added up.") is None
    True
    """
    shown = mask_reasoning(text)
    for kind, pattern in _COMPILED:
        if found := pattern.search(shown):
            start, end = max(found.start() - _AROUND, 0), found.end() + _AROUND
            return StatedLimit(kind, " ".join(shown[start:end].split()))
    return None
