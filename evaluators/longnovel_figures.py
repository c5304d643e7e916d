"""The figures that only runs of LongNovel have: per length, and of each over the languages and the origins of rows.

A figure is worked out for each repeat by itself and averaged over the repeats, never from pooled counts. Its interval
resamples books whole, each with its rows' answers in all repeats, for windows of one book overlap; beside it stands
the interval of Table 5, which resamples rows within their class and so takes them for independent.
"""

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.longnovel_types import TypeShares, type_shares
from lengthwise.evaluators.novel_faults import gold_label
from lengthwise.evaluators.outcomes import generated
from lengthwise.metrics.classification import cells_of
from lengthwise.metrics.figures import STATISTICS, detection_statistics, joint_profiles, mean_over_runs, printed_mcc
from lengthwise.metrics.intervals import clopper_pearson
from lengthwise.metrics.pairs import pair_accuracy
from lengthwise.metrics.repeats import over_runs

if TYPE_CHECKING:
    from lengthwise.metrics.bootstrap import Estimate

N_RESAMPLES = 10_000
# Scale, book, first and last unit, origin.
_ID = re.compile(r"[^-]+-(?P<book>.+)-\d{4,}-\d{4,}-[^-]+")
# With fewer books than these an interval over books is no interval.
FEWEST_BOOKS = 2
Ends: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Measured:
    """One figure.

    Attributes:
        value: the mean over the repeats; None where it is undefined in one of them (a class is absent).
        spread: sample standard deviation over the repeats; None of fewer than two.
        repeats: of each repeat.
        by_book: 95 % interval, books resampled; None of fewer than `FEWEST_BOOKS` books, and of `answered_...`.
        by_row: 95 % interval, rows resampled within their class; None of `answered_...`.
    """

    value: float | None
    spread: float | None
    repeats: tuple[float | None, ...]
    by_book: Ends | None = None
    by_row: Ends | None = None


@dataclass(frozen=True, slots=True)
class PairFigure:
    """Minimal pairs of which both rows are right: a mean share over the repeats, with its exact interval, of `n`."""

    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class NovelPart:
    """The figures over the rows of one cell, or over those of one language or origin in it.

    Attributes:
        config: of the cell.
        split: of the cell.
        language: of the rows; None for all.
        origin: of the rows ("original", "erhg", "mma", "published"); None for all.
        n: rows.
        n_hallucinated: of these, hallucinated by their gold label.
        n_books: different books.
        figures: `balanced_accuracy`, `mcc` (0 where all rows were given one class, as the paper prints it),
            `recall_hallucinated`, `recall_non_hallucinated`, and the four over answered rows as `answered_...`.
        invalid: share of the rows without a score, the mean over the repeats.
        pairs: None where no pair is whole.
        calls: of the model that was run, for each row and repeat.
        input_tokens: likewise; None where nobody counted.
        cost: US dollars of all calls together, all repeats; None where no price is known.
    """

    config: str
    split: str
    language: str | None
    origin: str | None
    n: int
    n_hallucinated: int
    n_books: int
    figures: Mapping[str, Measured]
    invalid: float
    pairs: PairFigure | None
    calls: float
    input_tokens: float | None
    cost: float | None


@dataclass(frozen=True, slots=True)
class NovelFigures:
    """All of it for one run.

    Attributes:
        parts: of each cell all rows, then its languages, then its origins; in the order of the run.
        types: recall by type over all rows, by the offline matcher.
        judged: the same by a judge's verdicts; None where there are none.
        judge: its name; "" likewise.
    """

    parts: tuple[NovelPart, ...]
    types: TypeShares
    judged: TypeShares | None
    judge: str

    @property
    def cells(self) -> tuple[NovelPart, ...]:
        """The parts that hold all rows of a cell."""
        return tuple(part for part in self.parts if part.language is None and part.origin is None)

    def cell(self, config: str, split: str) -> NovelPart | None:
        """Return the figures of a cell, None if the run has none of it."""
        return next((part for part in self.cells if (part.config, part.split) == (config, split)), None)

    def to_json(self) -> dict[str, Any]:
        """Return the figures as JSON types."""
        return asdict(self)


Rows: TypeAlias = Mapping[str, Mapping[str, Any]]
Outcomes: TypeAlias = Mapping[tuple[str, int], Outcome]


def detected(row: Mapping[str, Any], outcome: Outcome) -> tuple[int | None, int]:
    """Return the score of an outcome, None where there is none, and the gold label of its row."""
    score = outcome.answer if outcome.kind in ("correct", "wrong") else None
    return score, gold_label(row)


def novel_figures(rows: Rows, outcomes: Outcomes) -> NovelFigures:
    """Work out the figures of a run.

    Args:
        rows: short columns of its examples by id, with `config` and `split`.
        outcomes: by (example id, repeat); every repeat holds all examples.
    """
    repeats = 1 + max((repeat for _, repeat in outcomes), default=0)
    parts = tuple(_part(chosen, rows, outcomes, repeats) for chosen in _chosen(rows))
    judges = {str(judge) for one in outcomes.values() if (judge := one.details.get("judge"))}
    return NovelFigures(
        parts=parts,
        types=type_shares(rows, outcomes, repeats, "hits"),
        judged=type_shares(rows, outcomes, repeats, "verdicts") if judges else None,
        judge=" and ".join(sorted(judges)),
    )


class _Chosen(NamedTuple):
    """The rows of a part."""

    config: str
    split: str
    language: str | None
    origin: str | None
    ids: Sequence[str]


def _chosen(rows: Rows) -> Iterator[_Chosen]:
    cells: dict[tuple[str, str], list[str]] = {}
    for example, row in rows.items():
        cells.setdefault((row["config"], row["split"]), []).append(example)
    for cell, ids in cells.items():
        yield _Chosen(*cell, None, None, ids)
        for language, members in _groups(rows, ids, "language").items():
            yield _Chosen(*cell, language, None, members)
        for origin, members in _groups(rows, ids, "origin").items():
            yield _Chosen(*cell, None, origin, members)


def _groups(rows: Rows, ids: Sequence[str], column: str) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for example in ids:
        groups.setdefault(str(rows[example].get(column) or ""), []).append(example)
    return dict(sorted(groups.items()))


def _part(chosen: _Chosen, rows: Rows, outcomes: Outcomes, repeats: int) -> NovelPart:
    ids = chosen.ids
    runs = [[outcomes[example, repeat] for example in ids] for repeat in range(repeats)]
    everything = [outcome for run in runs for outcome in run]
    gold = [gold_label(rows[example]) for example in ids]
    books = [book_of(rows[example]) for example in ids]
    scores = [[detected(rows[one.example_id], one)[0] for one in run] for run in runs]
    spent = [generated(outcome) for outcome in everything]
    tokens = [one.usage.input for one in spent if one.usage.input is not None]
    costs = [outcome.cost for outcome in everything if outcome.cost is not None]
    return NovelPart(
        config=chosen.config,
        split=chosen.split,
        language=chosen.language,
        origin=chosen.origin,
        n=len(ids),
        n_hallucinated=sum(gold),
        n_books=len(set(books)),
        figures=measure(scores, gold, books),
        invalid=fmean(score is None for run in scores for score in run),
        pairs=_pairs(runs, [str(rows[example].get("pair_id") or "") for example in ids]),
        calls=fmean(one.calls for one in spent),
        input_tokens=fmean(tokens) if tokens else None,
        cost=sum(costs) if costs else None,
    )


def book_of(row: Mapping[str, Any]) -> str:
    """Return the book of a row; a row without one stands for itself.

    A config of ready prompts has no column for it, but its ids are those of the rows with articles.

    >>> book_of({"id": "s-moby_dick-0001-0004-original"}), book_of({"id": "mine", "book": ""})
    ('moby_dick', 'mine')
    """
    named = _ID.fullmatch(row["id"]) if "book" not in row else None
    return named["book"] if named else str(row.get("book") or row["id"])


def measure(
    runs: Sequence[Sequence[int | None]],
    gold: Sequence[int],
    books: Sequence[Hashable],
    n_resamples: int = N_RESAMPLES,
) -> dict[str, Measured]:
    """Return all figures of some rows, those over all rows with their intervals.

    Args:
        runs: the scores of each repeat, 0 to 5 or None, over the same rows.
        gold: 1 for a hallucinated row, 0 for a faithful one.
        books: of each row.
        n_resamples: of each bootstrap.
    """
    import numpy as np

    from lengthwise.metrics.bootstrap import bootstrap
    from lengthwise.metrics.resampling import from_items

    cells = [cells_of(run, gold) for run in runs]
    profiles = joint_profiles(cells, len(gold))
    statistics = {**detection_statistics(), "mcc": printed_mcc}
    totals = profiles.sum(axis=0)
    over_all = {name: mean_over_runs(one, 0, len(runs)) for name, one in statistics.items() if name in STATISTICS}
    by_row = bootstrap(from_items(profiles, strata=gold), over_all, n_resamples=n_resamples)
    by_book: Mapping[str, Estimate] = {}
    if len(set(books)) >= FEWEST_BOOKS:
        by_book = bootstrap(from_items(profiles, clusters=books), over_all, n_resamples=n_resamples)
    found = {}
    for name, statistic in statistics.items():
        with np.errstate(divide="ignore", invalid="ignore"):
            values = [float(mean_over_runs(statistic, run, 1)(totals)) for run in range(len(runs))]
        known = tuple(None if np.isnan(value) else value for value in values)
        over = over_runs(known)
        book = by_book[name].interval if name in by_book else None
        row = by_row[name].interval if name in by_row else None
        found[name] = Measured(over.mean, over.std, known, book, row)
    return found


def _pairs(runs: Sequence[Sequence[Outcome]], names: Sequence[str]) -> PairFigure | None:
    """Return the accuracy of pairs; rows whose partner was not run are left out."""
    whole = {name for name in names if name and names.count(name) == 2}
    if not whole:
        return None
    kept = [place for place, name in enumerate(names) if name in whole]
    found = [
        pair_accuracy([run[place].kind == "correct" for place in kept], [names[place] for place in kept])
        for run in runs
    ]
    value = fmean(one.pair_accuracy or 0.0 for one in found)
    low, high = clopper_pearson(min(value * len(whole), len(whole)), len(whole))
    return PairFigure(value, low, high, len(whole))
