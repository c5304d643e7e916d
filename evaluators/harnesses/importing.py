"""A run folder of what another harness asked and logged: its replies are scored by our judges, and nobody is asked.

Rows are found by their ids, or by the SHA-256 of their prompts. A log whose rows have other prompts than the data is
of another build, and is refused; rows that are not in the data, and rows of the data that are not in the log, are
counted and named.
"""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lengthwise.contracts import Ask
from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.bounds import BoundsLog
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.examples import Cell, ids_by_cell, open_data
from lengthwise.evaluators.harnesses.kept import Kept, one_call
from lengthwise.evaluators.harnesses.logged import HarnessLog, LoggedRow
from lengthwise.evaluators.method_parts import user_request
from lengthwise.evaluators.methods import METHODS
from lengthwise.evaluators.providers.base import Model, Window
from lengthwise.evaluators.run_folder import BOUNDS_FILE, PREDICTIONS_FILE, REPLIES_FILE, RunFolder
from lengthwise.evaluators.settings import Prepared, RunSettings, prepare
from lengthwise.recording import Key, Record

# Of rows that are named one by one.
_NAMED = 20


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What is not in the log.

    Attributes:
        configs: of the data, for logs of tasks that are not ours; none means all.
        splits: likewise.
        only_logged: leave rows that the log does not have out of the run, instead of counting them as not run.
        labels: names in tables: "label", "group", "size".
        command: as typed, for run.json.
        notify: told what was found.
    """

    configs: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()
    only_logged: bool = False
    labels: Mapping[str, str | None] | None = None
    command: tuple[str, ...] = ()
    notify: Callable[[str], None] = lambda _: None


class ImportedModel(Model):
    """The model of an imported run: it has a name, and cannot be asked."""

    kind = "imported"

    def ask_for(self, example: Example, repeat: int) -> Ask:
        """Raise InputError."""
        raise InputError(f"{self.spec}: replies were imported; there is nobody to ask")

    async def window(self) -> Window:
        """Return that nobody tells it."""
        return Window(None, "the log")


@dataclass(frozen=True, slots=True)
class _Known:
    """The rows of the data.

    Attributes:
        prompts: SHA-256 of each row's prompt, by its id.
        ids: of the rows by that; None where two have one prompt.
        requests: digest of the request of each row, by its id.
    """

    prompts: Mapping[str, str]
    ids: Mapping[str, str | None]
    requests: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Found:
    """What the log has of them: calls by (example id, repeat), and what cannot be placed."""

    kept: Mapping[tuple[str, int], Kept]
    unmatched: Sequence[str]
    asked_otherwise: int

    @property
    def ids(self) -> set[str]:
        return {example for example, _ in self.kept}

    @property
    def repeats(self) -> int:
        return 1 + max(repeat for _, repeat in self.kept)


def import_log(log: HarnessLog, data: str, out: Path, options: ImportOptions | None = None) -> RunFolder:
    """Make a run folder of a harness's log.

    Args:
        log: what `read_lm_eval` or `read_inspect` opened.
        data: the folder or Hub id whose rows were asked; see `open_data`.
        out: the run folder; must not exist, or be empty.
        options: see `ImportOptions`.

    Raises:
        InputError: the log is of another build, or of other rows; or `out` holds something.
    """
    options = options or ImportOptions()
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"--out {out}: exists already; choose a new folder")
    prepared = _prepare(log, data, options)
    found = _match(log, _index(prepared), data)
    prepared, missing = _rows_meant(prepared, log, found, options.only_logged)
    report = {
        "harness": log.harness,
        "version": log.version,
        "created": log.created,
        "files": [{"name": file.name, "sha256": _digest_of(file)} for file in log.files],
        "replies": len(found.kept),
        "unmatched": len(found.unmatched),
        "unmatched_rows": list(found.unmatched[:_NAMED]),
        "missing": len(missing),
        "missing_rows": missing[:_NAMED],
        "asked_otherwise": found.asked_otherwise,
    }
    _tell(report, options)
    return _write(prepared, log, found, report, out, options)


def _prepare(log: HarnessLog, source: str, options: ImportOptions) -> Prepared:
    """Return the settings of a run that would have asked this; the log's cells must be those of the data."""
    configs, splits = options.configs, options.splits
    if log.cells and not (configs or splits):
        configs = tuple(dict.fromkeys(cell.config for cell in log.cells))
        splits = tuple(dict.fromkeys(cell.split for cell in log.cells))
    data, _ = open_data(source)
    for cell, digest in log.cells.items():
        if cell not in data.cells or data.cells[cell] != digest:
            has = f"digest {data.cells[cell]}" if cell in data.cells else "no such cell"
            raise InputError(
                f"--data {source}: the log is of another build: {cell} had digest {digest} there, and here is {has}; "
                "name the data that were asked"
            )
    benchmark = find_benchmark(data.benchmark)
    own = METHODS.get(benchmark.method)
    plain = benchmark.method if own is not None and own.most_calls == 1 and own.parts is None else "zero-shot"
    prepared = prepare(
        RunSettings(
            source, model="", configs=configs, splits=splits, method=log.method or plain, sampling=log.sampling
        )
    )
    # What the log does not say need not be the paper's.
    return replace(
        prepared, sampling=log.sampling, origin="paper" if log.sampling == benchmark.sampling else "changed"
    )


def _index(prepared: Prepared) -> _Known:
    prompts: dict[str, str] = {}
    ids: dict[str, str | None] = {}
    requests: dict[str, str] = {}
    for example in prepared.data.stream(ids_by_cell(prepared.examples)):
        prompts[example.id] = digest = _sha256(example.prompt)
        ids[digest] = None if digest in ids else example.id
        requests[example.id] = user_request(example.prompt, prepared.sampling).digest
    return _Known(prompts, ids, requests)


def _match(log: HarnessLog, known: _Known, source: str) -> _Found:
    kept: dict[tuple[str, int], Kept] = {}
    unmatched: dict[str, None] = {}
    differing: dict[str, None] = {}
    otherwise: set[str] = set()
    for row in log.rows:
        example = _find(row, known)
        if example is None:
            unmatched[row.place if row.row_id is None else f"{row.row_id} ({row.place})"] = None
            continue
        if row.prompt is not None and _sha256(row.prompt) != known.prompts[example]:
            differing[example] = None
            continue
        calls = row.kept or one_call(known.requests[example], row.reply, row.error)
        key = (example, row.repeat)
        if kept.setdefault(key, calls) != calls:
            raise InputError(f"{row.place}: the log has another reply to {example} already; import one run at a time")
        if not row.plain:
            otherwise.add(example)
    if differing:
        raise InputError(
            f"--data {source}: the log is of another build: {len(differing):,} of its rows have other prompts than "
            f"the rows of these ids have here ({', '.join([*differing][:3])}); name the data that were asked"
        )
    if not kept:
        raise InputError(
            f"--data {source}: none of the {len(unmatched):,} rows of the log is in these data, by id or by prompt"
            + (f" ({', '.join([*unmatched][:3])})" if unmatched else "")
        )
    return _Found(kept, list(unmatched), len(otherwise))


def _find(row: LoggedRow, known: _Known) -> str | None:
    if row.row_id is not None and row.row_id in known.prompts:
        return row.row_id
    return None if row.prompt is None else known.ids.get(_sha256(row.prompt))


def _rows_meant(prepared: Prepared, log: HarnessLog, found: _Found, only_logged: bool) -> tuple[Prepared, list[str]]:
    """Return the rows that the run is of, and the names of those without a reply among them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    names = ("config", "split", "id")
    cells = {
        row: Cell(config, split)
        for config, split, row in zip(*(prepared.examples[name].to_pylist() for name in names), strict=True)
    }
    wanted = set(log.cells) or {cells[example] for example in found.ids}
    rows = [row for row, cell in cells.items() if (row in found.ids if only_logged else cell in wanted)]
    chosen = prepared.examples.filter(pc.is_in(prepared.examples["id"], value_set=pa.array(rows, pa.string())))
    missing = [row for row in rows if any((row, repeat) not in found.kept for repeat in range(found.repeats))]
    settings = replace(prepared.settings, repeats=found.repeats)
    cells_left = tuple(cell for cell in prepared.cells if cell in {cells[row] for row in rows})
    return replace(prepared, settings=settings, examples=chosen, cells=cells_left), missing


def _tell(report: Mapping[str, Any], options: ImportOptions) -> None:
    options.notify(f"{report['replies']:,} replies of {report['harness']} are imported")
    for name, what in (
        ("unmatched", "of the log are not in the data, and are left out"),
        ("missing", "of the data have no reply in the log, and count as not run (--only-logged leaves them out)"),
    ):
        if number := report[name]:
            shown = ", ".join(report[f"{name}_rows"][:5])
            options.notify(f"careful: {number:,} rows {what}: {shown}{', ...' if number > 5 else ''}")
    if number := report["asked_otherwise"]:
        options.notify(
            f"careful: {number:,} rows were asked with more than their prompt, or otherwise: a system message, "
            "solved examples; they are scored all the same"
        )


def _write(
    prepared: Prepared, log: HarnessLog, found: _Found, report: Mapping[str, Any], out: Path, options: ImportOptions
) -> RunFolder:
    """Write the folder beside its place, and put it there whole."""
    model = ImportedModel(f"{log.harness}:{log.model}", log.model)
    content = prepared.run_json(model, options.labels or {}, options.command, {}) | {"imported": dict(report)}
    out.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=f"{out.name}.", suffix=".part", dir=out.parent))
    try:
        RunFolder.create(part, content, prepared.examples)
        with (part / REPLIES_FILE).open("wb") as replies:
            for (example, repeat), kept in found.kept.items():
                for call, (digest, result) in enumerate(kept.calls):
                    replies.write(Record(Key(example, repeat, call, digest), result).to_line())
        if prepared.method.most_calls > 1 or prepared.method.most:
            with (part / PREDICTIONS_FILE).open("wb") as settled:
                for (example, repeat), kept in found.kept.items():
                    if (one := kept.settled or kept.error) is not None:
                        settled.write(Record(Key(example, repeat, 0, "prediction"), one).to_line())
        with BoundsLog(part / BOUNDS_FILE) as bounds:
            for row in prepared.data.stream(ids_by_cell(prepared.examples)):
                bounds.note(prepared.benchmark, row)
        os.chmod(part, 0o755)
        os.replace(part, out)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    return RunFolder.open(out)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
