"""Success with noise and without, by number of instances, and by where the noise stands (6.1)."""

from collections.abc import Sequence
from statistics import fmean

from lengthwise.evaluators.benchmark_types import GridTable
from lengthwise.evaluators.figure_text import percent
from lengthwise.evaluators.instance_analyses.arms import ANYWHERE, PLACES, all_places, noise_place, with_and_without
from lengthwise.evaluators.instance_analyses.trials import (
    Trial,
    direct,
    grouped,
    models_of,
    sizes_of,
    success_of,
    trials_of,
)
from lengthwise.evaluators.scoring import Scored

_OVER = "Success rate in %, mean over models, then the number of prompts"


def noise_table(runs: Sequence[Scored]) -> GridTable | None:
    """Return success and prompt tokens with noise at the tail and without (the numbers of Figure 6)."""
    note = f"{_OVER}; tokens: mean of the prompt. Only samples that a model was given both with noise and without."
    return _table("With and without noise", with_and_without(direct(trials_of(runs))), note)


def places_table(runs: Sequence[Scored]) -> GridTable | None:
    """Return success by where the noise stands, on the samples of seed 1 (the numbers of Figure 7)."""
    note = f"{_OVER}. Samples of seed 1 that a model was given in all of these ways."
    return _table("Places of the noise", all_places(direct(trials_of(runs))), note, tokens=False)


def _table(title: str, found: Sequence[Trial], note: str, *, tokens: bool = True) -> GridTable | None:
    arms = grouped(found, noise_place)
    names = [name for name in (*PLACES.values(), ANYWHERE) if name in arms]
    if not names:
        return None
    rows = []
    for size in (*sizes_of(found), None):
        row = ["all sizes" if size is None else f"{size:,}"]
        for name in names:
            own = [one for one in arms[name] if size in (None, one.size)]
            share = success_of(own)
            row.append("–" if share is None else f"{percent(share.value)} ({share.n:,})")
            if tokens:
                row.append(f"{fmean(one.prompt_tokens for one in own):,.0f}" if own else "–")
        rows.append(tuple(row))
    head = ["instances"]
    for name in names:
        head += [name, "tokens"] if tokens else [name]
    models = ", ".join(models_of(found))
    return GridTable(title, tuple(head), tuple(rows), (f"{note} Over {models}.",))
