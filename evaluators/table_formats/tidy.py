"""Figures for programs: one CSV row (RFC 4180) for each number of a table, in full, and the same columns for all.

So the rows of any tables can stand in one file. Shares are in [0, 1], whatever unit the table for people has.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lengthwise.evaluators.table_formats.cells import Figure, Name, Number, Place
from lengthwise.evaluators.table_formats.grid import GridTable, slug

# `table`: name of the table's files. `complete`: whether every example of the run has a reply or cannot fit.
COLUMNS = (
    *("table", "benchmark", "run", "model", "complete", "config", "split", "part"),
    *("metric", "value", "low", "high", "confidence", "n"),
)
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
# What plain headings of our tables say of the texts below them.
_KEYS: Mapping[str, str] = {"model": "run", "run": "run", "config": "config", "split": "split", "variant": "config"}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the figures under a run's name come from: its model, and whether the run is complete."""

    model: str
    complete: bool


# By benchmark and by what tables call the run.
Origins = Mapping[tuple[str, str], Origin]


def tidy_rows(table: GridTable, name: str, origins: Origins) -> Iterator[dict[str, str]]:
    """Yield a row a number, keys as in `COLUMNS`; a cell that holds nothing is "".

    Args:
        table: whose figures are wanted.
        name: of its files.
        origins: of the runs that it is about; of others the model is not known.
    """
    titles = [_key_of(table, place) for place in range(len(table.head))]
    # A count that stands beside each of several figures is one all the same.
    seen = set()
    for row in table.rows:
        around = Place(run=table.run)
        for text, title in zip(row, titles, strict=True):
            if title is not None:
                around = _named(text, title).within(around)
        for text, heading in zip(row, table.head, strict=True):
            for number in text.numbers if isinstance(text, Figure) else ():
                if number.value is None and number.low is None:
                    continue
                found = _row(table, name, origins, _column(heading, around), number)
                if (key := tuple(found.values())) not in seen:
                    seen.add(key)
                    yield found


def _key_of(table: GridTable, place: int) -> str | None:
    """Return the heading of a column of names, None for one of figures."""
    return None if any(isinstance(row[place], Figure) for row in table.rows) else table.head[place]


def _named(text: str, heading: str) -> Place:
    """Return what a name at the head of a row says of the figures beside it."""
    if isinstance(text, Name):
        return text.place
    if text in ("", "–"):
        return Place()
    title = slug(heading, "_")
    key = _KEYS.get(title)
    return Place(part=f"{title}={text}") if key is None else Place(**{key: text})


def _column(heading: str, around: Place) -> Place:
    """Return what the figures of a column are of, in a row that is about `around`."""
    place = (heading.place if isinstance(heading, Name) else Place()).within(around)
    return place if place.metric else replace(place, metric=slug(heading, "_"))


def _row(table: GridTable, name: str, origins: Origins, place: Place, number: Number) -> dict[str, str]:
    place = Place(metric=number.metric, part=number.part, split=number.split).within(place)
    benchmark = table.benchmark or place.benchmark
    origin = origins.get((benchmark, place.run))
    has_interval = number.low is not None
    return {
        "table": name,
        "benchmark": guard(benchmark),
        "run": guard(place.run),
        "model": guard(origin.model) if origin else "",
        "complete": str(origin.complete).lower() if origin else "",
        "config": guard(place.config),
        "split": guard(place.split),
        "part": guard(place.part),
        "metric": guard(place.metric),
        "value": _full(number.value),
        "low": _full(number.low),
        "high": _full(number.high),
        "confidence": _full(table.confidence) if has_interval else "",
        "n": _full(number.n),
    }


def _full(value: float | None) -> str:
    """Return a number as Python reads it back, whole ones without a point."""
    if value is None:
        return ""
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def guard(text: str) -> str:
    r"""Return a text that no spreadsheet takes for a formula: with an apostrophe before `=`, `+`, `-`, `@`, tab or CR.

    An apostrophe more also stands before those that already have one before such a sign, so that `unguard` gives every
    text back.

    >>> guard("=1+1"), guard("gpt-5"), unguard(guard("'=1"))
    ("'=1+1", 'gpt-5', "'=1")
    """
    return f"'{text}" if _FORMULA.match(text) else text


def unguard(text: str) -> str:
    """Return what was guarded."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text[1:]) else text


def write_csv(rows: Sequence[Mapping[str, str]]) -> str:
    r"""Return rows of `tidy_rows` as CSV with a heading; lines end in `\r\n`, as the RFC has it."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
