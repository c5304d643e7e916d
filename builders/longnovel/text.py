"""Words, sentences and paragraphs of English and Chinese prose: how long a summary is, and where a text may be cut.

All spans are half-open character offsets; what they leave out is white space, so a text can be cut at them and put
together again.
"""

import re
from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import TypeAlias

from lengthwise.errors import unknown_name

from .records import LANGUAGES

Span: TypeAlias = tuple[int, int]

_BLANK_LINES = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
_LINE_END = re.compile(r"\n")
# Closing quotes and brackets belong to the sentence whose end mark they follow.
_ZH_END = re.compile(r"[。！？!?…]++[”’」』》）〉】\]\")']*+(?![，、；：,;:])")
_EN_END = re.compile(r"(?:[.!?…]+|(?:\. ){2,}\.)[\"'”’)\]]*(?=\s)")
_EN_OPENING = "\"'“‘([—-*_ \t\n"
_LAST_WORD = re.compile(r"[^\s(\[“‘\"'—]+$")
# Behind these a point ends no sentence, behind the numbered ones where a digit follows.
_ABBREVIATIONS = frozenset({
    "capt", "cf", "col", "dr", "e.g", "esq", "gen", "gov", "hon", "i.e", "jr", "lieut", "lt", "maj", "messrs", "mlle",
    "mme", "mr", "mrs", "ms", "mt", "prof", "rep", "rev", "sen", "sgt", "sr", "st", "viz", "vs"
})  # fmt: skip
_NUMBERED = frozenset({"ch", "chap", "fig", "no", "nos", "p", "pp", "vol", "vols"})
# "I" is more often the pronoun, and a chapter's number, than an initial.
_INITIALS = re.compile(r"[A-HJ-Z]|[A-Z](?:\.[A-Z])+")


def count_words(text: str, language: str) -> int:
    """Return the length of a text: words between white space in English, characters but white space in Chinese.

    >>> count_words("Call me Ishmael.", "en"), count_words("话说 天下大势。", "zh")
    (3, 7)

    Raises:
        InputError: the language is neither.
    """
    _rule(language)
    words = text.split()
    return len(words) if language == "en" else sum(map(len, words))


def paragraphs(text: str) -> list[str]:
    r"""Return the paragraphs of a text, without white space around them.

    Where any line is blank, blank lines part paragraphs, and one may be of several lines (verse); else each line is
    one.

    >>> paragraphs("One.\n\nTwo,\ngoing on.\n"), paragraphs("一。\n二。")
    (['One.', 'Two,\ngoing on.'], ['一。', '二。'])
    """
    return [text[start:end] for start, end in paragraph_spans(text)]


def sentences(text: str, language: str) -> list[str]:
    """Return the sentences of a text, without white space around them; none goes past a paragraph's end.

    >>> sentences("Mr. Bennet replied that he had not. “But it is,” returned she.", "en")
    ['Mr. Bennet replied that he had not.', '“But it is,” returned she.']
    >>> sentences("却说张飞大怒：“杀！”遂出。众人惊。", "zh")
    ['却说张飞大怒：“杀！”', '遂出。', '众人惊。']

    Raises:
        InputError: the language is neither "en" nor "zh".
    """
    return [text[start:end] for start, end in sentence_spans(text, language)]


def paragraph_spans(text: str) -> list[Span]:
    """Return where the paragraphs of a text are; see `paragraphs`."""
    mark = _BLANK_LINES if _BLANK_LINES.search(text.strip()) else _LINE_END
    return list(_stripped(text, (match.end() for match in mark.finditer(text)), (0, len(text))))


def line_spans(text: str) -> list[Span]:
    """Return where the lines of a text are that are not blank."""
    return list(_stripped(text, (match.end() for match in _LINE_END.finditer(text)), (0, len(text))))


def sentence_spans(text: str, language: str) -> list[Span]:
    """Return where the sentences of a text are; see `sentences`."""
    ends = _rule(language)
    return [span for paragraph in paragraph_spans(text) for span in _stripped(text, ends(text, paragraph), paragraph)]


def _stripped(text: str, cuts: Iterator[int], within: Span) -> Iterator[Span]:
    """Yield the pieces between cuts, less the white space around them; empty ones are left out."""
    start, stop = within
    for cut in (*cuts, stop):
        piece = text[start:cut]
        left = len(piece) - len(piece.lstrip())
        if left < len(piece):
            yield start + left, start + len(piece.rstrip())
        start = cut


def _chinese_ends(text: str, within: Span) -> Iterator[int]:
    return (match.end() for match in _ZH_END.finditer(text, *within))


def _english_ends(text: str, within: Span) -> Iterator[int]:
    for match in _EN_END.finditer(text, *within):
        # What goes on in a small letter is no new sentence: “What!” said he; he paused ... and left.
        following = text[match.end() : match.end() + 8].lstrip(_EN_OPENING)[:1]
        if following.islower() or (
            match[0] == "." and _abbreviated(text[max(within[0], match.start() - 12) : match.start()], following)
        ):
            continue
        yield match.end()


def _abbreviated(before: str, following: str) -> bool:
    word = _LAST_WORD.search(before)
    if word is None:
        return False
    lowered = word[0].lower()
    if lowered in _NUMBERED:
        return following.isdigit()
    return lowered in _ABBREVIATIONS or _INITIALS.fullmatch(word[0]) is not None


_RULES: MappingProxyType[str, Callable[[str, Span], Iterator[int]]] = MappingProxyType(
    {"en": _english_ends, "zh": _chinese_ends}
)


def _rule(language: str) -> Callable[[str, Span], Iterator[int]]:
    if language not in _RULES:
        raise unknown_name("language", language, LANGUAGES)
    return _RULES[language]
