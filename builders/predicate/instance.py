"""A word list with what was planted in it: what every construction gives and every row is made from."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from lengthwise.errors import InputError


@dataclass(frozen=True, slots=True)
class Decoy:
    """A stretch of words that looks like an answer and is none.

    Attributes:
        start: index of its first word in the whole list.
        length: number of words.
        kind: "near-sorted" (a run with one interior pair swapped), "boundary-run" (a run that crosses from one list
            into the next), or "near-miss" (one word that satisfies exactly one of the predicates).
    """

    start: int
    length: int
    kind: str


@dataclass(frozen=True, slots=True)
class Predicate:
    """One condition on a window of words.

    Attributes:
        kind: a name in `predicates.UNARY`, or "lex", or "letter-sum".
        position: which word of the window it speaks of, 0-based; -1 for the window as a whole.
        parameters: what the kind needs, e.g. `{"string": "ab"}`.
        text: the condition in words, as the question gives it.
    """

    kind: str
    position: int
    parameters: Mapping[str, str | int]
    text: str

    def to_row(self) -> dict[str, str | int]:
        """Return the entry of the row's `predicates` column."""
        parameters = json.dumps(dict(self.parameters), sort_keys=True)
        return {"kind": self.kind, "text": self.text, "position": self.position, "parameters": parameters}

    @staticmethod
    def from_row(entry: Mapping[str, str | int]) -> "Predicate":
        """Rebuild a predicate from the row's column."""
        return Predicate(
            str(entry["kind"]), int(entry["position"]), json.loads(str(entry["parameters"])), str(entry["text"])
        )


LEX = Predicate("lex", -1, {}, "each word comes strictly before the next one in alphabetical order")


@dataclass(frozen=True, slots=True)
class WordList:
    """One context, finished.

    Attributes:
        words: every word with a single space before it, in order.
        n_words: how many they are.
        word_tokens: the sum of the tokens of the words by the build's tokenizer.
        k: length of the answer in words.
        targets: index of the first word of each planted answer, ascending.
        answers: the words of each.
        predicates: the conditions.
        decoys: what was planted beside the target, by start.
        list_starts: index of the first word of each list; (0,) for a single one.
        document_id: the document the words come from; "" for synthetic ones.
    """

    words: str
    n_words: int
    word_tokens: int
    k: int
    targets: tuple[int, ...]
    answers: tuple[tuple[str, ...], ...]
    predicates: tuple[Predicate, ...]
    decoys: tuple[Decoy, ...] = ()
    list_starts: tuple[int, ...] = (0,)
    document_id: str = field(default="")


class Unplantable(Exception):
    """This draw cannot hold what was to be planted; another draw may. The message says what did not fit."""


def too_tight(what: str, reason: Unplantable) -> InputError:
    """Return the error for parameters under which no draw held the plants."""
    return InputError(f"{what}: {reason}; ask for less, or give more words")
