"""Runs whose data are there, so that the page's reader has texts to show."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from novel_cases import novel_row

from lengthwise.builders.longnovel.records import Language
from lengthwise.builders.longnovel.schema import SCHEMA
from lengthwise.contracts import Reply
from lengthwise.evaluators.run_folder import RunFolder
from lengthwise.evaluators.scoring import Scored, score_outcomes
from lengthwise.recording import Key, Record

LONG = ("question", "article", "summary", "reference")
Rows = Sequence[Mapping[str, Any]]


def reader_row(
    article: str, evidence: Sequence[str] = (), language: Language = "en", false: bool = True, number: int = 0
) -> dict[str, Any]:
    """Return a LongNovel row on an article; the passages show that its summary is false."""
    row = novel_row(language, number, false, Path("nowhere"))
    places = sorted(article.index(passage) for passage in evidence)
    ends = [article.index(passage) + len(passage) for passage in sorted(evidence, key=article.index)]
    found = {"units": [1] * len(places), "starts": places, "ends": ends, "distance": 0}
    units = article.count("\n\n") + 1
    known = [found] if false and evidence else []
    return {**row, "article": article, "evidence": known, "unit_start": 1, "unit_end": units}


def novel_scored(folder: Path, rows: Rows, replies: Sequence[str], **settings: Any) -> Scored:
    """Return a scored run of some rows, whose data lie beside it.

    Args:
        folder: of the run; made, and `<folder>-data` too.
        rows: of `reader_row`.
        replies: one for each row.
        settings: of run.json.
    """
    data = folder.with_name(f"{folder.name}-data")
    (data / "s").mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(list(rows), SCHEMA), data / "s" / "test-00000-of-00001.parquet")
    build = {"benchmark": "longnovel", "version": "1", "configs": {"s": {"test": {"rows": len(rows), "digest": "d"}}}}
    (data / "build.json").write_text(json.dumps(build))
    short = [
        {**{name: value for name, value in row.items() if name not in LONG}, "config": "s", "split": "test"}
        for row in rows
    ]
    whole = {
        "benchmark": "longnovel",
        "data": {"source": str(data), "folder": str(data), "cells": {"s/test": "d"}},
        "model": {"spec": "http://127.0.0.1:1/v1#toy", "name": "toy", "kind": "http"},
        "method": "prompt-e",
        "sampling": {"max_tokens": 8192},
        "repeats": 1,
        "labels": {},
        **settings,
    }
    run = RunFolder.create(folder, whole, pa.Table.from_pylist(short))
    with (run.path / "replies.jsonl").open("ab") as log:
        for row, text in zip(rows, replies, strict=True):
            log.write(Record(Key(row["id"], 0, 0, "request"), Reply(text)).to_line())
    return score_outcomes(folder)
