"""Tells claims: a sentence of a summary, the sentence that a summary begins with, the reference of a whole novel.

Every draw hangs on the key of the world and the number of the claim, on nothing else: a claim is told by the same
frame in every summary, and a claim with another word in it by the same frame with another word.
"""

from collections.abc import Sequence

from lengthwise.builders.longnovel.storyworld.records import Arg, Claim, Sentence, World

from .decks import Draws
from .pieces import claim_section
from .render import Filler
from .teller import Teller, teller_of

# In how many of 100 sentences a few words stand before the claim.
_LINKED = 15
# A sentence takes some ten draws.
_BLOCK = 32


def can_be_soft(language: str | Teller, claim: Claim) -> bool:
    """Return whether there are frames that say less than a claim: a rough number, a place left out."""
    return f"{claim_section(claim)}.soft" in teller_of(language).grammar.templates


def tell_claim(language: str | Teller, key: Sequence[str | int], claim: Claim, *, soft: bool = False) -> Sentence:
    """Return the sentence that says a claim.

    Args:
        language: "en" or "zh", or a teller of one's own.
        key: of the world.
        claim: true or not; it is told all the same.
        soft: by a frame that says less, where there is one; the sentence says whether it is.
    """
    teller = teller_of(language)
    soft = soft and can_be_soft(teller, claim)
    filler = Filler(teller.grammar, teller.language, Draws(*key, "claim", claim.number, block=_BLOCK))
    lead = [filler.fill("summary.link", {})] if filler.draws.chance(_LINKED) else []
    text = filler.fill(f"{claim_section(claim)}.soft" if soft else claim_section(claim), claim.args)
    return Sentence(teller.language.finish(teller.language.join([*lead, text])), claim, soft)


def introduce(language: str | Teller, world: World) -> str:
    """Return the sentence that a summary begins with: where and when the story begins, and three of its people."""
    teller = teller_of(language)
    filler = Filler(teller.grammar, teller.language, Draws(*world.key, "summary", block=_BLOCK))
    chapter = world.chapters[0]
    args: dict[str, Arg] = {"place": chapter.place, "date": chapter.day}
    args |= dict(zip("abc", chapter.cast, strict=False))
    return teller.language.finish(filler.fill("summary.open", args))


def retell(language: str | Teller, world: World) -> list[list[Sentence]]:
    """Return the reference: for each chapter the claims whose evidence is complete with it, told in full.

    Args:
        language: "en" or "zh", or a teller of one's own.
        world: what is told.
    """
    found: dict[int, list[Sentence]] = {chapter.number: [] for chapter in world.chapters}
    for claim in world.claims:
        found[claim.chapter].append(tell_claim(language, world.key, claim))
    return list(found.values())
