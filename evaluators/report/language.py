"""The page in another language: each fixed text is looked up in a catalogue where it enters the markup.

Everything is written in English; a catalogue (`labels/<language>/*.toml`) has an entry for each text, keyed by the
English one. A key may hold placeholders: `{n}`, `{n2}`, ... stand for a number, `{run}` for any text that is kept as
it is, and one with a capital, `{Outcome}`, for a text that is itself looked up. Names (of runs, models, configs) stay
as they are, and so does all that stands in code or in an element with `translate="no"`.
"""

import html
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from types import MappingProxyType

from lengthwise.errors import unknown_name
from lengthwise.evaluators.report.markup import Html
from lengthwise.evaluators.report.script_labels import SCRIPT_LABELS

# What a page can be in, and what its `lang` is then; English has no catalogue.
LANGUAGE_TAGS: Mapping[str, str] = MappingProxyType({"en": "en", "zh": "zh-CN"})

_TAG = re.compile(r"(<[^>]*>)")
_SAID = re.compile(r'(?<=\s)(title|aria-label|placeholder)="([^"]*)"')
_SILENT = re.compile(r'<(script|style|pre|code)\b|<(\w+)\b[^>]*\stranslate="no"')
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_NUMBER = re.compile(r"n\d*")
_NUMERAL = "[-+±−]?[0-9][0-9.,]*"
# "8 runs, 2 cells" is no number of "runs, 2 cells".
_WITHIN = MappingProxyType({"Kind": "[^,;]+?"})
# What needs no translation: no letters, numbers with their unit, and a few symbols.
_NEUTRAL = re.compile(r"(?:[^A-Za-z]|(?<![A-Za-z])(?:n|p|k|s|nan|US|\d+[kKM]|n\d+|e)(?![A-Za-z]))*")
# A name is looked for within texts if nothing else reads like it.
_TELLING = re.compile(r".*[^a-z].*", re.DOTALL)
_SHORTEST_NAME = 3
_FIRST_MASK = 0xE000
_MOST_MASKS = 6400
# Parts that a text is put together from, and how they are joined in Chinese; sentences first.
_JOINTS = (
    (re.compile(r"(?<=[.?]) (?=[A-Z“\ue000-\uf8ff])"), ""),
    (re.compile(r"(?<=[.?]) (?=\S)"), ""),
    (re.compile(r"; "), "；"),
    (re.compile(r"(?<=\S): "), "："),
    (re.compile(r" · "), " · "),
    (re.compile(r", "), "，"),
    (re.compile(r" and "), "和"),
)


@dataclass(frozen=True)
class Catalogue:
    """The texts of a language.

    Attributes:
        language: key of `LANGUAGE_TAGS`.
        texts: English text or template -> the same in this language.
        script: likewise, of the page's script, which looks them up by itself.
    """

    language: str
    texts: Mapping[str, str]
    script: Mapping[str, str]

    @cached_property
    def templates(self) -> tuple["Template", ...]:
        """The texts with placeholders, those with most fixed text first."""
        made = [Template.of(key, said) for key, said in self.texts.items() if _PLACEHOLDER.search(key)]
        return tuple(sorted(made, key=lambda one: -one.fixed))


@dataclass(frozen=True, slots=True)
class Template:
    """A text with placeholders: what matches it, what it becomes, and how much of it is fixed."""

    pattern: "re.Pattern[str]"
    said: str
    literal: str
    fixed: int

    @classmethod
    def of(cls, key: str, said: str) -> "Template":
        """Return the template of a catalogue's entry."""
        parts = _PLACEHOLDER.split(key)
        pattern, seen = "", set()
        for place, part in enumerate(parts):
            if place % 2 == 0:
                pattern += re.escape(part)
            elif part in seen:
                pattern += f"(?P={part})"
            else:
                seen.add(part)
                pattern += f"(?P<{part}>{_NUMERAL if _NUMBER.fullmatch(part) else _WITHIN.get(part, '.+?')})"
        literals = parts[::2]
        return cls(re.compile(pattern, re.DOTALL), said, max(literals, key=len), sum(map(len, literals)))


def find_catalogue(language: str) -> Catalogue:
    """Return the catalogue of a language; that of English is empty.

    Raises:
        InputError: there is none.
    """
    if language not in LANGUAGE_TAGS:
        raise unknown_name("language", language, LANGUAGE_TAGS)
    if language == "en":
        return Catalogue("en", MappingProxyType({}), MappingProxyType({}))
    texts: dict[str, str] = {}
    script: dict[str, str] = {}
    for file in (files(__package__) / "labels" / language).iterdir():
        entries = tomllib.loads(file.read_text("utf-8"))
        (script if file.name == "script.toml" else texts).update(entries)
    # Outcomes and causes, say, stand on the page too.
    handed = {key: said for key in SCRIPT_LABELS if (said := texts.get(key)) is not None}
    return Catalogue(language, texts, {**handed, **script})


class Translator:
    """Translates pieces of one page.

    Args:
        catalogue: what to look texts up in.
        names: what is never translated: labels of runs, models, configs, splits.

    Attributes:
        missing: texts that had no entry, in the order in which they came.
    """

    def __init__(self, catalogue: Catalogue, names: Iterable[str] = ()) -> None:
        self.missing: dict[str, None] = {}
        self._catalogue = catalogue
        self._names = frozenset(names)
        telling = (one for one in self._names if len(one) >= _SHORTEST_NAME and _TELLING.fullmatch(one))
        self._masked = tuple(sorted(telling, key=lambda one: (-len(one), one))[:_MOST_MASKS])
        alternatives = "|".join(map(re.escape, self._masked))
        self._mask = re.compile(rf"(?<![\w-])(?:{alternatives})(?![\w-])") if alternatives else None
        self._numbers = {name: chr(_FIRST_MASK + place) for place, name in enumerate(self._masked)}
        self._known: dict[str, str | None] = {}
        self._parts: dict[str, str | None] = {}

    def html(self, page: Html) -> Html:
        """Return markup with its texts, and those of its attributes, translated; the markup stays as it is."""
        if self._catalogue.language == "en":
            return page
        parts, silent, depth = _TAG.split(page), "", 0
        for place, part in enumerate(parts):
            if place % 2 == 0:
                if not silent:
                    parts[place] = self._text(part)
            elif silent:
                # Up to the end of that very element.
                depth += part.startswith(f"<{silent}") and not part.endswith("/>")
                depth -= part.startswith(f"</{silent}>")
                silent = silent if depth else ""
            else:
                if (found := _SILENT.match(part)) is not None and not part.endswith("/>"):
                    silent, depth = found[1] or found[2], 1
                parts[place] = _SAID.sub(lambda one: f'{one[1]}="{self._text(one[2])}"', part)
        return Html("".join(parts))

    def _text(self, escaped: str) -> str:
        plain = html.unescape(escaped)
        core = plain.strip()
        if not core:
            return escaped
        said = self.say(core)
        if said is None:
            self.missing[core] = None
            return escaped
        start = plain.index(core)
        return html.escape(f"{plain[:start]}{said}{plain[start + len(core) :]}")

    def say(self, text: str) -> str | None:
        """Return a text in the other language; None where the catalogue has no entry for it, or for a part of it."""
        if text in self._names:
            return text
        if text not in self._known:
            found = self._catalogue.texts.get(text)
            if found is None:
                masked = text if self._mask is None else self._mask.sub(lambda one: self._numbers[one[0]], text)
                composed = self._composed(masked)
                found = composed and self._unmasked(composed)
            self._known[text] = found
        return self._known[text]

    def _unmasked(self, text: str) -> str:
        return re.sub(r"[\ue000-\uf8ff]", self._unmask, text)

    def _unmask(self, mask: "re.Match[str]") -> str:
        place = ord(mask[0]) - _FIRST_MASK
        return self._masked[place] if place < len(self._masked) else mask[0]

    def _composed(self, text: str) -> str | None:
        """Return a text put together from what the catalogue knows."""
        if text not in self._parts:
            self._parts[text] = self._looked_up(text) or self._joined(text)
        return self._parts[text]

    def _looked_up(self, text: str) -> str | None:
        # A fixed text can name a variant.
        if (found := self._catalogue.texts.get(self._unmasked(text))) is not None:
            return found
        if text in self._names or _NEUTRAL.fullmatch(text):
            return text
        for template in self._catalogue.templates:
            if template.literal in text and (match := template.pattern.fullmatch(text)) is not None:
                filled = self._fill(template, match.groupdict())
                if filled is not None:
                    return filled
        return None

    def _joined(self, text: str) -> str | None:
        for joint, joined in _JOINTS:
            for place in joint.finditer(text):
                first = self._composed(text[: place.start()])
                rest = first and self._composed(text[place.end() :])
                if first and rest:
                    return f"{first}{joined}{rest}"
        names = text.split(" ")
        return text if all(one in self._names or _NEUTRAL.fullmatch(one) for one in names) else None

    def _fill(self, template: Template, found: Mapping[str, str]) -> str | None:
        values = {name: self._composed(value) if name[0].isupper() else value for name, value in found.items()}
        if None in values.values():
            return None
        return _PLACEHOLDER.sub(lambda one: str(values.get(one[1], one[0])), template.said)
