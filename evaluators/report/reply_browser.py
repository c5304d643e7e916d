"""The frame of the page's browser of single replies, which the script fills, and what it needs for tags."""

from collections.abc import Mapping, Sequence, Set
from typing import Any

from lengthwise.evaluators.longnovel_analyses.table import is_novel
from lengthwise.evaluators.longnovel_analyses.tags import COLUMNS, FLAG, TAGS
from lengthwise.evaluators.report.markup import Html, join, tag
from lengthwise.evaluators.report.payload import Replies
from lengthwise.evaluators.report.reader.collecting import note
from lengthwise.evaluators.report.sections import with_code
from lengthwise.evaluators.scoring import Scored

# The page's script, in this order: each file is one idea, and may use what stands before it.
SCRIPTS = (
    "common.js",
    "packed.js",
    "marked.js",
    "pane.js",
    "rail.js",
    "search.js",
    "main_text.js",
    "quotes.js",
    "documents.js",
    "describe.js",
    "tags.js",
    "filters.js",
    "reader.js",
    "browser.js",
    "omissions.js",
)


def tag_data(tags: Mapping[str, Set[str]]) -> dict[str, Any]:
    """Return what the page's script needs for tags.

    Args:
        tags: that replies have already, by key.
    """
    given = {key: sorted(of_reply) for key, of_reply in tags.items()}
    names = {name: list(said) for name, said in TAGS.items()}
    return {"columns": COLUMNS, "names": names, "flag": FLAG, "given": given}


def reply_browser(replies: Replies, runs: Sequence[Scored]) -> Html:
    """Return the frame of the reply browser.

    Args:
        replies: that it shows.
        runs: that they are of.
    """
    shown = f"{len(replies.records):,} of {replies.total:,} replies are in this page"
    parts = [
        shown if len(replies.records) < replies.total else f"All {replies.total:,} replies are in this page",
        f"{replies.cut:,} of them shortened in the middle" if replies.cut else "",
    ]
    first = " Of each cell those that are not correct come first." if len(replies.records) < replies.total else ""
    said = f"{'; '.join(part for part in parts if part)}.{first} The run folders hold everything."
    return join(
        tag("p", said, class_="quiet"),
        tag("p", whole, class_="quiet") if (whole := note(replies.documents)) else "",
        tag("p", with_code(_how_to_tag(runs)), class_="quiet"),
        tag("div", id="filters"),
        tag("p", id="status", role="status", class_="quiet"),
        tag("div", id="list"),
        tag("p", tag("button", "show more", type="button", id="more", hidden=True)),
    )


def _how_to_tag(runs: Sequence[Scored]) -> str:
    kept = "Tags are kept in this browser; save them as tags.csv, which `lengthwise report --tags` shows again."
    if not any(is_novel([run]) for run in runs):
        return kept
    return (
        "LongNovel's replies that are not right have boxes for the three patterns that no rule finds. They are kept "
        "in this browser; save them as tags.csv, which `lengthwise report --tags` and `score --tags` count."
    )
