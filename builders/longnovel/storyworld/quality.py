"""What `benchmarks/storyworld.py` measured of the construction, as the card of every build shows it."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from ...card import table

FILE = "longnovel-storyworld-quality.json"
_LANGUAGES = ("en", "zh")
# What is measured, what it is held to, and where the figure is: part, cell, name, format.
_LINES = (
    ("sentences of 100,000 tokens", "", "variety", "", "sentences", ","),
    ("the commonest sentence frame comes once in", "500", "variety", "", "most used frame once in", ","),
    ("share of 4-grams that are new", "", "variety", "", "distinct 4-grams", ".2f"),
    ("the same beside novels by people", "0.80", "variety", "", "ratio to novels", ".2f"),
    ("tokens of chapters", "", "variety", "", "tokens of chapters", ""),
    ("evidence apart, share of the text (xl, median)", "0.33", "distance", "xl", "median share of the text", ".2f"),
    ("wrong rows that need two chapters (xl)", "0.40", "distance", "xl", "rows that need two chapters", ".2f"),
    ("a checker that reads the ledger (xl)", "1", "solvable", "xl", "ledger", ".2f"),
    ("a reader that sees the prose alone (xl)", "0.90", "solvable", "xl", "prose alone", ".2f"),
)


@cache
def measured() -> Mapping[str, Any]:
    """Return the figures, as the benchmark wrote them: part -> figures, and `version` and `wording` of what it was."""
    found: Mapping[str, Any] = json.loads(files("lengthwise.cards").joinpath(FILE).read_text("utf-8"))
    return found


def quality_table() -> str:
    """Return the table of the card: a line a figure, a column a language, and what it is held to."""
    found = measured()
    lines = []
    for name, limit, part, cell, figure, form in _LINES:
        values = [found[part][f"{cell} {language}".strip()][figure] for language in _LANGUAGES]
        lines.append([name, limit, *(format(value, form) for value in values)])
    return table(["measured", "held to", "English", "Chinese"], lines)


def giveaway_table() -> str:
    """Return the table of giveaways: for each type and language the shares of pairs that are ordered right."""
    found = measured()["giveaways"]
    cells = {name: value for name, value in found.items() if isinstance(value, dict)}
    rules = list(next(iter(cells.values())))
    lines = [[*name.split(" ", 1), *(f"{value[rule]:.3f}" for rule in rules)] for name, value in cells.items()]
    return table(["language", "type", *rules], lines)


def giveaway_note() -> str:
    """Return what the shares are held to."""
    found = measured()["giveaways"]
    return (
        f"Over {found['pairs']:,} pairs of each type and language that have that one change alone, how often the two "
        "summaries of a pair are ordered right by one who has not seen the novel: chance is 0.5, the limit "
        f"{found['limit']:.2f} (and as far below)."
    )
