"""Gold labels (section 3.3 and 4.3): what each summary scores, what is wrong with it, and the reply that says so.

Three to five is faithful, less is hallucinated. A compressed human summary (original) only ever is the negative class
and an injected one (erhg) the positive; a model's own (mma) is what its arbiter says. Table 7 of the paper adds up in
no other way. A reference that its critic found hallucinated can be neither, and is refused with what was made of it.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from lengthwise.errors import InputError, unknown_name
from lengthwise.metrics.fault_types import HallucinationType, hallucination_type

from .records import Candidate, Injected, Injection, Language, Origin, Reference, WindowKey

FAITHFUL = 3
"""The least score of a faithful summary."""
BEST = 5

# As the detection prompts name them, in the order of `HallucinationType`.
_EN = (
    "Entity Hallucination", "Numerical Hallucination", "Relation Hallucination", "Event Hallucination",
    "Event Fabrication", "Causal Hallucination", "Logical Inversion", "Temporal Hallucination",
)  # fmt: skip
_ZH = ("实体幻觉", "数值幻觉", "关系幻觉", "事件幻觉", "事件虚构", "因果幻觉", "逻辑反转", "时序幻觉")
TYPE_NAMES: Mapping[Language, Mapping[HallucinationType, str]] = MappingProxyType(
    {
        "en": MappingProxyType(dict(zip(HallucinationType, _EN, strict=True))),
        "zh": MappingProxyType(dict(zip(HallucinationType, _ZH, strict=True))),
    }
)
_NOTHING_FOUND = {
    "en": "Nothing in the summary contradicts the text or goes beyond it.",
    "zh": "概述与原文一致，未发现幻觉。",
}


@dataclass(frozen=True, slots=True)
class Label:
    """A summary with its gold label.

    Attributes:
        key: of the window.
        language: of the text.
        origin: which of the three ways it came about.
        generator: the slot or slots that wrote it, "human" where nobody but people did.
        number: of the summary among those of its window, origin and generator, from 1.
        score: 0 to 5.
        types: values of `HallucinationType` in that order; empty for a faithful one.
        injections: in the order of the sentences; empty but for erhg.
        reason: why it scores so.
        judges: (slot, score) of the judges.
        summary: the text.
    """

    key: WindowKey
    language: Language
    origin: Origin
    generator: str
    number: int
    score: int
    types: tuple[str, ...]
    injections: tuple[Injection, ...]
    reason: str
    judges: tuple[tuple[str, int], ...]
    summary: str

    @property
    def hallucinated(self) -> bool:
        """Whether it is of the positive class."""
        return is_hallucinated(self.score)

    @property
    def id(self) -> str:
        """The id of its row."""
        parts = [self.key.id, self.origin, *([self.generator] if self.origin == "mma" else [])]
        return "-".join([*parts, *([str(self.number)] if self.number > 1 else [])])


def is_hallucinated(score: int) -> bool:
    """Return the class of a score: 3 to 5 is faithful (section 4.3).

    >>> [is_hallucinated(score) for score in range(6)]
    [True, True, True, False, False, False]

    Raises:
        InputError: it is no score.
    """
    if not 0 <= score <= BEST:
        raise InputError(f"score {score}: scores run from 0 to {BEST}")
    return score < FAITHFUL


def erhg_score(types: Iterable[str]) -> int:
    """Return the score of an injected summary: 2 for one or two types, 1 for three (section 3.3).

    >>> erhg_score(["entity", "entity"]), erhg_score(["entity", "event", "causal"])
    (2, 1)

    Raises:
        InputError: there is none, or more than three.
    """
    distinct = len(set(types))
    if not 1 <= distinct <= 3:
        raise InputError(f"types: an injected summary has one to three, not {distinct}")
    return 2 if distinct < 3 else 1


def canonical_types(names: Iterable[str]) -> tuple[str, ...]:
    """Return types by their canonical names, each once, in the order of `HallucinationType`.

    >>> canonical_types(["Timeline Disruption", "实体幻觉", "entity"])
    ('entity', 'temporal')

    Raises:
        InputError: a name means none of the eight.
    """
    found = set()
    for name in names:
        kind = hallucination_type(name)
        if kind is None:
            raise unknown_name("hallucination type", name, HallucinationType)
        found.add(kind)
    return tuple(kind.value for kind in HallucinationType if kind in found)


def label_reference(reference: Reference, language: Language) -> Label | None:
    """Return the label of a reference: the critic's score, else 5; None where the critic found it hallucinated."""
    score = BEST if reference.score is None else reference.score
    if is_hallucinated(score):
        return None
    generator = "compressor" if reference.compressed else reference.summary_origin.partition(":")[0]
    reason = reference.reason or _NOTHING_FOUND[language]
    return Label(reference.key, language, "original", generator, 1, score, (), (), reason, (), reference.text)


def label_candidate(candidate: Candidate, language: Language) -> Label:
    """Return the label of a model's summary: the arbiter's; a faithful one has no types, whatever it named."""
    types = canonical_types(candidate.types) if is_hallucinated(candidate.score) else ()
    judges = tuple((verdict.judge, verdict.score) for verdict in candidate.verdicts)
    return Label(
        candidate.key, language, "mma", candidate.generator, 1, candidate.score, types, (), candidate.reason, judges,
        candidate.text,
    )  # fmt: skip


def label_injected(injected: Injected, language: Language) -> Label:
    """Return the label of an injected summary.

    Raises:
        InputError: its score does not follow from its types.
    """
    types = canonical_types(one.type for one in injected.injections)
    if injected.score != erhg_score(types):
        raise InputError(f"{injected.key.id}: score {injected.score} with the types {', '.join(types)}")
    slots = ",".join(dict.fromkeys(one.injector for one in injected.injections))
    reason = injection_reason(injected.injections, language)
    return Label(
        injected.key, language, "erhg", slots, 1, injected.score, types, injected.injections, reason, (), injected.text
    )


def injection_reason(injections: Sequence[Injection], language: Language) -> str:
    """Return the reason of an injected summary's score, in the form that the prompts ask for: "type: point; ..."."""
    points = []
    for one in injections:
        kind = hallucination_type(one.type)
        assert kind is not None
        # A semicolon parts points, so a sentence goes without its own end mark.
        wrong, right = one.hallucinated.rstrip(".。;；"), one.original.rstrip(".。;；")
        if language == "zh":
            point = f"“{wrong}”与原文不符，应为“{right}”" if right else f"“{wrong}”在原文中并不存在"
            points.append(f"{TYPE_NAMES['zh'][kind]}：{point}")
        else:
            point = f'"{wrong}" is not what the text says: "{right}"' if right else f'"{wrong}" is not in the text'
            points.append(f"{TYPE_NAMES['en'][kind]}: {point}")
    return ("；" if language == "zh" else "; ").join(points)


def label_all(
    languages: Mapping[WindowKey, Language],
    references: Sequence[Reference],
    candidates: Sequence[Candidate],
    injected: Sequence[Injected],
) -> tuple[list[Label], list[WindowKey]]:
    """Return the labels of all summaries, and the windows whose reference can be no negative.

    What was injected into such a reference is left out with it: its own faults are nobody's gold types.

    Args:
        languages: of every window.
        references: at most one for each window.
        candidates: of windows, with or without a reference.
        injected: of windows with a reference.

    Raises:
        InputError: a summary is of no window, or injected into no reference.
    """
    labels: list[Label] = []
    refused: list[WindowKey] = []
    seen: Counter[str] = Counter()
    for key in (*(r.key for r in references), *(c.key for c in candidates), *(i.key for i in injected)):
        if key not in languages:
            raise InputError(f"{key.id}: there is no such window")
    for reference in references:
        label = label_reference(reference, languages[reference.key])
        if label is None:
            refused.append(reference.key)
        else:
            labels.append(label)
    labels += [label_candidate(one, languages[one.key]) for one in candidates]
    based = {reference.key for reference in references}
    unfit = set(refused)
    for one in injected:
        if one.key not in based:
            raise InputError(f"{one.key.id}: injected, but the window has no reference")
        if one.key not in unfit:
            labels.append(label_injected(one, languages[one.key]))
    numbered = []
    for label in labels:
        seen[label.id] += 1
        numbered.append(replace(label, number=seen[label.id]))
    return numbered, refused


def answer_text(label: Label) -> str:
    """Return the gold reply of a labelled summary; see `reply_text`."""
    return reply_text(label.language, label.score, label.reason, label.types)


def reply_text(language: Language, score: int, reason: str, types: Iterable[str]) -> str:
    """Return a reply as strict JSON in the form that the detection prompt asks for.

    A faithful summary has its score and reason; a hallucinated one its reason first, the score and the types.

    Args:
        language: of the names of types.
        score: 0 to 5.
        reason: why.
        types: canonical names.
    """
    if not is_hallucinated(score):
        return json.dumps({"score": score, "reason": reason}, ensure_ascii=False)
    names = [TYPE_NAMES[language][HallucinationType(one)] for one in types]
    return json.dumps({"reason": reason, "score": score, "hallucination_types": names}, ensure_ascii=False)
