"""Scores a run folder: every outcome is worked out anew from the recorded replies, nothing is taken on trust.

What it writes (`outcomes.parquet`, `results.json`) can be deleted at any time: the next call writes it again.
"""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lengthwise.errors import InputError
from lengthwise.evaluators.again import Again, changes
from lengthwise.evaluators.benchmark_types import Outcomes
from lengthwise.evaluators.benchmarks import Benchmark, find_benchmark
from lengthwise.evaluators.bounds import bound_results
from lengthwise.evaluators.causes import causes_of
from lengthwise.evaluators.contracts import Outcome, Spent
from lengthwise.evaluators.deciding import decide_all
from lengthwise.evaluators.outcomes import decide, generated, sum_spent
from lengthwise.evaluators.results import Results, budget_result, cell_result
from lengthwise.evaluators.run_folder import BOUNDS_FILE, RunFolder, write_json
from lengthwise.evaluators.variant_pairs import variant_pairs

if TYPE_CHECKING:
    import pyarrow as pa

OUTCOMES_FILE = "outcomes.parquet"
RESULTS_FILE = "results.json"


@dataclass(frozen=True, slots=True)
class Scored:
    """A run with the outcome of every example.

    Attributes:
        run: its folder.
        rows: short columns of its examples by id, with `config` and `split`, in order.
        outcomes: by (example id, repeat), in the order of the examples.
        results: the figures.
    """

    run: RunFolder
    rows: Mapping[str, Mapping[str, Any]]
    outcomes: Mapping[tuple[str, int], Outcome]
    results: Results


def score_run(run_dir: Path | str, budgets: Sequence[int] = (), *, write: bool = True) -> Results:
    """Score a run and write `outcomes.parquet` and `results.json` into its folder.

    Args:
        run_dir: the folder that `lengthwise run` made; the run need not be finished.
        budgets: output budgets in tokens to score under as well, each > 0.
        write: False leaves the folder as it is.

    Returns:
        The figures, per cell and budget.

    Raises:
        InputError: not a run folder, or a budget that is not positive.
    """
    return score_outcomes(run_dir, budgets, write=write).results


def score_outcomes(
    run_dir: Path | str, budgets: Sequence[int] = (), *, write: bool = True, causes: bool = True
) -> Scored:
    """Score a run as `score_run` does and return the single outcomes too; `causes` looks for why they are wrong."""
    for tokens in budgets:
        if tokens < 1:
            raise InputError(f"--budget-tokens {tokens}: must be at least 1")
    run = RunFolder.open(Path(run_dir))
    benchmark = find_benchmark(run.settings["benchmark"])
    rows = {row["id"]: row for row in run.examples().to_pylist()}
    found = decide_all(run, benchmark, rows, causes=causes)
    keys = [(example, repeat) for example in rows for repeat in range(run.repeats)]
    missing = {key: decide(benchmark, rows[key[0]], [], repeat=key[1]) for key in keys if key not in found}
    outcomes: Outcomes = {key: found[key] if key in found else missing[key] for key in keys}
    if benchmark.add_recorded is not None:
        outcomes = benchmark.add_recorded(run.path, rows, outcomes)
    results = _results(run, benchmark, rows, outcomes, len(missing), sorted(set(budgets)))
    bounds = bound_results(run.path / BOUNDS_FILE, results, rows)
    figures = None if benchmark.summarise is None else benchmark.summarise(rows, outcomes)
    # Rows that were chosen by how they ended say nothing of their variants.
    pairs = () if results.chosen else variant_pairs(benchmark, rows, outcomes)
    results = replace(results, bounds=bounds, pairs=pairs, figures=figures)
    if write:
        _write_outcomes(run.path / OUTCOMES_FILE, rows, outcomes)
        write_json(run.path / RESULTS_FILE, results.to_json())
    return Scored(run, rows, outcomes, results)


def _results(
    run: RunFolder,
    benchmark: Benchmark,
    rows: Mapping[str, Mapping[str, Any]],
    outcomes: Mapping[tuple[str, int], Outcome],
    n_missing: int,
    budgets: Sequence[int],
) -> Results:
    cells: dict[tuple[str, str], list[list[Outcome]]] = {}
    for (example, repeat), outcome in outcomes.items():
        row = rows[example]
        runs = cells.setdefault((row["config"], row["split"]), [[] for _ in range(run.repeats)])
        runs[repeat].append(outcome)
    max_tokens = run.settings.get("sampling", {}).get("max_tokens")
    costs = [outcome.cost for outcome in outcomes.values() if outcome.cost is not None]
    return Results(
        benchmark=benchmark.name,
        settings=run.settings,
        cells=tuple(cell_result(*cell, runs, benchmark.causes) for cell, runs in cells.items()),
        budgets=tuple(
            budget_result(*cell, runs, tokens, max_tokens) for tokens in budgets for cell, runs in cells.items()
        ),
        n_expected=len(outcomes),
        n_error=sum(outcome.kind == "error" for outcome in outcomes.values()),
        n_missing=n_missing,
        excluded={name: count for name, count in (run.settings.get("excluded") or {}).items() if count},
        cost=sum(costs) if costs else None,
        roles=_of_roles(outcomes.values()),
        spent=sum_spent([Spent(one.calls, one.usage, one.latency, one.cost) for one in outcomes.values()]),
        changes=changes(Again.from_json(again), outcomes.values()) if (again := run.settings.get("again")) else (),
    )


def _of_roles(outcomes: Iterable[Outcome]) -> dict[str, Spent]:
    """Add up by role what the calls took; empty where no other model than the one that was run was asked."""
    parts: dict[str, list[Spent]] = {}
    for outcome in outcomes:
        for role, spent in (outcome.roles or {"generate": generated(outcome)}).items():
            parts.setdefault(role, []).append(spent)
    if not parts.keys() - {"generate"}:
        return {}
    return {role: sum_spent(own) for role, own in parts.items()}


def _write_outcomes(
    path: Path, rows: Mapping[str, Mapping[str, Any]], outcomes: Mapping[tuple[str, int], Outcome]
) -> None:
    import pyarrow.parquet as pq

    part = path.with_name(path.name + ".part")
    pq.write_table(outcomes_table(rows, outcomes), part, compression="zstd")
    os.replace(part, path)


def outcomes_table(rows: Mapping[str, Mapping[str, Any]], outcomes: Mapping[tuple[str, int], Outcome]) -> "pa.Table":
    """Return the outcomes as a table, one row per example and repeat; `answer` and `details` are JSON texts.

    `roles` is JSON too: calls, tokens, seconds and dollars by role where other models were asked as well, else null.
    `causes` is null where there was no wrong reply to examine; see `lengthwise.evaluators.causes`.
    """
    import pyarrow as pa

    schema = pa.schema(
        [
            *((name, pa.string()) for name in ("example_id", "config", "split")),
            ("repeat", pa.int32()),
            *((name, pa.string()) for name in ("kind", "answer", "message", "details")),
            ("causes", pa.list_(pa.string())),
            *((f"{name}_tokens", pa.int64()) for name in ("input", "cached", "output", "reasoning")),
            *((name, pa.float64()) for name in ("latency", "cost")),
            ("calls", pa.int32()),
            ("roles", pa.string()),
        ]
    )
    records = [
        {
            "example_id": outcome.example_id,
            "config": rows[outcome.example_id]["config"],
            "split": rows[outcome.example_id]["split"],
            "repeat": outcome.repeat,
            "kind": outcome.kind,
            "answer": None if outcome.answer is None else json.dumps(outcome.answer),
            # A message can quote a reply, and a reply can hold half a surrogate pair, which Parquet cannot.
            "message": outcome.message and outcome.message.encode("utf-8", "replace").decode(),
            "details": json.dumps(outcome.details),
            "causes": causes_of(outcome),
            "input_tokens": outcome.usage.input,
            "cached_tokens": outcome.usage.cached,
            "output_tokens": outcome.usage.output,
            "reasoning_tokens": outcome.usage.reasoning,
            "latency": outcome.latency,
            "cost": outcome.cost,
            "calls": outcome.calls,
            "roles": json.dumps({role: asdict(one) for role, one in outcome.roles.items()}) if outcome.roles else None,
        }
        for outcome in outcomes.values()
    ]
    return pa.Table.from_pylist(records, schema=schema)
