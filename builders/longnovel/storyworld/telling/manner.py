"""How a chapter is told: how much of it is talk, action, description and so on, and how long its paragraphs are."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from .decks import Draws

# Kind of paragraph -> weight in a chapter without a bent; a talk or a letter is several paragraphs long.
_SHARES: Mapping[str, int] = MappingProxyType({
    "description": 30, "action": 42, "memory": 16, "thought": 13, "custom": 9, "talk": 20, "letter": 5,
})  # fmt: skip
# A chapter has so many percent of that, drawn per kind: some have hardly any talk, others hardly anything else.
_BENT = (5, 30, 80, 120, 250, 500)


@dataclass(frozen=True, slots=True)
class Manner:
    """How a chapter is told.

    Attributes:
        shares: kind of paragraph -> weight.
        sentences: the fewest and the most of a paragraph.
        turns: the fewest and the most of a talk.
        tagged: in how many of 100 turns it is said who speaks, where that is clear anyway.
        modes: "narration", "speech", "letter" -> weight with which a piece is told so.
    """

    shares: Mapping[str, int]
    sentences: tuple[int, int]
    turns: tuple[int, int]
    tagged: int
    modes: Mapping[str, int]


def draw_manner(draws: Draws) -> Manner:
    """Return the manner of a chapter."""
    shares = {kind: share * _BENT[draws.below(len(_BENT))] // 100 + 1 for kind, share in _SHARES.items()}
    modes = {"narration": 50, "speech": 10 + shares["talk"], "letter": 4 + shares["letter"]}
    return Manner(
        shares,
        (draws.between(1, 3), draws.between(4, 8)),
        (draws.between(4, 6), draws.between(7, 14)),
        draws.between(25, 70),
        modes,
    )
