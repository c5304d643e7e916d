"""Entity-referenced hallucination generation, ERHG (section 3.3): one to three errors put into a reference summary.

A row's stream draws how many types, which of them in which order, and the injector that writes all of them. The types
are planted one after the other, each in a sentence of its own: a later one may not touch an earlier one's. A proposal
that is no such hallucination (`changes`) is asked for again, with the sentence that did not serve named as not to be
used; a type that the model declines, or has no luck with, gives its place to the next of the order. The gold score
follows from how many types there are in the end, not from how many were drawn.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lengthwise.builders.streams import Stream
from lengthwise.contracts import Reply
from lengthwise.errors import InputError
from lengthwise.metrics.fault_types import HallucinationType
from lengthwise.metrics.parsed import Unparsed

from .arbitration import distinct
from .asking import ATTEMPTS, CONCURRENCY, Calls, Line, RefusedError, Tally, each, readable
from .changes import FABRICATION, Changed, Proposal, change, proposal_of
from .labels import erhg_score, is_hallucinated
from .prompt_texts import EntityLists, Prompts, subtypes
from .records import Injected, Injection, Language, Reference, WindowKey
from .replies import Declined, InjectionReply, read_injection
from .roles import INJECTORS, Slot

TYPES = tuple(HallucinationType)
# Most types that are tried beyond the number drawn.
SPARE_TYPES = 2


async def inject(
    references: Sequence[Reference],
    languages: Mapping[WindowKey, Language],
    entities: Mapping[WindowKey, EntityLists],
    calls: Calls,
    prompts: Mapping[Language, Prompts],
    *,
    seed: int = 42,
    variants: int = 1,
    concurrency: int = CONCURRENCY,
    done: Callable[[], object] = lambda: None,
) -> tuple[list[Injected], Tally]:
    """Return each reference with hallucinations in it.

    Args:
        references: what they are put into; one that its critic found hallucinated is rejected.
        languages: of their windows.
        entities: of the references; one without is rejected.
        calls: with the injectors' roles.
        prompts: of each language.
        seed: of the draws.
        variants: how many of each reference, drawn independently (>= 1).
        concurrency: summaries at a time.
        done: told as each ends.

    Returns:
        Summaries in the order of references and variants, each once, and the numbers.

    Raises:
        InputError: `variants` is less than 1, or a record is missing.
    """
    if variants < 1:
        raise InputError(f"variants {variants}: must be at least 1")
    tally = Tally("injection")

    async def make(item: tuple[Reference, int]) -> Injected:
        reference, number = item
        if reference.score is not None and is_hallucinated(reference.score):
            raise RefusedError("the reference summary is hallucinated")
        if reference.key not in entities:
            raise RefusedError("no entities")
        language = languages[reference.key]
        draw = Draw.of(reference.key, number, seed)
        line = calls.line(f"{reference.key.id}/injection/{number}", draw.injector)
        return await _inject(reference, language, draw, entities[reference.key], line, prompts[language], tally)

    items = [(reference, number) for reference in references for number in range(1, variants + 1)]
    made = await each(items, lambda item: f"{item[0].key.id}/{item[1]}", make, tally, concurrency, done)
    return distinct((one for one in made if one is not None), {}, tally), tally


@dataclass(frozen=True, slots=True)
class Draw:
    """What the stream of a row decides.

    Attributes:
        count: how many types, 1 to 3, each as likely.
        types: all eight, in random order; those in front are tried first, so each has the same share.
        injector: the slot that writes.
    """

    count: int
    types: tuple[HallucinationType, ...]
    injector: Slot

    @staticmethod
    def of(key: WindowKey, number: int, seed: int) -> "Draw":
        """Return the draw of a window's injected summary, which nothing but these three decide."""
        stream = Stream("longnovel", 1, "injection", seed, key.id, number)
        count = 1 + stream.below(3)
        injector = INJECTORS[stream.below(len(INJECTORS))]
        return Draw(count, tuple(TYPES[place] for place in stream.permutation(len(TYPES)).tolist()), injector)


async def _inject(
    reference: Reference,
    language: Language,
    draw: Draw,
    entities: EntityLists,
    line: Line,
    prompts: Prompts,
    tally: Tally,
) -> Injected:
    text = reference.text
    injections: list[Injection] = []
    for kind in draw.types[: draw.count + SPARE_TYPES]:
        planted = [one.hallucinated for one in injections]
        found = await _plant(text, language, kind, entities, planted, line, prompts, tally)
        if found is None:
            continue
        changed, injection = found
        text = changed.text
        injections.append(injection)
        if len(injections) == draw.count:
            break
    if not injections:
        raise RefusedError("no type could be planted")
    if any(text.count(one.hallucinated) != 1 for one in injections) or any(
        reference.text.count(one.original) != 1 for one in injections if one.original
    ):
        raise RefusedError("a sentence stands within another")
    ordered = tuple(sorted(injections, key=lambda one: text.index(one.hallucinated)))
    return Injected(reference.key, text, ordered, erhg_score(one.type for one in ordered))


async def _plant(
    text: str,
    language: Language,
    kind: HallucinationType,
    entities: EntityLists,
    planted: Sequence[str],
    line: Line,
    prompts: Prompts,
    tally: Tally,
) -> tuple[Changed, Injection] | None:
    """Return the summary with one more hallucination, or None where the model declines or never gets it right."""

    def read(reply: str) -> InjectionReply | Declined | Unparsed:
        return read_injection(reply, kind)

    usable: Callable[[Reply], InjectionReply | Declined] = readable(read)
    # To an added sentence those planted before are no hindrance.
    spared = () if kind is FABRICATION else planted
    no_use: list[str] = []
    for attempt in range(1, ATTEMPTS + 1):
        prompt = prompts.inject(kind, text, entities=entities, untouched=[*spared, *no_use])
        reply = await line.ask(prompt)
        try:
            # Of what was cut only the beginning can be read, and the rest guessed.
            if reply.finish_reason == "length":
                raise RefusedError("cut by length")
            said = usable(reply)
            if isinstance(said, Declined):
                tally.refused[f"{kind}: declined"] += 1
                return None
            proposal = _proposal(said, text, language, kind)
        except RefusedError as refused:
            tally.refused[f"{kind}: {refused}"] += 1
            continue
        try:
            changed = change(text, language, kind, proposal, planted)
        except RefusedError as refused:
            tally.refused[f"{kind}: {refused}"] += 1
            # So that the next reply is another one.
            spent = proposal.hallucinated if kind is FABRICATION else proposal.original
            if spent.strip() and spent not in no_use:
                no_use.append(spent)
            continue
        subtype = proposal.subtype if proposal.subtype in subtypes(kind, language) else ""
        return changed, Injection(kind.value, subtype, changed.hallucinated, changed.original, line.slot, attempt)
    return None


def _proposal(said: InjectionReply, text: str, language: Language, kind: HallucinationType) -> Proposal:
    if said.hallucinated:
        return Proposal(said.before or said.original, said.hallucinated, said.subtype)
    return proposal_of(text, said.summary, language, kind, said.subtype)
