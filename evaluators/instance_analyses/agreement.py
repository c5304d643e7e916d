"""Do models rank alike in both settings (section 5.2)? Success rates, ranks, and how far these agree."""

from collections.abc import Sequence
from dataclasses import dataclass

from lengthwise.evaluators.figure_text import p_text, percent
from lengthwise.evaluators.instance_analyses.trials import (
    Trial,
    direct,
    grouped,
    in_paper,
    models_of,
    paper_note,
    plain,
    success_of,
    trials_of,
)
from lengthwise.evaluators.scoring import Scored
from lengthwise.evaluators.table_formats.cells import Figure, Name, Number
from lengthwise.evaluators.table_formats.grid import GridTable
from lengthwise.metrics.rank_correlation import RankCorrelation, kendall, ranks, spearman

# Two models can only agree or not.
FEWEST = 3


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the ranks of models agree between the settings.

    Attributes:
        models: name -> success rate of the aggregate alone, and of every instance answered, in [0, 1].
        n: samples of instances, the same for all models and both settings.
        spearman: over the models.
        kendall: over the models.
        note: which cells it is over.
    """

    models: dict[str, tuple[float, float]]
    n: int
    spearman: RankCorrelation
    kendall: RankCorrelation
    note: str


def rank_agreement(runs: Sequence[Scored]) -> Agreement | None:
    """Return how far models rank alike, on the samples that all of them were given in both settings.

    None with fewer than `FEWEST` models that were run in both.
    """
    found = direct(trials_of(runs))
    settings = {name: plain(found, name) for name in ("aggregate", "instances")}
    both = [
        name
        for name in models_of(found)
        if all(any(one.model == name for one in of_setting) for of_setting in settings.values())
    ]
    arms = [
        _samples([one for one in of_setting if one.model == name]) for of_setting in settings.values() for name in both
    ]
    if len(both) < FEWEST or not (shared := set.intersection(*arms)):
        return None
    kept = {
        name: [one for one in of_setting if one.model in both and one.sample in shared]
        for name, of_setting in settings.items()
    }
    chosen = {name: in_paper(of_setting) for name, of_setting in kept.items()}
    rates = {name: _rates(of_setting) for name, of_setting in chosen.items()}
    models = {name: (rates["aggregate"][name], rates["instances"][name]) for name in both}
    one, other = ([pair[place] for pair in models.values()] for place in (0, 1))
    n = len(_samples(chosen["aggregate"]))
    return Agreement(models, n, spearman(one, other), kendall(one, other), paper_note(kept["aggregate"]))


def _samples(found: Sequence[Trial]) -> set[tuple[str, str]]:
    return {one.sample for one in found}


def _rates(found: Sequence[Trial]) -> dict[str, float]:
    groups = grouped(found, lambda one: one.model)
    return {name: share.value for name, of_model in groups.items() if (share := success_of(of_model)) is not None}


def agreement_table(runs: Sequence[Scored]) -> GridTable | None:
    """Return a row a model, and below how far the ranks agree; None with fewer than `FEWEST` models."""
    found = rank_agreement(runs)
    if found is None:
        return None
    places = [ranks([-pair[place] for pair in found.models.values()]) for place in (0, 1)]
    rows = tuple(
        (name, percent(pair[0]), _rank(one), percent(pair[1]), _rank(other))
        for (name, pair), one, other in sorted(
            zip(found.models.items(), *places, strict=True), key=lambda row: (row[1], row[2])
        )
    )
    said = [
        f"{name} {_signed(figure.value)} (p {p_text(figure.p_value)}{', exact' if figure.exact else ''})"
        for name, figure in (("Spearman's rho", found.spearman), ("Kendall's tau-b", found.kendall))
    ]
    notes = (
        f"Over {len(rows)} models: {', '.join(said)}.",
        f"Success rate in % over the {found.n:,} samples that all these models were given in both settings. "
        f"{found.note}",
    )
    alone, each = "answer=aggregate", "answer=instances"
    head = (
        "model",
        Name("aggregate alone", metric="success_rate", part=alone),
        Name("rank", part=alone),
        Name("every instance", metric="success_rate", part=each),
        Name("rank", part=each),
    )
    return GridTable("Do models rank alike in both settings?", head, rows, notes, name="rank-agreement")


def _rank(rank: float) -> Figure:
    return Figure(f"{rank:g}", Number(rank))


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
