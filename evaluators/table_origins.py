"""Where the figures of tables come from: what tables call each run, and which model stands behind it."""

from collections.abc import Sequence

from lengthwise.evaluators.main_table import bound_of
from lengthwise.evaluators.naming import name_of
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.table_formats.tidy import Origin, Origins


def origins_of(runs: Sequence[Results]) -> Origins:
    """Return the origins of some runs and of their bounds, by benchmark and by every name that a table gives them.

    Args:
        runs: with labels that tell them apart (`naming.distinguish`).
    """
    found: dict[tuple[str, str], Origin] = {}
    # What a bound is called is a run's own where it is one.
    bounds = [bound for run in runs for bound in run.bounds]
    for run in (*bounds, *runs):
        model = run.settings.get("model") or {}
        origin = Origin(str(model.get("spec") or model.get("name") or ""), run.complete)
        names = {run.label, name_of(run)}
        if run.reference is not None:
            names |= {f"{bound_of(run) or 'reference'} ({run.reference})", f"floor ({run.reference})"}
        found |= {(run.benchmark, name): origin for name in names}
    return found
