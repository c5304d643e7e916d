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
        folder: of the run.
        kinds: the outcome of every row, by id.
        details: the judge's figures, by id.
        calls: how many each row took, by id.
        accuracy: of all rows.
        figures: those that only the benchmark has, as results.json has them.
    """

    def __init__(self, server: ScriptedServer, data: Path, out: Path) -> None:
        self.server = server
        options = RunOptions(progress=False)
        folder = run_benchmark(RunSettings(str(data), f"{server.url}#scripted"), out, options)
        results = score_run(folder.path)
        self.folder = folder.path
        self.figures = results.figures.to_json() if results.figures is not None else {}
        rows = pq.read_table(folder.path / "outcomes.parquet").to_pylist()
        self.kinds = {row["example_id"]: row["kind"] for row in rows}
        self.details = {row["example_id"]: json.loads(row["details"]) for row in rows}
        self.calls = {row["example_id"]: row["calls"] for row in rows}
        self.accuracy = sum(kind == "correct" for kind in self.kinds.values()) / len(rows)


def write_plain_task(plb: Path, folder: Path, **settings: object) -> None:
    """Write a task of lm-eval's own, `plain`, over our rows into `folder/tasks`: none of our code has a part in it."""
    plain = {
        "task": "plain",
        "dataset_path": "parquet",
        "dataset_kwargs": {"data_files": {"test": str(plb / "lex-locate" / "4k-00000-of-00001.parquet")}},
        "test_split": "test",
        "doc_to_text": "prompt",
        "doc_to_target": "answer_text",
        **settings,
    }
    (folder / "tasks").mkdir()
    # JSON is YAML.
    (folder / "tasks" / "plain.yaml").write_text(json.dumps(plain))
