"""A vote of finished runs, as a run of its own: a folder that is scored, compared and reported like any other."""

import asyncio
import hashlib
import shutil
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lengthwise import __version__
from lengthwise.contracts import Reply, ReplyError, Request
from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.judging_longnovel import judge_consistency
from lengthwise.evaluators.run_folder import (
    BOUNDS_FILE,
    PREDICTIONS_FILE,
    REPLIES_FILE,
    RUN_FILE,
    RunFolder,
    write_json,
)
from lengthwise.evaluators.scored_replies import scored_replies
from lengthwise.evaluators.scoring import Scored, score_outcomes
from lengthwise.evaluators.sharding import check_whole
from lengthwise.evaluators.vote import Ballot, vote
from lengthwise.metrics.hallucinations import Point, read_points
from lengthwise.recording import Failure, Key

Notify = Callable[[str], None]


def vote_runs(
    runs: Sequence[Path | str],
    out: Path | str,
    *,
    repeats: int | None = None,
    labels: Mapping[str, str | None] | None = None,
    notify: Notify = lambda _: None,
    command: Sequence[str] = (),
) -> RunFolder:
    """Let some finished runs vote on every row that they have in common; no model is asked.

    Repeats are paired by their number. Voting into the same folder again counts anew, as when one of the runs has got
    replies since.

    Args:
        runs: folders of finished runs of LongNovel, on the same data; two or more.
        out: the run folder of the vote; missing, empty, or of a vote of the same runs.
        repeats: how many repeats to take; None for as many as every run has.
        labels: `label`, `group` and `size` for tables.
        notify: told of what is left out.
        command: the command line, for run.json.

    Returns:
        The folder; `lengthwise.evaluators.scoring.score_run` makes the figures.

    Raises:
        InputError: fewer than two runs, or one twice; runs of another benchmark, of other data or other rows; a run
            that is not finished; more repeats than a run has.
    """
    paths = [Path(run).expanduser().resolve() for run in runs]
    if len(paths) < 2:
        raise InputError("RUN RUN: a vote needs two runs or more")
    if len(set(paths)) < len(paths):
        raise InputError("RUN RUN: one run is there twice; a model has one vote")
    voters = [score_outcomes(path, write=False, causes=False) for path in paths]
    for voter in voters:
        _check_voter(voter, voters[0])
    rows = _common_rows(voters, notify)
    repeats = _repeats(voters, repeats, notify)
    content = _run_json(voters, rows, repeats, labels or {}, command)
    folder = RunFolder.create(Path(out), content, _table(voters[0], rows)).relabel(labels or {})
    if folder.settings["model"] != content["model"]:
        write_json(folder.path / RUN_FILE, {**folder.settings, "model": content["model"]})
    noted = next((path / BOUNDS_FILE for path in paths if (path / BOUNDS_FILE).exists()), None)
    if noted is not None:
        # How the references fare on a row is the same whoever was asked about it.
        shutil.copy(noted, folder.path / BOUNDS_FILE)
    asyncio.run(_count(folder, voters, rows, repeats))
    return RunFolder.open(folder.path)


def _check_voter(voter: Scored, first: Scored) -> None:
    path, settings = voter.run.path, voter.run.settings
    if find_benchmark(settings["benchmark"]).judge is not judge_consistency:
        raise InputError(
            f"{path}: is a run of {settings['benchmark']}; only replies of longnovel hold a score to count"
        )
    if settings["benchmark"] != first.run.settings["benchmark"]:
        raise InputError(f"{path}: is a run of {settings['benchmark']}, {first.run.path} one of another benchmark")
    if voter.results.chosen:
        raise InputError(f"{path}: asks some rows of another run again; let a run of all rows vote")
    check_whole(path, settings)
    if missing := voter.results.n_missing:
        raise InputError(
            f"{path}: is not finished, {missing:,} of {voter.results.n_expected:,} replies are missing; to go on: "
            f"lengthwise run --from {path / RUN_FILE} --out {path}"
        )


def _cells(voter: Scored) -> dict[str, set[str]]:
    cells: dict[str, set[str]] = {}
    for example, row in voter.rows.items():
        cells.setdefault(f"{row['config']}/{row['split']}", set()).add(example)
    return cells


def _common_rows(voters: Sequence[Scored], notify: Notify) -> dict[str, Mapping[str, Any]]:
    """Return the rows of the cells that all have; in each cell they must be the same, of the same build."""
    first, held = voters[0], [_cells(voter) for voter in voters]
    common = [cell for cell in held[0] if all(cell in cells for cells in held)]
    if not common:
        raise InputError(f"RUN RUN: no config and split is in all of them; {first.run.path} has {', '.join(held[0])}")
    digests = [voter.run.settings["data"].get("cells") or {} for voter in voters]
    for voter, cells, digest in zip(voters, held, digests, strict=True):
        for cell in common:
            if digest.get(cell) != digests[0].get(cell):
                raise InputError(
                    f"{voter.run.path}: its {cell} is another build than that of {first.run.path} "
                    f"({str(digest.get(cell))[:12]}, {str(digests[0].get(cell))[:12]}); run both on one build"
                )
            if differing := len(cells[cell] ^ held[0][cell]):
                raise InputError(
                    f"{voter.run.path}: {differing:,} rows of {cell} are not both in it and in {first.run.path} "
                    "(--limit, --seed, --only-fitting); a vote needs the same rows of all"
                )
    for voter, cells in zip(voters, held, strict=True):
        if left := [cell for cell in cells if cell not in common]:
            notify(f"{voter.run.path}: {', '.join(left)} left out, not all runs have it")
    return {name: row for name, row in first.rows.items() if f"{row['config']}/{row['split']}" in common}


def _repeats(voters: Sequence[Scored], wanted: int | None, notify: Notify) -> int:
    fewest = min(voter.run.repeats for voter in voters)
    if wanted is not None and not 1 <= wanted <= fewest:
        raise InputError(f"--repeats {wanted}: must be from 1 to {fewest}, which is what each of the runs has")
    if wanted is None and any(voter.run.repeats > fewest for voter in voters):
        notify(f"the runs have different numbers of repeats; the first {fewest} of each vote")
    return wanted or fewest


def _table(first: Scored, rows: Mapping[str, Any]) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    table = first.run.examples()
    return table.filter(pc.is_in(table["id"], value_set=pa.array(list(rows), pa.string())))


def _run_json(
    voters: Sequence[Scored],
    rows: Mapping[str, Mapping[str, Any]],
    repeats: int,
    labels: Mapping[str, str | None],
    command: Sequence[str],
) -> dict[str, Any]:
    settings = [voter.run.settings for voter in voters]
    data, cells = settings[0]["data"], {f"{row['config']}/{row['split']}": None for row in rows.values()}
    paper = all(one.get("sampling_origin") == "paper" for one in settings)
    return {
        "lengthwise": __version__,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "benchmark": settings[0]["benchmark"],
        "data": {
            **data,
            "configs": list(dict.fromkeys(row["config"] for row in rows.values())),
            "splits": list(dict.fromkeys(row["split"] for row in rows.values())),
            "cells": {cell: (data.get("cells") or {}).get(cell) for cell in cells},
        },
        "model": {
            "spec": _spec([voter.run.path for voter in voters]),
            "kind": "vote",
            "name": " + ".join(voter.results.label for voter in voters),
            "runs": [_about(voter) for voter in voters],
        },
        "method": "vote",
        "roles": {},
        # Each run had its own; they are in its run.json.
        "sampling": {},
        "sampling_origin": "paper" if paper else "changed",
        "repeats": repeats,
        "limit": settings[0].get("limit"),
        "seed": settings[0].get("seed"),
        "only_fitting": any(one.get("only_fitting") for one in settings),
        "again": None,
        "prompt_template": settings[0].get("prompt_template"),
        "labels": dict(labels),
        "n_examples": len(rows),
        "excluded": {cell: n for cell, n in (settings[0].get("excluded") or {}).items() if cell in cells},
        "command": list(command),
        "versions": {},
    }


def _spec(paths: Sequence[Path]) -> str:
    """Return what the runs are called, and a digest of where they are: paths of a machine may not go on a card."""
    places = hashlib.sha256("\0".join(map(str, paths)).encode()).hexdigest()[:8]
    return f"vote:{','.join(path.name for path in paths)}@{places}"


def _about(voter: Scored) -> dict[str, Any]:
    settings = voter.run.settings
    return {
        "run": str(voter.run.path),
        "label": voter.results.label,
        "created": settings.get("created"),
        "model": settings["model"].get("spec"),
        "method": settings.get("method"),
        "sampling": settings.get("sampling"),
        # Of what it had said when it voted.
        "replies": _digest(voter.run.path / REPLIES_FILE, voter.run.path / PREDICTIONS_FILE),
    }


def _digest(*paths: Path) -> str:
    found = hashlib.sha256()
    for path in paths:
        if path.exists():
            with path.open("rb") as file:
                found.update(hashlib.file_digest(file, "sha256").digest())
    return found.hexdigest()


async def _count(folder: RunFolder, voters: Sequence[Scored], rows: Mapping[str, Any], repeats: int) -> None:
    benchmark = find_benchmark(folder.settings["benchmark"])
    reported = [_points(voter) for voter in voters]
    with folder.predictions_log() as settled:
        for repeat in range(repeats):
            ballots = {
                example: [
                    _ballot(voter, points, example, repeat) for voter, points in zip(voters, reported, strict=True)
                ]
                for example in rows
            }
            method = vote(ballots)
            for example, row in rows.items():
                ended: Reply | Failure
                try:
                    ended = (await method(Example(example, "", row, benchmark.name), _nobody)).reply
                except ReplyError as error:
                    ended = Failure("error", str(error))
                if settled.get(key := Key(example, repeat, 0, "prediction")) != ended:
                    settled.append(key, ended)


async def _nobody(request: Request) -> Reply:
    raise ReplyError("a vote asks nobody")


def _ballot(voter: Scored, points: Mapping[tuple[str, int], tuple[Point, ...]], example: str, repeat: int) -> Ballot:
    outcome = voter.outcomes[example, repeat]
    score = outcome.answer if isinstance(outcome.answer, int) else None
    return Ballot(voter.results.label, outcome.kind, score, points.get((example, repeat), ()))


def _points(voter: Scored) -> dict[tuple[str, int], tuple[Point, ...]]:
    """Return the faults that a run's replies report, by (example id, repeat)."""
    return {
        (example, repeat): tuple(read_points(reply.text or "")) for example, repeat, reply in scored_replies(voter.run)
    }
