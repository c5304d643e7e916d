"""What a person makes of replies that are not right: the three patterns of appendix I that no rule can find.

The report page's reply browser has a box for each; it keeps them and saves a CSV file with a line for each box
ticked. A reply's key is made of its row, repeat and text, so that a tag cannot be taken for one of another reply. A
reply that was read and shows none of the three has the tag `none`: so it is known how many were read.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from lengthwise.errors import unknown_name
from lengthwise.evaluators.scored_replies import scored_replies
from lengthwise.evaluators.scoring import Scored
from lengthwise.evaluators.ticked_lists import ticked_lines

NONE = "none"
# Name -> what a page calls it, and when it holds.
TAGS: Mapping[str, tuple[str, str]] = {
    "incomplete_comprehension": (
        "incomplete comprehension",
        "text or summary was not taken in whole, or was misread (I.1)",
    ),
    "reasoning_failure": (
        "reasoning or abstraction failure",
        "actions or talk of the text were not recognised in the general words of the summary (I.3)",
    ),
    "over_correction": (
        "over-correction",
        "what means the same in other words, or leaves side matters out, was called wrong (I.7)",
    ),
    NONE: ("none of these", "read, and none of the three holds"),
}
# On any reply of any benchmark, to find it again; it says nothing of what went wrong.
FLAG = "flag"
COLUMNS = ("key", "tag", "example", "repeat", "run")


def reply_key(example: str, repeat: int, text: str | None) -> str:
    """Return the key of a reply: "r-" and 16 hex digits; to a spreadsheet, bare digits would be a number."""
    content = "\n".join((example, str(repeat), text or ""))
    return "r-" + hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def keys_of(run: Scored) -> dict[str, tuple[str, int]]:
    """Return (example id, repeat) of each reply of a run that is not right, by its key."""
    return {
        reply_key(example, repeat, reply.text): (example, repeat)
        for example, repeat, reply in scored_replies(run.run)
        if (outcome := run.outcomes.get((example, repeat))) is not None and outcome.kind != "correct"
    }


def read_tags(path: Path | str) -> dict[str, frozenset[str]]:
    """Return the tags that a file holds, by key.

    Raises:
        InputError: the file cannot be read, lacks a column, or names a tag that there is not.
    """
    found: dict[str, set[str]] = {}
    for line in ticked_lines("--tags", path, ("key", "tag"), "the report page saves such a file"):
        key, tag = line["key"].strip(), line["tag"].strip()
        if tag and tag not in (*TAGS, FLAG):
            raise unknown_name("tag", tag, (*TAGS, FLAG))
        if key and tag:
            found.setdefault(key, set()).add(tag)
    return {key: frozenset(tags) for key, tags in found.items()}
