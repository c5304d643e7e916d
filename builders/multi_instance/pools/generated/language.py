"""Paragraphs in the manner of an encyclopaedia, in English, Chinese, Persian or Spanish.

The label holds by construction: each language has a grammar of its own. A paragraph speaks of one topic (a town, a
river, a film) with sentences of that topic in any order; as in the paper's pool, some begin with what the topic is and
others within the article.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from ..pool import Instance
from .draws import Draws, generator, shares
from .grammar import Expansion, english, load

# Of 2,500 in the paper's pool.
_LANGUAGES = {"english": 618, "chinese": 641, "persian": 637, "spanish": 604}
# Length of a paragraph as parts of the language's mean, in percent: every entry is as likely as another. The pool's
# Chinese paragraphs have at least 140 characters.
_SPREAD = (30, 35, 40, 45, 50, 55, 60, 65, 70, 78, 86, 94, 104, 116, 130, 148, 172, 220)
_CHINESE_SPREAD = (56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 97, 103, 110, 118, 128, 140, 155, 175)
# In so many of 100 paragraphs the sentence comes first that says what the topic is.
_LEADS = 70


@dataclass(frozen=True, slots=True)
class _Language:
    """How a language's paragraphs are made.

    Attributes:
        grammars: files, without their suffix.
        thousands: what parts the thousands of a number.
        mean: length of a paragraph, in words (characters for Chinese).
        spread: lengths aimed at, in percent of the mean.
        join: what stands between two sentences.
        finish: what is done to the text in the end.
    """

    grammars: tuple[str, ...]
    thousands: str
    mean: int
    spread: tuple[int, ...]
    join: str
    finish: Callable[[str], str]


def _spanish(text: str) -> str:
    """Contract what Spanish contracts (the article of a name, with its capital, stays); four digits need no space."""
    text = re.sub(r"(?<!\d )\b(\d) (\d{3})\b(?! \d)", r"\1\2", text)
    text = re.sub(r"\b([Dd])e el ", r"\1el ", re.sub(r"\b([Aa]) el ", r"\1l ", " ".join(text.split())))
    return re.sub(r"\by (?=h?[iIíÍ](?!e))", "e ", re.sub(r"\bo (?=h?[oO])", "u ", text))


# Behind a letter that joins to none that follows, a half-space shows nothing.
_NEEDLESS = re.compile(r"(?<=[اآدذرزژو])_(?=\w)")
_PERSIAN_DIGITS = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")


def _persian(text: str) -> str:
    """Write digits as Persian does, and the half-space that the grammar writes as "_"."""
    text = " ".join(text.split()).translate(_PERSIAN_DIGITS)
    return _NEEDLESS.sub("", text).replace("_", "\u200c")


_HOW = {
    "english": _Language(("names-en", "language-en"), ",", 70, _SPREAD, " ", english),
    "chinese": _Language(("language-zh",), "", 262, _CHINESE_SPREAD, "", str),
    "persian": _Language(("language-fa",), "٬", 88, _SPREAD, " ", _persian),
    "spanish": _Language(("language-es",), " ", 67, _SPREAD, " ", _spanish),
}


def _instance(draws: Draws) -> Instance:
    label = shares(_LANGUAGES, draws)
    return Instance(paragraph(label, draws), label)


def paragraph(label: str, draws: Draws) -> str:
    """Return a paragraph in one of the languages."""
    how = _HOW[label]
    size = len if how.join == "" else _words
    wanted = how.mean * how.spread[draws.below(len(how.spread))] // 100
    writing = Expansion(load(*how.grammars, thousands=how.thousands), draws)
    topic = writing.write("topic")
    writing.write(f"{topic}-set")
    text = writing.write(f"{topic}-lead" if draws.below(100) < _LEADS else f"{topic}-more")
    while size(text) < wanted and writing.left(f"{topic}-more"):
        text += how.join + writing.write(f"{topic}-more")
    return how.finish(text)


def _words(text: str) -> int:
    return len(text.split())


generate = generator("language", _instance)
