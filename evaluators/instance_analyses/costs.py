"""What a task costs (Table 2's caption), and what other ways of asking buy at what cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from lengthwise.builders.multi_instance.tasks import TASKS
from lengthwise.evaluators.benchmark_types import GridTable
from lengthwise.evaluators.figure_text import percent
from lengthwise.evaluators.instance_analyses.trials import (
    Trial,
    direct,
    grouped,
    plain,
    sizes_of,
    success_of,
    tasks_of,
    trials_of,
)
from lengthwise.evaluators.scoring import Scored


@dataclass(frozen=True, slots=True)
class Spent:
    """What some trials took, each figure the mean over them; None where nobody said.

    Attributes:
        trials: how many.
        calls: requests.
        tokens_in: of all calls.
        tokens_out: of all calls.
        dollars: US dollars.
    """

    trials: int
    calls: float
    tokens_in: float | None
    tokens_out: float | None
    dollars: float | None


def spent(found: Sequence[Trial]) -> Spent:
    """Return what some trials took on average; at least one."""
    return Spent(
        len(found),
        fmean(one.outcome.calls for one in found),
        _mean([one.outcome.usage.input if one.outcome.calls else 0 for one in found]),
        _mean([one.outcome.usage.output if one.outcome.calls else 0 for one in found]),
        # A prompt that did not fit was never sent and cost nothing.
        _mean([one.outcome.cost if one.outcome.calls else 0.0 for one in found]),
    )


def _mean(values: Sequence[float | None]) -> float | None:
    """Return the mean of what is known: a figure that nobody reported is not nought."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def cost_table(runs: Sequence[Scored]) -> GridTable | None:
    """Return what all sizes of a task with one seed took, a row a model and task; None where nobody counted."""
    found = plain(direct(trials_of(runs)))
    rows = []
    for model, of_model in grouped(found, lambda one: one.model).items():
        groups = grouped(of_model, lambda one: one.task)
        each = {TASKS[task].title: _of_seed(groups[task]) for task in tasks_of(of_model)}
        if len(each) > 1:
            each = {"mean over tasks": _mean_of(list(each.values())), **each}
        rows += [
            (model, task, f"{took.calls:,.0f}", _whole(took.tokens_in), _whole(took.tokens_out), money(took.dollars))
            for task, took in each.items()
        ]
    if not any(set(row[3:]) != {"–"} for row in rows):
        return None
    notes = (
        "All sizes of a task with one seed, retries included, mean over seeds and repeats; the aggregate setting, "
        "default samples. The mean over tasks is what the paper's Table 2 gives as cost. Tokens and dollars are means "
        "over the prompts for which they are known.",
    )
    return GridTable(
        "Cost per task", ("model", "task", "calls", "tokens in", "tokens out", "US $"), tuple(rows), notes
    )


def _of_seed(found: Sequence[Trial]) -> Spent:
    """Return what one seed in one repeat took, all its trials together."""
    took = spent(found)
    rounds = len({(one.seed, one.outcome.repeat) for one in found})
    times = len(found) / rounds
    figures = (took.tokens_in, took.tokens_out, took.dollars)
    return Spent(len(found), took.calls * times, *(None if one is None else one * times for one in figures))


def _mean_of(tasks: Sequence[Spent]) -> Spent:
    """Return the mean over tasks."""
    return Spent(
        sum(one.trials for one in tasks),
        fmean(one.calls for one in tasks),
        _mean([one.tokens_in for one in tasks]),
        _mean([one.tokens_out for one in tasks]),
        _mean([one.dollars for one in tasks]),
    )


def methods_table(runs: Sequence[Scored]) -> GridTable | None:
    """Return success and cost of each method side by side, on the prompts that a model was given by all of them.

    A row a model, setting and size, one over all sizes before; None where no model was asked in two ways.
    """
    found = grouped(trials_of(runs), lambda one: (one.model, one.config.setting))
    compared = {key: shared for key, own in found.items() if len(shared := _shared(own)) > 1}
    methods = list(dict.fromkeys(name for own in compared.values() for name in own))
    rows = []
    for (model, setting), own in compared.items():
        said = f"{model}, {'every instance' if setting == 'instances' else 'aggregate'}"
        first = next(iter(own.values()))
        for size in (None, *sizes_of(first)):
            n = len({one.row["id"] for one in first if size in (None, one.size)})
            row = [said, "all sizes" if size is None else f"{size:,}", f"{n:,}"]
            for name in methods:
                row += _side([one for one in own.get(name, ()) if size in (None, one.size)])
            rows.append(tuple(row))
    if not rows:
        return None
    head = ["model and setting", "instances", "n"]
    for name in methods:
        head += [f"{name}: success %", "calls", "tokens", "US $"]
    note = (
        "Means over the n prompts that a model was given by every one of its methods; calls, tokens (in and out) and "
        "dollars are for one prompt, whatever it took."
    )
    return GridTable("What other ways of asking buy, and at what cost", tuple(head), tuple(rows), (note,))


def _shared(found: Sequence[Trial]) -> dict[str, list[Trial]]:
    """Return the trials by method, over the prompts that were put to the model by all methods; empty without any."""
    methods = grouped(found, lambda one: one.method)
    ids = set.intersection(*({str(one.row["id"]) for one in of_method} for of_method in methods.values()))
    kept = {name: [one for one in of_method if one.row["id"] in ids] for name, of_method in methods.items()}
    return kept if ids else {}


def _side(found: Sequence[Trial]) -> list[str]:
    share = success_of(found)
    if share is None:
        return ["–"] * 4
    took = spent(found)
    known = [tokens for tokens in (took.tokens_in, took.tokens_out) if tokens is not None]
    tokens = sum(known) if known else None
    return [percent(share.value), f"{took.calls:,.1f}", _whole(tokens), money(took.dollars)]


def _whole(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}"


def money(value: float | None) -> str:
    """Return an amount in dollars, with more places the smaller it is.

    >>> money(12.345), money(0.0123), money(0.0000456), money(0.0), money(None)
    ('12.35', '0.0123', '0.000046', '0.00', '–')
    """
    if value is None:
        return "–"
    places = 2 if value >= 0.1 or not value else 4 if value >= 0.001 else 6
    return f"{value:,.{places}f}"
