"""What the two summaries of a novel say: which claims stand in both, which are told softly, which are changed.

Changes come first, since a type needs a claim of its kind; then soft sentences; then others in random order until the
summary has its length. Nothing of this hangs on which of a claim's values is the true one.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from lengthwise.errors import InputError
from lengthwise.metrics.fault_types import HallucinationType

from ...streams import Stream
from ..records import Language
from ..text import count_words
from .designs import Design
from .draws import Draws
from .edits import Change, choose
from .records import Claim, Sentence

# Words (Chinese: characters) of a summary's sentence, at least on average; by them the claims of a world are counted.
_WORDS: Mapping[Language, int] = {"en": 14, "zh": 20}
# With so many claims a world has all kinds of them, so that every type can be had.
_ALL_KINDS = 18
# The faithful summary keeps this near to its length, so that the changed one stays within a tenth.
_NEAR = 0.03


@dataclass(frozen=True)
class Outline:
    """What the summaries of a novel say.

    Attributes:
        told: sentences of the faithful summary, in order.
        changed: those of the other one, at the same places.
        changes: what was changed, in the order of the sentences.
    """

    told: tuple[Sentence, ...]
    changed: tuple[Sentence, ...]
    changes: tuple[Change, ...]


def claims_wanted(words: int, language: Language) -> int:
    """Return how many claims a world needs for a summary of so many words, and some to choose from."""
    return max(_ALL_KINDS, -(-words // _WORDS[language]))


def make_outline(
    claims: Sequence[Claim],
    design: Design,
    words: int,
    language: Language,
    tell: Callable[[Claim, bool], Sentence],
    draws: Draws,
    stream: Stream,
    begun: int = 0,
) -> Outline:
    """Choose what is said.

    Args:
        claims: of the world, in the order of a summary.
        design: what the pair is to be; where the claims do not allow all of it, the last changes and some of the soft
            sentences are given up.
        words: how long the summaries are to be, in words (Chinese: characters).
        language: of the summaries.
        tell: gives the sentence of a claim, softly or in full.
        draws: randomness of this novel's outline alone.
        stream: randomness of its changes alone.
        begun: words of the summary that are there already.

    Raises:
        InputError: no claim can be changed, or all of them are too few words.
    """
    full = {claim.number: tell(claim, False) for claim in claims}
    # In half words: a changed sentence counts as the mean of its two forms, or the summary that was measured would be
    # nearer to its length than the other.
    room = 2 * (words - begun)
    lengths = {number: 2 * count_words(sentence.text, language) for number, sentence in full.items()}
    chosen: list[Change] = []
    changed: dict[int, Sentence] = {}

    def seen(change: Change) -> bool:
        return tell(change.changed, False).text != full[change.claim.number].text

    for change in _changes(claims, design, language, seen, stream):
        number, sentence = change.claim.number, tell(change.changed, False)
        both = lengths[number] // 2 + count_words(sentence.text, language)
        if not chosen or sum(lengths[one] for one in changed) + both <= room:
            chosen.append(change)
            changed[number], lengths[number] = sentence, both
    free = [claim for claim in draws.shuffled(claims) if claim.number not in changed]
    soft: dict[int, Sentence] = {}
    for claim in free:
        if len(soft) == design.soft:
            break
        sentence = tell(claim, True)
        length = 2 * count_words(sentence.text, language)
        fits = sum(lengths[number] for number in (*changed, *soft)) + length <= room
        # A soft frame may happen to say what the full one does, where there is nothing to leave out.
        if fits and sentence.soft and sentence.text != full[claim.number].text:
            soft[claim.number] = sentence
            lengths[claim.number] = length
    told = full | soft
    kept = _fill(lengths, {*changed, *soft}, [claim.number for claim in free], room)
    if len(kept) == len(lengths) and sum(lengths.values()) < room - 2 * words * _NEAR:
        raise InputError(f"the {len(claims)} claims of a world are too few for a summary of {words:,} words")
    numbers = [claim.number for claim in claims if claim.number in kept]
    by_number = {one.claim.number: one for one in chosen}
    return Outline(
        tuple(told[number] for number in numbers),
        tuple(changed.get(number, told[number]) for number in numbers),
        tuple(by_number[number] for number in numbers if number in by_number),
    )


def _changes(
    claims: Sequence[Claim], design: Design, language: Language, seen: Callable[[Change], bool], stream: Stream
) -> tuple[Change, ...]:
    """Return what the design wants; of a world of too few claims for it, one change of any type."""
    others = [tuple(HallucinationType)[place] for place in stream.permutation(len(HallucinationType)).tolist()]
    for wanted in (design.wanted, *([(kind, "")] for kind in others)):
        if chosen := choose(claims, language, stream, wanted, seen):
            return chosen
    raise InputError(f"none of the {len(claims)} claims of a world can be changed")


def _fill(lengths: Mapping[int, int], must: Collection[int], order: Sequence[int], words: int) -> set[int]:
    """Return which claims are told: all that must be, and others in order, until the words are there or nearly so."""
    kept, total = set(must), sum(lengths[number] for number in must)
    for number in order:
        if number not in kept and total + lengths[number] <= words:
            kept.add(number)
            total += lengths[number]
    movable = [number for number in order if number not in must]
    while abs(total - words) > words * _NEAR:
        # One less or none, for up to two more: what comes nearest.
        others = [number for number in movable if number not in kept]
        gained: list[tuple[tuple[int, ...], int]] = [((), 0), *(((one,), lengths[one]) for one in others)]
        gained += [((one, two), lengths[one] + lengths[two]) for one, two in combinations(others, 2)]
        lost: list[tuple[tuple[int, ...], int]] = [
            ((), 0),
            *(((one,), lengths[one]) for one in movable if one in kept),
        ]
        missed, out, new = min(
            ((abs(total - less + more - words), out, new) for out, less in lost for new, more in gained),
            key=lambda step: step[0],
        )
        if missed >= abs(total - words):
            break
        kept = (kept - set(out)) | set(new)
        total = sum(lengths[number] for number in kept)
    return kept
