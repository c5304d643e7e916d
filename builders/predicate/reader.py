"""Reads a prompt the way a model has to, and solves it: the ceiling that every table carries.

Nothing but the prompt is used: the words, the number of words asked for and the conditions are parsed from its text.
"""

import re
from dataclasses import dataclass

from lengthwise.errors import InputError

from . import solver
from .narrowing import rising_stretches

_LABEL = re.compile(r"(?:Words|List \d+): ?")
_CONDITION = re.compile(r"^- word \d+ (.+)$", re.MULTILINE)
# How the wording of each unary predicate is read back: kind, pattern with a group for each parameter, and their names.
_WORDINGS: tuple[tuple[str, re.Pattern[str], dict[str, type[str] | type[int]]], ...] = (
    ("prefix", re.compile(r'starts with "([a-z]+)"'), {"string": str}),
    ("suffix", re.compile(r'ends with "([a-z]+)"'), {"string": str}),
    ("contains", re.compile(r'contains "([a-z]+)"'), {"string": str}),
    ("length", re.compile(r"has exactly (\d+) letters?"), {"letters": int}),
    ("vowels", re.compile(r"has exactly (\d+) vowels? \(aeiou\)"), {"vowels": int}),
)
_TOTAL = re.compile(r"letters of all \d+ words together add up to (\d+)")
_COUNT = re.compile(r"(?:run of exactly|sequence of|Find) (\d+) (?:consecutive )?words")
_ORDER, _LONGEST = "in strict alphabetical order", "Find the longest such run"


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
    # Most lists are one long line: a search for labels within it would cost more than all the rest.
    for line in shown_list.split("\n"):
        label = _LABEL.match(line)
        if label is not None:
            starts.append(len(words))
            words.extend(line[label.end() :].split())
        elif starts:
            words.extend(line.split())
    return words, starts


def read_prompt(prompt: str) -> Task:
    """Parse a prompt into the words and the question.

    Raises:
        InputError: the prompt is not one of ours.
    """
    shown_list, question = _parts(prompt)
    return _read_task(question, *split_lists(shown_list))


def _parts(prompt: str) -> tuple[str, str]:
    """Return what stands before the first empty line, and what behind it."""
    # Looking for one character is many times as fast as for two.
    end = prompt.find("\n")
    while end >= 0 and not prompt.startswith("\n", end + 1):
        end = prompt.find("\n", end + 1)
    return (prompt, "") if end < 0 else (prompt[:end], prompt[end + 2 :])


def _read_task(question: str, words: list[str], starts: list[int]) -> Task:
    total, count = _TOTAL.search(question), _COUNT.search(question)
    conditions = [read for wording in _CONDITION.findall(question) if (read := _read_condition(wording)) is not None]
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


def _read_condition(wording: str) -> tuple[str, solver.Parameters] | None:
    for kind, pattern, names in _WORDINGS:
        if match := pattern.fullmatch(wording):
            parameters = zip(names.items(), match.groups(), strict=True)
            return kind, {name: convert(value) for (name, convert), value in parameters}
    return None


def _narrowed(prompt: str) -> Task | None:
    """Return the task of a prompt with the stretches of its lists alone in which its answer can be, each as a list.

    None for other questions than those after one alphabetical run of so many words, and for lists of another form.
    """
    shown_list, question = _parts(prompt)
    count = _COUNT.search(question)
    if count is None or _ORDER not in question:
        return None
    words: list[str] = []
    starts: list[int] = []
    for line in shown_list.split("\n"):
        label = _LABEL.match(line)
        stretches = None if label is None else rising_stretches(line[label.end() :], int(count[1]))
        if stretches is None:
            return None
        for stretch in stretches:
            starts.append(len(words))
            words.extend(stretch)
    task = _read_task(question, words, starts) if words else None
    return task if task is not None and task.quantifier == "exists" and task.predicates == [("lex", {})] else None


def solve_prompt(prompt: str) -> str:
    r"""Return the reply of a perfect reader: one `<answer>` line, or one for each sequence where all are asked for.

    Raises:
        InputError: the prompt is not one of ours.

    >>> asked = "They are in strict alphabetical order. Find such a run of exactly 3 consecutive words."
    >>> solve_prompt(f"Words: d a b c\n\n{asked}")
    '<answer>a b c</answer>'
    """
    task = _narrowed(prompt) or read_prompt(prompt)
    found = solver.solve(task.words, task.predicates, task.k, task.quantifier, task.starts)
    if task.quantifier != "all":
        found = found[:1]
    answers = [" ".join(task.words[start : start + length]) for start, length in found]
    return "\n".join(f"<answer>{answer}</answer>" for answer in answers or [""])
