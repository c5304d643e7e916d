"""The frame of the page's browser of single replies, which the script fills."""

from lengthwise.evaluators.report.markup import Html, join, tag
from lengthwise.evaluators.report.payload import Replies


def reply_browser(replies: Replies) -> Html:
    """Return the frame of the reply browser, which the page's script fills."""
    shown = f"{len(replies.records):,} of {replies.total:,} replies are in this page"
    parts = [
        shown if len(replies.records) < replies.total else f"All {replies.total:,} replies are in this page",
        f"{replies.cut:,} of them shortened in the middle" if replies.cut else "",
    ]
    note = f"{'; '.join(part for part in parts if part)}. The run folders hold everything."
    choices = [
        tag("label", name, tag("select", tag("option", "all", value=""), id=f"by-{key}"))
        for key, name in (("run", "run"), ("config", "config"), ("split", "split"), ("kind", "outcome"))
    ]
    find = tag("label", "text", tag("input", type="search", id="by-find", autocomplete="off"))
    return join(
        tag("p", note, class_="quiet"),
        tag("div", *choices, find, class_="controls"),
        tag("p", id="status", role="status", class_="quiet"),
        tag("div", id="list"),
        tag("p", tag("button", "show more", type="button", id="more", hidden=True)),
    )
