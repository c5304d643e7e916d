"""Snippets of film reviews that praise or damn without a doubt (A.7), tokenised, in their original case.

The verdict holds by construction: a snippet is made of one verdict's rules. Each verdict has sentences that use the
other's words: praise says what a film never is, a pan says what it is not, what it once promised, and what else would
be better. So no word decides.
"""

from ..pool import Instance
from .draws import Draws, generator, shares
from .grammar import Expansion, english, load

# Of 2,500 in the paper's pool.
_VERDICTS = {"positive": 1376, "negative": 1124}
# Tokens that a snippet has at least; every entry is as likely as another.
_LENGTHS = (2, 4, 6, 8, 9, 10, 11, 12, 14, 16, 18, 20, 22)
_JOINS = {" . ": 3, " ... ": 1}


def _instance(draws: Draws) -> Instance:
    verdict = shares(_VERDICTS, draws)
    wanted = _LENGTHS[draws.below(len(_LENGTHS))]
    writing = Expansion(load("names-en", "sentiment"), draws)
    text = writing.write(verdict)
    while len(text.split()) < wanted:
        more = writing.write(f"{verdict}-short" if wanted - len(text.split()) < 8 else verdict)
        text += (" " if text[-1] in "?!" else shares(_JOINS, draws)) + more[:1].upper() + more[1:]
    if text[-1] not in "?!":
        text += " ."
    text = english(text)
    return Instance(text[:1].upper() + text[1:], verdict)


generate = generator("sentiment", _instance)
