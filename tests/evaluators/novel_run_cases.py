"""LongNovel runs made by hand: results from known answers, and run folders from known replies."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from novel_cases import novel_row

from lengthwise.builders.longnovel.records import Language
from lengthwise.contracts import Reply
from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.longnovel_figures import novel_figures
from lengthwise.evaluators.results import Results, cell_result
from lengthwise.evaluators.run_folder import RunFolder
from lengthwise.recording import Key, Record


def score_reply(score: int, reason: str = "", *types: str) -> str:
    """A reply in the form that the prompts ask for."""
    return json.dumps({"reason": reason, "score": score, "hallucination_types": list(types)}, ensure_ascii=False)


def toy_row(number: int, false: bool, config: str = "s", **changes: Any) -> dict[str, Any]:
    """The short columns that figures take; four rows to a book, two of each class."""
    row = {
        "id": f"{config}-{number}-{'false' if false else 'true'}",
        "config": config,
        "split": "test",
        "language": "en" if number % 2 else "zh",
        "origin": "erhg" if false else "original",
        "book": f"book {number // 2}",
        "pair_id": f"{config}-{number}",
        "hallucinated": int(false),
        "injections": [],
        "types": [],
        "reason": "",
    }
    return {**row, **changes}


def outcome_of(row: Mapping[str, Any], score: int | None, repeat: int = 0, **details: Any) -> Outcome:
    """How a row ended that was given this score; None is a reply without one."""
    if score is None:
        return Outcome(row["id"], repeat, "unparsed", details=details)
    kind = "correct" if (score < 3) == bool(row["hallucinated"]) else "wrong"
    return Outcome(row["id"], repeat, kind, score, details=details)  # type: ignore[arg-type]


def toy_results(
    scales: Mapping[str, Sequence[tuple[int, int, int]]],
    name: str = "toy",
    method: str = "prompt-e",
    benchmark: str = "longnovel",
    **labels: str,
) -> Results:
    """Results of a run whose answers are known.

    Args:
        scales: config -> (rows of a class, faithful ones cleared, hallucinated ones found) of each repeat.
        name: of the model.
        method: of the run.
        benchmark: its name.
        labels: of the run.
    """
    rows: dict[str, dict[str, Any]] = {}
    outcomes: dict[tuple[str, int], Outcome] = {}
    for config, repeats in scales.items():
        for repeat, (n, cleared, found) in enumerate(repeats):
            for number in range(n):
                for false, right in ((True, found), (False, cleared)):
                    row = rows.setdefault(f"{config}-{number}-{false}", toy_row(number, false, config))
                    score = (1 if false else 5) if number < right else (5 if false else 1)
                    outcomes[row["id"], repeat] = outcome_of(row, score, repeat)
    rows = {row["id"]: row for row in rows.values()}
    cells: dict[str, list[list[Outcome]]] = {}
    for (example, repeat), outcome in outcomes.items():
        runs = cells.setdefault(rows[example]["config"], [])
        runs += [[] for _ in range(repeat + 1 - len(runs))]
        runs[repeat].append(outcome)
    settings = {"model": {"name": name, "spec": name}, "method": method, "labels": labels, "sampling": {}}
    return Results(
        benchmark, settings, tuple(cell_result(config, "test", runs) for config, runs in cells.items()), (),
        len(outcomes), 0, 0, {}, None, figures=novel_figures(rows, outcomes),
    )  # fmt: skip


def novel_run(
    folder: Path,
    replies: Mapping[tuple[Language, int, bool], Sequence[str]],
    benchmark: str = "longnovel",
    changes: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Path:
    """Make a run folder from the replies of each repeat, by language, number and whether the summary is false.

    Args:
        folder: of the run; made.
        replies: of every repeat.
        benchmark: its name.
        changes: columns of all rows that differ from `novel_row`.
        settings: of run.json.
    """
    rows = [{**novel_row(*key, folder), "config": "s", "split": "test", **(changes or {})} for key in replies]
    short = [
        {k: v for k, v in row.items() if k not in ("question", "article", "summary", "reference")} for row in rows
    ]
    whole = {
        "benchmark": benchmark,
        "data": {"source": "nowhere"},
        "model": {"spec": "http://127.0.0.1:1/v1#toy", "name": "toy", "kind": "http"},
        "method": "prompt-e",
        "sampling": {"max_tokens": 8192, "temperature": 0.0},
        "repeats": max(map(len, replies.values())),
        "labels": {},
        **settings,
    }
    run = RunFolder.create(folder, whole, pa.Table.from_pylist(short))
    with (run.path / "replies.jsonl").open("ab") as log:
        for row, said in zip(rows, replies.values(), strict=True):
            for repeat, text in enumerate(said):
                log.write(Record(Key(row["id"], repeat, 0, "request"), Reply(text)).to_line())
    return run.path
