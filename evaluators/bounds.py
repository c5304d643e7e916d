"""The ceiling and the floor of a run: how the solver and a random answer fare on the very rows that it asks about.

Both are worked out while the prompts pass by on their way to the model, a few milliseconds each, and noted in the run
folder; so a table carries them even where no reference model was run, and rescoring needs no prompts.
"""

import json
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lengthwise.contracts import ReplyError
from lengthwise.evaluators.benchmarks import Benchmark, find_benchmark
from lengthwise.evaluators.cell_figures import CellTally
from lengthwise.evaluators.contracts import Example, Outcome, Spent
from lengthwise.evaluators.judging import no_prompt
from lengthwise.evaluators.layouts import POOLED
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.row_table import RowTable
from lengthwise.line_log import Closing, LineLog, read_lines

# Whether a reference answers a row right is 1 or 0, or this.
_UNKNOWN = -1
_RIGHT, _WRONG = Outcome("", 0, "correct"), Outcome("", 0, "wrong")


class BoundsLog(Closing):
    """The notes of one run, a line for each row: its id, and whether each reference answers it right.

    Args:
        path: the file; made if missing. A torn last line, left by a kill, is cut off.

    Raises:
        InputError: another process is writing to it, or a line within is no note.
    """

    def __init__(self, path: Path) -> None:
        # Not those of this time: each row comes once.
        self._known: set[str] = set()
        self._lines = LineLog(path, parse_note, lambda _, note: self._known.add(note[0]))

    def note(self, benchmark: Benchmark, example: Example) -> None:
        """Answer a row by each reference and note whether that is right, unless it was when this log was opened."""
        if example.id in self._known:
            return
        right: dict[str, bool] = {}
        for name in benchmark.bounds:
            try:
                text = benchmark.references[name].answer(example, 0, example.prompt)
            except ReplyError:
                # A question in other words than ours, which the solver cannot read: it bounds nothing there.
                continue
            # Right or wrong is all that counts here: which decoy was given need not be looked up in the prompt.
            right[name] = benchmark.judge(example.columns, text, no_prompt).correct
        self._lines.append(json.dumps({"id": example.id, **right}).encode() + b"\n")

    def close(self) -> None:
        """Close the file."""
        self._lines.close()


def parse_note(line: bytes) -> tuple[str, dict[str, bool]]:
    """Return the row's id and the notes on it of a line.

    Raises:
        ValueError: it is none of this log.
    """
    noted = json.loads(line)
    if not isinstance(noted, dict) or not isinstance(noted.get("id"), str):
        raise ValueError("not a note of a row's bounds")
    return noted["id"], {name: bool(right) for name, right in noted.items() if name != "id"}


def read_bounds(path: Path) -> Iterator[tuple[str, dict[str, bool]]]:
    """Yield (row id, reference name -> whether it answers the row right); a torn last line is left out.

    Raises:
        InputError: a line before the last is no note.
    """
    for _, note in read_lines(path, parse_note):
        yield note


def bound_results(path: Path, results: Results, rows: Mapping[str, Mapping[str, Any]]) -> tuple[Results, ...]:
    """Return results of the references on a run's rows, per cell and pooled over the lengths of each config.

    Args:
        path: the notes; without them, or with none for these rows, nothing is returned.
        results: of the run.
        rows: its examples by id, with `config` and `split`.
    """
    bounds = find_benchmark(results.benchmark).bounds
    # For each row, in order, how each reference answers it: there are three ways, and of a hundred thousand notes as
    # they were read there would be 40 MB.
    noted = {name: array("b", [_UNKNOWN]) * len(rows) for name in bounds}
    numbers = rows.numbers if isinstance(rows, RowTable) else {example: place for place, example in enumerate(rows)}
    any_noted = False
    for example, right in read_bounds(path):
        if (number := numbers.get(example)) is not None:
            any_noted = True
            for name in bounds:
                noted[name][number] = right.get(name, _UNKNOWN)
    return tuple(_bound(name, results, rows, noted[name]) for name in bounds) if any_noted else ()


def _bound(name: str, results: Results, rows: Mapping[str, Mapping[str, Any]], noted: "array[int]") -> Results:
    cells: dict[tuple[str, str], CellTally] = {}
    for row, right in zip(rows.values(), noted, strict=True):
        if right == _UNKNOWN:
            continue
        for split in (row["split"], POOLED):
            cells.setdefault((row["config"], split), CellTally(1)).add(0, _RIGHT if right else _WRONG)
    settings = {**results.settings, "model": {"spec": f"reference:{name}", "name": name}, "labels": {}, "excluded": {}}
    return replace(
        results,
        settings=settings,
        cells=tuple(tally.result(*cell) for cell, tally in cells.items()),
        budgets=(),
        n_expected=sum(right != _UNKNOWN for right in noted),
        n_error=0,
        n_missing=0,
        excluded={},
        cost=None,
        spent=Spent(),
        bounds=(),
    )


def with_bounds(runs: Sequence[Results]) -> list[Results]:
    """Return the runs, and behind them the bounds of the one with most rows, but for references among the runs."""
    among = {run.reference for run in runs}
    widest = max(runs, key=lambda run: sum(cell.n for bound in run.bounds for cell in bound.cells), default=None)
    noted = widest.bounds if widest is not None else ()
    return [*runs, *(bound for bound in noted if bound.reference not in among)]
