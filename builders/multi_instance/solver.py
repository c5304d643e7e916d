"""Solves arithmetic, parity and word prompts from nothing but the prompt: the ceiling that a model could reach.

It shares no code with the generators: questions are read with patterns of its own. The other five tasks take
judgement, and are not solved.
"""

import json
import re
from collections.abc import Callable
from decimal import Context, Decimal

from .noise import NOISE
from .prompts import read_instances

_EXACT = Context(prec=60)
_NUMBER = r"(-?\d+(?:\.\d+)?)"
# What a question asks: its pattern, and what it comes to; the first that matches the whole text counts.
_QUESTIONS: tuple[tuple[re.Pattern[str], Callable[[Decimal, Decimal], Decimal]], ...] = tuple(
    (re.compile(pattern.replace("N", _NUMBER), re.IGNORECASE), solve)
    for pattern, solve in (
        (r"what is the (?:distance|difference) between N and N\?", lambda a, b: abs(_EXACT.subtract(a, b))),
        (r"what is N less than N\?", lambda a, b: _EXACT.subtract(b, a)),
        (r"subtract N from N\.", lambda a, b: _EXACT.subtract(b, a)),
        (r"(?:(?:work out|calculate|what is) )?N (?:-|minus|take away) N[.?]?", _EXACT.subtract),
        (r"(?:(?:work out|calculate|what is) )?N ?(?:\+|plus) ?N[.?]?", _EXACT.add),
        (r"(?:add|add together|put together|sum|total of) N and N\.", _EXACT.add),
    )
)


def solve_prompt(prompt: str) -> str | None:
    """Return a right reply to a prompt, found from its text alone; None where the task cannot be solved by rules.

    Whether every instance is to be answered is read off the task's text: it asks for one key for each then.

    >>> from .prompts import assemble
    >>> from .tasks import TASKS
    >>> solve_prompt(assemble(TASKS["parity"], 'Give "answer": how many are odd.', ["18010", "89449"]))
    '{"reasoning": "", "answer": 1}'
    """
    read = read_instances(prompt)
    if read is None:
        return None
    task, texts = read
    solve = _SOLVERS.get(task.name)
    if solve is None:
        return None
    found = [solve(text) for text in texts]
    answers = [answer for answer in found if answer is not None]
    if len(answers) < len(found):
        return None
    summary = task.summary(answers)
    typed: Callable[[str], object] = int if task.answer_type == "integer" else str
    if '"1"' in prompt[: prompt.rindex("=== Here are")]:
        table = {str(number): typed(answer) for number, answer in enumerate(answers, 1)}
        return json.dumps({**table, **{key: typed(value) for key, value in summary.items()}, "reasoning": ""})
    return json.dumps({"reasoning": "", "answer": typed(summary[task.headline])})


def _solve_arithmetic(text: str) -> str | None:
    bare = _without_noise(text)
    for pattern, solve in _QUESTIONS:
        if found := pattern.fullmatch(bare):
            number = f"{solve(Decimal(found[1]), Decimal(found[2])):f}"
            return number.rstrip("0").rstrip(".") if "." in number else number
    return None


def _solve_parity(text: str) -> str | None:
    bare = _without_noise(text)
    return str(int(bare[-1]) % 2) if bare.isascii() and bare.isdigit() else None


def _solve_word(text: str) -> str | None:
    return str(_without_noise(text).casefold().count("women"))


def _without_noise(text: str) -> str:
    before, found, behind = text.partition(NOISE)
    if not found:
        return text
    return f"{before} {behind}".strip()


_SOLVERS: dict[str, Callable[[str], str | None]] = {
    "arithmetic": _solve_arithmetic,
    "parity": _solve_parity,
    "word": _solve_word,
}
