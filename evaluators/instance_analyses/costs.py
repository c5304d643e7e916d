"""What a task costs (Table 2's caption), and what other ways of asking buy at what cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from lengthwise.builders.multi_instance.tasks import TASKS
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
from lengthwise.evaluators.table_formats.cells import Figure, Name, Number, count, whole
from lengthwise.evaluators.table_formats.grid import GridTable


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
            (model, task, whole(took.calls), whole(took.tokens_in), whole(took.tokens_out), money(took.dollars))
            for task, took in each.items()
        ]
    if not any(set(row[3:]) != {"–"} for row in rows):
        return None
    notes = (
        "All sizes of a task with one seed, retries included, mean over seeds and repeats; the aggregate setting, "
        "default samples. The mean over tasks is what the paper's Table 2 gives as cost. Tokens and dollars are means "
        "over the prompts for which they are known.",
    )
    tokens = (Name("tokens in", metric="input_tokens"), Name("tokens out", metric="output_tokens"))
    head = ("model", "task", "calls", *tokens, Name("US $", metric="cost_usd"))
    return GridTable("Cost per task", head, tuple(rows), notes, name="costs")


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
        called = f"{model}, {'every instance' if setting == 'instances' else 'aggregate'}"
        said = Name(called, run=model, part=f"answer={setting}")
        first = next(iter(own.values()))
        for size in (None, *sizes_of(first)):
            n = len({one.row["id"] for one in first if size in (None, one.size)})
            of_size = "all sizes" if size is None else Name(f"{size:,}", part=f"instances={size}")
            row: list[str] = [said, of_size, count(n)]
            for name in methods:
                row += _side([one for one in own.get(name, ()) if size in (None, one.size)])
            rows.append(tuple(row))
    if not rows:
        return None
    head = ["model and setting", "instances", "n"]
    for name in methods:
        metrics = {f"{name}: success %": "success_rate", "calls": "calls", "tokens": "tokens", "US $": "cost_usd"}
        head += [Name(text, metric=metric, part=f"method={name}") for text, metric in metrics.items()]
    note = (
        "Means over the n prompts that a model was given by every one of its methods; calls, tokens (in and out) and "
        "dollars are for one prompt, whatever it took."
    )
    title = "What other ways of asking buy, and at what cost"
    return GridTable(title, tuple(head), tuple(rows), (note,), name="methods")


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
    rate = Figure(percent(share.value), Number(share.value, n=share.n))
    return [rate, Figure(f"{took.calls:,.1f}", Number(took.calls)), whole(tokens), money(took.dollars)]


def money(value: float | None) -> Figure:
    """Return an amount in dollars, with more places the smaller it is.

    >>> money(12.345), money(0.0123), money(0.0000456), money(0.0), money(None)
    ('12.35', '0.0123', '0.000046', '0.00', '–')
    """
    if value is None:
        return Figure("–")
    places = 2 if value >= 0.1 or not value else 4 if value >= 0.001 else 6
    return Figure(f"{value:,.{places}f}", Number(value))
