"""A run folder made by hand: a few rows, their data folder, and whatever replies a test wants."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lengthwise.builders.predicate.schema import SCHEMA
from lengthwise.contracts import Reply, Usage
from lengthwise.evaluators.run_folder import RunFolder
from lengthwise.recording import Failure, Key, Record

WORDS = ["qa", "ba", "ca", "da", "ea", "za", "fa", "ha", "ga", "ia", "ya", "ja", "ka", "la", "ma"]
GOLD = ["ba", "ca", "da", "ea", "za"]


def make_row(config: str, index: int, split: str = "4k", **changes: Any) -> dict[str, Any]:
    """A row over `WORDS`: the target at 1, a near-sorted decoy at 6; and replies."""
    shown = "Words: " + " ".join(WORDS)
    row = {
        "id": f"{config}-{split}-s42-{index:04}",
        "list_id": f"lex-{split}-s42-{index:04}",
        "axis": "decoys",
        "quantifier": "all" if config.endswith("-all") else "exists",
        "source": "synthetic",
        "k": 5,
        "answer": GOLD,
        "answers": [GOLD],
        "answer_text": " ".join(GOLD),
        "predicates": [{"kind": "lex", "text": "sorted", "position": -1, "parameters": "{}"}],
        "n_words": len(WORDS),
        "n_tokens": 40,
        "tokenizer": "qwen",
        "target_start": 1,
        "decoys": [{"start": 6, "length": 5, "kind": "near-sorted"}],
        "list_starts": [0],
        "document_id": None,
        "seed": 42,
        "question": "Find the run.",
        "list_span": [0, len(shown)],
        "prompt": f"{shown}\n\nFind the run.",
    }
    return {**row, **changes}


def write_data(folder: Path, rows: Mapping[tuple[str, str], list[dict[str, Any]]]) -> None:
    """Write a data folder as `build` does, as far as scoring reads it."""
    configs: dict[str, dict[str, Any]] = {}
    for (config, split), of_cell in rows.items():
        path = folder / config / f"{split}-00000-of-00001.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(of_cell, schema=SCHEMA), path)
        configs.setdefault(config, {})[split] = {"rows": len(of_cell), "digest": f"digest of {config}/{split}"}
    build = {"benchmark": "predicatelongbench", "version": "0", "configs": configs, "digest": "d", "parameters": {}}
    (folder / "build.json").write_text(json.dumps(build))


MakeRun = Callable[..., Path]


@pytest.fixture
def make_run(tmp_path: Path) -> MakeRun:
    """Return a function that makes a run folder.

    Args of that function: the results of the calls by (row, repeat) in cell order, the rows by cell, changed columns
        by config, and settings.
    """

    def make(
        calls: Mapping[tuple[int, int], Sequence[Reply | Failure]],
        cells: Mapping[tuple[str, str], int] | None = None,
        *,
        name: str = "run",
        changes: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
        **settings: Any,
    ) -> Path:
        sizes = cells or {("lex-scattered", "4k"): max(row for row, _ in calls) + 1}
        rows = {
            cell: [make_row(cell[0], index, cell[1], **changes.get(cell[0], {})) for index in range(size)]
            for cell, size in sizes.items()
        }
        data = tmp_path / f"{name}-data"
        write_data(data, rows)
        flat = [
            {
                **{key: value for key, value in row.items() if key not in ("question", "prompt")},
                "config": config,
                "split": split,
            }
            for (config, split), of_cell in rows.items()
            for row in of_cell
        ]
        whole = {
            "lengthwise": "0.1.0",
            "created": "2026-11-30T00:00:00+00:00",
            "benchmark": "predicatelongbench",
            "data": {
                "source": str(data),
                "folder": str(data),
                "digest": "d",
                "cells": {f"{config}/{split}": f"digest of {config}/{split}" for config, split in rows},
            },
            "model": {"spec": "http://127.0.0.1:1/v1#toy", "name": "toy", "kind": "http"},
            "method": "zero-shot",
            "sampling": {"max_tokens": 16000, "temperature": 1.0, "top_p": 1.0},
            "sampling_origin": "paper",
            "repeats": max((repeat for _, repeat in calls), default=0) + 1,
            "labels": {"label": None},
            "excluded": {},
            "command": ["lengthwise", "run", str(data), "--model", "http://127.0.0.1:1/v1#toy"],
            **settings,
        }
        run = RunFolder.create(tmp_path / name, whole, pa.Table.from_pylist(flat))
        with (run.path / "replies.jsonl").open("ab") as log:
            for (row, repeat), results in calls.items():
                for call, result in enumerate(results):
                    log.write(Record(Key(flat[row]["id"], repeat, call, "request"), result).to_line())
        return run.path

    return make


def said(text: str | None, output: int | None = 10, **changes: Any) -> Reply:
    """A reply with that text."""
    return Reply(text, usage=Usage(input=40, output=output), **changes)


@pytest.fixture
def reply() -> Callable[..., Reply]:
    """Return a function that makes a reply with a text."""
    return said


@pytest.fixture
def row() -> Callable[..., dict[str, Any]]:
    """Return a function that makes a row."""
    return make_row


RIGHT = f"<answer>{' '.join(GOLD)}</answer>"
DECOY = "<answer>fa ha ga ia ya</answer>"
