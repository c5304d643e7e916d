"""The files that prompts are made of: found, put together, and checked before the first call.

A template is `prompts/<language>/<name>.txt` with `$placeholders`; `part-<name>.txt` is text that several templates
share, and stands where they say `$<name>`; `headings.txt` has for each section of material the line over it,
`name=line`. A folder of one's own with files of the same names may take the place of any.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from string import Template
from types import MappingProxyType
from typing import NamedTuple

from lengthwise.errors import InputError, unknown_name
from lengthwise.metrics.fault_types import HallucinationType

from .records import LANGUAGES, Language

ENTITY_KINDS: tuple[str, ...] = ("people", "organisations", "places", "titles", "times", "numbers", "other")

_PARTS = ("rubric", "types", "verdict", "rules", "changed")
_PART = re.compile(rf"(?<!\$)\$({'|'.join(_PARTS)})\b")
# Which placeholders each file has to hold once its parts are in place.
_TEMPLATES: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "detection": (), "detection-cot": (), "detection-excerpt": (), "judge": (), "arbiter": (), "critic": (),
    "compress": ("words",), "compress-again": ("words", "length"), "generate": ("words",), "unit-summary": ("words",),
    "entities": (), **{f"inject-{kind}": () for kind in HallucinationType}
})  # fmt: skip
_HEADINGS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "article": (), "excerpt": (), "chapter": (), "passage": (), "summary": (), "segment": (), "reference": (),
    "judged": (), "shorter": (), "parts": (), "attempt": (), "deficiencies": (), "suggestions": (), "entities": (),
    "untouched": (), "not-added": (), "none": (), "verdict": ("number", "score"), **dict.fromkeys(ENTITY_KINDS, ())
})  # fmt: skip


class PromptFiles(NamedTuple):
    """The texts of one language, by name: templates with their parts in place, and headings."""

    templates: Mapping[str, Template]
    headings: Mapping[str, Template]


def own_files(folder: Path) -> list[str]:
    """Return the files of a folder of prompts, as `<language>/<name>.txt`.

    Raises:
        InputError: it has no folder of a language, or a text under a name that no prompt has.
    """
    if not any((folder / one).is_dir() for one in LANGUAGES):
        raise InputError(f"prompts {str(folder)!r}: has neither en/ nor zh/ in it; name files like en/detection.txt")
    known = (*_TEMPLATES, *(f"part-{part}" for part in _PARTS), "headings")
    found = [path for language in LANGUAGES for path in sorted((folder / language).glob("*.txt"))]
    for path in found:
        if path.stem not in known:
            raise unknown_name(f"prompt {path.parent.name}/{path.name}: name", path.stem, known)
    if not found:
        raise InputError(f"prompts {str(folder)!r}: has no file in en/ or zh/; name them like en/detection.txt")
    return [f"{path.parent.name}/{path.name}" for path in found]


def read_prompt_files(language: Language, folder: Path | None = None) -> PromptFiles:
    """Return the package's files, or those of a folder where it has them as `<language>/<name>.txt`.

    Raises:
        InputError: the language is unknown, the folder has no folder of a language, or a file has a name that is none,
            is empty, is no UTF-8, or has a placeholder too many or too few.
    """
    if language not in LANGUAGES:
        raise unknown_name("language", language, LANGUAGES)
    if folder is None:
        return _packages(language)
    own_files(folder)
    return _together(language, folder)


@lru_cache(maxsize=len(LANGUAGES))
def _packages(language: Language) -> PromptFiles:
    return _together(language, None)


def _together(language: Language, folder: Path | None) -> PromptFiles:
    parts = {part: _read(language, f"part-{part}", folder) for part in _PARTS}
    templates: dict[str, Template] = {}
    for name, wanted in _TEMPLATES.items():
        text = _PART.sub(lambda match: parts[match[1]], _read(language, name, folder))
        templates[name] = _checked(f"{language}/{name}.txt", text, wanted)
    lines = dict(line.split("=", 1) for line in _read(language, "headings", folder).splitlines() if "=" in line)
    if lines.keys() != _HEADINGS.keys():
        amiss = ", ".join(sorted(lines.keys() ^ _HEADINGS.keys()))
        raise InputError(
            f"prompts: {language}/headings.txt needs one line name=heading for each section; amiss: {amiss}"
        )
    headings = {name: _checked(f"{language}/headings.txt, {name}", lines[name], _HEADINGS[name]) for name in _HEADINGS}
    return PromptFiles(MappingProxyType(templates), MappingProxyType(headings))


def _checked(place: str, text: str, wanted: tuple[str, ...]) -> Template:
    """Return a text as a template that is known to take these placeholders and no other."""
    template = Template(text)
    if not template.is_valid():
        raise InputError(f"prompts: {place} has a $ that begins no placeholder; write $$ for a dollar sign")
    if amiss := set(template.get_identifiers()) ^ set(wanted):
        named = ", ".join(f"${name}" for name in wanted) or "none"
        raise InputError(
            f"prompts: the placeholders of {place} are {named}; unknown or missing: "
            + ", ".join(f"${name}" for name in sorted(amiss))
        )
    return template


def _read(language: str, name: str, folder: Path | None) -> str:
    file = f"{name}.txt"
    if folder is not None and (folder / language / file).is_file():
        path = folder / language / file
        try:
            text = path.read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"prompts: {path} cannot be read ({error})") from error
        if not text:
            raise InputError(f"prompts: {path} is empty")
        return text
    return files("lengthwise.builders.longnovel").joinpath("prompts", language, file).read_text("utf-8").strip()
