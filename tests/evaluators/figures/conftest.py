"""Scored runs made in memory: which examples of which cell were right, and what the figures read of their rows."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from lengthwise.contracts import Usage
from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.results import Results, budget_result, cell_result
from lengthwise.evaluators.run_folder import RunFolder
from lengthwise.evaluators.scoring import Scored

MakeScored = Callable[..., Scored]


def scored(
    cells: Mapping[str, Sequence[int]],
    *,
    name: str = "toy",
    spec: str = "",
    rows: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
    tokens: Mapping[str, Sequence[int | None]] | None = None,
    budgets: Sequence[int] = (),
    label: str | None = None,
    **sampling: Any,
) -> Scored:
    """Make a scored run.

    Args:
        cells: `config/split` to 1 for each example that was right and 0 for each that was wrong.
        name: of the model.
        spec: of the model.
        rows: what differs in the rows of a cell from a list of 100 words with the target at 1 and no decoy.
        tokens: output tokens of the replies of a cell; 10 each where it is not named.
        budgets: to score under.
        label: of the run.
        sampling: as in run.json.
    """
    settings = {
        "benchmark": "predicatelongbench",
        "model": {"spec": spec or f"http://x/v1#{name}", "name": name},
        "sampling": {"max_tokens": 16_000, "reasoning_effort": None, "thinking_tokens": None, **sampling},
        "labels": {"label": label},
        "data": {},
    }
    made: dict[str, dict[str, Any]] = {}
    outcomes: dict[tuple[str, int], Outcome] = {}
    for cell, right in cells.items():
        config, split = cell.split("/")
        for index, one in enumerate(right):
            used = tokens[cell][index] if tokens and cell in tokens else 10
            row_id = f"{config}-{split}-{index}"
            row = {"id": row_id, "config": config, "split": split, "target_start": 1, "n_words": 100, "decoys": []}
            row |= {"list_starts": [0], "answers": [["a"]]}
            made[row_id] = row | dict(rows[cell][index] if rows and cell in rows else {})
            kind = "correct" if one else "wrong"
            outcomes[row_id, 0] = Outcome(row_id, 0, kind, usage=Usage(output=used))
    of_cell = {
        cell: [[outcomes[key, 0] for key, row in made.items() if f"{row['config']}/{row['split']}" == cell]]
        for cell in cells
    }
    max_tokens = settings["sampling"]["max_tokens"]
    results = Results(
        benchmark="predicatelongbench",
        settings=settings,
        cells=tuple(cell_result(*cell.split("/"), runs) for cell, runs in of_cell.items()),
        budgets=tuple(
            budget_result(*cell.split("/"), runs, limit, max_tokens)
            for limit in budgets
            for cell, runs in of_cell.items()
        ),
        n_expected=len(made),
        n_error=0,
        n_missing=0,
        excluded={},
        cost=None,
    )
    return Scored(RunFolder(Path("none"), settings), made, outcomes, results)


@pytest.fixture
def make_scored() -> MakeScored:
    """Return the function that makes a scored run."""
    return scored
