"""Runs of any benchmarks, a row each: the figure that each is known by, what bounds it, how it ended, what it took.

The figure of a run is the mean over its cells of what `headlines` gives for each: every variant and every length
counts alike, as in the papers' own means. Its interval resamples whole sources (a word list, a sample of instances, a
book) with all rows on them, so that what the cells share is not taken for independent evidence.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from lengthwise.evaluators.benchmarks import Benchmark, find_benchmark
from lengthwise.evaluators.contracts import OUTCOME_KINDS, Spent
from lengthwise.evaluators.headlines import Headline, headlines
from lengthwise.evaluators.longnovel_rows import BOUNDS
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.scoring import Scored
from lengthwise.metrics.intervals import clopper_pearson

# Replies that nothing could be read from, whatever the reason.
INVALID = ("unparsed", "refused", "empty", "truncated_output")
# The interval of a mean needs no more: its ends come out within a tenth of a standard error.
_RESAMPLES = 2_000
_BALANCED = "balanced_accuracy"


@dataclass(frozen=True, slots=True)
class Overall:
    """The figure of a whole run.

    Attributes:
        metric: "accuracy", or "balanced_accuracy".
        value: in [0, 1].
        interval: of 95 %; None where there is none (all rows are of one source).
        cells: how many it is the mean of.
        n: rows.
    """

    metric: str
    value: float
    interval: tuple[float, float] | None
    cells: int
    n: int


@dataclass(frozen=True, slots=True)
class RunOverview:
    """A run in one row.

    Attributes:
        results: of the run.
        overall: its figure; None where it has none: nothing was scored, or its rows were chosen by how they ended.
        ceiling: name of the reference model and its figure on the same cells; None where it is not known of all.
        floor: likewise.
        replies: examples times repeats.
        outcomes: how many of these ended in each way.
        spent: what all calls took.
    """

    results: Results
    overall: Overall | None
    ceiling: tuple[str, float] | None
    floor: tuple[str, float] | None
    replies: int
    outcomes: Mapping[str, int]
    spent: Spent

    @property
    def invalid(self) -> float | None:
        """Share of the replies that no answer could be read from, in [0, 1]; None of none."""
        return sum(self.outcomes[kind] for kind in INVALID) / self.replies if self.replies else None

    @property
    def seconds(self) -> float | None:
        """Mean seconds of a call; None where nothing was asked, or no time is on record."""
        return self.spent.latency / self.spent.calls if self.spent.calls and self.spent.latency else None


def overview(runs: Sequence[Scored]) -> tuple[RunOverview, ...]:
    """Return a row for each run, in the order given.

    Args:
        runs: of any benchmarks.
    """
    return tuple(_overview(run, runs) for run in runs)


def _overview(run: Scored, among: Sequence[Scored]) -> RunOverview:
    results = run.results
    benchmark = find_benchmark(results.benchmark)
    cells = _leading(benchmark, headlines(results)) if not results.chosen else []
    outcomes: dict[str, int] = {kind: sum(cell.outcomes[kind] for cell in results.cells) for kind in OUTCOME_KINDS}
    bounds = {bound.reference: bound for bound in results.bounds}
    for other in among:
        if other.results.benchmark == results.benchmark and other.results.reference not in (None, *bounds):
            bounds[other.results.reference] = other.results
    found: dict[str | None, tuple[str, float]] = {}
    for name in benchmark.bounds:
        if cells and results.reference is None and (value := _bound(name, bounds.get(name), cells)) is not None:
            found.setdefault(benchmark.references[name].bound, (name, value))
    return RunOverview(
        results=results,
        overall=_overall(run, benchmark, cells) if cells else None,
        ceiling=found.get("ceiling"),
        floor=found.get("floor"),
        replies=sum(outcomes.values()),
        outcomes=outcomes,
        spent=results.spent,
    )


def _leading(benchmark: Benchmark, cells: Sequence[Headline]) -> list[Headline]:
    """Return the cells that the figure of the run is over."""
    for place in benchmark.leading:
        if chosen := [cell for cell in cells if cell.config in benchmark.layout.groups[place].rows]:
            return chosen
    return list(cells)


def _bound(name: str, bound: Results | None, cells: Sequence[Headline]) -> float | None:
    """Return a reference model's figure over some cells; None where it is not known of all of their rows.

    The solver of multi-instance processing leaves out what takes judgement; counted as wrong, that is no ceiling.
    """
    if cells[0].metric == _BALANCED:
        return BOUNDS[name][2] if name in BOUNDS else None
    found = [bound.cell(cell.config, cell.split) for cell in cells] if bound is not None else []
    whole = [cell for cell in found if cell is not None and not cell.outcomes["error"]]
    values = [cell.accuracy.value for cell in whole if cell.accuracy.value is not None]
    return fmean(values) if len(values) == len(cells) else None


def _overall(run: Scored, benchmark: Benchmark, cells: Sequence[Headline]) -> Overall:
    value = fmean(cell.value for cell in cells)
    interval = cells[0].interval if len(cells) == 1 else _interval(run, benchmark, cells, value)
    return Overall(cells[0].metric, value, interval, len(cells), sum(cell.n for cell in cells))


def _interval(
    run: Scored, benchmark: Benchmark, cells: Sequence[Headline], value: float
) -> tuple[float, float] | None:
    """Return the interval of the mean over some cells, sources resampled; exact over sources where all rows agree.

    A source stands with its share in how far the mean is from `value` (the figure is linear in the rows but for the
    sizes of cells, which are taken as they are).
    """
    from lengthwise.metrics.bootstrap import bootstrap
    from lengthwise.metrics.resampling import from_items

    shares = _shares(run, benchmark, cells)
    if len(shares) < 2:
        return None
    residuals = [[round(share, 12)] for share in shares.values()]
    if not any(residual for (residual,) in residuals):
        n = len(shares)
        return clopper_pearson(round(value * n), n)
    strata = [stratum for stratum, _ in shares]
    # A stratum of one source has nothing to be resampled from.
    alone = min(map(strata.count, set(strata))) < 2
    population = from_items(residuals, strata=None if alone else strata)
    drawn = bootstrap(population, {"mean": lambda counts: counts[0]}, n_resamples=_RESAMPLES)["mean"]
    if drawn.low is None or drawn.high is None:
        return None
    return max(0.0, value + drawn.low), min(1.0, value + drawn.high)


def _shares(run: Scored, benchmark: Benchmark, cells: Sequence[Headline]) -> dict[tuple[str, str], float]:
    """Return by source, in its stratum, what its rows add to the mean's distance from what it is."""
    wanted = {(cell.config, cell.split) for cell in cells}
    balanced = cells[0].metric == _BALANCED and benchmark.detects is not None
    groups: dict[tuple[str, str, int], list[tuple[tuple[str, str], float]]] = {}
    repeats = range(run.run.repeats)
    for example, row in run.rows.items():
        if (row["config"], row["split"]) in wanted:
            ended = [run.outcomes[example, repeat] for repeat in repeats]
            gold = benchmark.detects(row, ended[0])[1] if balanced and benchmark.detects is not None else 0
            right = fmean(outcome.kind == "correct" for outcome in ended)
            groups.setdefault((row["config"], row["split"], gold), []).append((benchmark.source(row), right))
    shares: dict[tuple[str, str], float] = {}
    for rows in groups.values():
        mean = fmean(right for _, right in rows)
        for source, right in rows:
            shares[source] = shares.get(source, 0.0) + (right - mean) / len(rows) / len(groups)
    return shares
