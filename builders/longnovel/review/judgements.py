"""What a person says of one summary, how two people differ, and its JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from lengthwise.errors import InputError

from ..labels import canonical_types

Difference: TypeAlias = Literal["presence", "types", "sentences"]
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Judgement:
    """One person's judgement of one summary.

    Attributes:
        hallucinated: None while they have not said.
        sentences: indices from 0 of those that they found wrong, rising.
        types: values of `HallucinationType`, in that order.
        explanation: in their own words.
    """

    hallucinated: bool | None = None
    sentences: tuple[int, ...] = ()
    types: tuple[str, ...] = ()
    explanation: str = ""

    def missing(self) -> str | None:
        """Return what it lacks to be a label: "presence", "sentences", "types" or "explanation"; None for nothing."""
        if self.hallucinated is None:
            return "presence"
        if not self.hallucinated:
            return None
        said = {"sentences": self.sentences, "types": self.types, "explanation": self.explanation.strip()}
        return next((name for name, value in said.items() if not value), None)

    def to_json(self, sentences: Sequence[str]) -> dict[str, Any]:
        """Return it as JSON types, the sentences with their text: they can be read without the build."""
        return {
            "hallucinated": self.hallucinated,
            "sentences": [{"index": index, "text": sentences[index]} for index in self.sentences],
            "types": list(self.types),
            "explanation": self.explanation,
        }


def read_judgement(value: Any, sentences: int | None = None) -> Judgement:
    """Return a judgement from JSON; what a faithful summary cannot have is dropped.

    Args:
        value: as `to_json` gives it; sentences may be bare indices.
        sentences: how many the summary has; None if that is not known.

    Raises:
        InputError: it is none.

    >>> read_judgement({"hallucinated": True, "sentences": [2, 0], "types": ["Fictional Event"]}, 3)
    Judgement(hallucinated=True, sentences=(0, 2), types=('event-fabrication',), explanation='')
    """
    if not isinstance(value, Mapping):
        raise InputError("judgement: give an object with hallucinated, sentences, types and explanation")
    presence, explanation = value.get("hallucinated"), value.get("explanation", "")
    marked, types = value.get("sentences", []), value.get("types", [])
    if presence is not None and not isinstance(presence, bool):
        raise InputError(f"hallucinated {presence!r}: give true, false or null")
    if not isinstance(explanation, str) or len(explanation) > _LONGEST:
        raise InputError(f"explanation: give a text of up to {_LONGEST:,} characters")
    explanation = whole(explanation)
    if not isinstance(types, list) or not all(isinstance(one, str) for one in types):
        raise InputError("types: give a list of names")
    if not isinstance(marked, list):
        raise InputError("sentences: give a list of indices")
    most = float("inf") if sentences is None else sentences
    indices: set[int] = set()
    for one in marked:
        index = one.get("index") if isinstance(one, Mapping) else one
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < most:
            raise InputError(f"sentences: {index!r} is no sentence of this summary")
        indices.add(index)
    if presence is False:
        return Judgement(False, (), (), explanation)
    return Judgement(presence, tuple(sorted(indices)), canonical_types(types), explanation)


def whole(text: str) -> str:
    r"""Return a text that any file can hold: half a surrogate pair, which a page can send, becomes a question mark.

    >>> whole("a\ud800")
    'a?'
    """
    return text.encode("utf-8", "replace").decode()


def differences(judgements: Sequence[Judgement]) -> tuple[Difference, ...]:
    """Return in what people differ over one summary.

    >>> differences([Judgement(True, (0,), ("event",)), Judgement(True, (0, 1), ("event",), "why")])
    ('sentences',)
    """
    names: dict[Difference, set[object]] = {
        "presence": {one.hallucinated for one in judgements},
        "types": {one.types for one in judgements},
        "sentences": {one.sentences for one in judgements},
    }
    return tuple(name for name, values in names.items() if len(values) > 1)
