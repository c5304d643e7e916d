"""Data whose text may not be passed on, as offsets and hashes: who has the source builds the very rows from it.

A row's text columns become pieces: [start, length] where a run of characters stands in the source (the window's
units, then their summaries), and plain text between. Of the units there are lengths and SHA-256 sums, so a source that
differs by a character is told at once; each row has its digest, so nothing that was rebuilt wrongly passes.
"""

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from lengthwise.errors import InputError

from ..digest import row_digest
from ..hub_folder import BUILD_FILE, parquet_files, read_build, write_text
from ..recipe_card import CARD_FILE, RECIPE_FILE, recipe_card
from ..recipe_files import check_files, check_is_recipe, check_new, new_folder
from .export import PROMPT, read_rows, write_rows
from .own_prompts import own_prompts, prompts_of, take_prompts
from .records import LANGUAGES, Unit
from .rows import article_text, prompt_row
from .schema import PROMPT_SCHEMA, SCHEMA
from .steps_files import read_units

Pieces: TypeAlias = list[str | list[int]]
# Shorter runs are of everyone's words, not of the source.
_RUN = {"en": 24, "zh": 10}
_TEXTS = ("reason", "answer_text", "summary", "reference", "article")
_INJECTED = ("hallucinated", "original")
_WHAT = "Offsets and hashes"


def pieces(text: str, base: str, run: int) -> Pieces:
    """Return a text as runs of another, by offset and length, and what is not in it.

    >>> pieces("He said: call me Ishmael.", "Call me Ishmael. Some years ago", 8)
    ['He said: c', [1, 15]]
    """
    return _pieces(text, base, _places(base, run), run)


def _pieces(text: str, base: str, places: Mapping[str, int], run: int) -> Pieces:
    found: Pieces = []
    at = plain = 0
    while at < len(text):
        start = places.get(text[at : at + run])
        if start is None:
            at += 1
            continue
        length = run
        while at + length < len(text) and text[at + length] == base[start + length : start + length + 1]:
            length += 1
        if plain < at:
            found.append(text[plain:at])
        found.append([start, length])
        at += length
        plain = at
    return [*found, text[plain:]] if plain < len(text) else found


# Rows of one window follow each other.
@lru_cache(maxsize=1)
def _places(base: str, run: int) -> Mapping[str, int]:
    places: dict[str, int] = {}
    for start in range(len(base) - run + 1):
        places.setdefault(base[start : start + run], start)
    return places


def text_of(found: Pieces, base: str) -> str:
    """Return the text that `pieces` took apart."""
    return "".join(one if isinstance(one, str) else base[one[0] : one[0] + one[1]] for one in found)


def unit_line(unit: Unit) -> dict[str, Any]:
    """Return what a recipe says of a unit: no text of it."""
    return {
        "book": unit.book,
        "unit": unit.index,
        "language": unit.language,
        "n_characters": len(unit.text),
        "sha256": hashlib.sha256(unit.text.encode()).hexdigest(),
        "summary_sha256": hashlib.sha256(_own_summary(unit).encode()).hexdigest(),
    }


def _own_summary(unit: Unit) -> str:
    """Return a unit's summary where the source has it; what a model wrote is no part of the source."""
    return "" if unit.summary_origin.startswith("model") else unit.summary


def export_recipe(build: Path, out: Path) -> None:
    """Write the recipe of a build: units, rows as pieces, and the build's card and `build.json`.

    Args:
        build: a finished build with its `steps`.
        out: folder; new or empty.

    Raises:
        InputError: there is no such build, its steps are gone, or `out` holds something.
    """
    about = read_build(build)
    units = {(one.unit.book, one.unit.index): one.unit for one in read_units(build)}
    new_folder(out)
    used: dict[tuple[str, int], None] = {}
    for scale, split, language in _files(about):
        lines = []
        for row in read_rows(parquet_files(build, (scale, f"{split}-{language}"))):
            window = [(row["book"], index) for index in range(row["unit_start"], row["unit_end"] + 1)]
            used.update(dict.fromkeys(window))
            lines.append(json.dumps(_taken_apart(row, [units[key] for key in window]), ensure_ascii=False))
        path = out / _file((scale, split, language))
        path.parent.mkdir(exist_ok=True)
        write_text(path, "\n".join(lines) + "\n")
    shutil.copyfile(build / "README.md", out / CARD_FILE)
    write_text(out / "README.md", recipe_card((build / "README.md").read_text("utf-8"), _WHAT, rebuild_command(about)))
    shutil.copyfile(build / BUILD_FILE, out / BUILD_FILE)
    if (prompts := own_prompts(build)) is not None:
        take_prompts(prompts, out)
    recipe = {"digest": about["digest"], "units": [unit_line(units[key]) for key in sorted(used)]}
    # Last of all: a folder without it is no recipe.
    write_text(out / RECIPE_FILE, json.dumps(recipe, indent=1, ensure_ascii=False) + "\n")


def _files(about: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for scale, splits in about["configs"].items():
        for split in splits if not scale.endswith(PROMPT) else ():
            yield from ((scale, split, one) for one in LANGUAGES if split in about["views"].get(f"{scale}-{one}", {}))


def rebuild_command(about: Mapping[str, Any]) -> str:
    """Return the command that follows a build's recipe, once it lies in RECIPE."""
    return "lengthwise build longnovel --recipe RECIPE --source SOURCE --out DIR"


def recipe_files(recipe: Path) -> list[str]:
    """Return the files of a recipe's rows, checked as far as the recipe alone allows; see `check_files`."""
    return check_files(recipe, ((one[0], one[1], _file(one)) for one in _files(read_build(recipe))))


def _file(of: tuple[str, str, str]) -> str:
    scale, split, language = of
    return f"{scale}/{split}-{language}.jsonl"


def _base(units: Sequence[Unit]) -> str:
    return "\n\n".join([article_text(units), *map(_own_summary, units)])


def _taken_apart(row: Mapping[str, Any], units: Sequence[Unit]) -> dict[str, Any]:
    base, run = _base(units), _RUN[row["language"]]
    places = _places(base, run)
    made = {**row, "digest": row_digest(row)}
    for name in _TEXTS:
        made[name] = _pieces(row[name], base, places, run)
    made["injections"] = [
        {**one, **{name: _pieces(one[name], base, places, run) for name in _INJECTED}} for one in row["injections"]
    ]
    return made


def _put_together(line: Mapping[str, Any], base: str) -> dict[str, Any]:
    row = {name: line[name] for name in SCHEMA.names}
    for name in _TEXTS:
        row[name] = text_of(line[name], base)
    row["injections"] = [
        {**one, **{name: text_of(one[name], base) for name in _INJECTED}} for one in line["injections"]
    ]
    return row


def rebuild(recipe: Path, units: Iterable[Unit], out: Path) -> str:
    """Build the folder of a recipe from the source's units; return the digest of its rows, which is the recipe's.

    Args:
        recipe: what `export_recipe` wrote.
        units: of the same source, made with the same settings.
        out: folder; new or empty.

    Raises:
        InputError: this is no recipe, `out` holds something, or the source is not the one that the recipe is of: the
            first unit that differs is named.
    """
    check_is_recipe(recipe)
    check_new(out)
    about = read_build(recipe)
    wanted = json.loads((recipe / RECIPE_FILE).read_text("utf-8"))
    there = {(unit.book, unit.index): unit for unit in units}
    for line in wanted["units"]:
        unit = there.get((line["book"], line["unit"]))
        if unit is None or unit_line(unit) != line:
            what = "is missing from" if unit is None else "is another one in"
            raise InputError(f"unit {line['unit']} of {line['book']} {what} this source; get the one in {recipe}")
    for scale, split, language in _files(about):
        rows = []
        for text in (recipe / _file((scale, split, language))).read_text("utf-8").rstrip("\n").split("\n"):
            line = json.loads(text)
            window = [there[line["book"], index] for index in range(line["unit_start"], line["unit_end"] + 1)]
            row = _put_together(line, _base(window))
            if row_digest(row) != line["digest"]:
                raise InputError(f"{row['id']}: the row that comes of the recipe has another digest")
            rows.append(row)
        write_rows(out, (scale, f"{split}-{language}"), rows, SCHEMA)
    if (own := own_prompts(recipe)) is not None:
        take_prompts(own, out)
    prompts_by_language = prompts_of(out)
    for scale in [name for name in about["configs"] if name.endswith(PROMPT)]:
        for split in about["configs"][scale]:
            there_rows = read_rows(parquet_files(out, (scale.removesuffix(PROMPT), split)))
            prompts = [prompt_row(row, prompts_by_language[row["language"]]) for row in there_rows]
            write_rows(out, (scale, split), prompts, PROMPT_SCHEMA)
    shutil.copyfile(card if (card := recipe / CARD_FILE).is_file() else recipe / "README.md", out / "README.md")
    shutil.copyfile(recipe / BUILD_FILE, out / BUILD_FILE)
    return str(wanted["digest"])
