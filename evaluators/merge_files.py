"""The files of run folders that are joined into one: logs are copied a line's worth at a time, never held."""

import json
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from lengthwise.errors import InputError
from lengthwise.evaluators.bounds import parse_note
from lengthwise.evaluators.longnovel_verdicts import JUDGE_FILE, VERDICTS_FILE
from lengthwise.evaluators.providers.batch_joining import join_batches
from lengthwise.evaluators.providers.batch_journal import BATCHES_FILE, BATCHES_FOLDER
from lengthwise.evaluators.run_folder import (
    BOUNDS_FILE,
    EXAMPLES_FILE,
    PREDICTIONS_FILE,
    REPLIES_FILE,
    RUN_FILE,
    RunFolder,
    check_is_folder,
    read_settings,
    write_json,
)
from lengthwise.evaluators.scoring import OUTCOMES_FILE, RESULTS_FILE
from lengthwise.line_log import read_lines
from lengthwise.recording import Record

if TYPE_CHECKING:
    import pyarrow as pa

# Where a run that a cluster does keeps its shards, inside its own folder.
SHARDS_FOLDER = "shards"
_LOGS: MappingProxyType[str, Callable[[bytes], object]] = MappingProxyType(
    {
        REPLIES_FILE: Record.from_line,
        PREDICTIONS_FILE: Record.from_line,
        BOUNDS_FILE: parse_note,
        VERDICTS_FILE: Record.from_line,
    }
)
_DERIVED = (OUTCOMES_FILE, RESULTS_FILE)


def check_target(out: Path, whole: tuple[int, str]) -> None:
    """Check that a merged run can go into a folder: missing, empty, or of an earlier merge of the same run.

    Args:
        out: the folder.
        whole: rows and digest of the run that the shards are of; see `Part`.

    Raises:
        InputError: it holds something else, or a merged run that has got replies of its own since.
    """
    if (out / RUN_FILE).exists():
        before = read_settings(out / RUN_FILE).get("merged")
        if not before or (before["rows"], before["digest"]) != whole:
            raise InputError(f"--out {out}: holds another run; choose a new folder")
        if _bytes_of(out) != before["bytes"]:
            raise InputError(
                f"--out {out}: was merged before and has gone on since; joining the shards again would lose what it "
                f"has got. Go on with it (lengthwise run --from {out / RUN_FILE} --out {out}), or choose a new folder"
            )
        return
    check_is_folder(out)
    own = {RUN_FILE, EXAMPLES_FILE, JUDGE_FILE, SHARDS_FOLDER, BATCHES_FILE, BATCHES_FOLDER, *_LOGS, *_DERIVED}
    foreign = (
        {entry.name for entry in out.iterdir() if entry.name.removesuffix(".part") not in own} if out.exists() else ()
    )
    if foreign:
        raise InputError(f"--out {out}: holds other files ({', '.join(sorted(foreign)[:3])}); choose a new folder")


def write_merged(
    out: Path, runs: Sequence[RunFolder], settings: dict[str, Any], examples: "pa.Table", skip: Sequence[str] = ()
) -> RunFolder:
    """Write the folder of a merged run; its run.json comes last, so a folder that has one is whole.

    Args:
        out: the folder; see `check_target`.
        runs: whose logs are joined, in this order.
        settings: the run.json; how many bytes of replies were joined is added to its `merged`.
        examples: short columns of all rows.
        skip: logs to leave out.
    """
    import pyarrow.parquet as pq

    out.mkdir(parents=True, exist_ok=True)
    ready: list[str] = []
    for name, parse in _LOGS.items():
        sources = [run.path / name for run in runs if (run.path / name).exists()]
        if sources and name not in skip:
            _join(sources, _part(out / name), parse)
            ready.append(name)
    if VERDICTS_FILE in ready:
        shutil.copyfile(runs[0].path / JUDGE_FILE, _part(out / JUDGE_FILE))
        ready.append(JUDGE_FILE)
    if join_batches([run.path for run in runs], _part(out / BATCHES_FILE), _part(out / BATCHES_FOLDER)):
        # The results first: a journal that names results without them would have them paid for again.
        ready += [BATCHES_FOLDER, BATCHES_FILE]
    pq.write_table(examples, _part(out / EXAMPLES_FILE), compression="zstd")
    # From here to the end the folder holds no run.
    for name in (RUN_FILE, *_DERIVED, *_LOGS, JUDGE_FILE, BATCHES_FILE):
        (out / name).unlink(missing_ok=True)
    shutil.rmtree(out / BATCHES_FOLDER, ignore_errors=True)
    for name in (*ready, EXAMPLES_FILE):
        os.replace(_part(out / name), out / name)
    settings = {**settings, "merged": {**settings["merged"], "bytes": _bytes_of(out)}}
    write_json(out / RUN_FILE, settings)
    return RunFolder(out, json.loads(json.dumps(settings)))


def _bytes_of(folder: Path) -> int:
    """Return how much a run has on record: replies, and batches that it has sent."""
    logs = (folder / REPLIES_FILE, folder / BATCHES_FILE)
    return sum(path.stat().st_size for path in logs if path.exists())


def _part(path: Path) -> Path:
    return path.with_name(path.name + ".part")


def _join(sources: Sequence[Path], target: Path, parse: Callable[[bytes], object]) -> None:
    """Copy the whole lines of some logs into one file that is on disk when this returns."""
    with target.open("wb") as joined:
        for source in sources:
            left = 0
            for span, _ in read_lines(source, parse):
                left = sum(span)
            with source.open("rb") as log:
                while left:
                    piece = log.read(min(left, 1 << 20))
                    if not piece:
                        raise OSError(f"{source}: became shorter while it was read")
                    joined.write(piece)
                    left -= len(piece)
        joined.flush()
        os.fsync(joined.fileno())
