"""Unary predicates: one entry a kind (paper, 3.2.1 and A.3; word length and vowel count are ours).

A new predicate on single words is one entry in `UNARY` and one in `solver.SATISFYING`, which shares no code with it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..streams import Stream
from .instance import Predicate
from .words import Letters, WordShape

Parameters = Mapping[str, str | int]
VOWELS = "aeiou"


@dataclass(frozen=True)
class UnaryKind:
    """How one kind of predicate on a word is drawn, checked, enforced and worded.

    Attributes:
        draw: (stream, shape, string length) -> parameters.
        holds: (letters N x L, shape, parameters) -> N booleans.
        enforce: (stream, letters N x L, shape, parameters) -> letters changed so that (nearly) all satisfy it; whoever
            calls checks and tries again.
        wording: parameters -> the condition, to be read behind "word 3".
        source: where it comes from.
        rare: so few words satisfy it by chance that a list can do without those that satisfy two (A.3, (i)). Where it
            is common, leaving them out would empty the list of whole lengths, and give the target away.
    """

    draw: Callable[[Stream, WordShape, int], Parameters]
    holds: Callable[[Letters, WordShape, Parameters], NDArray[np.bool_]]
    enforce: Callable[[Stream, Letters, WordShape, Parameters], Letters]
    wording: Callable[[Parameters], str]
    source: str
    rare: bool = True


def _draw_string(stream: Stream, shape: WordShape, length: int) -> Parameters:
    return {"string": "".join(shape.alphabet[i] for i in stream.integers(len(shape.alphabet), length).tolist())}


def _pattern(shape: WordShape, parameters: Parameters) -> Letters:
    return np.array([shape.alphabet.index(letter) + 1 for letter in str(parameters["string"])], dtype=np.uint8)


def _word_lengths(letters: Letters) -> NDArray[np.int64]:
    lengths: NDArray[np.int64] = np.count_nonzero(letters, axis=1)
    return lengths


def _cells_from_end(letters: Letters, size: int) -> NDArray[np.int64]:
    """Return the columns of each word's last `size` letters, N x size."""
    columns: NDArray[np.int64] = (_word_lengths(letters) - size)[:, None] + np.arange(size)
    return columns


def _rows_equal(rows: Letters, pattern: Letters) -> NDArray[np.bool_]:
    equal: NDArray[np.bool_] = np.all(rows == pattern, axis=1)
    return equal


def _has_prefix(letters: Letters, shape: WordShape, parameters: Parameters) -> NDArray[np.bool_]:
    pattern = _pattern(shape, parameters)
    return _rows_equal(letters[:, : len(pattern)], pattern)


def _has_suffix(letters: Letters, shape: WordShape, parameters: Parameters) -> NDArray[np.bool_]:
    pattern = _pattern(shape, parameters)
    return _rows_equal(np.take_along_axis(letters, _cells_from_end(letters, len(pattern)), axis=1), pattern)


def _contains(letters: Letters, shape: WordShape, parameters: Parameters) -> NDArray[np.bool_]:
    pattern = _pattern(shape, parameters)
    found = np.zeros(len(letters), dtype=bool)
    for offset in range(letters.shape[1] - len(pattern) + 1):
        here = letters[:, offset] == pattern[0]
        for further in range(1, len(pattern)):
            here &= letters[:, offset + further] == pattern[further]
        found |= here
    return found


def _write_prefix(stream: Stream, letters: Letters, shape: WordShape, parameters: Parameters) -> Letters:
    pattern = _pattern(shape, parameters)
    changed = letters.copy()
    changed[:, : len(pattern)] = pattern
    return changed


def _write_suffix(stream: Stream, letters: Letters, shape: WordShape, parameters: Parameters) -> Letters:
    pattern = _pattern(shape, parameters)
    changed = letters.copy()
    np.put_along_axis(changed, _cells_from_end(letters, len(pattern)), pattern, axis=1)
    return changed


def _write_inside(stream: Stream, letters: Letters, shape: WordShape, parameters: Parameters) -> Letters:
    # At an interior offset, so that no prefix or suffix is made; a word too short for that takes it at its start.
    pattern = _pattern(shape, parameters)
    room = np.maximum(1, _word_lengths(letters) - len(pattern) - 1)
    offsets = 1 + stream.integers(1 << 32, len(letters)) % room
    offsets = np.minimum(offsets, _word_lengths(letters) - len(pattern))
    changed = letters.copy()
    np.put_along_axis(changed, offsets[:, None] + np.arange(len(pattern)), pattern, axis=1)
    return changed


def _draw_length(stream: Stream, shape: WordShape, length: int) -> Parameters:
    return {"letters": shape.lengths[stream.below(len(shape.lengths))]}


def _has_length(letters: Letters, shape: WordShape, parameters: Parameters) -> NDArray[np.bool_]:
    return np.equal(_word_lengths(letters), int(parameters["letters"]))


def _write_length(stream: Stream, letters: Letters, shape: WordShape, parameters: Parameters) -> Letters:
    changed = _random_letters(stream, shape, len(letters))
    changed[:, int(parameters["letters"]) :] = 0
    return changed


def _draw_vowels(stream: Stream, shape: WordShape, length: int) -> Parameters:
    # Counts near the mean: others are so rare that the window could be found by that word alone.
    expected = min(shape.lengths) * sum(letter in VOWELS for letter in shape.alphabet) / len(shape.alphabet)
    return {"vowels": max(0, round(expected) - 1) + stream.below(3)}


def _count_vowels(letters: Letters, shape: WordShape) -> NDArray[np.int64]:
    table = np.array([False, *(letter in VOWELS for letter in shape.alphabet)])
    counts: NDArray[np.int64] = np.count_nonzero(table[letters], axis=1)
    return counts


def _has_vowels(letters: Letters, shape: WordShape, parameters: Parameters) -> NDArray[np.bool_]:
    return np.equal(_count_vowels(letters, shape), int(parameters["vowels"]))


def _write_vowels(stream: Stream, letters: Letters, shape: WordShape, parameters: Parameters) -> Letters:
    changed = letters.copy()
    for _ in range(64):
        wrong = np.flatnonzero(~_has_vowels(changed, shape, parameters))
        if not len(wrong):
            break
        changed[wrong] = np.where(letters[wrong] > 0, _random_letters(stream, shape, len(wrong)), 0)
    return changed


def _random_letters(stream: Stream, shape: WordShape, count: int) -> Letters:
    drawn = stream.integers(len(shape.alphabet), count * shape.width) + 1
    return drawn.astype(np.uint8).reshape(count, shape.width)


def _count(parameters: Parameters, key: str, noun: str) -> str:
    number = int(parameters[key])
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


UNARY: dict[str, UnaryKind] = {
    "prefix": UnaryKind(_draw_string, _has_prefix, _write_prefix, lambda p: f'starts with "{p["string"]}"', "3.2.1"),
    "suffix": UnaryKind(_draw_string, _has_suffix, _write_suffix, lambda p: f'ends with "{p["string"]}"', "3.2.1"),
    "contains": UnaryKind(_draw_string, _contains, _write_inside, lambda p: f'contains "{p["string"]}"', "3.2.1"),
    "length": UnaryKind(
        _draw_length,
        _has_length,
        _write_length,
        lambda p: f"has exactly {_count(p, 'letters', 'letter')}",
        "ours",
        rare=False,
    ),
    "vowels": UnaryKind(
        _draw_vowels,
        _has_vowels,
        _write_vowels,
        lambda p: f"has exactly {_count(p, 'vowels', 'vowel')} (aeiou)",
        "ours",
        rare=False,
    ),
}


def draw_predicates(
    stream: Stream, shape: WordShape, kinds: tuple[str, ...], k: int, length: int
) -> tuple[Predicate, ...]:
    """Return one predicate a position of the target, its kind uniform over `kinds`; strings are all different (A.3).

    Args:
        stream: where the draws come from.
        shape: of the words.
        kinds: names in `UNARY`.
        k: number of predicates.
        length: letters of a string (m in the paper).
    """
    drawn: list[Predicate] = []
    strings: set[str] = set()
    while len(drawn) < k:
        kind = kinds[stream.below(len(kinds))]
        parameters = UNARY[kind].draw(stream, shape, length)
        string = str(parameters.get("string", ""))
        if not string or string not in strings:
            strings.add(string)
            drawn.append(Predicate(kind, len(drawn), parameters, UNARY[kind].wording(parameters)))
    return tuple(drawn)


def satisfied(letters: Letters, shape: WordShape, predicates: tuple[Predicate, ...]) -> NDArray[np.bool_]:
    """Return for every word which of the predicates it satisfies, N x k."""
    columns = [UNARY[predicate.kind].holds(letters, shape, predicate.parameters) for predicate in predicates]
    return np.stack(columns, axis=1)
