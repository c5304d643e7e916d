"""From a document's text to its flat list of words (paper appendix A.4.2).

The paper says "tokenized into a flat word list" and no more. Words of a to z only, so that the order asked for is the
one order that everybody knows.
"""

import html
import re
import unicodedata

ELEMENTS = frozenset(
    """a abbr article aside b blockquote body br button caption center cite code col colgroup dd div dl dt em figure
    font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input label li link main meta nav ol option p
    pre s script section select small span strong style sub sup svg table tbody td textarea tfoot th thead title tr tt
    u ul video""".split()  # noqa: SIM905 (seventy lines as a list)
)

_TAG = re.compile(r"<(?:/?([a-z][\w:.-]*)(?:\s[^<>]*)?/?|[!?][^<>]*)>", re.ASCII | re.IGNORECASE)
_CLOSING = re.compile(r"</([a-z][\w:.-]*)\s*>", re.ASCII | re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_INVISIBLE = re.compile("[\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufeff]+")
_APOSTROPHE = re.compile("(?<=[a-z])['\u2018\u2019\u02bc\uff07](?=[a-z])")
_LETTERS = {
    "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "ſ": "s",
    "æ": "ae", "œ": "oe", "ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
}  # fmt: skip
_LETTER = re.compile("[" + "".join(_LETTERS) + "]")


def document_words(text: str) -> list[str]:
    """Return the words of a text: runs of a to z, after tags, entities and accents are resolved.

    Tags part words; entities and ligatures are read as what they stand for; letters lose their accents ("naïve" is
    "naive"), and apostrophes inside a word go ("don't" is "dont"). Everything else, hyphens too, parts words.

    >>> document_words("<p>Don’t re-read the na&iuml;ve &amp; old ﬁle.</p>")
    ['dont', 're', 'read', 'the', 'naive', 'old', 'file']
    """
    return words_and_tags(text)[0]


def words_and_tags(text: str) -> tuple[list[str], int]:
    """Return the words of a text, as `document_words` does, and the number of tags taken out."""
    # "<user>" is no tag in a manual, but it is one where the same text closes it.
    names = ELEMENTS | {name.lower() for name in _CLOSING.findall(text)}
    tags = 0

    def drop(match: re.Match[str]) -> str:
        nonlocal tags
        if match[1] is not None and match[1].lower() not in names:
            return match[0]
        tags += 1
        return " "

    text = _TAG.sub(drop, text)
    text = _ENTITY.sub(lambda match: html.unescape(match[0]), text).lower()
    text = _LETTER.sub(lambda match: _LETTERS[match[0]], _INVISIBLE.sub("", unicodedata.normalize("NFD", text)))
    found: dict[str, str] = {}
    # One string object for each distinct word: a list of 200,000 words is then 1.6 MB instead of 12.
    return [found.setdefault(word, word) for word in re.findall("[a-z]+", _APOSTROPHE.sub("", text))], tags
