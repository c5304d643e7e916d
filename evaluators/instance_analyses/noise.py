"""Success with noise and without, by number of instances, and by where the noise stands (6.1)."""

from collections.abc import Sequence
from statistics import fmean

from lengthwise.evaluators.figure_text import share_of
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
from lengthwise.evaluators.table_formats.cells import Name, whole
from lengthwise.evaluators.table_formats.grid import GridTable

_OVER = "Success rate in %, mean over models, then the number of prompts"


def noise_table(runs: Sequence[Scored]) -> GridTable | None:
    """Return success and prompt tokens with noise at the tail and without (the numbers of Figure 6)."""
    note = f"{_OVER}; tokens: mean of the prompt. Only samples that a model was given both with noise and without."
    return _table("With and without noise", "noise", with_and_without(direct(trials_of(runs))), note)


def places_table(runs: Sequence[Scored]) -> GridTable | None:
    """Return success by where the noise stands, on the samples of seed 1 (the numbers of Figure 7)."""
    note = f"{_OVER}. Samples of seed 1 that a model was given in all of these ways."
    return _table("Places of the noise", "noise-places", all_places(direct(trials_of(runs))), note, tokens=False)


def _table(title: str, name: str, found: Sequence[Trial], note: str, *, tokens: bool = True) -> GridTable | None:
    arms = grouped(found, noise_place)
    names = [name for name in (*PLACES.values(), ANYWHERE) if name in arms]
    if not names:
        return None
    rows = []
    for size in (*sizes_of(found), None):
        row: list[str] = ["all sizes" if size is None else Name(f"{size:,}", part=f"instances={size}")]
        for place in names:
            own = [one for one in arms[place] if size in (None, one.size)]
            share = success_of(own)
            row.append("–" if share is None else share_of(share.value, share.n))
            if tokens:
                row.append(whole(fmean(one.prompt_tokens for one in own) if own else None))
        rows.append(tuple(row))
    head = ["instances"]
    for place in names:
        head.append(Name(place, metric="success_rate", part=f"noise={place}"))
        head += [Name("tokens", metric="prompt_tokens", part=f"noise={place}")] if tokens else []
    models = ", ".join(models_of(found))
    return GridTable(title, tuple(head), tuple(rows), (f"{note} Over {models}.",), name=name)
