"""Solvable: what a checker that reads the ledger scores, and a reader that sees the prose alone."""

import importlib.util
import statistics
from functools import partial
from pathlib import Path
from typing import Any

from lengthwise.builders.longnovel.storyworld.books import Book
from lengthwise.builders.longnovel.storyworld.story import make_story
from lengthwise.builders.longnovel.storyworld.truth import Facts
from lengthwise.builders.parts import processes

SCALES = ("8k", "s", "xl")
LEAST = 0.9
_READER = Path(__file__).parents[2] / "tests/builders/longnovel/storyworld/telling/prose_reader.py"


def measure_solvable(worlds: int, workers: int) -> dict[str, Any]:
    """Judge both summaries of some novels of three lengths in each language."""
    found: dict[str, Any] = {"failed": []}
    for scale in SCALES:
        for language in ("en", "zh"):
            with processes(workers) as pool:
                judged = list((map if pool is None else pool.map)(partial(_judged, scale, language), range(worlds)))
            name = f"{scale} {language}"
            ledger, prose = (statistics.fmean(right for one in judged for right in one[way]) for way in (0, 1))
            found[name] = {"summaries": 2 * worlds, "ledger": ledger, "prose alone": prose}
            if ledger < 1:
                found["failed"].append(f"{name}: the ledger's checker scores {ledger:.3f}")
            if prose < LEAST:
                found["failed"].append(f"{name}: a reader of the prose scores {prose:.3f}")
    return found


def _judged(scale: str, language: str, index: int) -> tuple[list[bool], list[bool]]:
    """Return for the faithful and the changed summary whether the ledger's checker, and the reader, is right."""
    spec = importlib.util.spec_from_file_location("prose_reader", _READER)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Its dataclasses look their module up.
    import sys

    sys.modules["prose_reader"] = module
    spec.loader.exec_module(module)
    story = make_story(Book(language, scale, "test", 12, index), "qwen3")  # type: ignore[arg-type]
    facts = Facts(story.world.pieces)
    ledger = [
        all(facts.holds(sentence.claim) for sentence in told) == faithful
        for told, faithful in ((story.outline.told, True), (story.outline.changed, False))
    ]
    reader = module.Reader(language, story.article)
    read = reader.facts()
    prose = [
        reader.is_faithful(summary, read) == faithful
        for summary, faithful in ((story.summary, True), (story.changed_summary, False))
    ]
    return ledger, prose
