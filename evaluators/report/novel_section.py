"""What LongNovel's page has and no other: its analyses, and the tags that a person gives replies in the browser."""

from collections.abc import Mapping, Sequence, Set

from lengthwise.evaluators.longnovel_analyses.table import novel_analyses
from lengthwise.evaluators.report.markup import Html, join
from lengthwise.evaluators.report.sections import grid_table
from lengthwise.evaluators.scoring import Scored

Tags = Mapping[str, Set[str]]


def analyses(runs: Sequence[Scored], tags: Tags) -> Html:
    """Return the failure patterns, tags counted, and what is known of the evidence."""
    return join(*map(grid_table, novel_analyses(runs, tags)))
