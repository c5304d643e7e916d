"""The reference models of PredicateLongBench."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from lengthwise.builders.streams import Stream
from lengthwise.contracts import ReplyError
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.references import Reference


def _solver(example: Example, repeat: int, prompt: str) -> str:
    """Solve the prompt; nothing of the row is looked at."""
    from lengthwise.builders.predicate.reader import solve_prompt

    try:
        return solve_prompt(prompt)
    except InputError as error:
        raise ReplyError(f"the solver cannot read this prompt: {error}") from error


def _gold(example: Example, repeat: int, prompt: str) -> str:
    """Give the row's own answers."""
    return answer_lines(example.columns["answers"])


def _random(example: Example, repeat: int, prompt: str) -> str:
    """Give k words in a row from a place drawn by the row's id and the repeat."""
    k, count = example.columns["k"], example.columns["n_words"]
    start = Stream("reference:random", example.id, repeat).below(max(1, count - k + 1))
    shown = _shown(example)
    # Split from the nearer end: of half a million characters that takes a while.
    words = (
        shown.split(None, start + k)[start:]
        if start < count / 2
        else shown.rsplit(None, count - start)[start - count :]
    )
    return answer_lines([words[:k]])


def _first_window(example: Example, repeat: int, prompt: str) -> str:
    """Give the first k words."""
    k = example.columns["k"]
    return answer_lines([_shown(example).split(None, k)[:k]])


def _shown(example: Example) -> str:
    """Return the row's words as the prompt shows them, headings of lists left out."""
    start, end = example.columns["list_span"]
    shown = example.prompt[start:end]
    # Several lists have a line each, and one has none to look for headings in.
    return re.sub(r"(?m)^List \d+: ", "", shown) if "\n" in shown else shown


def answer_lines(answers: Sequence[Sequence[str]]) -> str:
    r"""Return the reply that gives these sequences, in the form that the prompts ask for.

    >>> answer_lines([["an", "apple"], ["a", "pear"]])
    '<answer>an apple</answer>\n<answer>a pear</answer>'
    >>> answer_lines([])
    '<answer></answer>'
    """
    return "\n".join(f"<answer>{' '.join(words)}</answer>" for words in answers or [()])


PREDICATE_REFERENCES: Mapping[str, Reference] = MappingProxyType(
    {
        "solver": Reference("reads the prompt and solves it exactly; sees no gold column", _solver, "ceiling"),
        "gold": Reference("gives the gold answer: the ceiling of the scoring", _gold, "ceiling"),
        "random": Reference("gives a random run of k words of the list: the floor", _random, "floor"),
        "first-window": Reference("gives the first k words of the list", _first_window, "floor"),
    }
)
