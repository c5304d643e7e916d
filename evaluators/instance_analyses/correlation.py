"""Is it the number of instances or the length of the prompt? Spearman correlations with success (6.2, Table 4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from lengthwise.evaluators.figure_text import p_text
from lengthwise.evaluators.instance_analyses.trials import (
    Trial,
    direct,
    grouped,
    in_paper,
    paper_note,
    trials_of,
)
from lengthwise.evaluators.scoring import Scored
from lengthwise.evaluators.table_formats.cells import Figure, Name, Number, count
from lengthwise.evaluators.table_formats.grid import GridTable
from lengthwise.metrics.rank_correlation import RankCorrelation, spearman

# Its instances are all of one word, so it has no shortest and longest ones.
LEFT_OUT = "parity"
# Fewer cells than this say nothing of a correlation.
FEWEST = 4


@dataclass(frozen=True, slots=True)
class LengthCell:
    """One cell of the analysis: a model, a task, a size, and which instances.

    Attributes:
        model: the model.
        task: the task.
        size: number of instances.
        choice: "random" (the mean over the default samples of all seeds), "shortest" or "longest".
        success: success rate, in [0, 1].
        tokens: mean tokens of the prompt, by the provider's count, ours where it gives none.
    """

    model: str
    task: str
    size: int
    choice: str
    success: float
    tokens: float


@dataclass(frozen=True, slots=True)
class LengthCorrelations:
    """Spearman correlations with the success rate, over cells.

    Attributes:
        size: of the number of instances, over all sizes; None where only one was run.
        tokens: of the tokens of the prompt, over all sizes.
        at_size: of the tokens, by number of instances.
        note: which cells they are over.
    """

    size: RankCorrelation | None
    tokens: RankCorrelation
    at_size: dict[int, RankCorrelation]
    note: str


def length_cells(found: Sequence[Trial]) -> tuple[LengthCell, ...]:
    """Return the cells of some trials: plain ones in the aggregate setting, parity left out."""
    groups = grouped(
        (one for one in found if _counts(one)), lambda one: (one.model, one.task, one.size, one.config.choice)
    )
    return tuple(
        LengthCell(*key, fmean(one.right for one in of_cell), fmean(one.prompt_tokens for one in of_cell))
        for key, of_cell in groups.items()
    )


def _counts(one: Trial) -> bool:
    return (
        one.config.setting == "aggregate"
        and one.config.noise is None
        and one.config.choice in ("random", "shortest", "longest")
        and one.task != LEFT_OUT
    )


def length_correlations(runs: Sequence[Scored]) -> LengthCorrelations | None:
    """Return the correlations; None where no cells of shortest or longest instances were run, or fewer than four."""
    trials = [one for one in direct(trials_of(runs)) if _counts(one)]
    cells = length_cells(in_paper(trials))
    if len(cells) < FEWEST or len({cell.choice for cell in cells}) < 2:
        return None
    success = [cell.success for cell in cells]
    sizes = sorted({cell.size for cell in cells})
    at_size = {}
    for size in sizes:
        own = [cell for cell in cells if cell.size == size]
        if len(own) >= FEWEST:
            at_size[size] = spearman([cell.tokens for cell in own], [cell.success for cell in own])
    return LengthCorrelations(
        spearman([cell.size for cell in cells], success) if len(sizes) > 1 else None,
        spearman([cell.tokens for cell in cells], success),
        at_size,
        paper_note(trials),
    )


def correlation_table(runs: Sequence[Scored]) -> GridTable | None:
    """Return Table 4, the two correlations over all sizes before it."""
    found = length_correlations(runs)
    if found is None:
        return None
    named = [
        ("all sizes: number of instances", found.size),
        ("all sizes: prompt tokens", found.tokens),
        *((f"{size:,} instances: prompt tokens", one) for size, one in found.at_size.items()),
    ]
    rows = tuple(
        (
            name,
            Figure("–" if one.value is None else f"{one.value:.3f}", Number(one.value, n=one.n)),
            p_text(one.p_value),
            count(one.n),
        )
        for name, one in named
        if one is not None
    )
    notes = (
        "A cell is a model and a task at one size: the mean over the default samples of all seeds, the shortest "
        "instances, or the longest; without parity, which has no lengths. Tokens are the provider's count of the "
        "prompt, ours where it gives none; a dash: success does not vary.",
        "Cells of one model or task are not independent, so the p-values are rather too small. " + found.note,
    )
    rho = Name("Spearman's rho with success", metric="spearman_rho")
    head = ("over", rho, Name("p", metric="p_value"), "cells")
    title = "Success, number of instances and length of the prompt (Table 4)"
    return GridTable(title, head, rows, notes, name="correlations")
