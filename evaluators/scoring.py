"""Scores a run folder: every outcome is worked out anew from the recorded replies, nothing is taken on trust.

What it writes (`outcomes.parquet`, `results.json`) can be deleted at any time: the next call writes it again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lengthwise.errors import InputError
from lengthwise.evaluators.again import Again, changes
from lengthwise.evaluators.arrow_tables import release_memory
from lengthwise.evaluators.benchmark_types import Outcomes
from lengthwise.evaluators.benchmarks import Benchmark, find_benchmark
from lengthwise.evaluators.bounds import bound_results
from lengthwise.evaluators.cell_figures import BudgetTally, CellTally
from lengthwise.evaluators.contracts import Outcome, Spent
from lengthwise.evaluators.deciding import decide_all
from lengthwise.evaluators.outcome_file import write_outcomes
from lengthwise.evaluators.outcome_store import OutcomeStore
from lengthwise.evaluators.outcomes import SpentSum
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.row_table import RowTable
from lengthwise.evaluators.run_folder import BOUNDS_FILE, RunFolder, write_json
from lengthwise.evaluators.variant_pairs import variant_pairs

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
    rows = RowTable(run.examples())
    release_memory()
    figures = _Figures(run, benchmark, rows, sorted(set(budgets)))
    outcomes: Outcomes = OutcomeStore(rows.numbers, run.repeats, figures.decided(causes))
    if benchmark.add_recorded is not None:
        outcomes = benchmark.add_recorded(run.path, rows, outcomes)
    results = figures.results(outcomes)
    bounds = bound_results(run.path / BOUNDS_FILE, results, rows)
    own = None if benchmark.summarise is None else benchmark.summarise(rows, outcomes)
    # Rows that were chosen by how they ended say nothing of their variants.
    pairs = () if results.chosen else variant_pairs(benchmark, rows, outcomes)
    results = replace(results, bounds=bounds, pairs=pairs, figures=own)
    if write:
        write_outcomes(run.path / OUTCOMES_FILE, rows, outcomes)
        write_json(run.path / RESULTS_FILE, results.to_json())
    return Scored(run, rows, outcomes, results)


class _Figures:
    """Works out the figures of a run from its outcomes, of which it keeps none.

    Args:
        run: the run.
        benchmark: of it.
        rows: its examples.
        budgets: output budgets in tokens, in order.
    """

    def __init__(self, run: RunFolder, benchmark: Benchmark, rows: RowTable, budgets: Sequence[int]) -> None:
        self._run = run
        self._benchmark = benchmark
        self._rows = rows
        self._budgets = budgets
        self._missing = 0

    def decided(self, causes: bool) -> Iterator[Outcome]:
        """Yield the outcomes, and count the examples that the run did not come to."""
        for outcome, came in decide_all(self._run, self._benchmark, self._rows, causes=causes):
            self._missing += not came
            yield outcome

    def results(self, outcomes: Outcomes) -> Results:
        """Return the figures of all outcomes, in one pass."""
        run, repeats = self._run, self._run.repeats
        cells: dict[tuple[str, str], tuple[CellTally, list[BudgetTally]]] = {}
        spent, roles, n_error = SpentSum(), dict[str, SpentSum](), 0
        of_rows = (cell for cell in self._rows.cells() for _ in range(repeats))
        for cell, outcome in zip(of_rows, outcomes.values(), strict=True):
            if cell not in cells:
                under = [BudgetTally(repeats, tokens) for tokens in self._budgets]
                cells[cell] = CellTally(repeats, self._benchmark.causes), under
            tally, budgets = cells[cell]
            tally.add(outcome.repeat, outcome)
            for under_budget in budgets:
                under_budget.add(outcome.repeat, outcome)
            n_error += outcome.kind == "error"
            spent.add(Spent(outcome.calls, outcome.usage, outcome.latency, outcome.cost))
            for role, part in (outcome.roles or {"generate": outcome.own}).items():
                roles.setdefault(role, SpentSum()).add(part)
        max_tokens = run.settings.get("sampling", {}).get("max_tokens")
        total, again = spent.total(), run.settings.get("again")
        return Results(
            benchmark=self._benchmark.name,
            settings=run.settings,
            cells=tuple(tally.result(*cell) for cell, (tally, _) in cells.items()),
            budgets=tuple(
                budgets[place].result(*cell, max_tokens)
                for place in range(len(self._budgets))
                for cell, (_, budgets) in cells.items()
            ),
            n_expected=len(outcomes),
            n_error=n_error,
            n_missing=self._missing,
            excluded={name: count for name, count in (run.settings.get("excluded") or {}).items() if count},
            cost=total.cost,
            # Only where another model than the one that was run was asked.
            roles={role: one.total() for role, one in roles.items()} if roles.keys() - {"generate"} else {},
            spent=total,
            changes=changes(Again.from_json(again), outcomes.values()) if again else (),
        )
