"""The one table that every format draws: texts in rows and columns, whose cells keep their numbers."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GridTable:
    """A table; the first column holds names.

    Attributes:
        title: above it.
        head: of each column: texts, or `cells.Name` where a text does not say what the numbers below it are.
        rows: each as long as `head`: texts, names, and `cells.Figure`. A row of `sections` has a text in its first
            cell alone.
        notes: the lines below it.
        name: what its files are called; made of the title where it is "".
        benchmark: that it is about; "" where it is about none, or nobody said.
        run: label of the run that all of it is about; "" if its rows or columns say that.
        sections: places of the rows that head others.
        legend: a first line below it, in which `{best}` is how a format marks the best; "" for none.
        confidence: of its intervals.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    name: str = ""
    benchmark: str = ""
    run: str = ""
    sections: frozenset[int] = frozenset()
    legend: str = ""
    confidence: float = 0.95


@dataclass(frozen=True, slots=True)
class Block:
    """Tables that stand together in one text.

    Attributes:
        tables: in order.
        heading: above all of it; "" for none.
        above: lines between heading and tables.
    """

    tables: tuple[GridTable, ...]
    heading: str = ""
    above: tuple[str, ...] = ()


def make_grid(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> GridTable:
    """Return a small table without notes, of any sequences."""
    return GridTable(title, tuple(head), tuple(map(tuple, rows)))


def slug(text: str, parting: str = "-") -> str:
    """Return what is left of a text in a file's name: ASCII letters and digits, parted by hyphens.

    >>> slug("Both recalls, S (16k) (Table 10)"), slug("Qwen/Qwen3-8B"), slug("模型")
    ('both-recalls-s-16k-table-10', 'qwen-qwen3-8b', '')
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", parting, plain).strip(parting)


def _of_run(run: str) -> str:
    """Return what a run is called in a file's name; one whose label leaves nothing is still no table of all runs."""
    return slug(run)[:60].strip("-") or ("run" if run else "")


def file_names(tables: Sequence[GridTable]) -> list[str]:
    """Return what the files of some tables are called, without endings: each once, whatever the tables are called.

    Benchmark, the table's own name, and the run that it is about, so that a further run renames none of them.

    >>> one = GridTable("Each repeat", ("model",), (), benchmark="longnovel")
    >>> file_names([one, one])
    ['longnovel-each-repeat', 'longnovel-each-repeat-2']
    """
    names: list[str] = []
    for table in tables:
        own = (slug(table.benchmark), slug(table.name or table.title) or "table", _of_run(table.run))
        base = "-".join(part for part in own if part)
        name, number = base, 1
        while name in names:
            number += 1
            name = f"{base}-{number}"
        names.append(name)
    return names
