"""Tweets on everyday debates, labelled with how often they hold "women", in any case and inside of any word (A.8).

How often is drawn first, and where: as people whom a sentence is about, in what they do ("women's cycling"), or in a
hashtag. The same sentences are written about others, and words that only look alike ("woman", "omen", "wo men") stand
anywhere, so that neither topic nor wording tells. The label is counted in the finished text.
"""

import re

from ..pool import Instance
from .draws import Draws, generator, shares
from .grammar import Expansion, english, load

# Occurrences of the word, of 2,500 in the paper's pool.
_OCCURRENCES = {"0": 2310, "1": 174, "2": 16}
# Where the word stands. In a tweet without it, these are the places of some other group or of none.
_PLACES = {
    "0": {"": 10, "group": 4, "kind": 2},
    "1": {"group": 5, "kind": 3, "tag": 2},
    "2": {"group tag": 3, "kind tag": 2, "pair": 2},
}
# Words that a tweet has at least, unless it ends before; every entry is as likely as another.
_LENGTHS = (5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17)
_TAGS = {"0": 1, "1": 4, "2": 3, "3": 1}
_OPENERS = {"": 13, "mention": 3, "opener": 3, "mention opener": 1}
# A space before a mark, where nothing was chosen to stand between.
_LOOSE = re.compile(r" (?=[,.!?](?!@))")
_CASES = {"as it is": 30, "lower": 6, "shout": 2, "upper": 1}


def _instance(draws: Draws) -> Instance:
    occurrences = shares(_OCCURRENCES, draws)
    places = shares(_PLACES[occurrences], draws).split()
    writing = Expansion(load("names-en", "word"), draws)
    topic = writing.write("topic")
    text = _LOOSE.sub("", english(_body(topic, occurrences, places, writing)))
    case = shares(_CASES, draws)
    if case == "lower":
        text = text.lower()
    elif case == "upper":
        text = text.upper().replace("@USER", "@user")
    elif case == "shout":
        words = text.split()
        at = draws.below(len(words))
        words[at] = words[at] if words[at] == "@user" else words[at].upper()
        text = " ".join(words)
    return Instance(text, str(text.lower().count("women")))


def _body(topic: str, occurrences: str, places: list[str], writing: Expansion) -> str:
    """Return a tweet in which the word stands in `places` and nowhere else; other places are filled without it."""
    draws = writing.draws
    held = "1" if occurrences != "0" else "0"
    main = topic
    if "pair" in places:
        writing.kept["G"] = writing.record("pair-1")
        main = f"{topic}-group"
    elif "group" in places:
        writing.kept["G"] = writing.record(f"group-{held}")
        main = f"{topic}-group"
    elif "kind" in places:
        writing.kept["K"] = writing.record(f"kind-{held}")
        main = f"{topic}-kind"
    wanted = _LENGTHS[draws.below(len(_LENGTHS))]
    sentences = [writing.write(main)]
    while sum(len(sentence.split()) for sentence in sentences) < wanted:
        follower = shares({topic: 6, "aside": 3, "alike": 1}, draws)
        sentences.append(writing.write(follower))
    if draws.below(3) == 0:
        sentences.reverse()
    openers = [writing.write(rule) for rule in shares(_OPENERS, draws).split()]
    tags = [f"#{writing.write(f'{topic}-tag')}" for _ in range(int(shares(_TAGS, draws)))]
    if "tag" in places:
        tags.insert(draws.below(len(tags) + 1), f"#{writing.write(f'{topic}-tag-1')}")
    return " ".join([*openers, *sentences, *tags])


generate = generator("word", _instance)
