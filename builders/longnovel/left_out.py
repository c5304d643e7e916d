"""What a build went on without, as no reply came for it: counted and named, with the reasons that servers gave."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

STEPS = ("summaries", "compression", "arbitration", "entities", "injection")
# Addresses are of the machine that asked, tries and ids of the call: none belongs into data that is passed on.
_ADDRESS = re.compile(r"https?://\S+|\b[\w.-]+:\d{2,5}\b")
_TRIES = re.compile(r" \(after \d+ tr(?:y|ies)[^()]*\)$")
_ID = re.compile(r"\b(?:(?:req|resp|chatcmpl)[_-][\w-]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,})\b")
_LONGEST = 120
_NAMED = 10


def left_out(folder: Path) -> list[dict[str, Any]]:
    """Return what the steps of a build folder had no reply for, as JSON types.

    Returns:
        For each step that lacks something its `step`, the `items` by name, and `reasons` with how often each came up.
    """
    found = []
    for step in STEPS:
        path = folder / "steps" / f"{step}.json"
        failed: Mapping[str, str] = json.loads(path.read_text("utf-8"))["failed"] if path.is_file() else {}
        if failed:
            reasons = Counter(plain_reason(reason) for reason in failed.values())
            found.append({"step": step, "items": sorted(failed), "reasons": dict(sorted(reasons.items()))})
    return found


def plain_reason(message: str) -> str:
    """Return an error's message without addresses, ids and tries, in one line of a bearable length.

    >>> plain_reason("http://gpu7:8000/v1 did not answer (after 3 tries)")
    'a server did not answer'
    """
    line = " ".join(_ID.sub("…", _ADDRESS.sub("a server", _TRIES.sub("", message))).split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def names(items: Sequence[str], step: str) -> str:
    """Return the first of some names, and where the others are."""
    shown = ", ".join(items[:_NAMED])
    more = len(items) - _NAMED
    return f"{shown} and {more:,} more, see steps/{step}.json" if more > 0 else shown


def card_note(found: Sequence[Mapping[str, Any]]) -> str:
    """Return what the card says of it; "" where nothing was left out."""
    if not found:
        return ""
    lines = [
        f"- {one['step']}: {len(one['items']):,} ("
        + "; ".join(f"{reason}: {count:,}" for reason, count in one["reasons"].items())
        + ")"
        for one in found
    ]
    return "**Left out, no reply came** (`build.json` names them):\n\n" + "\n".join(lines)
