"""Hallucinations as typed changes of claims: which args of which kind of claim change for a type and subtype.

It knows the kinds of claims, the names of their args and the rivals that were drawn with the truth; how a ledger draws
them is not its concern. Where a subtype is named by what the truth was (a promise kept or broken), the claim is chosen
before the subtype is known: to ask for kept promises would leave summaries with fewer of them than true ones have.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from lengthwise.builders.longnovel.prompt_texts import subtypes
from lengthwise.builders.longnovel.records import Language
from lengthwise.builders.streams import Stream
from lengthwise.errors import InputError, unknown_name
from lengthwise.metrics.fault_types import HallucinationType as Type

from .records import Claim, ClaimKind, Truth

# Type -> subtype -> kinds of claims and the rivals that make it. Timelines have no subtypes.
TABLE: Mapping[Type, Mapping[str, tuple[tuple[ClaimKind, str], ...]]] = MappingProxyType(
    {
        Type.ENTITY: {
            "T1": (("owner", "owner"),),
            "T2": (("deed", "agent"),),
            "T3": (("deed", "place"), ("post", "organisation"), ("post", "title")),
        },
        Type.NUMERICAL: {
            "T1": (("amount", "amount"), ("troops", "men"), ("age", "years"), ("date", "day"), ("death", "day")),
            "T2": (("interval", "days"),),
        },
        Type.RELATION: {"T1": (("kin", "relation"),), "T2": (("kin", "b"),)},
        Type.EVENT: {
            "T1": (("deed", "deed"),),
            "T2": (("outcome", "outcome"),),
            "T3": (("motive", "motive"),),
            "T4": (("joint", "other_deed"),),
        },
        Type.EVENT_FABRICATION: {"T1": (("next", "next"),), "T2": (("late", "deed"),)},
        Type.CAUSAL: {"T1": (("cause", "effect"),), "T2": (("cause", "cause"),)},
        Type.LOGICAL_INVERSION: {"T1": (("vow", "kept"),), "T2": (("vow", "kept"),)},
        Type.TEMPORAL: {"": (("order", "agent"),)},
    }
)


@dataclass(frozen=True, slots=True)
class Change:
    """A claim that was made untrue.

    Attributes:
        type: of hallucination.
        subtype: "T1" and so on; empty for a type without any.
        claim: as it is true.
        changed: as the summary has it.
    """

    type: Type
    subtype: str
    claim: Claim
    changed: Claim


def changes(claim: Claim, language: Language) -> list[Change]:
    """Return everything that can be made of a claim in a language.

    Args:
        claim: a true one.
        language: events are merged in English only.
    """
    found = []
    for kind, by_subtype in TABLE.items():
        known = subtypes(kind, language) or ("",)
        for subtype, targets in by_subtype.items():
            if subtype not in known or not _fits(kind, subtype, claim):
                continue
            for target, rival in targets:
                if target == claim.kind:
                    found += [
                        Change(kind, subtype, claim, replace(claim, args={**claim.args, **args}))
                        for args in claim.rivals.get(rival, ())
                    ]
    return found


def _fits(kind: Type, subtype: str, claim: Claim) -> bool:
    """Return whether a subtype is for what is true: to deny what was so, or to affirm what was not."""
    if kind is not Type.LOGICAL_INVERSION or "kept" not in claim.args:
        return True
    return claim.args["kept"] == Truth(subtype == "T1")


def choose(
    claims: Sequence[Claim],
    language: Language,
    stream: Stream,
    wanted: Sequence[tuple[Type, str]],
    seen: Callable[[Change], bool] = lambda _: True,
) -> tuple[Change, ...]:
    """Return changes of the wanted types, each of another claim, for one summary.

    Args:
        claims: of the summary.
        language: see `changes`.
        stream: randomness of this row alone.
        wanted: types, each once, with a subtype of each: "" for any. Where no claim is left for a subtype, another of
            the type takes its place. For logical inversion the truth of the claim that is drawn makes the subtype,
            whatever is wanted; in the long run both come up alike.
        seen: whether a change can be seen in the words that tell it; one that cannot is no change.

    Returns:
        one change for each wanted type, in their order. Where the claims do not allow all, the last are given up, so
        it may be none at all.

    Raises:
        InputError: a type is wanted twice, or there is no such subtype.
    """
    if len({kind for kind, _ in wanted}) < len(wanted):
        raise InputError("wanted: a summary has each type of hallucination once; leave out what comes twice")
    for kind, subtype in wanted:
        if subtype and subtype not in TABLE[kind]:
            raise unknown_name(f"subtype of {kind.value}", subtype, TABLE[kind])
    possible = [change for claim in claims for change in changes(claim, language) if seen(change)]
    options = []
    for kind, subtype in wanted:
        fitting = [change for change in possible if change.type is kind]
        fitting = [fitting[place] for place in stream.permutation(len(fitting)).tolist()]
        if kind is not Type.LOGICAL_INVERSION:
            fitting = [one for one in fitting if one.subtype == subtype] + [
                one for one in fitting if one.subtype != subtype
            ]
        options.append(fitting)
    for count in range(len(options), 0, -1):
        found = _assigned(options[:count], frozenset())
        if found is not None:
            return found
    return ()


def _assigned(options: Sequence[Sequence[Change]], taken: frozenset[int]) -> tuple[Change, ...] | None:
    """Return one of each options such that no claim is changed twice, None where there is no such choice."""
    if not options:
        return ()
    for change in options[0]:
        if change.claim.number not in taken:
            rest = _assigned(options[1:], taken | {change.claim.number})
            if rest is not None:
                return (change, *rest)
    return None
