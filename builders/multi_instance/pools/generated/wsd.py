"""Sentences on "apple", the company or the fruit, each with the whole word exactly once.

The sense holds by construction: a domain of one sense has sentences that say the word, in that sense alone, and others
that may follow them and do not say it. Lower-cased and tokenised like the encyclopaedia text of the paper's pool.
"""

from ..pool import Instance
from .draws import Draws, generator, shares
from .grammar import Expansion, english, load
from .treebank import treebank

# Of 2,500 in the paper's pool.
_SENSES = {"company": 1556, "fruit": 944}
# Words that a text has at least, unless it ends with what is said last: every entry is as likely as another.
_LENGTHS = (8, 10, 12, 13, 15, 16, 18, 19, 21, 22, 24, 25, 27, 29, 32, 36, 41, 52)
# What a text begins with, and of what kind the sentences are that follow the one that says the word.
_OPENERS = {"": 5, "opener": 1}
_FOLLOWERS = {"{domain}-more": 1, "aside": 1}
_JOINS = {" . ": 5, " ; ": 1}


def _instance(draws: Draws) -> Instance:
    sense = shares(_SENSES, draws)
    wanted = _LENGTHS[draws.below(len(_LENGTHS))]
    writing = Expansion(load("names-en", "wsd-common", f"wsd-{sense}"), draws)
    domain = writing.write(f"{sense}-domain")
    opener = shares(_OPENERS, draws)
    text = f"{writing.write(opener)} {writing.write(domain)}" if opener else writing.write(domain)
    while len(text.split()) < wanted:
        follower = shares(_FOLLOWERS, draws).format(domain=domain)
        text += shares(_JOINS, draws) + writing.write(follower)
    return Instance(treebank(english(f"{text}.")), sense)


generate = generator("wsd", _instance)
