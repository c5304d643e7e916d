"""How a reply went astray, read off its text alone: repeated lines, a loop at its end, stretches copied from a list.

PredicateLongBench's section 4.9 describes three such traces: models repeat the same line again and again, put out
large sections of the list word for word, and stand at the right place without answering from it. All functions here
take time linear in the text (n log² n for the copied stretch), whatever it is made of.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WORD = re.compile(r"[a-z]+")

# Rounds that a loop must have gone through: what comes twice may have been meant so.
LEAST_ROUNDS = 3
# Characters at the end of a text among which a loop is looked for first: most loops fill far more.
_WINDOW = 8_000


def plain_words(text: str) -> list[str]:
    """Return the words of a text as the benchmark's lists write words: lower-cased runs of `[a-z]`.

    >>> plain_words("1. Abc, (bcd) < 'cde'")
    ['abc', 'bcd', 'cde']
    """
    return _WORD.findall(text.lower())


@dataclass(frozen=True, slots=True)
class RepeatedLines:
    """The lines of a text that come more than once; blank lines and blanks around a line do not count.

    Attributes:
        ratio: share of the lines that stand there for the second time or more often, in [0, 1).
        count: how many such lines.
        lines: each line that comes more than once, once, in order.
    """

    ratio: float
    count: int
    lines: tuple[str, ...]


def repeated_lines(text: str) -> RepeatedLines:
    r"""Return the lines of a text that repeat an earlier one.

    >>> repeated_lines("wait\nno\nwait\n\nwait")
    RepeatedLines(ratio=0.5, count=2, lines=('wait',))
    """
    counts = Counter(line for raw in text.splitlines() if (line := raw.strip()))
    total = counts.total()
    repeats = total - len(counts)
    again = tuple(line for line, count in counts.items() if count > 1)
    return RepeatedLines(repeats / total if total else 0.0, repeats, again)


def repeated_line_ratio(text: str) -> float:
    r"""Return the share of lines that repeat an earlier line, in [0, 1); see `repeated_lines`.

    >>> repeated_line_ratio("a\nb\na\na"), repeated_line_ratio("a\nb"), repeated_line_ratio("")
    (0.5, 0.0, 0.0)
    """
    return repeated_lines(text).ratio


@dataclass(frozen=True, slots=True)
class Loop:
    """A text's end that goes round and round, with line breaks or without.

    Attributes:
        period: characters of one round (>= 0; 0 if there is no loop).
        length: characters of the whole loop, the last round maybe broken off (>= LEAST_ROUNDS * period).
    """

    period: int
    length: int

    @property
    def repeated(self) -> int:
        """How many characters only repeat the first round."""
        return self.length - self.period


def looped_end(text: str, least: int = 1) -> Loop:
    """Return the loop that a text ends in: of all ends that repeat themselves, the one that repeats the most.

    An end repeats itself if it consists of at least `LEAST_ROUNDS` rounds, exactly alike; the last may be broken off,
    as it is where the budget was spent. A loop that counts ("check 1", "check 2") is none.

    Args:
        text: any string.
        least: characters that must be repeated (> 0); the more, the sooner a text without a loop is done with.

    >>> looped_end("so: no, wait. no, wait. no, wait. no, wa")
    Loop(period=10, length=37)
    >>> looped_end("so: no, wait. no")
    Loop(period=0, length=0)
    """
    tail = text[-least:]
    if text.find(tail) == len(text) - len(tail):
        # Whatever repeats as much stands there before.
        return Loop(0, 0)
    loop = _loop(text[-_WINDOW:])
    if len(text) > _WINDOW:
        loop = _reaching_back(text, loop.period) if loop.length == _WINDOW else loop
        # Two periods do not share an end that is longer than both, so what repeats more has a period of its own that
        # is longer than all that `loop` repeats; without room for that, `loop` it is.
        if LEAST_ROUNDS * loop.repeated < len(text):
            loop = _loop(text)
    return loop if loop.repeated >= least else Loop(0, 0)


def _loop(text: str) -> Loop:
    # Read backwards, an end is a beginning, and the longest border of each beginning (Knuth, Morris and Pratt) gives
    # its shortest period.
    backwards = text[::-1]
    borders = [0] * (len(text) + 1)
    best = Loop(0, 0)
    most = border = 0
    for place in range(1, len(backwards)):
        char = backwards[place]
        while border and backwards[border] != char:
            border = borders[border]
        if backwards[border] == char:
            border += 1
        length = place + 1
        borders[length] = border
        if border > most and length >= LEAST_ROUNDS * (length - border):
            most, best = border, Loop(length - border, length)
    return best


def _reaching_back(text: str, period: int) -> Loop:
    """Return the longest end of a text that has a period."""
    import numpy as np

    chars = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    breaks = np.flatnonzero(chars[period:] != chars[:-period])
    return Loop(period, len(text) - (int(breaks[-1]) + 1 if len(breaks) else 0))


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words that stand in the same order, with nothing between them, in a text and in its source.

    Attributes:
        length: words (>= 0).
        start: index of the first of them in the text; 0 if there are none.
        source_start: index of the first of them in the source; 0 if there are none.
    """

    length: int
    start: int
    source_start: int


def longest_copied_stretch(text: Sequence[str], source: Sequence[str]) -> Stretch:
    """Return the longest stretch of a text that stands in a source word for word; of several, the first in the text.

    Exact: windows of 1, 2, 4, ... words are numbered so that equal ones have equal numbers, keeping only those that
    both sides hold; the longest common window is then put together from these. n log² n for n words in both.

    Args:
        text: words of a reply.
        source: words of the list it was given; words may come more than once.

    >>> longest_copied_stretch("so c d e then".split(), "a b c d e f".split())
    Stretch(length=3, start=1, source_start=2)
    """
    import numpy as np

    by_power = [_single_words(text, source)]
    if not (by_power[0] >= 0).any():
        return Stretch(0, 0, 0)
    length = 1
    while ((longer := _longer(by_power[-1], by_power[-1], length, len(source))) >= 0).any():
        by_power.append(longer)
        length *= 2
    found = by_power[-1]
    for power in range(len(by_power) - 2, -1, -1):
        longer = _longer(found, by_power[power], length, len(source))
        if (longer >= 0).any():
            found = longer
            length += 1 << power
    start = int(np.flatnonzero(found[len(source) + 1 :] >= 0)[0])
    source_start = int(np.flatnonzero(found[: len(source)] == found[len(source) + 1 + start])[0])
    return Stretch(length, start, source_start)


def outside_copies(text: Sequence[str], source: Sequence[str], least: int) -> list[str]:
    """Return a text without what it copies from a source: every stretch of `least` words or more is one empty word.

    Args:
        text: words of a reply.
        source: words of the list it was given.
        least: words of the shortest stretch that counts as copied (> 0).

    >>> outside_copies("so c d e then e".split(), "a b c d e f".split(), 3)
    ['so', '', 'then', 'e']
    """
    import numpy as np

    starts = np.flatnonzero(_windows_of(least, text, source)[len(source) + 1 :] >= 0)
    edges = np.zeros(len(text) + 1, np.int64)
    edges[starts] += 1
    edges[starts + least] -= 1
    copied = np.cumsum(edges)[:-1] > 0
    words: list[str] = []
    for word, is_copied in zip(text, copied.tolist(), strict=True):
        if not is_copied:
            words.append(word)
        elif words[-1:] != [""]:
            words.append("")
    return words


def _windows_of(length: int, text: Sequence[str], source: Sequence[str]) -> "NDArray[np.int64]":
    """Number the windows of this many words, put together from the powers of two that add up to it."""
    power, size = _single_words(text, source), 1
    while not length & size:
        power, size = _longer(power, power, size, len(source)), 2 * size
    found, of_length = power, size
    while of_length < length:
        power, size = _longer(power, power, size, len(source)), 2 * size
        if length & size:
            found, of_length = _longer(found, power, of_length, len(source)), of_length + size
    return found


def _single_words(text: Sequence[str], source: Sequence[str]) -> "NDArray[np.int64]":
    """Number the words of the source, a gap, and the text: the windows of one word, as `_in_both` leaves them."""
    import numpy as np

    # Mostly few words of a reply stand in the list, so that little is left to number behind this.
    numbers = {word: number for number, word in enumerate(set(text).intersection(source))}
    # The place between the two, and words that one side does not hold, belong to no window.
    before, behind = ([*map(numbers.get, words, repeat(-1))] for words in (source, text))
    windows = np.array([*before, -1, *behind], np.int64)
    return _in_both(windows, len(source))


def _longer(first: "NDArray[np.int64]", second: "NDArray[np.int64]", offset: int, n: int) -> "NDArray[np.int64]":
    """Return the numbers of the windows made of one of `first` and, `offset` places on, one of `second`."""
    import numpy as np

    joined = np.full_like(first, -1)
    places = np.flatnonzero((first[: len(first) - offset] >= 0) & (second[offset:] >= 0))
    joined[places] = first[places] * (len(first) + 1) + second[places + offset]
    return _in_both(joined, n)


def _in_both(windows: "NDArray[np.int64]", n: int) -> "NDArray[np.int64]":
    """Number windows afresh, from 0; those that do not stand both before and behind place `n` get -1."""
    import numpy as np

    places = np.flatnonzero(windows >= 0)
    different, numbers = np.unique(windows[places], return_inverse=True)
    numbers = numbers.reshape(-1)
    before, behind = (np.zeros(len(different), bool) for _ in range(2))
    before[numbers[places < n]] = True
    behind[numbers[places > n]] = True
    renumbered = np.full_like(windows, -1)
    renumbered[places] = np.where((before & behind)[numbers], numbers, -1)
    return renumbered


def target_words_in(text: Sequence[str], target: Sequence[str]) -> int:
    """Return how many words of a target stand in a text together: its longest stretch there, in [0, len(target)].

    Single words would not do: a document's target is made of words like "and" and "of", which any text holds.

    >>> target_words_in("maybe b c d but no".split(), "a b c d e".split())
    3
    """
    return longest_copied_stretch(text, target).length
