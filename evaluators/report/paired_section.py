"""The table of runs against each other, on the examples that they share."""

from collections.abc import Sequence

from lengthwise.evaluators.paired_runs import paired_table
from lengthwise.evaluators.report.markup import Child, Html, join, table, tag
from lengthwise.evaluators.scoring import Scored

# Pairs of a table that is shown without being asked for.
_MOST_OPEN = 15


def paired(runs: Sequence[Scored]) -> Html:
    """Return each pair of real runs with the difference between them; empty where no two can be compared.

    Of many runs each stands against the best alone.

    Args:
        runs: of one benchmark, with distinct labels.
    """
    found = paired_table(runs)
    if found is None:
        return Html("")
    # Both names in one column, one below the other, so that a phone shows more than names.
    rows: list[list[Child]] = [
        [join(first, tag("small", f"against {second}")), *figures] for first, second, *figures in found.rows
    ]
    notes = join(*(tag("p", note, class_="quiet") for note in found.notes))
    drawn = table(["runs", *found.head[2:]], rows, "", class_="paired")
    if len(rows) <= _MOST_OPEN:
        return join(drawn, notes)
    return join(tag("details", tag("summary", f"All {len(rows):,} pairs"), drawn), notes)
