"""Sentences in the manner of the English Web Treebank, each with the persons that it mentions by name.

The label holds by construction: names are marked where the grammar writes them, and the marks are taken out again.
Sentences about "{A}" are filled with a person's name or with one who has none there ("the plumber"), so that the
wording around does not tell which. Titles are no part of a name, and a name that comes twice counts twice.
"""

import json
import re

from ..pool import Instance
from .draws import Draws, generator, shares
from .grammar import Expansion, english, load
from .treebank import treebank

# Sentences with so many mentions, of 2,500 in the paper's pool; its one with five and one with eight count as four.
_MENTIONS = {"0": 2154, "1": 280, "2": 44, "3": 12, "4": 10}
# Sentences with so many clauses added to their first.
_MORE = {"0": 66, "1": 24, "2": 7, "3": 2, "4": 1}
_NEWS = frozenset({"energy", "deal", "politics", "conflict", "science", "sport", "city"})
_PERSON = re.compile("⟦([^⟦⟧]*)⟧")
# Words of the shortest sentence.
_LEAST = 6
_MARKS = re.compile("[⟦⟧⟪⟫⟨⟩]")


def _instance(draws: Draws) -> Instance:
    text = marked(draws)
    return Instance(_MARKS.sub("", text), json.dumps(_PERSON.findall(text), ensure_ascii=False))


def marked(draws: Draws) -> str:
    """Return a sentence with persons in ⟦⟧, organisations in ⟪⟫ and places in ⟨⟩."""
    writing = Expansion(load("names-en", "ner"), draws)
    domain = writing.write("domain")
    text = writing.write(_rule(int(shares(_MENTIONS, draws)), domain, writing))
    statement = not text.startswith("~")
    text = text.removeprefix("~")
    closed = text.endswith(("?", "!", ">"))
    more = int(shares(_MORE, draws))
    if closed:
        # A sentence that asks or exclaims ends there: what is added comes first.
        more = min(more, 1)
    elif len(text.split()) < _LEAST:
        more = max(more, 1)
    for _ in range(more):
        text = _longer(text, closed, domain, writing)
    if statement and not closed and draws.below(4) == 0:
        text += writing.write("tail-news" if domain in _NEWS else "tail")
    if draws.below(4) == 0:
        text = writing.write(_opener(text if statement else "", domain, writing)) + text
    if not closed:
        end = writing.write("end")
        text += end.replace(".", "") if text.endswith(".") and end == "." else end
    return treebank(english(text))


def _longer(text: str, closed: bool, domain: str, writing: Expansion) -> str:
    """Return a sentence with one more clause that mentions no person."""
    kind = shares({"x": 1, "0": 1}, writing.draws)
    clause = writing.write(f"{domain}-{kind}")
    if clause.startswith("~"):
        kind, clause = "x", writing.write(f"{domain}-x")
    joint = "joint" if kind == "x" else "joint-statement"
    return f"{clause} -- {text}" if closed else f"{text} {writing.write(joint)} {clause}"


def _opener(statement: str, domain: str, writing: Expansion) -> str:
    """Choose a rule for what comes before a sentence; what is no statement is given as ""."""
    if not statement or writing.draws.below(4) == 0:
        return "opener-any"
    if domain in _NEWS:
        return "opener-news"
    # No one is told by others what he himself did.
    own = statement.startswith(("i ", "we ", "my ", "our ", "per ", "when i ", "in "))
    return "opener" if own or writing.draws.below(2) else "opener-statement"


def _rule(mentions: int, domain: str, writing: Expansion) -> str:
    """Choose a rule for a sentence with so many mentions, and keep A to D, whom it may speak of."""
    draws = writing.draws
    if mentions == 0:
        _keep("A", f"{domain}-who", writing)
        return f"{domain}-{shares({'0': 7, '1': 2}, draws)}"
    for name in "ABCD"[:mentions]:
        _keep(name, "named", writing)
    if mentions == 1:
        kind = shares({"1": 6, "1p": 3, "2": 1}, draws)
        if kind == "1p":
            _keep("A", "plain", writing)
        if kind == "2":
            _keep("B", f"{domain}-who", writing)
            if draws.below(2):
                kept = writing.kept
                kept["A"], kept["B"] = kept["B"], kept["A"]
        return f"{domain}-{kind}"
    if mentions == 2:
        return shares({f"{domain}-2": 7, "again": 1}, draws)
    return "three" if mentions == 3 else "four"


def _keep(name: str, rule: str, writing: Expansion) -> None:
    writing.kept[name] = writing.record(rule)


generate = generator("ner", _instance)
