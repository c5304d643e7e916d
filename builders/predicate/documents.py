"""Reading the documents whose own words become the list of a `documents-*` config (paper section 3.4.1).

A source is a folder, a file, or the Hub id of a data set with LongBench v2's records. Whatever cannot be read is an
error that names the file, the line and the fix: a document that is silently left out would change the data.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

from lengthwise.errors import InputError

TEXT_FIELDS = ("context", "text")
GROUP_FIELDS = ("book_id", "document_id")
SUFFIXES = (".txt", ".jsonl", ".json")
UNKNOWN = "unknown"
HUB_FILE = "data.json"
HUB_LICENCES = {"zai-org/LongBench-v2": "data set Apache-2.0; the texts belong to third parties"}

_INDEX = "index.jsonl"
_PASSED_OVER = re.compile(r"(?i)(?:licen[cs]e|copying|source|readme)|\.")
_HUB_ID = re.compile(r"[\w-][\w.-]*/[\w.-]+")
_GAP = re.compile(r"[\s,\[\]]*")
_CHUNK = 1 << 20

Row = Mapping[str, Any]


@dataclass(frozen=True)
class SourceDocument:
    """One document as it was found.

    Attributes:
        id: names the document in the rows built from it; unique within a source.
        text: the whole text, line ends normalised, without a byte order mark.
        title: for people; the id where the source gives none.
        domain: LongBench v2's name of the task category ("Single-Document QA"), or "unknown".
        sub_domain: its division ("Literary"), or "unknown".
        licence: as the source states it, or "unknown".
        origin: where the text is from, free of machine paths.
    """

    id: str
    text: str
    title: str
    domain: str
    sub_domain: str
    licence: str
    origin: str


def read_documents(source: str) -> Iterator[SourceDocument]:
    """Yield the documents of a source, one at a time, in the order of their files.

    A folder that holds an `index.jsonl` (records with `path` and, if known, `_id`, `title`, `domain`, `sub_domain`,
    `licence`, `origin`) gives the files named there; any other folder gives every .txt, .jsonl and .json below it,
    but no LICENSE*, COPYING*, SOURCE*, README* and no hidden file. A .txt is one document. A .jsonl or .json holds
    records with the text under `context` or `text`; records that share a `book_id` (or `document_id`) are the parts
    of one document, joined in the order of `unit`.

    Args:
        source: a folder or a file (anything that exists, or starts with ".", "/" or "~"), or else a Hub id such as
            `zai-org/LongBench-v2`, whose `data.json` is then downloaded.

    Raises:
        InputError: the source is neither, a document cannot be read (not UTF-8, a broken JSON line, no text, an id
            that came before), or there is none.
    """
    path = Path(source).expanduser()
    if not source:
        raise InputError("documents '': no source; give a folder, a file or a Hub id")
    if path.is_dir():
        found = _read_folder(path)
    elif path.exists():
        if path.suffix.lower() not in SUFFIXES:
            raise InputError(f"documents {source!r}: not a {', '.join(SUFFIXES)} file; convert it to one of them")
        found = _read_file(path, path.name, {})
    elif source.startswith((".", "/", "~")) or not _HUB_ID.fullmatch(source):
        raise InputError(
            f"documents {source!r}: no such folder or file, and not a Hub id; give a path that exists, or owner/name"
        )
    else:
        found = _read_hub(source)
    return _distinct(found, source)


def _distinct(found: Iterator[SourceDocument], source: str) -> Iterator[SourceDocument]:
    """Pass the documents on; there must be one, and no id may come twice."""
    seen: dict[str, str] = {}
    for document in found:
        if not document.id or not document.id.isprintable():
            raise InputError(
                f"documents {document.origin}: the id {document.id!r} is empty or not printable; rename it"
            )
        if document.id in seen:
            raise InputError(
                f"documents {source!r}: the id {document.id!r} names two documents, in {seen[document.id]} and "
                f"{document.origin}; rename one"
            )
        seen[document.id] = document.origin
        yield document
    if not seen:
        raise InputError(f"documents {source!r}: no document there; put .txt, .jsonl or .json files into it")


def _read_folder(folder: Path) -> Iterator[SourceDocument]:
    if (folder / _INDEX).is_file():
        yield from _read_index(folder)
        return
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    for name in sorted(files):
        if files[name].suffix.lower() in SUFFIXES and not any(map(_PASSED_OVER.match, Path(name).parts)):
            yield from _read_file(files[name], name, {})


def _read_index(folder: Path) -> Iterator[SourceDocument]:
    for line, row in _rows(folder / _INDEX, _INDEX):
        name = str(row.get("path", ""))
        if Path(name).is_absolute() or ".." in Path(name).parts or not (folder / name).is_file():
            raise InputError(f"documents {_INDEX}, line {line}: path {name!r} is no file in that folder; correct it")
        documents = list(_read_file(folder / name, name, row))
        if len(documents) == 1 and row.get("_id") is not None:
            documents = [replace(documents[0], id=str(row["_id"]))]
        yield from documents


def _read_hub(name: str) -> Iterator[SourceDocument]:
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        path = Path(hf_hub_download(repo_id=name, repo_type="dataset", filename=HUB_FILE))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        summary = " ".join(str(error).split())[:200]
        raise InputError(
            f"documents {name!r}: {HUB_FILE} could not be had from the Hub ({type(error).__name__}: {summary}); "
            f"download it by other means and give its path; a path that was meant starts with ./"
        ) from error
    # A snapshot's folder is named after the commit: the one stable address of what was read.
    revision = f"@{path.parent.name}" if path.parent.parent.name == "snapshots" else ""
    licence = HUB_LICENCES.get(name, UNKNOWN)
    yield from _read_file(path, f"hub:{name}{revision}/{HUB_FILE}", {"licence": licence})


def _read_file(path: Path, name: str, given: Row) -> Iterator[SourceDocument]:
    """Yield the documents of one file; `name` is how messages and origins call it, `given` what an index says."""
    stem = name.rsplit(".", 1)[0] if not name.startswith("hub:") else "record"
    if path.suffix.lower() == ".txt":
        with path.open(encoding="utf-8-sig") as handle:
            text = _read(handle, path, name, -1)
        yield _document({}, given, text, stem, name, name)
        return
    groups: dict[str, list[tuple[int, Row]]] = {}
    for line, row in _rows(path, name):
        group = next((str(row[field]) for field in GROUP_FIELDS if row.get(field) is not None), None)
        if group is None:
            where = f"{name}, line {line}"
            yield _document(row, given, _text(row, name, line), f"{stem}-{line}", name, where)
        else:
            groups.setdefault(group, []).append((line, row))
    for group, parts in groups.items():
        first = parts[0]
        if len(parts) > 1:
            parts.sort(key=lambda part: _unit(part[1], name, part[0]))
        text = "\n\n".join(_text(row, name, line) for line, row in parts)
        yield _document({**first[1], "_id": group}, given, text, group, name, f"{name}, line {first[0]}")


def _document(row: Row, given: Row, text: str, id_otherwise: str, name: str, where: str) -> SourceDocument:
    if not text.strip():
        raise InputError(f"documents {where}: the text is empty; fill it or take it out")

    def field(key: str, otherwise: str) -> str:
        value = given.get(key) or row.get(key)
        return " ".join(str(value).split()) if value else otherwise

    own_id = str(row.get("_id") or row.get("id") or id_otherwise)
    return SourceDocument(
        id=own_id,
        text=text.removeprefix("\ufeff"),
        title=field("title", own_id),
        domain=field("domain", UNKNOWN),
        sub_domain=field("sub_domain", UNKNOWN),
        licence=field("licence", field("license", UNKNOWN)),
        origin=field("origin", name if name.startswith("hub:") else f"file:{name}"),
    )


def _text(row: Row, name: str, line: int) -> str:
    for key in TEXT_FIELDS:
        if isinstance(row.get(key), str):
            return str(row[key])
    raise InputError(f"documents {name}, line {line}: no text; a record holds it under {' or '.join(TEXT_FIELDS)}")


def _unit(row: Row, name: str, line: int) -> float:
    unit = row.get("unit", 0)
    if isinstance(unit, str) and unit.isdecimal():
        unit = int(unit)
    if isinstance(unit, bool) or not isinstance(unit, int | float):
        raise InputError(f"documents {name}, line {line}: unit {unit!r} is not a number; number the parts")
    return float(unit)


def _rows(path: Path, name: str) -> Iterator[tuple[int, Row]]:
    """Yield (line, record) of a JSON Lines file, or of a .json file with an array or a sequence of records."""
    with path.open(encoding="utf-8-sig") as handle:
        values = _json_lines(handle, path, name) if path.suffix.lower() == ".jsonl" else _json(handle, path, name)
        for line, value in values:
            if not isinstance(value, dict):
                raise InputError(
                    f"documents {name}, line {line}: a {type(value).__name__}, not a record; give {{...}}"
                )
            yield line, value


def _json_lines(handle: TextIO, path: Path, name: str) -> Iterator[tuple[int, Any]]:
    # Split at "\n" only: a record may hold other line separators, which str.splitlines would cut at.
    for line, text in enumerate(_read(handle, path, name, -1).split("\n"), 1):
        if text.strip():
            try:
                yield line, json.loads(text)
            except json.JSONDecodeError as error:
                raise InputError(
                    f"documents {name}, line {line}: not JSON ({error.msg}); mend or delete it"
                ) from error


def _json(handle: TextIO, path: Path, name: str) -> Iterator[tuple[int, Any]]:
    """Yield the records one by one: LongBench v2's array is 465 MB, and only one record at a time is wanted."""
    decoder, buffer, position, line, brackets = json.JSONDecoder(), "", 0, 1, ""
    while True:
        gap = _GAP.match(buffer, position)
        assert gap is not None  # it also matches nothing
        line, position = line + gap[0].count("\n"), gap.end()
        brackets += re.sub(r"[\s,]", "", gap[0])
        try:
            value, end = decoder.raw_decode(buffer, position)
        except json.JSONDecodeError as error:
            at = line + buffer.count("\n", position, error.pos)
            more = _read(handle, path, name, max(_CHUNK, len(buffer) - position))
            if more:
                buffer, position = buffer[position:] + more, 0
                continue
            if position < len(buffer) or brackets not in ("", "[]"):
                raise InputError(f"documents {name}, line {at}: not JSON ({error.msg}); mend it") from error
            return
        yield line, value
        line, position = line + buffer.count("\n", position, end), end


def _read(handle: TextIO, path: Path, name: str, size: int) -> str:
    try:
        return handle.read(size)
    except UnicodeDecodeError as error:
        # A decoder's own offset counts from the last chunk; a line of the file is what people can find.
        with path.open("rb") as raw:
            line = next(number for number, text in enumerate(raw, 1) if not _is_utf8(text))
        raise InputError(f"documents {name}, line {line}: not UTF-8; save the file as UTF-8") from error


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
