"""What each pair is to be before there is a world for it: types, subtypes and soft sentences, evened out.

Everything is dealt from shuffled decks that go round: the first type of a pair from one of all eight, the number of
types from five ones, three twos and two threes, further types and subtypes from decks of their own. So every build is
balanced up to its last round, and one of fewer examples is the beginning of one of more.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from typing import TypeVar

from lengthwise.metrics.fault_types import HallucinationType

from ..labels import BEST, FAITHFUL
from ..prompt_texts import subtypes
from ..records import Language
from ..splits import Split
from .draws import Deck, Draws
from .settings import BENCHMARK, VERSION

# Fifty, thirty and twenty in a hundred.
_NUMBERS = (1, 1, 1, 1, 1, 2, 2, 2, 3, 3)
# Score of a faithful summary -> how many of its sentences say less than they could.
SOFT: dict[int, tuple[int, ...]] = {5: (0,), 4: (1, 2), 3: (3, 4, 5)}

Card = TypeVar("Card")


@dataclass(frozen=True, slots=True)
class Design:
    """What a pair is to be.

    Attributes:
        wanted: type and subtype ("" where a type has none) of each change, in the order of importance: if a summary
            is too short for all, the last ones are given up.
        soft: how many sentences of both summaries are soft.
    """

    wanted: tuple[tuple[HallucinationType, str], ...]
    soft: int


def designs(scale: str, split: Split, language: Language, seed: int) -> Iterator[Design]:
    """Yield the designs of a split's pairs in a language, without end.

    Args:
        scale: the config.
        split: which.
        language: which.
        seed: of the build.
    """

    def deck(name: str, cards: Sequence[Card]) -> Callable[..., Card]:
        """Return what deals the next card of a deck, or the next that fits."""
        dealt = Deck(Draws(BENCHMARK, VERSION, "designs", scale, split, language, seed, name), cards)

        def deal(fits: Callable[[Card], bool] = lambda card: True) -> Card:
            card = dealt.deal(fits)
            assert card is not None
            return card

        return deal

    numbers, scores = deck("numbers", _NUMBERS), deck("scores", range(FAITHFUL, BEST + 1))
    first, further = deck("first", tuple(HallucinationType)), deck("further", tuple(HallucinationType))
    ways = {kind: deck(kind, subtypes(kind, language) or ("",)) for kind in HallucinationType}
    soft = {score: deck(f"soft-{score}", cards) for score, cards in SOFT.items()}
    for _ in count():
        kinds = [first()]
        for _ in range(numbers() - 1):
            kinds.append(further(partial(_is_new, kinds)))
        yield Design(tuple((kind, ways[kind]()) for kind in kinds), soft[scores()]())


def _is_new(kinds: Sequence[HallucinationType], kind: HallucinationType) -> bool:
    return kind not in kinds


def find_design(scale: str, split: Split, language: Language, seed: int, index: int) -> Design:
    """Return the design of one pair, counted from 0."""
    return next(islice(designs(scale, split, language, seed), index, None))


def soft_score(soft: int) -> int:
    """Return the score of a faithful summary with so many soft sentences.

    >>> [soft_score(count) for count in range(6)]
    [5, 4, 4, 3, 3, 3]
    """
    return next(score for score, counts in SOFT.items() if soft <= counts[-1])
