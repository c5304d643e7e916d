"""The Parquet files of the steps that ask models: references, candidates and injected summaries.

The window's key stands in front as in `steps/windows.parquet`, so any two files join on the same four columns. A file
is written whole or not at all; a step that is given again writes the same rows.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from lengthwise.builders.parts import to_arrow
from lengthwise.errors import InputError

from .records import Candidate, Injected, Injection, Reference, Verdict, WindowKey

REFERENCES_FILE = "steps/references.parquet"
CANDIDATES_FILE = "steps/candidates.parquet"
INJECTED_FILE = "steps/injected.parquet"
Made = TypeVar("Made")


def write_references(folder: Path, references: Sequence[Reference]) -> None:
    """Write `steps/references.parquet`; `read_references` is the inverse."""
    import pyarrow as pa

    columns = [
        *_key_fields(),
        ("compressed", pa.bool_()),
        ("rounds", pa.int32()),
        ("score", pa.int32()),
        ("words", pa.int32()),
        ("target", pa.int32()),
        ("summary_origin", pa.string()),
        ("reason", pa.string()),
        ("text", pa.string()),
    ]
    rows = [
        {**_key_columns(one.key), **{name: getattr(one, name) for name, _ in columns[4:]}}
        for one in sorted(references, key=lambda one: one.key)
    ]
    _write(folder / REFERENCES_FILE, columns, rows)


def read_references(folder: Path) -> list[Reference]:
    """Read `steps/references.parquet`.

    Raises:
        InputError: it is not there, or not what `write_references` writes.
    """
    return _read(folder / REFERENCES_FILE, "compression", lambda row: Reference(**_with_key(row)))


def write_candidates(folder: Path, candidates: Sequence[Candidate]) -> None:
    """Write `steps/candidates.parquet`; `read_candidates` is the inverse."""
    import pyarrow as pa

    verdict = pa.struct([("judge", pa.string()), ("score", pa.int32()), ("reason", pa.string())])
    columns = [
        *_key_fields(),
        ("generator", pa.string()),
        ("score", pa.int32()),
        ("types", pa.list_(pa.string())),
        ("reason", pa.string()),
        ("verdicts", pa.list_(verdict)),
        ("text", pa.string()),
    ]
    rows = [
        {
            **_key_columns(one.key),
            "generator": one.generator,
            "score": one.score,
            "types": list(one.types),
            "reason": one.reason,
            "verdicts": [{"judge": said.judge, "score": said.score, "reason": said.reason} for said in one.verdicts],
            "text": one.text,
        }
        for one in sorted(candidates, key=lambda one: (one.key, one.generator))
    ]
    _write(folder / CANDIDATES_FILE, columns, rows)


def read_candidates(folder: Path) -> list[Candidate]:
    """Read `steps/candidates.parquet`.

    Raises:
        InputError: it is not there, or not what `write_candidates` writes.
    """

    def candidate(row: dict[str, Any]) -> Candidate:
        verdicts = tuple(Verdict(**said) for said in row.pop("verdicts"))
        return Candidate(**_with_key(row | {"verdicts": verdicts, "types": tuple(row["types"])}))

    return _read(folder / CANDIDATES_FILE, "arbitration", candidate)


def write_injected(folder: Path, injected: Sequence[Injected]) -> None:
    """Write `steps/injected.parquet`; several of one window keep their order. `read_injected` is the inverse."""
    import pyarrow as pa

    names = ("type", "subtype", "hallucinated", "original", "injector")
    injection = pa.struct([*((name, pa.string()) for name in names), ("attempts", pa.int32())])
    columns = [
        *_key_fields(),
        ("score", pa.int32()),
        ("injections", pa.list_(injection)),
        ("text", pa.string()),
    ]
    rows = [
        {
            **_key_columns(one.key),
            "score": one.score,
            "injections": [
                {**{name: getattr(each, name) for name in names}, "attempts": each.attempts} for each in one.injections
            ],
            "text": one.text,
        }
        for one in sorted(injected, key=lambda one: one.key)
    ]
    _write(folder / INJECTED_FILE, columns, rows)


def read_injected(folder: Path) -> list[Injected]:
    """Read `steps/injected.parquet`.

    Raises:
        InputError: it is not there, or not what `write_injected` writes.
    """

    def injected(row: dict[str, Any]) -> Injected:
        return Injected(**_with_key(row | {"injections": tuple(Injection(**one) for one in row["injections"])}))

    return _read(folder / INJECTED_FILE, "injection", injected)


def _key_fields() -> list[tuple[str, Any]]:
    import pyarrow as pa

    return [("scale", pa.string()), ("book", pa.string()), ("unit_start", pa.int32()), ("unit_end", pa.int32())]


def _key_columns(key: WindowKey) -> dict[str, Any]:
    return {"scale": key.scale, "book": key.book, "unit_start": key.unit_start, "unit_end": key.unit_end}


def _with_key(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row's columns with the window's key in the place of its four."""
    rest = dict(row)
    return {"key": WindowKey(**{name: rest.pop(name) for name in _key_columns(WindowKey("", "", 0, 0))}), **rest}


def _write(path: Path, columns: Sequence[tuple[str, Any]], rows: Sequence[Mapping[str, Any]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    # A column with a None in it (the score of what was not compressed) is small: only such go through pyarrow's own.
    arrays = [
        pa.array(values, kind, from_pandas=False) if None in values else to_arrow(values, kind)
        for values, kind in ([[row[name] for row in rows], kind] for name, kind in columns)
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        table = pa.Table.from_arrays(arrays, schema=pa.schema(columns))
        pq.write_table(table, unfinished, compression="zstd", use_dictionary=False)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _read(path: Path, step: str, record: Callable[[dict[str, Any]], Made]) -> list[Made]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not path.is_file():
        raise InputError(f"there is no {path}: build with --until {step} or beyond")
    try:
        return [record(row) for row in pq.read_table(path, partitioning=None).to_pylist()]
    except (pa.ArrowException, KeyError, TypeError) as error:
        raise InputError(f"{path} is damaged ({error!r}): remove it, and build again") from error
