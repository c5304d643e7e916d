"""Corrections that correct nothing: the reply calls something wrong, and what it would have instead is the same.

One of the patterns of LongNovel's appendix I. A correction is read off the reasons: two quotations with a word of
contrast between them, "wrong: X; right: Y", or "X should be Y". It corrects nothing if both are the same letters and
digits. What is put in other words is for a person to see.
"""

import re

from .hallucinations import letters_of

_QUOTED = (
    r"“[^“”]{1,300}”|\"[^\"\n]{1,300}\"|「[^「」]{1,300}」|『[^『』]{1,300}』|‘[^‘’]{1,300}’"
    r"|(?<!\w)'[^'\n]{1,300}'(?!\w)"
)
_CONTRAST = (
    r"should|actually|instead|rather than|but|whereas|while|correct|right|original|source|text|novel|article|not\b|"
    r"->|=>|→|应|原文|实际|实为|而|改为|不是|并非|正确|更正|修正|文中"
)
_TWO_QUOTED = re.compile(rf"(?P<wrong>{_QUOTED})(?P<between>[^“”\"「」『』‘’]{{0,80}}?)(?={_QUOTED})", re.IGNORECASE)
_NEXT = re.compile(_QUOTED)
_HAS_CONTRAST = re.compile(_CONTRAST, re.IGNORECASE)
_LABELLED = re.compile(
    r"(?:hallucination|hallucinated|summary|wrong|error|幻觉|幻觉内容|概述|摘要|错误)\s?[:：]\s?(?P<wrong>[^;；|\n]{2,300})"
    r"[;；|\n]\s{0,5}(?:original|text|source|novel|right|correct(?:ed|ion)?|原文|原文内容|正确|更正|修正|应为)\s?[:：]\s?"
    r"(?P<right>[^;；|\n]{2,300})",
    re.IGNORECASE,
)
_SHOULD_BE = re.compile(
    r"\bshould\s(?:be|read|have\sbeen)\b|\bmust\sbe\b|->|=>|→|应该?[为是]|应当[为是]|应改为|改为|实为|实际[上]?[为是]",
    re.IGNORECASE,
)
_PHRASE = re.compile(r"[^.。;；,，!！?？\n()（）]{1,300}")
# So few letters may well come twice by chance.
_LEAST = 4
_LEAST_CJK = 2
_MOST = 20_000


def identical_corrections(reason: str) -> list[str]:
    """Return what a reply would correct into the very same, each once.

    Args:
        reason: the reasons of a reply; see `reported.read_report`. What stands behind the first 20,000 characters is
            no reason any more, and is not looked at.

    >>> identical_corrections('The summary says "nine sons", but the text says "nine sons."')
    ['nine sons']
    >>> identical_corrections('The summary says "nine sons", but the text says "three sons".')
    []
    >>> identical_corrections("九个儿子应为九个儿子。")
    ['九个儿子']
    """
    found: dict[str, str] = {}
    reason = reason[:_MOST]
    for match in _TWO_QUOTED.finditer(reason):
        following = _NEXT.match(reason, match.end())
        if following is not None and _HAS_CONTRAST.search(match["between"]):
            _note(found, match["wrong"][1:-1], following[0][1:-1])
    for match in _LABELLED.finditer(reason):
        _note(found, match["wrong"], match["right"])
    for match in _SHOULD_BE.finditer(reason):
        phrase = _PHRASE.match(reason, match.end())
        before = _key(reason[max(0, match.start() - 300) : match.start()])
        # Where the wrong one begins is not marked: it is as long as the right one, if it is the same.
        if phrase is not None and (right := _key(phrase[0])) and before.endswith(right):
            _note(found, phrase[0], phrase[0])
    return list(found.values())


def _note(found: dict[str, str], wrong: str, right: str) -> None:
    key = _key(wrong)
    least = _LEAST if key.isascii() else _LEAST_CJK
    if key == _key(right) and len(key) >= least:
        found.setdefault(key, wrong.strip(" \t.。，,"))


def _key(text: str) -> str:
    return letters_of(text).replace(" ", "")
