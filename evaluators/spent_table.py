"""What a run took: calls, tokens of prompts and how many a cache served, tokens of replies, dollars."""

from collections.abc import Mapping

from lengthwise.evaluators.contracts import Spent
from lengthwise.evaluators.figure_text import percent
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.table_text import Format, render_grid

HEAD = ("model", "calls", "prompt tokens", "from cache", "output tokens", "US$")
# Where a server does not count, or no price is known.
_UNKNOWN = "–"


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
        name,
        f"{spent.calls:,}",
        _UNKNOWN if usage.input is None else f"{usage.input:,}",
        cached_share(spent),
        _UNKNOWN if usage.output is None else f"{usage.output:,}",
        _UNKNOWN if spent.cost is None else f"{spent.cost:,.2f}" if spent.cost >= 0.1 else f"{spent.cost:.2g}",
    ]


def cached_share(spent: Spent) -> str:
    """Return the share of prompt tokens that a cache served, as text; a dash where the server does not tell."""
    if not spent.usage.input or spent.usage.cached is None:
        return _UNKNOWN
    return f"{percent(spent.usage.cached / spent.usage.input)} %"


def render_spent(run: Results, format: Format = "text") -> str:
    """Return the table as text; empty where nothing was asked."""
    rows = spent_rows(run)
    return render_grid(f"{run.label}: what it took", HEAD, rows, format) if rows else ""
