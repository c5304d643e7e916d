"""The picture of the variants (the paper's Figure 6, drawn anew): what each variant's list holds.

A list is a row of bars, a bar a word. Of a lexicographic list a bar's height is the word's place in the alphabet, so
that a sorted run is a staircase; of a unary list it is the number of the predicate that the word satisfies.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lengthwise.evaluators.figures.choosing import parsed
from lengthwise.evaluators.figures.model import Figure, Role, Strip, Word
from lengthwise.evaluators.naming import configs_of
from lengthwise.evaluators.scoring import Scored

N_WORDS = 72
_LOW, _HIGH = 0.06, 0.97
# Five words in order between two that end the run on either side, as the paper's construction plants them (A.2.2).
_RUN = (_HIGH, 0.2, 0.36, 0.53, 0.7, 0.87, _LOW)
# The same with a pair in its interior exchanged (A.2.4).
_NEAR_SORTED = (_HIGH, 0.2, 0.53, 0.36, 0.7, 0.87, _LOW)
_SHORTER = (_HIGH, 0.3, 0.5, 0.7, 0.85, _LOW)
_SATISFIES = (0.2, 0.4, 0.6, 0.8, 1.0)
_TARGET = 33


@dataclass(frozen=True, slots=True)
class _Drawing:
    """A strip and the variants whose lists look so."""

    variants: tuple[str, ...]
    says: str
    words: tuple[Word, ...]


def _noise(seed: str, n: int) -> list[Word]:
    """Return n words of arbitrary heights in which no three stand in order."""
    heights: list[float] = []
    for place in range(n):
        byte = hashlib.sha256(f"{seed} {place}".encode()).digest()[0]
        height = 0.1 + 0.85 * byte / 255
        if len(heights) > 1 and heights[-2] < heights[-1] < height:
            height = heights[-1] / 2
        heights.append(height)
    return [Word(round(height, 3)) for height in heights]


def _plant(words: list[Word], start: int, heights: Sequence[float], role: Role) -> None:
    """Put a run of these heights at a place; its first and last word only end it and have no role."""
    last = len(heights) - 1
    for offset, height in enumerate(heights):
        words[start + offset] = Word(height, role if 0 < offset < last else "word")


def _lex(*, decoys: Sequence[int] = (), shorter: Sequence[int] = (), n: int = N_WORDS) -> tuple[Word, ...]:
    words = _noise("lex", n)
    _plant(words, round(_TARGET * n / N_WORDS), _RUN, "answer")
    for start in decoys:
        _plant(words, start, _NEAR_SORTED, "decoy")
    for start in shorter:
        _plant(words, start, _SHORTER, "shorter")
    return tuple(words)


def _lists() -> tuple[Word, ...]:
    size = 15
    words = _noise("lists", 5 * size)
    # In the third list, with words between it and the runs over that list's boundaries.
    _plant(words, 2 * size + 4, _RUN, "answer")
    for cut in range(size, len(words), size):
        # Two or three words of the run stand before the boundary.
        _plant(words, cut - 3 - cut // size % 2, _RUN, "decoy")
        words[cut] = replace(words[cut], opens=True)
    return tuple(words)


def _unary(near_misses: bool = False) -> tuple[Word, ...]:
    words = [Word(_LOW)] * N_WORDS
    if near_misses:
        for place in range(N_WORDS):
            byte = hashlib.sha256(f"unary {place}".encode()).digest()[0]
            # A quarter of the words satisfy one of the five: alpha = 0.05 each.
            if byte < 64:
                words[place] = Word(_SATISFIES[byte % 5], "decoy")
    for offset, height in enumerate(_SATISFIES):
        words[_TARGET + offset] = Word(height, "answer")
    return tuple(words)


_DRAWINGS = (
    _Drawing(
        ("unary-locate", "unary-all", "shape-locate"),
        "Each word of the answer satisfies its own predicate, in order; the other words rarely satisfy any. "
        "Asked for: one such sequence; for unary-all, the same list and all of them.",
        _unary(),
    ),
    _Drawing(
        ("unary-decoys",),
        "Many of the other words, a quarter in the paper, satisfy one predicate each; no other sequence satisfies "
        "all of them in order.",
        _unary(near_misses=True),
    ),
    _Drawing(
        ("lex-locate", "documents-locate"),
        "One run of the length asked for stands in alphabetical order; no other run is as long.",
        _lex(),
    ),
    _Drawing(
        ("lex-longest", "documents-longest"),
        "The same list with another question: the longest run. Shorter runs have to be compared with it.",
        _lex(shorter=(4, 21, 50, 62)),
    ),
    _Drawing(
        ("lex-scattered", "documents-scattered"),
        "Runs of the same length in which one pair of neighbours is exchanged stand all over the list.",
        _lex(decoys=(1, 12, 22, 43, 54, 64)),
    ),
    _Drawing(
        ("lex-clustered", "documents-clustered"),
        "The same near-sorted runs, all of them close to the answer.",
        _lex(decoys=(11, 18, 26, 40, 47, 54)),
    ),
    _Drawing(
        ("lex-lists",),
        "Several lists: over each boundary between two lists runs a sorted sequence that is in neither, and so is "
        "no answer.",
        _lists(),
    ),
    _Drawing(
        ("lex-short-words",),
        "As in lex-locate, with shorter words: more than twice as many of them in the same number of tokens.",
        _lex(n=2 * N_WORDS),
    ),
    _Drawing(
        ("sum-locate",),
        "The answer is the window of words whose letters add up to a given number; nothing in it stands out.",
        tuple(
            replace(word, role="answer" if _TARGET <= place < _TARGET + 5 else "word")
            for place, word in enumerate(_noise("sum", N_WORDS))
        ),
    ),
)


def variants_picture(runs: Sequence[Scored]) -> Figure | None:
    """Return the picture of the variants that were run."""
    run = list(dict.fromkeys(parsed(config)[0] for config in configs_of(runs)))
    strips = tuple(
        Strip(", ".join(named), one.says, one.words)
        for one in _DRAWINGS
        if (named := [variant for variant in one.variants if variant in run])
    )
    if not strips:
        return None
    caption = (
        "A schematic list per variant, a bar a word; real lists hold thousands of words. In a lexicographic list the "
        "height of a bar is the word's place in the alphabet, so a sorted run is a staircase; in a unary list it is "
        "the number of the predicate that the word satisfies, the lowest bars satisfying none."
    )
    return Figure("variants-picture", "What the lists hold", caption, strips=strips)
