"""What LongNovel's page has and no other: its analyses, and the tags that a person gives replies in the browser."""

from collections.abc import Mapping, Sequence, Set
from typing import Any

from lengthwise.evaluators.longnovel_analyses.table import is_novel, novel_analyses
from lengthwise.evaluators.longnovel_analyses.tags import COLUMNS, TAGS
from lengthwise.evaluators.report.markup import Html, join, tag
from lengthwise.evaluators.report.sections import grid_table
from lengthwise.evaluators.scoring import Scored

Tags = Mapping[str, Set[str]]


def analyses(runs: Sequence[Scored], tags: Tags) -> Html:
    """Return the failure patterns, tags counted, and what is known of the evidence."""
    return join(*map(grid_table, novel_analyses(runs, tags)))


def tag_data(runs: Sequence[Scored], tags: Tags) -> dict[str, Any] | None:
    """Return what the page's script needs for tags; None for runs that have none."""
    if not any(is_novel([run]) for run in runs):
        return None
    given = {key: sorted(of_reply) for key, of_reply in tags.items()}
    return {"columns": COLUMNS, "names": {name: list(said) for name, said in TAGS.items()}, "given": given}


def tag_controls(runs: Sequence[Scored]) -> Html:
    """Return the button that saves tags, shown by the page's script; empty for runs that have none."""
    if not any(is_novel([run]) for run in runs):
        return Html("")
    how = (
        "Replies that are not right have boxes for the three patterns that no rule finds. They are kept in this "
        "browser; save them as tags.csv, which `lengthwise report --tags` and `score --tags` count."
    )
    return tag(
        "div",
        tag("p", how, class_="quiet"),
        tag(
            "p",
            tag("button", "save tags.csv", type="button", id="save-tags"),
            " ",
            tag("span", id="read-tags", role="status", class_="quiet"),
        ),
        id="tag-controls",
        hidden=True,
    )
