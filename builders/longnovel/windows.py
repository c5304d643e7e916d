"""Windows over a book's units: stretches of consecutive units about as long as a scale (3.2).

The window begins at unit 1 and grows a unit at a time. Once its length is in [T - 2k, T + 4k] it is kept, and the next
one begins behind its middle; at the book's end what is too short is thrown away. For a window that jumps past the
range the paper has no rule; here its first units are dropped until it is no longer too long, after which it grows on
if it is now too short. One that jumps past the range a second time is given up, and the next begins behind its last
unit, as it does behind a unit that alone is too long. Where the source lacks chapters, windows begin anew.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby, pairwise

from lengthwise.errors import InputError

from .records import Language, Unit, Window, WindowKey, scale_tokens

# How far below and above its scale a window may be, in tokens (eq. 1; k is 1,000).
BELOW = 2000
ABOVE = 4000


def length_range(scale: str) -> tuple[int, int]:
    """Return the least and the greatest length of a scale's windows in tokens, both allowed.

    >>> length_range("s")
    (14000, 20000)

    Raises:
        InputError: it is no scale.
    """
    tokens = scale_tokens(scale)
    return tokens - BELOW, tokens + ABOVE


def window_spans(lengths: Sequence[int], least: int, most: int) -> Iterator[tuple[int, int]]:
    """Yield the windows over units of these lengths as first and last unit, both counted from 1 and included.

    First units rise strictly from one window to the next; neighbours share about half of their units.

    Args:
        lengths: tokens of each unit, in order.
        least: tokens of the shortest window.
        most: of the longest.
    """
    before = [0, *accumulate(lengths)]
    first = last = 1
    jumped = False
    while last <= len(lengths):
        length = before[last] - before[first - 1]
        if length < least:
            last += 1
        elif length <= most:
            yield first, last
            first = last = (first + last) // 2 + 1
            jumped = False
        elif jumped or lengths[last - 1] > most:
            first = last = last + 1
            jumped = False
        else:
            jumped = True
            while before[last] - before[first - 1] > most:
                first += 1


def make_windows(scales: Iterable[str], units: Iterable[tuple[Unit, int]]) -> list[Window]:
    """Return the windows of all books at some scales, in the order of their keys.

    Args:
        scales: names as `scale_tokens` takes them.
        units: each with its tokens; the units of a book stand together, in order.

    Raises:
        InputError: a scale that is none, or units whose order or indices are not as they should be.
    """
    ranges = {scale: length_range(scale) for scale in scales}
    windows: list[Window] = []
    done: set[str] = set()
    for book, group in groupby(((unit.book, unit.index, unit.language, count, unit.gap) for unit, count in units),
                               key=lambda unit: unit[0]):  # fmt: skip
        language, lengths, starts = _book(book, group)
        if book in done:
            raise InputError(f"units: those of book {book!r} do not stand together; sort them by book and index")
        done.add(book)
        for scale, (least, most) in ranges.items():
            for start, end in pairwise([*starts, len(lengths)]):
                for first, last in window_spans(lengths[start:end], least, most):
                    key = WindowKey(scale, book, start + first, start + last)
                    windows.append(Window(key, language, sum(lengths[start + first - 1 : start + last])))
    return sorted(windows, key=lambda window: window.key)


def _book(book: str, units: Iterable[tuple[str, int, Language, int, bool]]) -> tuple[Language, list[int], list[int]]:
    """Return a book's language, the tokens of its units, and how many stand before each stretch without a gap."""
    languages: list[Language] = []
    lengths: list[int] = []
    starts = [0]
    for number, (_, index, language, count, gap) in enumerate(units, 1):
        if index != number:
            raise InputError(f"units: book {book!r} has unit {index} where unit {number} should be")
        languages.append(language)
        lengths.append(count)
        if gap and number > 1:
            starts.append(number - 1)
    if len(set(languages)) > 1:
        raise InputError(f"units: book {book!r} is in more than one language ({', '.join(sorted(set(languages)))})")
    return languages[0], lengths, starts
