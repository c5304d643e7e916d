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
    k = example.columns["k"]
    start = Stream("reference:random", example.id, repeat).below(max(1, example.columns["n_words"] - k + 1))
    return answer_lines([_words(example, start + k)[start:]])


def _first_window(example: Example, repeat: int, prompt: str) -> str:
    """Give the first k words."""
    return answer_lines([_words(example, example.columns["k"])])


def _words(example: Example, count: int) -> list[str]:
    """Return the first words of the row's list; what is behind them is not split."""
    start, end = example.columns["list_span"]
    shown = example.prompt[start:end]
    # Where there are several lists the span holds their headings too; one alone can be half a million characters.
    if "List " in shown:
        shown = re.sub(r"(?m)^List \d+: ", "", shown)
    return shown.split(None, count)[:count]


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
