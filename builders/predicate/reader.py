"""Reads a prompt the way a model has to, and solves it: the ceiling that every table carries.

Nothing but the prompt is used: the words, the number of words asked for and the conditions are parsed from its text.
"""

import re
from dataclasses import dataclass

from lengthwise.errors import InputError

from . import solver

_LABEL = re.compile(r"^(?:Words|List \d+): ?", re.MULTILINE)
_CONDITION = re.compile(
    r'^- word \d+ (?:(starts with|ends with|contains) "([a-z]+)"|has exactly (\d+) (letter|vowel)s?)', re.MULTILINE
)
_TOTAL = re.compile(r"letters of all \d+ words together add up to (\d+)")
_COUNT = re.compile(r"(?:run of exactly|sequence of|Find) (\d+) (?:consecutive )?words")
_ORDER, _LONGEST = "in strict alphabetical order", "Find the longest such run"
_STRING_KINDS = {"starts with": "prefix", "ends with": "suffix", "contains": "contains"}


@dataclass(frozen=True)
class Task:
    """What a prompt asks, as far as the solver needs it."""

    words: list[str]
    starts: list[int]
    predicates: list[tuple[str, solver.Parameters]]
    k: int | None
    quantifier: str


def split_lists(shown_list: str) -> tuple[list[str], list[int]]:
    """Return the words of a shown list, and the index at which each list begins."""
    words: list[str] = []
    starts: list[int] = []
    for part in _LABEL.split(shown_list)[1:]:
        starts.append(len(words))
        words.extend(part.split())
    return words, starts


def read_prompt(prompt: str) -> Task:
    """Parse a prompt into the words and the question.

    Raises:
        InputError: the prompt is not one of ours.
    """
    shown_list, _, question = prompt.partition("\n\n")
    words, starts = split_lists(shown_list)
    total, count = _TOTAL.search(question), _COUNT.search(question)
    conditions: list[tuple[str, solver.Parameters]] = []
    for verb, string, number, noun in _CONDITION.findall(question):
        if verb:
            conditions.append((_STRING_KINDS[verb], {"string": string}))
        else:
            conditions.append(
                ("length", {"letters": int(number)}) if noun == "letter" else ("vowels", {"vowels": int(number)})
            )
    k = int(count[1]) if count else None
    understood = len(conditions) == k
    if total:
        conditions, understood = [("letter-sum", {"total": int(total[1])})], k is not None
    elif not conditions and _ORDER in question:
        conditions, understood = [("lex", {})], k is not None or _LONGEST in question
    if not words or not understood:
        raise InputError(
            "the prompt is no PredicateLongBench prompt: it must be a word list, an empty line, a question"
        )
    quantifier = "all" if "Find every sequence" in question else "longest" if k is None else "exists"
    return Task(words, starts, conditions, k, quantifier)


def solve_prompt(prompt: str) -> str:
    r"""Return the reply of a perfect reader: one `<answer>` line, or one for each sequence where all are asked for.

    Raises:
        InputError: the prompt is not one of ours.

    >>> asked = "They are in strict alphabetical order. Find such a run of exactly 3 consecutive words."
    >>> solve_prompt(f"Words: d a b c\n\n{asked}")
    '<answer>a b c</answer>'
    """
    task = read_prompt(prompt)
    found = solver.solve(task.words, task.predicates, task.k, task.quantifier, task.starts)
    if task.quantifier != "all":
        found = found[:1]
    answers = [" ".join(task.words[start : start + length]) for start, length in found]
    return "\n".join(f"<answer>{answer}</answer>" for answer in answers or [""])
