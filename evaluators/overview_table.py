"""The rows of `overview` as texts: what the terminal's table and the page's have in common."""

from collections.abc import Sequence

from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.figure_text import percent
from lengthwise.evaluators.naming import name_of
from lengthwise.evaluators.overview import RunOverview
from lengthwise.evaluators.spent_table import cached_share, dollars
from lengthwise.evaluators.table_formats.cells import Figure, Name, Number, count, whole
from lengthwise.evaluators.table_formats.grid import GridTable

OVERVIEW_TITLE = "All runs"
# Behind the name, the benchmark and the figure with its bounds.
TAKEN_HEAD = (
    *("n", Name("no answer %", metric="invalid"), Name("too long", metric="overlength"), "errors"),
    Name("tokens in", metric="input_tokens"),
    Name("from cache", metric="cached_share"),
    Name("tokens out", metric="output_tokens"),
    Name("US$", metric="cost_usd"),
    Name("s a call", metric="seconds_per_call"),
)
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
            Name(find_benchmark(row.results.benchmark).layout.name, benchmark=row.results.benchmark),
            figure_text(row),
            bound_text(row.ceiling),
            bound_text(row.floor),
            *taken(row),
        )
        for row in rows
    )
    return GridTable(OVERVIEW_TITLE, head, tuple(body), OVERVIEW_NOTES, name="all-runs")


def figure_text(row: RunOverview) -> Figure:
    """Return the figure of a run with its interval, e.g. "51.4 [44.9, 57.9]"."""
    found = row.overall
    if found is None:
        return Figure(_UNKNOWN)
    ends = "" if found.interval is None else f" [{percent(found.interval[0])}, {percent(found.interval[1])}]"
    low, high = found.interval or (None, None)
    return Figure(f"{percent(found.value)}{ends}", Number(found.value, low, high, found.n, metric=found.metric))


def bound_text(bound: tuple[str, float] | None) -> Figure:
    """Return a ceiling or floor, e.g. "100.0 (solver)"."""
    if bound is None:
        return Figure(_UNKNOWN)
    return Figure(f"{percent(bound[1])} ({bound[0]})", Number(bound[1], part=f"of={bound[0]}"))


def taken(row: RunOverview) -> tuple[str, ...]:
    """Return how a run ended and what it took, in the order of `TAKEN_HEAD`."""
    spent = row.spent
    return (
        _UNKNOWN if row.overall is None else count(row.overall.n),
        percent(row.invalid),
        count(row.outcomes["overlength"]),
        count(row.outcomes["error"]),
        whole(spent.usage.input),
        cached_share(spent),
        whole(spent.usage.output),
        dollars(spent.cost),
        Figure(_UNKNOWN if row.seconds is None else f"{row.seconds:,.1f}", Number(row.seconds)),
    )
