"""Scored runs of multi-instance processing made in memory: what was asked, and how each reply ended."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lengthwise.builders.multi_instance.configs import parse_config
from lengthwise.contracts import Usage
from lengthwise.evaluators.contracts import Outcome, OutcomeKind
from lengthwise.evaluators.results import Results, cell_result
from lengthwise.evaluators.run_folder import RunFolder
from lengthwise.evaluators.scoring import Scored


@dataclass(frozen=True)
class Asked:
    """One row and how its reply ended; 100 of our tokens, none of the provider's."""

    config: str
    n: int
    seed: int = 1
    kind: OutcomeKind = "correct"
    order: int = 0
    failure: str | None = None
    by_gold: str | None = None
    tokens: int | None = None
    tokens_out: int | None = None
    cost: float | None = None
    calls: int = 1
    repeat: int = 0
    paper: bool = True
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def selection(self) -> str:
        choice = parse_config(self.config).choice
        if choice in ("shortest", "longest"):
            return f"{choice}_{self.n}"
        return f"random_{self.n}_seed{self.seed}" + (f"_shuffle{self.order}" if self.order else "")

    @property
    def row(self) -> dict[str, Any]:
        config = parse_config(self.config)
        return {
            "id": f"{self.config}-{self.selection}",
            "config": self.config,
            "split": f"n{self.n}",
            "task": config.task.name,
            "setting": config.setting,
            "pool": "generated",
            "selection": self.selection,
            "paper": self.paper,
            "n_instances": self.n,
            "seed": self.seed,
            "noise": config.noise or "none",
            "n_tokens": 100,
            "answer": "1",
            "answer_text": "1",
        }

    @property
    def outcome(self) -> Outcome:
        details = {"failure": self.failure, "failure_by_gold": self.by_gold or self.failure, **self.details}
        return Outcome(
            self.row["id"],
            self.repeat,
            self.kind,
            details=details,
            usage=Usage(input=self.tokens, output=self.tokens_out),
            cost=self.cost,
            calls=self.calls,
        )


def series(config: str, rights: dict[int, str], **changes: Any) -> list[Asked]:
    """Return rows of a config: size -> a digit a seed, 1 for right and 0 for wrong; seeds from 1."""
    return [
        Asked(
            config, n, seed, "correct" if one == "1" else "wrong", failure=None if one == "1" else "wrong", **changes
        )
        for n, of_size in rights.items()
        for seed, one in enumerate(of_size, 1)
    ]


def instance_run(
    asked: Sequence[Asked],
    model: str = "toy",
    method: str = "reask",
    *,
    spec: str = "",
    label: str | None = None,
    path: Path | None = None,
    **settings: Any,
) -> Scored:
    """Return a scored run of these rows; repeats of a row are further entries with a number."""
    settings = {
        "benchmark": "multi-instance",
        "model": {"spec": spec or f"http://x/v1#{model}", "name": model},
        "method": method,
        "labels": {"label": label},
        "sampling": {},
        "data": {},
        **settings,
    }
    outcomes = {(one.row["id"], one.repeat): one.outcome for one in asked}
    cells: dict[tuple[str, str], list[Outcome]] = {}
    for one in asked:
        cells.setdefault((one.config, f"n{one.n}"), []).append(one.outcome)
    results = Results(
        benchmark="multi-instance",
        settings=settings,
        cells=tuple(cell_result(*cell, [of_cell]) for cell, of_cell in cells.items()),
        budgets=(),
        n_expected=len(outcomes),
        n_error=0,
        n_missing=0,
        excluded={},
        cost=None,
    )
    return Scored(
        RunFolder(path or Path("none"), settings), {one.row["id"]: one.row for one in asked}, outcomes, results
    )
