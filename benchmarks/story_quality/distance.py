"""Distance: how far apart the first and the last piece of evidence are that a check of a changed sentence needs."""

import statistics
from typing import Any

from lengthwise.builders.longnovel.storyworld.books import Book
from lengthwise.builders.longnovel.storyworld.story import make_story

SCALES = ("8k", "s", "xl")
APART, TWO_CHAPTERS = 1 / 3, 0.4


def measure_distance(worlds: int) -> dict[str, Any]:
    """Measure the changed sentences of some novels of three lengths in each language."""
    found: dict[str, Any] = {"failed": []}
    for scale in SCALES:
        for language in ("en", "zh"):
            shares, rows = [], []
            for index in range(worlds):
                story = make_story(Book(language, scale, "test", 11, index), "qwen3")  # type: ignore[arg-type]
                several = False
                for change, _, _ in story.changes:
                    spans = [story.spans[piece] for piece in change.claim.pieces]
                    first, last = min(start for _, start, _ in spans), max(end for _, _, end in spans)
                    shares.append((last - first) / len(story.article))
                    several = several or len({chapter for chapter, _, _ in spans}) > 1
                rows.append(several)
            name = f"{scale} {language}"
            found[name] = {
                "changed sentences": len(shares), "median share of the text": statistics.median(shares),
                "rows that need two chapters": statistics.fmean(rows),
            }  # fmt: skip
            if found[name]["median share of the text"] < APART:
                found["failed"].append(
                    f"{name}: evidence is {found[name]['median share of the text']:.2f} of the text apart"
                )
            if found[name]["rows that need two chapters"] < TWO_CHAPTERS:
                found["failed"].append(
                    f"{name}: {found[name]['rows that need two chapters']:.0%} of the rows need two chapters"
                )
    return found
