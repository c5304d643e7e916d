"""Joins the batches of a run's shards: whoever goes on with the joined run waits for them, and pays for none again."""

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lengthwise.evaluators.providers.batch_journal import (
    BATCHES_FILE,
    BATCHES_FOLDER,
    parse_batch_line,
    results_name,
)
from lengthwise.line_log import read_lines


def join_batches(folders: Sequence[Path], journal: Path, results: Path) -> bool:
    """Write one journal, and one folder of results, for the batches of several run folders.

    Batches are numbered on from folder to folder; the calls in them are named alike in all, by what they ask.

    Args:
        folders: of the shards, in the order of joining; those without batches add none.
        journal: the file to write; it is on disk when this returns.
        results: the folder to make for what the batches brought; what is there goes.

    Returns:
        Whether there are any batches; nothing is written where there are none.
    """
    sources = [folder for folder in folders if (folder / BATCHES_FILE).exists()]
    if not sources:
        return False
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir()
    begun = 0
    with journal.open("wb") as joined:
        for folder in sources:
            before = begun
            for _, line in read_lines(folder / BATCHES_FILE, parse_batch_line):
                begun += "calls" in line
                joined.write(_numbered(line, before))
            for number in range(begun - before):
                brought = folder / BATCHES_FOLDER / results_name(number)
                if brought.exists():
                    shutil.copyfile(brought, results / results_name(before + number))
        joined.flush()
        os.fsync(joined.fileno())
    return True


def _numbered(line: dict[str, Any], before: int) -> bytes:
    return json.dumps({**line, "batch": before + line["batch"]}).encode() + b"\n"
