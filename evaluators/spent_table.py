"""What a run took: calls, tokens of prompts and how many a cache served, tokens of replies, dollars."""

from collections.abc import Mapping

from lengthwise.evaluators.contracts import Spent
from lengthwise.evaluators.figure_text import percent
from lengthwise.evaluators.naming import name_of
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.table_formats.cells import Figure, Name, Number, count, whole
from lengthwise.evaluators.table_formats.grid import GridTable

HEAD = (
    "model",
    "calls",
    Name("prompt tokens", metric="input_tokens"),
    Name("from cache", metric="cached_share"),
    "output tokens",
    Name("US$", metric="cost_usd"),
)


def spent_rows(run: Results) -> list[list[str]]:
    """Return a row for the run's own model, and for each that the method asked in another role; see `HEAD`."""
    if not run.spent.calls:
        return []
    name = str(run.settings.get("model", {}).get("name") or "model")
    others: Mapping[str, Mapping[str, str]] = run.settings.get("roles") or {}
    names = {role: f"{role}: {about.get('name', role)}" for role, about in others.items()}
    parts = dict(run.roles) or {"generate": run.spent}
    return [_row(names.get(role, name), one) for role, one in parts.items()]


def _row(name: str, spent: Spent) -> list[str]:
    usage = spent.usage
    return [
        # It is not the run's name.
        Name(name, part=f"asked={name}"),
        count(spent.calls),
        whole(usage.input),
        cached_share(spent),
        whole(usage.output),
        dollars(spent.cost),
    ]


def dollars(cost: float | None) -> Figure:
    """Return an amount in US dollars as text; a dash where no price is known.

    >>> print(dollars(12.345), dollars(0.00123), dollars(None))
    12.35 0.0012 –
    """
    said = "–" if cost is None else f"{cost:,.2f}" if cost >= 0.1 else f"{cost:.2g}"
    return Figure(said, Number(cost))


def cached_share(spent: Spent) -> Figure:
    """Return the share of prompt tokens that a cache served, as text; a dash where the server does not tell."""
    if not spent.usage.input or spent.usage.cached is None:
        return Figure("–")
    share = spent.usage.cached / spent.usage.input
    return Figure(f"{percent(share)} %", Number(share))


def spent_table(run: Results) -> GridTable | None:
    """Return the table; None where nothing was asked."""
    rows = tuple(map(tuple, spent_rows(run)))
    return GridTable(f"{run.label}: what it took", HEAD, rows, name="spent", run=name_of(run)) if rows else None
