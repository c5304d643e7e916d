"""The table of runs against each other, on the examples that they share."""

from collections.abc import Sequence

from lengthwise.evaluators.paired_runs import paired_table
from lengthwise.evaluators.report.markup import Html
from lengthwise.evaluators.report.sections import grid_table
from lengthwise.evaluators.scoring import Scored


def paired(runs: Sequence[Scored]) -> Html:
    """Return each pair of real runs with the difference between them; empty where no two can be compared.

    Of many runs each stands against the best alone.

    Args:
        runs: of one benchmark, with distinct labels.
    """
    found = paired_table(runs)
    return Html("") if found is None else grid_table(found)
