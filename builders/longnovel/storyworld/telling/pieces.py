"""By which sections a piece or a claim of the ledger is told, and whom it is about."""

from collections.abc import Mapping

from lengthwise.builders.longnovel.storyworld.records import Arg, Claim, Deed, Marked, Person, Piece, Truth, Word


def piece_section(piece: Piece, mode: str) -> str:
    """Return the section of a piece's frames: "piece.deed.day.speech" of a deed on a day, told in a talk.

    Args:
        piece: what is told.
        mode: "narration", "speech" or "letter".
    """
    return f"piece.{_shape(piece.kind, piece.args)}.{mode}"


def claim_section(claim: Claim) -> str:
    """Return the section of a claim's frames: "claim.deed.place" for a deed at a place, "claim.vow.no"."""
    return f"claim.{_shape(claim.kind, claim.args)}"


def people(args: Mapping[str, Arg]) -> frozenset[int]:
    """Return the numbers of the people whom some arguments speak of, deeds done to them included."""
    found = set()
    for arg in args.values():
        match arg:
            case Person():
                found.add(arg.number)
            case Marked():
                found.add(arg.person.number)
            case Deed(object=Person() as other):
                found.add(other.number)
            case _:
                pass
    return frozenset(found)


def _shape(kind: str, args: Mapping[str, Arg]) -> str:
    """Return a kind, and behind it what else decides on the wording: which arguments there are, or yes and no."""
    relation, kept = args.get("relation"), args.get("kept")
    if kind == "deed":
        return ".".join((kind, *(name for name in ("day", "place") if name in args)))
    if kind in ("link_a", "link_b") and isinstance(relation, Word):
        return f"{kind}.{relation.key}"
    if isinstance(kept, Truth):
        return f"{kind}.{'yes' if kept.value else 'no'}"
    return kind
