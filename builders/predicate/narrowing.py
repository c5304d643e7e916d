"""Where in a long list of words an alphabetical run can be at all, so that the solver has to look nowhere else.

Half a million characters are 80,000 words, most of them behind a later one. Their first eight letters tell that for
all of them at once; what they leave open is for the solver, word by word.
"""

import numpy as np

# Letters that are compared here, and a word of the machine.
_LETTERS = 8


def rising_stretches(line: str, k: int) -> list[list[str]] | None:
    """Return the words of every stretch, in order, in which the first letters of no word come before the last one's.

    A strictly alphabetical run of `k` words or more lies within one of them.

    Args:
        line: words, parted by single spaces.
        k: shortest stretch to give (>= 1).

    Returns:
        None where the line is another, or holds what is not ASCII.

    >>> rising_stretches("d a b b c a", 3)
    [['a', 'b', 'b', 'c']]
    """
    # A space comes before all letters, so what stands behind a short word is compared too, and does no harm: equal
    # words are no run, whichever way their rest goes.
    text = np.frombuffer((line + " " * _LETTERS).encode("ascii", "replace"), np.uint8)
    spaces = np.flatnonzero(text[: len(line)] == ord(" "))
    starts = np.concatenate((np.zeros(1, np.int64), spaces + 1))
    ends = np.append(spaces, len(line))
    if not line.isascii() or (text < ord(" ")).any() or (starts == ends).any():
        return None
    eights = np.ndarray(len(line) + 1, ">u8", text, strides=(1,))
    letters = eights[starts].astype(np.uint64)
    edges = np.concatenate(([0], np.flatnonzero(letters[1:] < letters[:-1]) + 1, [len(letters)]))
    long_enough = np.flatnonzero(np.diff(edges) >= k)
    bounds = zip(starts[edges[long_enough]].tolist(), ends[edges[long_enough + 1] - 1].tolist(), strict=True)
    return [line[start:end].split(" ") for start, end in bounds]
