"""Sequences of words against the gold: exact, as a set of sequences, and how near a wrong one comes.

A sequence is right only if it is the gold sequence; one that contains it is wrong (recall alone would reward copying
the list out). The nearer figures say how a wrong answer is wrong and never soften the score.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SequenceMatch:
    """One answered sequence beside its gold.

    Attributes:
        exact: the same words in the same order.
        first_word_right: both start with the same word (PredicateLongBench, section 4.7).
        length_error: words answered minus words of the gold.
        precision: share of the answered words that the gold holds, with multiplicity, in [0, 1]; 0 for no words
            against a gold that has some, 1 for none against none.
        longest_common_run: words of the longest run that both hold contiguously.
    """

    exact: bool
    first_word_right: bool
    length_error: int
    precision: float
    longest_common_run: int


@dataclass(frozen=True, slots=True)
class SetMatch:
    """All answered sequences beside all gold ones; order and repetition of whole sequences do not matter.

    Attributes:
        exact: the two sets of sequences are equal.
        right: gold sequences that were answered.
        extra: answered sequences that are not gold; one makes the answer wrong.
        missing: gold sequences that were not answered.
        first_word_right: some answered sequence starts as some gold one.
        length_error: words in the answered set minus words in the gold set.
    """

    exact: bool
    right: int
    extra: int
    missing: int
    first_word_right: bool
    length_error: int


def longest_common_run(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the longest contiguous run of words that both sequences hold.

    >>> longest_common_run("a b c d".split(), "x b c y".split())
    2
    """
    places: dict[str, list[int]] = {}
    for place, word in enumerate(other):
        places.setdefault(word, []).append(place)
    longest = 0
    ending: dict[int, int] = {}
    for word in one:
        ending = {place: ending.get(place - 1, 0) + 1 for place in places.get(word, ())}
        longest = max(longest, max(ending.values(), default=0))
    return longest


def match_sequence(answer: Sequence[str], gold: Sequence[str]) -> SequenceMatch:
    """Compare one answered sequence with its gold.

    Args:
        answer: the words answered, normalised as `lengthwise.metrics.answers` does.
        gold: the words that are right.

    >>> match_sequence(["a", "b"], ["a", "c"])
    SequenceMatch(exact=False, first_word_right=True, length_error=0, precision=0.5, longest_common_run=1)
    """
    answer, gold = list(answer), list(gold)
    shared = (Counter(answer) & Counter(gold)).total()
    return SequenceMatch(
        exact=answer == gold,
        first_word_right=answer[:1] == gold[:1],
        length_error=len(answer) - len(gold),
        precision=shared / len(answer) if answer else float(not gold),
        longest_common_run=longest_common_run(answer, gold),
    )


def match_sequences(answers: Sequence[Sequence[str]], golds: Sequence[Sequence[str]]) -> SetMatch:
    """Compare all answered sequences with all gold ones, as sets.

    Args:
        answers: the sequences answered; empty ones say nothing and are ignored.
        golds: the sequences that are right; may be none.

    >>> match_sequences([["a", "b"], ["c"]], [["a", "b"]])
    SetMatch(exact=False, right=1, extra=1, missing=0, first_word_right=True, length_error=1)
    """
    given = {tuple(answer) for answer in answers if answer}
    wanted = {tuple(gold) for gold in golds if gold}
    return SetMatch(
        exact=given == wanted,
        right=len(given & wanted),
        extra=len(given - wanted),
        missing=len(wanted - given),
        first_word_right=given == wanted or not {a[0] for a in given}.isdisjoint(g[0] for g in wanted),
        length_error=sum(map(len, given)) - sum(map(len, wanted)),
    )
