"""An exact solver for every question, and the proof of a row: plain Python on plain words, linear in their number.

It shares no code with the construction: words are compared as strings, predicates are read from the row or from the
question, and every window of the list is looked at.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from operator import lt

Parameters = Mapping[str, str | int]


def _with_prefix(words: Sequence[str], parameters: Parameters) -> list[int]:
    string = str(parameters["string"])
    return [place for place, word in enumerate(words) if word.startswith(string)]


def _with_suffix(words: Sequence[str], parameters: Parameters) -> list[int]:
    string = str(parameters["string"])
    return [place for place, word in enumerate(words) if word.endswith(string)]


def _containing(words: Sequence[str], parameters: Parameters) -> list[int]:
    string = str(parameters["string"])
    return [place for place, word in enumerate(words) if string in word]


def _of_length(words: Sequence[str], parameters: Parameters) -> list[int]:
    letters = int(parameters["letters"])
    return [place for place, word in enumerate(words) if len(word) == letters]


def _with_vowels(words: Sequence[str], parameters: Parameters) -> list[int]:
    vowels = int(parameters["vowels"])
    return [place for place, word in enumerate(words) if sum(map(word.count, "aeiou")) == vowels]


# Where the words are that satisfy a unary predicate, by kind.
SATISFYING: dict[str, Callable[[Sequence[str], Parameters], list[int]]] = {
    "prefix": _with_prefix,
    "suffix": _with_suffix,
    "contains": _containing,
    "length": _of_length,
    "vowels": _with_vowels,
}


def ascending_runs(words: Sequence[str], starts: Sequence[int] = (0,), at_least: int = 2) -> list[tuple[int, int]]:
    """Return (start, length) of every maximal strictly ascending run of `at_least` words or more.

    Args:
        words: the whole list.
        starts: indices at which a new list begins; no run crosses them.
        at_least: shortest run to give.

    >>> ascending_runs("d a b c b e".split())
    [(1, 3), (4, 2)]
    """
    # A byte for each word: 1 where it goes on with the run of the word before it.
    goes_on = bytearray(len(words))
    goes_on[1:] = bytes(map(lt, words, islice(words, 1, None)))
    for start in starts:
        if start < len(words):
            goes_on[start] = 0
    runs = re.finditer(rb"\x00\x01{%d,}" % (at_least - 1), goes_on)
    return [(run.start(), run.end() - run.start()) for run in runs]


def satisfied_positions(words: Sequence[str], predicates: Sequence[tuple[str, Parameters]]) -> list[int]:
    """Return for each word a bit set: bit j is set where the word satisfies the j-th predicate."""
    sets = [0] * len(words)
    for bit, (kind, parameters) in enumerate(predicates):
        for place in SATISFYING[kind](words, parameters):
            sets[place] |= 1 << bit
    return sets


def satisfying_windows(words: Sequence[str], predicates: Sequence[tuple[str, Parameters]]) -> list[int]:
    """Return the start of every window whose j-th word satisfies the j-th of one or more predicates.

    Few windows satisfy the first, and fewer the next: each is tried on the words of those that are left.

    >>> satisfying_windows("an ox at an axe".split(), [("prefix", {"string": "a"}), ("length", {"letters": 2})])
    [0, 2]
    """
    windows = list(range(len(words) - len(predicates) + 1))
    for position, (kind, parameters) in enumerate(predicates):
        # The first is tried on the list itself, of which nothing is copied.
        tried = words if not position else [words[start + position] for start in windows]
        satisfied = SATISFYING[kind](tried, parameters)
        windows = [windows[place] for place in satisfied if place < len(windows)]
    return windows


def sum_windows(words: Sequence[str], k: int, total: int) -> list[int]:
    """Return the start of every window of `k` words whose letters add up to `total`, a = 1 to z = 26."""
    sums = [sum(word.encode()) - 96 * len(word) for word in words]
    window = sum(sums[:k])
    found = [0] if window == total and len(words) >= k else []
    for start in range(1, len(words) - k + 1):
        window += sums[start + k - 1] - sums[start - 1]
        if window == total:
            found.append(start)
    return found


def solve(
    words: Sequence[str],
    predicates: Sequence[tuple[str, Parameters]],
    k: int | None,
    quantifier: str,
    starts: Sequence[int] = (0,),
) -> list[tuple[int, int]]:
    """Return (start, length) of every right answer to a question, in order of appearance.

    Args:
        words: the whole list.
        predicates: (kind, parameters) of each condition, in order of position.
        k: words asked for; None where the longest run is.
        quantifier: "exists", "all" or "longest".
        starts: indices at which a new list begins.

    Returns:
        For "longest": every run of the greatest length. Else: every window of k words that meets the conditions, a run
        longer than k counting once for each of its windows.
    """
    kinds = [kind for kind, _ in predicates]
    if kinds == ["lex"]:
        runs = ascending_runs(words, starts, at_least=k or 2)
        if quantifier == "longest":
            longest = max((length for _, length in runs), default=0)
            return [run for run in runs if run[1] == longest]
        assert k is not None
        return [(start + shift, k) for start, length in runs for shift in range(length - k + 1)]
    assert k is not None
    if kinds == ["letter-sum"]:
        return [(start, k) for start in sum_windows(words, k, int(predicates[0][1]["total"]))]
    return [(start, k) for start in satisfying_windows(words, predicates)]
