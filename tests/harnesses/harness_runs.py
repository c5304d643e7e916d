"""What the tests of both harnesses compare with, and the types of their fixtures."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
from scripted_server import ScriptedServer

from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_run
from lengthwise.evaluators.settings import RunSettings

Serve = Callable[..., ScriptedServer]
Call = Callable[..., "subprocess.CompletedProcess[str]"]


class OurRun:
    """What our own runner makes of the scripted model's replies.

    Attributes:
        server: whom it asked.
        kinds: the outcome of every row, by id.
        details: the judge's figures, by id.
        accuracy: of all rows.
    """

    def __init__(self, server: ScriptedServer, plb: Path, out: Path) -> None:
        self.server = server
        options = RunOptions(progress=False)
        folder = run_benchmark(RunSettings(str(plb), f"{server.url}#scripted"), out, options)
        score_run(folder.path)
        rows = pq.read_table(folder.path / "outcomes.parquet").to_pylist()
        self.kinds = {row["example_id"]: row["kind"] for row in rows}
        self.details = {row["example_id"]: json.loads(row["details"]) for row in rows}
        self.accuracy = sum(kind == "correct" for kind in self.kinds.values()) / len(rows)
