"""From the inside of an answer block to its words: the last step of `lengthwise.metrics.answers`."""

import html
import re
import unicodedata

_FENCE_LANGUAGE = re.compile(
    r"(?:```|~~~)[ \t]{0,3}(?:text|txt|plain|plaintext|json|python|py|xml|html|markdown|md|bash|sh|none|latex|tex)"
    r"[ \t]{0,3}(?=\r?\n)"
)
_INNER_TAG = re.compile(
    r"</?(?:br|b|i|em|strong|code|p|li|ul|ol|span|div|pre|u|tt|kbd|mark|td|tr|table|words?|w|item|sequence|seq)"
    r"(?:\s[^<>]{0,80})?/?>|<\|[^<>|]{0,40}\|>"
)
_LATEX = re.compile(
    r"\\(?:text(?:bf|it|tt|rm|sf|sc|normal)?|math(?:rm|bf|it|tt|sf|cal)|operatorname|emph|boxed|fbox|mbox|hbox"
    r"|(?:long)?rightarrow|to|mapsto|prec|lt|less|q?quad|[lc]?dots|cdot|left|right|mid|space|displaystyle|item"
    r"|(?:begin|end)\{[a-z*]{0,20}\}|[ntr])(?![a-z])"
)
# A JSON text inside a JSON text: "\n" stands for a line break even if a letter follows.
_ESCAPE = re.compile(r"\\[ntr]")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_LABEL = re.compile(
    r"[\W_]{0,12}(?:(?:the|my|final|your|correct|longest|valid)\s{1,3}){0,4}"
    r"(?:answers?|sequences?|runs?|words?|list|result|output|solution)"
    r"(?:\s{1,3}(?:is|are))?[\s\"'*_#]{0,6}\d{0,4}[\s\"'*_)]{0,6}[:：=]"
)
_ITEM_LABEL = re.compile(r"\b(?:w|words?|items?)[ _-]?\d{1,4}[\"'*`)]{0,4}\s{0,3}[:：=]")
_NOTE = re.compile(r"\([^()\d]{0,80}\d[^()]{0,80}\)")
_APOSTROPHE = re.compile(r"(?<=[a-z])['’‘ʼ＇](?=[a-z])")
_WORD = re.compile(r"[a-z]+")


def _clean(content: str) -> str:
    """Return a block's content lower-cased and without mark-up; words and separators remain."""
    content = unicodedata.normalize("NFKC", html.unescape(content)).lower()
    content = _INVISIBLE.sub("", content)
    content = _FENCE_LANGUAGE.sub(" ", content)
    content = _INNER_TAG.sub(" ", content)
    content = _ESCAPE.sub(" ", _LATEX.sub(" ", content))
    if label := _LABEL.match(content):
        content = content[label.end() :]
    content = _ITEM_LABEL.sub(" ", content)
    without_notes = _NOTE.sub(" ", content)
    return without_notes if _WORD.search(without_notes) else content


def words_of(content: str) -> list[str]:
    """Return the words of an answer as the prompts write words: runs of `[a-z]`.

    Case, compatibility forms (NFKC), commas, quotes, back-ticks, JSON or Python lists, arrows, bullets, numbering,
    bold, LaTeX commands, HTML, a label in front ("Sequence:"), notes in brackets that hold a number, and a list's
    closing "and" do not matter. An apostrophe inside a word is dropped, as the documents' words drop it.

    Args:
        content: the inside of an answer block.

    >>> words_of('["Abc", "bcd"]'), words_of("1. abc -> 2. bcd"), words_of("abc, bcd, and cde")
    (['abc', 'bcd'], ['abc', 'bcd'], ['abc', 'bcd', 'cde'])
    """
    content = _APOSTROPHE.sub("", _clean(content))
    words = _WORD.findall(content)
    if "," in content and "and" in words[-2:-1]:
        *items, last = content.split(",")
        closing = _WORD.findall(last)
        if len(closing) in (2, 3) and all(len(_WORD.findall(item)) == 1 for item in items):
            del words[-2]
    return words
