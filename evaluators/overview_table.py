"""The rows of `overview` as texts: what the terminal's table and the page's have in common."""

from collections.abc import Sequence

from lengthwise.evaluators.benchmark_types import GridTable
from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.figure_text import percent
from lengthwise.evaluators.naming import name_of
from lengthwise.evaluators.overview import RunOverview
from lengthwise.evaluators.spent_table import cached_share

OVERVIEW_TITLE = "All runs"
# Behind the name, the benchmark and the figure with its bounds.
TAKEN_HEAD = ("n", "no answer %", "too long", "errors", "tokens in", "from cache", "tokens out", "US$", "s a call")
OVERVIEW_NOTES = (
    "Figure: in %, the mean over the cells of a run (a variant or task at one length or size), with a 95 % interval "
    "that resamples whole sources (word lists, samples of instances, books) with all rows on them; of one cell it is "
    "the interval of its table.",
    "PredicateLongBench: accuracy over all variants. Multi-instance processing: success rate over the plain tasks "
    "(Table 2), by the aggregate alone where that was run. LongNovel and the story world: balanced accuracy.",
    "Ceiling and floor: the solver (or the gold labels) and a random answer, on the same rows. No answer: replies "
    "from which nothing could be read (unparsed, empty, refused, cut off); they count as wrong, as do too "
    "long prompts and errors.",
)
_UNKNOWN = "–"
METRICS = {"accuracy": "accuracy", "balanced_accuracy": "balanced accuracy"}


def overview_table(rows: Sequence[RunOverview]) -> GridTable:
    """Return some runs as a table of texts, a row each.

    Args:
        rows: of `overview`, in order.
    """
    head = ("run", "benchmark", "figure", "ceiling", "floor", *TAKEN_HEAD)
    body = (
        (
            name_of(row.results),
            find_benchmark(row.results.benchmark).layout.name,
            figure_text(row),
            bound_text(row.ceiling),
            bound_text(row.floor),
            *taken(row),
        )
        for row in rows
    )
    return GridTable(OVERVIEW_TITLE, head, tuple(body), OVERVIEW_NOTES)


def figure_text(row: RunOverview) -> str:
    """Return the figure of a run with its interval, e.g. "51.4 [44.9, 57.9]"."""
    found = row.overall
    if found is None:
        return _UNKNOWN
    ends = "" if found.interval is None else f" [{percent(found.interval[0])}, {percent(found.interval[1])}]"
    return f"{percent(found.value)}{ends}"


def bound_text(bound: tuple[str, float] | None) -> str:
    """Return a ceiling or floor, e.g. "100.0 (solver)"."""
    return _UNKNOWN if bound is None else f"{percent(bound[1])} ({bound[0]})"


def taken(row: RunOverview) -> tuple[str, ...]:
    """Return how a run ended and what it took, in the order of `TAKEN_HEAD`."""
    spent = row.spent
    return (
        _UNKNOWN if row.overall is None else f"{row.overall.n:,}",
        percent(row.invalid),
        f"{row.outcomes['overlength']:,}",
        f"{row.outcomes['error']:,}",
        _UNKNOWN if spent.usage.input is None else f"{spent.usage.input:,}",
        cached_share(spent),
        _UNKNOWN if spent.usage.output is None else f"{spent.usage.output:,}",
        _UNKNOWN if spent.cost is None else f"{spent.cost:,.2f}" if spent.cost >= 0.1 else f"{spent.cost:.2g}",
        _UNKNOWN if row.seconds is None else f"{row.seconds:,.1f}",
    )
