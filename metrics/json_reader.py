"""A tolerant reader of one JSON object: exact, never raising, never reading a character twice.

It reads valid JSON as `json.loads` does, and mends what models get wrong: trailing and missing commas, single, curly
and full-width quotes, quotes escaped once too often, doubled braces, unescaped quotes and line breaks inside a string,
bare keys and values, comments, full-width punctuation, a missing end. Numbers stay text, so that none passes through a
float, and every value knows where it stands.
"""

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

from .parsed import Span

# Deeper than any answer; beyond it the reader gives up where it stands, so that its own recursion stays bounded.
_DEEPEST = 40

# Space, short comments, and the line breaks of a JSON text inside a JSON string. Possessive, and what looks ahead is
# bounded: a text costs a constant number of looks at each character.
_GAP = r"(?:\s++|(?://|\#)[^\n]{0,100}+(?=\n|\Z)|/\*[^*]{0,100}+\*/|\\[nrt])*+"
_QUOTE = r"""(?:\\?["']|["'“”„‘’＂＇])"""
_KEY = rf"(?:{_QUOTE}(?:[^\\\"\n]|\\.){{0,120}}?{_QUOTE}|[\w.-]{{1,80}}+){_GAP}[:：]"
_VALUE = rf"(?:{_QUOTE}|[\[{{［｛+-]|\d|\.\d|(?:true|false|null|none|nan)\b)"
_SPACE = re.compile(_GAP)
_OPEN_BRACES = re.compile(r"[{｛](?:\s*+[{｛])*+")
_COMMAS = re.compile(rf"(?:{_GAP}[,，、;；])++")
_COLON = re.compile(rf"{_GAP}[:：=]>?")
_BARE_KEY = re.compile(r"[\w.-]{1,80}+")
_KEY_END = re.compile(rf"{_QUOTE}(?={_GAP}[:：=])|[{{}}\n]")
_OPENING = re.compile(r"""\\?["']|["'“”„‘’＂＇「]""")
# What may stand behind the quote that ends a string: in an object a brace, a comma and a key, or a key on a new line.
_ENDS_IN_OBJECT = rf"{_GAP}(?:\Z|[}}｝]|(?:[,，;；、]{_GAP}){{1,3}}+(?:\Z|[}}｝]|{_KEY})|(?<=\s){_KEY})"
_ENDS_IN_LIST = rf"{_GAP}(?:\Z|[\]］]|[,，;；、]{_GAP}(?:\Z|[\]］]|{_VALUE}))"
_COMMA_ENDS_BARE = re.compile(rf"(?:[,，;；]{_GAP}){{1,3}}+(?:\Z|[}}｝]|{_KEY})", re.IGNORECASE)
_BARE_IN_OBJECT = re.compile(r"""[^,，;；}｝\]\n"“\\#/]*+(?:/(?!/)[^,，;；}｝\]\n"“\\#/]*+)*+""")
_BARE_IN_LIST = re.compile(r"""[^,，;；、}｝\]］\n"“\\#]*+""")
# A brace that may begin an object: another brace, or a key and a colon, stands behind it.
BRACE = re.compile(
    rf"[{{｛](?=\s{{0,100}}+[{{｛]|{_GAP}(?:{_QUOTE}(?:[^\\\"\n{{}}｛｝]|\\.){{0,200}}?{_QUOTE}|[\w.-]{{1,80}}+){_GAP}[:：=])"
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_SURROGATES = re.compile("([\ud800-\udbff])([\udc00-\udfff])")
# The quotes that close what each one opens; those escaped once too often close as they opened.
_FAMILY = {char: char for char in ("'", '"', '\\"', "\\'")} | {"「": "」"}
_FAMILY |= dict.fromkeys("“”„＂", '“”"＂') | dict.fromkeys("‘’＇", "‘’'＇")


@cache
def _string_pattern(family: str, in_object: bool) -> re.Pattern[str]:
    """Return what matches the inside and the closing quote of a string; a quote with no end behind it is inside.

    Compiled where needed: few replies need more than one, and all of them cost an import 20 ms.
    """
    ends = _ENDS_IN_OBJECT if in_object else _ENDS_IN_LIST
    if family[0] == "\\":
        mark = re.escape(family)
        inside = rf"[^\\]++|(?!{mark})\\.|{mark}(?!{ends})"
    else:
        mark = f"[{family}]"
        inside = rf"[^\\{family}]++|\\.|{mark}(?!{ends})"
    return re.compile(rf"((?:{inside})*+){mark}", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Scalar:
    """A string, a number or a word.

    Attributes:
        text: what it says, escapes undone; of a bare value the characters as they stand.
        quoted: whether it stood in quotes.
        span: `[start, end)` offsets of the content, without the quotes.
    """

    text: str
    quoted: bool
    span: Span


@dataclass(slots=True)
class Array:
    """A list of values."""

    items: list["Node"] = field(default_factory=list)
    span: Span = (0, 0)


@dataclass(slots=True)
class Object:
    """Keys and values in the order read; a key may come twice.

    Attributes:
        pairs: (key, value), keys stripped of blanks.
        span: `[start, end)` offsets, braces included.
        complete: whether the closing brace was read; if not, `span` ends where the reader gave up.
        unclosed: whether it gave up because a string inside never closes; `span` then ends where that string begins.
    """

    pairs: list[tuple[str, "Node"]] = field(default_factory=list)
    span: Span = (0, 0)
    complete: bool = False
    unclosed: bool = False


Node: TypeAlias = Scalar | Array | Object


class _Stop(Exception):
    """The reader cannot go on; caught where the outermost object began."""


def read_object(text: str, start: int) -> Object:
    r"""Read the object that begins with the brace at `start`.

    Args:
        text: any string.
        start: offset of an opening brace, `{` or its full-width form.

    Returns:
        What could be read; `complete` tells whether all of it could.

    >>> [(key, value.text) for key, value in read_object("{'score': 3, \"reason\": \"a \"so\" b\",}", 0).pairs]
    [('score', '3'), ('reason', 'a "so" b')]
    """
    reader = _Reader(text, start)
    found = Object()
    try:
        reader.object_into(found, 0)
    except _Stop:
        found.span = (start, max(reader.at, start + 1))
        found.unclosed = reader.unclosed
    return found


class _Reader:
    """A place in a text that only moves forward."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.unclosed = False

    def _skip(self, pattern: re.Pattern[str]) -> str:
        """Move behind the pattern if it stands here, and return what it matched."""
        match = pattern.match(self.text, self.at)
        if match is None:
            return ""
        self.at = match.end()
        return match.group()

    def _peek(self) -> str:
        """Skip space and comments and return the next character, "" at the end."""
        self._skip(_SPACE)
        return self.text[self.at : self.at + 1]

    def object_into(self, found: Object, depth: int) -> None:
        """Read an object from its brace on; on `_Stop` what was read so far stays in `found`."""
        start = self.at
        # Doubled braces, the escape of Python's format strings, are one object.
        braces = len(re.findall(r"[{｛]", self._skip(_OPEN_BRACES)))
        if depth >= _DEEPEST:
            raise _Stop
        while True:
            self._skip(_COMMAS)
            if self._peek() in ("}", "｝"):
                break
            key = self._key()
            if not self._skip(_COLON):
                raise _Stop
            # The value enters the object before it is read whole, so that a cut text keeps what it has.
            self._value(depth, key, found)
        while braces and self._peek() in ("}", "｝"):
            self.at += 1
            braces -= 1
        found.span = (start, self.at)
        found.complete = True

    def _key(self) -> str:
        self._peek()
        quote = self._skip(_OPENING)
        if not quote:
            if key := self._skip(_BARE_KEY):
                return key
            raise _Stop
        start = self.at
        # A key is short and holds no brace: what opens here and does not close soon is no key.
        end = _KEY_END.search(self.text, start, start + 300)
        if end is None or end.group() in "{}\n":
            raise _Stop
        self.at = end.end()
        return _unescape(self.text[start : end.start()]).strip()

    def _value(self, depth: int, key: str, parent: Object) -> None:
        char = self._peek()
        if char in ("{", "｛"):
            inner = Object()
            parent.pairs.append((key, inner))
            self.object_into(inner, depth + 1)
        elif char in ("[", "［"):
            array = Array()
            parent.pairs.append((key, array))
            self._array_into(array, depth + 1)
        else:
            parent.pairs.append((key, self._scalar(in_object=True)))

    def _array_into(self, found: Array, depth: int) -> None:
        start = self.at
        self.at += 1
        if depth >= _DEEPEST:
            raise _Stop
        while True:
            self._skip(_COMMAS)
            char = self._peek()
            if char in ("]", "］", ""):
                break
            if char in ("{", "｛"):
                inner = Object()
                found.items.append(inner)
                self.object_into(inner, depth + 1)
            elif char in ("[", "［"):
                array = Array()
                found.items.append(array)
                self._array_into(array, depth + 1)
            else:
                found.items.append(self._scalar(in_object=False))
        if not char:
            raise _Stop
        self.at += 1
        found.span = (start, self.at)

    def _scalar(self, *, in_object: bool) -> Scalar:
        quote = self._skip(_OPENING)
        if quote:
            return self._string(quote, in_object=in_object)
        start = self.at
        while True:
            self._skip(_BARE_IN_OBJECT if in_object else _BARE_IN_LIST)
            # In an object a comma ends a value only before the next key: {"answer": 1,024}.
            comma = in_object and self.text[self.at : self.at + 1] in (",", "，", ";", "；")
            if not (comma and self.at < len(self.text)) or _COMMA_ENDS_BARE.match(self.text, self.at):
                break
            self.at += 1
        content = self.text[start : self.at].rstrip()
        if not content:
            raise _Stop
        return Scalar(content, False, (start, start + len(content)))

    def _string(self, quote: str, *, in_object: bool) -> Scalar:
        start = self.at
        match = _string_pattern(_FAMILY[quote], in_object).match(self.text, start)
        if match is None:
            self.unclosed = True
            raise _Stop
        self.at = match.end()
        return Scalar(_unescape(match[1]), True, match.span(1))


def _unescape(content: str) -> str:
    """Undo the escapes of a JSON string; of an unknown one keep the character."""
    if "\\" not in content:
        return content
    plain = _ESCAPED.sub(lambda m: chr(int(m[1], 16)) if m[1] else _ESCAPES.get(m[2], m[2]), content)
    return _SURROGATES.sub(lambda m: chr(0x10000 + (ord(m[1]) - 0xD800) * 0x400 + ord(m[2]) - 0xDC00), plain)
