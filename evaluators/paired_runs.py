"""Every run against every other on the examples that both have: differences, tests for all of them together.

Each pair is compared over all of its shared examples at once, by the figure that its benchmark is known by: accuracy,
or balanced accuracy where classes are told apart. Examples on one source (a word list, a sample of instances, a book)
are resampled together. `lengthwise compare` shows one pair cell by cell.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import NormalDist, fmean

from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.comparing_rows import grouping_of, other_builds, right_answers, shared_cells
from lengthwise.evaluators.figure_text import difference, p_text, percent
from lengthwise.evaluators.naming import name_of
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.scoring import Scored
from lengthwise.evaluators.table_formats.cells import Figure, Name, Number, count
from lengthwise.evaluators.table_formats.grid import GridTable
from lengthwise.metrics.comparison import Comparison, compare_detection, compare_values
from lengthwise.metrics.significance import holm

# Of more runs than these each is compared with the best alone: 8 make 28 pairs.
MOST_RUNS = 8
LEVEL, POWER = 0.05, 0.8
# A page has up to 28 pairs, each of which takes a second on a thousand rows of many books with 10,000 of these. The
# least p is still 0.0005, which the correction leaves below `LEVEL`.
_RESAMPLES = 4_000
# How many standard errors a difference must be to be found at `LEVEL` with the chance `POWER`.
_ERRORS = NormalDist().inv_cdf(1 - LEVEL / 2) + NormalDist().inv_cdf(POWER)

TITLE = "Runs against each other, on shared examples"
_HEAD_BEHIND = (
    "difference",
    Name("p", metric="p_value"),
    Name("Holm", metric="p_value_holm"),
    "better",
    Name("can be found", metric="detectable_difference"),
)
NOTE = (
    "{Figure} in %, first minus second in points over all examples that both runs have, with 95 % interval and p of a "
    "paired bootstrap (4,000 resamples): examples on one {basis} are resampled together. Holm: p corrected for the "
    "number of rows. better: which run, where that p is below 0.05. can be found: the difference in points that as "
    "many examples would show 4 times in 5 (p below 0.05, before the correction)."
)
BEST_NOTE = (
    "{n} runs would make {pairs} pairs: each is compared with the best alone, {run}, which has the highest {figure} "
    "over its own examples. The best was chosen by these same data, which favours it a little."
)
APART_NOTE = "Without an example in common, or on other builds of the data, and so not compared: {pairs}."
FLAT_NOTE = "An interval without width: all examples differ alike, and no resample shows anything else."


@dataclass(frozen=True, slots=True)
class PairOfRuns:
    """Two runs on the examples that both have.

    Attributes:
        first: results of the first run.
        second: of the second.
        comparison: first minus second.
        holm: the p-value, corrected for the number of pairs; None where there is none.
    """

    first: Results
    second: Results
    comparison: Comparison
    holm: float | None = None

    @property
    def better(self) -> Results | None:
        """The run that is better beyond chance; None where neither is."""
        if self.holm is None or self.holm >= LEVEL or not self.comparison.difference.value:
            return None
        return self.first if self.comparison.difference.value > 0 else self.second

    @property
    def detectable(self) -> float | None:
        """The difference, in [0, 1], that as many such examples would show with the chance `POWER`.

        None where the examples do not tell: all of them differ alike.
        """
        error = self.comparison.difference.standard_error
        return _ERRORS * error if error else None


@dataclass(frozen=True, slots=True)
class PairedRuns:
    """All pairs.

    Attributes:
        pairs: in the order of the runs, or the best one first.
        n_runs: real ones.
        best: the run that all others are compared with; None where all are compared with all.
        apart: names of the pairs that have nothing to be compared by.
    """

    pairs: tuple[PairOfRuns, ...]
    n_runs: int
    best: Results | None
    apart: tuple[tuple[str, str], ...]


def pair_runs(runs: Sequence[Scored], *, n_resamples: int = _RESAMPLES, seed: int = 0) -> PairedRuns:
    """Compare the runs of real models, each with each, or of more than `MOST_RUNS` each with the best.

    Runs that ask a part of an earlier run again are left out: their rows were chosen by how they ended.

    Args:
        runs: of one benchmark, with distinct labels.
        n_resamples: of each bootstrap.
        seed: likewise; the same for all pairs.
    """
    real = [run for run in runs if run.results.reference is None and not run.results.chosen]
    best = max(real, key=_own_figure) if len(real) > MOST_RUNS else None
    wanted = combinations(real, 2) if best is None else ((best, other) for other in real if other is not best)
    pairs, apart = [], []
    for first, second in wanted:
        cells = shared_cells(first, second)
        others = other_builds(first, second, cells)
        ids = [example for cell, of_cell in cells.items() if "/".join(cell) not in others for example in of_cell]
        if ids:
            compared = _compared(first, second, ids, n_resamples, seed)
            pairs.append(PairOfRuns(first.results, second.results, compared))
        else:
            apart.append((name_of(first.results), name_of(second.results)))
    corrected = holm([one.comparison.difference.p_value for one in pairs])
    tested = tuple(replace(one, holm=p) for one, p in zip(pairs, corrected, strict=True))
    return PairedRuns(tested, len(real), None if best is None else best.results, tuple(apart))


def _compared(first: Scored, second: Scored, ids: Sequence[str], n_resamples: int, seed: int) -> Comparison:
    detects = find_benchmark(first.results.benchmark).detects
    grouping = grouping_of(first, ids)
    if detects is None:
        one, other = ([[right[example] for example in ids] for right in right_answers(run)] for run in (first, second))
        strata, clusters = grouping.get("strata"), grouping["clusters"]
        return compare_values(one, other, strata=strata, clusters=clusters, n_resamples=n_resamples, seed=seed)

    def scores(run: Scored) -> list[list[int | None]]:
        repeats = range(run.run.repeats)
        return [[detects(run.rows[one], run.outcomes[one, place])[0] for one in ids] for place in repeats]

    gold = [detects(first.rows[example], first.outcomes[example, 0])[1] for example in ids]
    # Of one source, rows are all there is to resample, within their class.
    sources = grouping["clusters"] if len(set(grouping["clusters"])) > 1 else None
    given = scores(first), scores(second)
    found = compare_detection(given[0], given[1], gold, clusters=sources, n_resamples=n_resamples, seed=seed)
    return found["balanced_accuracy"]


def _own_figure(run: Scored) -> float:
    """Return the figure of a run over its own examples."""
    benchmark = find_benchmark(run.results.benchmark)
    right: dict[int, list[bool]] = {}
    for (example, _), outcome in run.outcomes.items():
        gold = 0 if benchmark.detects is None else benchmark.detects(run.rows[example], outcome)[1]
        right.setdefault(gold, []).append(outcome.kind == "correct")
    return fmean(map(fmean, right.values())) if right else 0.0


def paired_table(runs: Sequence[Scored]) -> GridTable | None:
    """Return the comparisons of `pair_runs` as a table; None where there is no pair to be compared.

    Args:
        runs: of one benchmark, with distinct labels.
    """
    found = pair_runs(runs)
    if not found.pairs:
        return None
    figure = found.pairs[0].comparison.figure.replace("_", " ")
    basis = find_benchmark(runs[0].results.benchmark).layout.basis
    notes = [NOTE.format(Figure=figure.capitalize(), basis=basis)]
    if found.best is not None:
        n, pairs = found.n_runs, found.n_runs * (found.n_runs - 1) // 2
        notes.append(BEST_NOTE.format(n=n, pairs=pairs, run=name_of(found.best), figure=figure))
    if found.apart:
        notes.append(APART_NOTE.format(pairs="; ".join(" and ".join(names) for names in found.apart)))
    if any((ends := one.comparison.difference.interval) and ends[0] == ends[1] for one in found.pairs):
        notes.append(FLAT_NOTE)
    head = ("first", "second", "n", Name("first %", metric="first"), Name("second %", metric="second"), *_HEAD_BEHIND)
    benchmark = find_benchmark(runs[0].results.benchmark).name
    return GridTable(TITLE, head, tuple(map(_row, found.pairs)), tuple(notes), "paired-runs", benchmark)


def _row(one: PairOfRuns) -> tuple[str, ...]:
    found = one.comparison
    least = one.detectable
    # In CSV the figures are the first run's, of it less the second, as in `comparing_tables`.
    first, second = name_of(one.first), name_of(one.second)
    return (
        Name(first, run=first),
        Name(second, part=f"minus={second}"),
        count(found.n),
        percent(found.first),
        percent(found.second),
        difference(found.difference.value, found.difference.interval),
        p_text(found.difference.p_value),
        p_text(one.holm),
        Name(name_of(one.better) if one.better is not None else "–"),
        Figure("–" if least is None else f"{100 * least:.1f}", Number(least)),
    )
