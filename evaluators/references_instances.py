"""The reference models of multi-instance processing: they answer in the form asked for, in either setting."""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from lengthwise.builders.multi_instance.solver import solve_prompt
from lengthwise.builders.multi_instance.tasks import InstanceTask, find_task
from lengthwise.builders.streams import Stream
from lengthwise.contracts import ReplyError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.references import Reference

# Tasks whose instances rules can solve.
SOLVABLE = ("arithmetic", "parity", "word")
# What a random answer is drawn from where the classes do not say it: counts are small, a sum can be anything.
_GUESSES = {"ner": (0, 2), "word": (0, 2), "arithmetic": (-99, 99)}


def _solver(example: Example, repeat: int, prompt: str) -> str:
    """Solve the prompt; nothing of the row is looked at but the name of its task, to say why it cannot be solved."""
    reply = solve_prompt(prompt)
    if reply is not None:
        return reply
    if example.columns["task"] in SOLVABLE:
        raise ReplyError("the solver cannot read this prompt: its frame or an instance is in another form than ours")
    raise ReplyError(
        f"{example.columns['task']} takes judgement, and no rule solves it: the solver answers {', '.join(SOLVABLE)}; "
        "reference:gold shows that the scoring can be met"
    )


def _gold(example: Example, repeat: int, prompt: str) -> str:
    """Give the row's own answers."""
    return reply_of(example, example.columns["instance_answers"])


def _random(example: Example, repeat: int, prompt: str) -> str:
    """Give each instance a random class, or a random small number, and the aggregate of these."""
    task, n = _task(example), example.columns["n_instances"]
    stream = Stream("reference:random", example.id, repeat)
    if task.label_kind == "class":
        numbers = list(task.classes.values())
        return reply_of(example, [str(numbers[place]) for place in stream.integers(len(numbers), n).tolist()])
    low, high = _GUESSES[task.name]
    return reply_of(example, [str(low + drawn) for drawn in stream.integers(high - low + 1, n).tolist()])


def _constant(example: Example, repeat: int, prompt: str) -> str:
    """Give every instance the task's first class, or 0: what no reading at all comes to."""
    first = next(iter(_task(example).classes.values()), 0)
    return reply_of(example, [str(first)] * example.columns["n_instances"])


def _task(example: Example) -> InstanceTask:
    return find_task(example.columns["task"])


def reply_of(example: Example, answers: Sequence[str]) -> str:
    """Return the reply that gives these instance answers and their aggregate, in the form that the row asks for.

    Args:
        example: the row.
        answers: one an instance, exact numbers as text.
    """
    task = _task(example)
    summary = task.summary(answers)
    typed = str if task.answer_type == "decimal" else int
    if example.columns["setting"] == "aggregate":
        return json.dumps({"reasoning": "", "answer": typed(summary[task.headline])})
    table = {str(number): answer for number, answer in enumerate(answers, 1)} | summary
    return json.dumps({**{key: typed(value) for key, value in table.items()}, "reasoning": ""})


INSTANCE_REFERENCES: Mapping[str, Reference] = MappingProxyType(
    {
        "solver": Reference("solves arithmetic, parity and word from the prompt alone", _solver, "ceiling"),
        "gold": Reference(
            "gives the right answers in the form asked for: the ceiling of the scoring", _gold, "ceiling"
        ),
        "random": Reference(
            "gives each instance a random class (ner, word: 0 to 2; arithmetic: -99 to 99) and adds up",
            _random,
            "floor",
        ),
        "constant": Reference("gives every instance the first class, or 0, and adds up", _constant, "floor"),
    }
)
