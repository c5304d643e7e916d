"""A summary, out of the reply that it is wrapped in: thoughts, fences, JSON, headings, remarks before and behind it.

Only what frames the summary goes; its own sentences stay as they are, since they are judged word for word later.
"""

import re

from lengthwise.metrics.answers import Unparsed
from lengthwise.metrics.found_json import find_held
from lengthwise.metrics.json_reader import Scalar
from lengthwise.metrics.reasoning import split_reasoning
from lengthwise.metrics.refusals import find_refusal

_KEYS = ("summary", "newsummary", "finalsummary", "摘要", "概述", "概要", "总结", "内容摘要")
_FENCE = re.compile(r"(?<![`~])(?:`{3,}+|~{3,}+)")
_TAG = re.compile(r"<(/?)(?:summary|摘要|answer)>", re.IGNORECASE)
_NAMED = re.compile(
    r"summar(?:y|ies|is|iz)|synopsis|shortened|rewritten|摘要|概述|概要|总结|概括|梗概|改写|重写", re.IGNORECASE
)
_POLITE = re.compile(
    r"(?:sure|certainly|of course|okay|ok|here you go|absolutely|understood|好的|当然可以|没问题|明白了|收到)"
    r"(?:(?: thing)?(?:[.。!！]\s*|[:：]?\s*\n|\Z)|[,，][^\n:：]{0,80}[:：]\s*\n)",
    re.IGNORECASE,
)
# The same remark with the summary on its line.
_INLINE = re.compile(
    r"(?:here(?:'s|’s| is| comes)[^\n:.]{0,100}(?:summary|synopsis|version)[^\n:.]{0,100}"
    r"|(?:以下|下面|这里)(?:是|为)[^\n：:。]{0,60}(?:摘要|概述|概要|总结|概括|梗概)[^\n：:。]{0,40}"
    r"|[*_【\[]{0,4}(?:(?:new|final|revised|compressed) )?(?:summary|synopsis)(?: of [^\n:.]{0,60})?[*_】\]]{0,4}"
    r"|[*_【\[]{0,4}(?:新的|最终|修改后的|压缩后的|内容|故事|剧情)?(?:摘要|概述|概要|总结|梗概)[*_】\]]{0,4})"
    r"[:：][*_]{0,4}\s*",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^[^\S\n]{0,3}(?:#{1,6}[^\S\n][^\n]*|[-*_=]{3,}+[^\S\n]*)(?:\n|\Z)", re.MULTILINE)
_EMPHASIS = re.compile(r"\*\*([^*\n]+)\*\*")
_CLOSING = re.compile(
    r"[\s*_(（\[【-]{0,8}(?:(?:(?:approx\w{0,8}\.?|about|around|total)[:\s]{0,3})?\d[\d,]{0,8}\s?words?\W{0,8}\Z"
    r"|(?:total |approximate )?word ?count\b|words\s?[:：]|字数|(?:全文)?(?:共计?|约)\s?\d+\s?[个字]"
    r"|notes?\s?[:：]|[备附]?注[:：]|说明[:：]"
    r"|(?:please )?let me know|i hope (?:this|that|you)|if you(?:'d| would| need| want| like)|feel free|would you like"
    r"|希望(?:这|以上|对您|对你)|如果?您?需要|如有(?:需要|其他|任何|疑问)|以上(?:就|便|即)?是|请(?:告诉我|告知))",
    re.IGNORECASE,
)
_LONGEST_REMARK = 240
_QUOTED = re.compile(r"[“\"「『][^“”\"「」『』\n]{0,500}[”\"」』]")
# A refusal is short, or says so at once; what comes later in a long text are people of the story.
_SHORT, _BEGINNING = 600, 200


def read_summary(text: str) -> str | Unparsed:
    r"""Return the summary that a reply holds.

    Args:
        text: the raw reply, any string.

    Returns:
        The summary without white space around it, or why there is none: nothing is left, or it is a refusal.

    >>> read_summary("<think>900 words</think>Here is the summary:\n\n**Summary**\n\nAhab sails.")
    'Ahab sails.'
    >>> read_summary("好的，以下是这部分内容的摘要：\n\n宝玉入学。\n\n（字数：5）")
    '宝玉入学。'
    >>> read_summary("I'm sorry, but I can't summarise this text.").reason
    "a refusal: i'm sorry, but i can't"
    """
    visible = split_reasoning(text)[1].strip()
    if not visible:
        return Unparsed("the reply is all reasoning" if text.strip() else "the reply is empty")
    summary = _without_frame(_unwrapped(visible))
    if not any(char.isalnum() for char in summary):
        return Unparsed("the reply holds no summary")
    told = _QUOTED.sub("", summary)
    if refusal := find_refusal(told if len(told) <= _SHORT else told[:_BEGINNING]):
        return Unparsed(f"a refusal: {refusal}")
    return summary


def _unwrapped(text: str) -> str:
    """Return what stands in the reply's JSON, its tags or its only fence; the text itself where there is none."""
    held = find_held(text, _KEYS)
    if (
        held is not None
        and held.rule in ("json", "fenced-json")
        and isinstance(held.value, Scalar)
        and held.value.quoted
    ):
        return held.value.text.strip()
    tags = list(_TAG.finditer(text))
    if [tag[1] for tag in tags] == ["", "/"]:
        return text[tags[0].end() : tags[1].start()].strip()
    fences = list(_FENCE.finditer(text))
    # A fence with less in it than around it holds something else.
    if len(fences) == 2 and fences[1].start() - fences[0].end() > len(text) / 2:
        return text[fences[0].end() : fences[1].start()].partition("\n")[2].strip()
    return text


def _without_frame(text: str) -> str:
    for _ in range(3):
        before = text
        text = _without_first_remark(text)
        if text == before:
            break
    text = _EMPHASIS.sub(r"\1", _HEADING.sub("", text)).strip()
    for _ in range(3):
        head, _, last = text.rpartition("\n")
        if not head.strip() or len(last) > _LONGEST_REMARK or not _CLOSING.match(last):
            break
        text = head.rstrip()
    return text


def _without_first_remark(text: str) -> str:
    """Return the text without a courtesy, a heading, or a line that announces the summary."""
    first, _, rest = text.partition("\n")
    bare = first.strip(" \t*_#")
    if rest.strip() and len(bare) <= _LONGEST_REMARK and _NAMED.search(bare):
        announces = bare.endswith((":", "："))
        titles = len(bare) <= 60 and bare[-1] not in '.。!！?？…”"'
        if announces or titles:
            return rest.lstrip()
    for pattern in (_HEADING, _INLINE, _POLITE):
        if match := pattern.match(text):
            return text[match.end() :].lstrip()
    return text
