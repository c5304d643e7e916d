"""News articles of five categories, lower-cased and with few marks, as in the paper's pool (A.2).

A category has topics; a topic has a cast (firms, ministers, teams, bands, gadgets, all invented), headlines, openings
and what may follow, in any order. Every sentence of an article tells of its own cast. Reactions, dates and background
that fit any news stand in all categories, so that there is no phrase that gives one away.
"""

import re

from ..pool import Instance
from .draws import Draws, generator, shares
from .grammar import Expansion, english, load

# Of 250 in the paper's pool.
_CATEGORIES = {"business": 59, "entertainment": 41, "politics": 39, "sport": 73, "tech": 38}
# Words that an article has at least; every entry is as likely as another.
_LENGTHS = (230, 255, 280, 300, 320, 340, 360, 380, 400, 420, 450, 480, 510)
# Whose turn it is, of every nine sentences after the opening: the topic, the category, any news, a quote.
_TURNS = "tactqatat"
# Marks that the paper's pool does without: a space stands for each.
_MARKS = re.compile(r"""[,;:"'()](?!\d)|(?<!\d)[,;:"'()]""")

# What is before a full stop or a comma where nothing was chosen to stand between, and quotes before a full stop.
_LOOSE = re.compile(r'[ ,")]+(?=[.])| (?=,)')
_ORDINAL = re.compile(r"(\d+)th\b")


def _instance(draws: Draws) -> Instance:
    category = shares(_CATEGORIES, draws)
    wanted = _LENGTHS[draws.below(len(_LENGTHS))]
    writing = Expansion(load("names-en", "category-common", f"category-{category}"), draws)
    topic = writing.write("topic")
    writing.write("cast")
    writing.write(f"{topic}-cast")
    for person in writing.kept.values():
        if "he" in person:
            person["title"] = "mr" if person["he"] == "he" else "ms"
    kinds = {"t": topic, "c": category, "a": "any", "q": "quote"}
    # No mark parts a headline from its article.
    headline, opening, second = (writing.write(f"{topic}-{part}") for part in ("headline", "opening", "second"))
    text = f"{headline}, {opening}. {second}."
    words, turn = len(text.split()), draws.below(len(_TURNS))
    while words < wanted:
        sentence = writing.write(kinds[_TURNS[turn % len(_TURNS)]])
        text += f" {sentence}."
        words += len(sentence.split())
        turn += 1
    return Instance(_plain(english(text)), category)


def _plain(text: str) -> str:
    r"""Return a text as the paper's pool has it.

    >>> _plain('It "can\'t" cost $1,200, he said.')
    'it  can t  cost $1,200  he said.'
    """
    text = _ORDINAL.sub(_ordinal, _LOOSE.sub("", text.lower()))
    return _MARKS.sub(" ", text).strip()


def _ordinal(found: re.Match[str]) -> str:
    """Return an ordinal with its own ending: the grammar writes "th" behind every number."""
    number = found[1]
    ending = "th" if number[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th")
    return f"{number}{ending}"


generate = generator("category", _instance)
