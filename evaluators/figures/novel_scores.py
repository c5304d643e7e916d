"""LongNovel: the gold score of a summary against what a model says of it: its verdict, and the score that it gives."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from statistics import fmean
from typing import Any, TypeAlias

from lengthwise.evaluators.figures.choosing import shown
from lengthwise.evaluators.figures.model import Figure, Panel, Place, Point, Series
from lengthwise.evaluators.longnovel_figures import FEWEST_BOOKS, book_of, detected
from lengthwise.evaluators.longnovel_rows import shown_runs
from lengthwise.evaluators.naming import name_of
from lengthwise.evaluators.scoring import Scored
from lengthwise.metrics.classification import THRESHOLD
from lengthwise.metrics.intervals import wilson

SCORES = range(6)
VERDICTS = "Verdict by the gold score"
VERDICTS_CAPTION = (
    "How often a summary of each gold score is called hallucinated (given 0 to 2), over all lengths; 0 to 2 are "
    "hallucinated, 3 to 5 faithful, so that a perfect model stands at 100 % and then at 0 %. A panel a model; a reply "
    "without a readable score is no verdict. Bands are 95 % bootstrap intervals, whole books resampled (Wilson's "
    "where all books agree, or there is one). A faithful summary with small slips scores 3 or 4."
)
GIVEN = "Score given by the gold score"
GIVEN_CAPTION = (
    "Which score (rows) summaries of a gold score (columns) were given, in % of the column, over all lengths; a panel "
    "a model. Exact scores lie on the diagonal; of a method that gives verdicts alone, all lie in the first and last "
    "row. Empty: the model was given no summary of that gold score. In the numbers: 95 % intervals as above, and n."
)
_AXIS = "gold score"

# A row's gold score, its book, and the score that each repeat gave it.
_Judged: TypeAlias = tuple[int, str, tuple[int | None, ...]]


def verdict_by_score(runs: Sequence[Scored]) -> Figure | None:
    """Return a panel a run: the share called hallucinated, and where there are any the share without a verdict."""
    panels = []
    for run in _shown(runs):
        judged = _judged(run)
        called = _points(judged, lambda score: score is not None and score < THRESHOLD)
        if sum(point is not None for point in called) < 2:
            continue
        series = [Series("called hallucinated", called, 0)]
        none = _points(judged, lambda score: score is None)
        if any(point is not None and point.value > 0 for point in none):
            series.append(Series("no readable score", none, 1))
        places = tuple(Place(str(score), "hallucinated" if score < THRESHOLD else "faithful") for score in SCORES)
        panels.append(Panel(name_of(run.results), "lines", _AXIS, places, tuple(series), "share of replies"))
    return Figure("verdicts", VERDICTS, VERDICTS_CAPTION, _that_occur(panels)) if panels else None


def score_by_score(runs: Sequence[Scored]) -> Figure | None:
    """Return a map a run: which score the summaries of each gold score were given."""
    panels = []
    for run in _shown(runs):
        judged = _judged(run)
        if len({gold for gold, *_ in judged}) < 2:
            continue
        series = [Series(str(score), _points(judged, partial(_is, score)), 0) for score in reversed(SCORES)]
        if any(score is None for *_, given in judged for score in given):
            series.append(Series("none", _points(judged, partial(_is, None)), 0))
        places = tuple(Place(str(score)) for score in SCORES)
        panels.append(
            Panel(name_of(run.results), "heat", _AXIS, places, tuple(series), "share of replies", rows="given")
        )
    return Figure("scores", GIVEN, GIVEN_CAPTION, _that_occur(panels)) if panels else None


def _that_occur(panels: Sequence[Panel]) -> tuple[Panel, ...]:
    """Return the panels without the gold scores that no summary has."""
    kept = [score for score in SCORES if any(one.points[score] for panel in panels for one in panel.series)]
    return tuple(
        replace(
            panel,
            places=tuple(panel.places[score] for score in kept),
            series=tuple(replace(one, points=tuple(one.points[score] for score in kept)) for one in panel.series),
        )
        for panel in panels
    )


def _shown(runs: Sequence[Scored]) -> list[Scored]:
    """Return the runs in the order of the benchmark's tables."""
    found = shown_runs([run.results for run in shown(runs)])
    return [run for one in found for run in runs if run.results is one.results]


def _judged(run: Scored) -> list[_Judged]:
    """Return the rows whose gold score is known."""
    repeats = range(run.run.repeats)
    return [
        (gold, book_of(row), tuple(detected(row, run.outcomes[example, repeat])[0] for repeat in repeats))
        for example, row in run.rows.items()
        if (gold := _gold(row)) is not None
    ]


def _gold(row: Any) -> int | None:
    score = row.get("score")
    return int(score) if score is not None and score in SCORES else None


def _is(wanted: int | None, score: int | None) -> bool:
    return score == wanted


def _points(judged: Sequence[_Judged], holds: Callable[[int | None], bool]) -> tuple[Point | None, ...]:
    """Return at each gold score the share of the replies of which something holds."""
    of_gold: dict[int, list[tuple[str, float]]] = {}
    for gold, book, given in judged:
        of_gold.setdefault(gold, []).append((book, fmean(map(holds, given))))
    return tuple(_point(of_gold[score]) if score in of_gold else None for score in SCORES)


def _point(rows: Sequence[tuple[str, float]]) -> Point:
    """Return the mean of some rows' shares; the interval resamples books, where they do not all agree."""
    from lengthwise.metrics.bootstrap import bootstrap
    from lengthwise.metrics.resampling import from_items

    books, values = [book for book, _ in rows], [value for _, value in rows]
    value, n = fmean(values), len(rows)
    if len(set(books)) >= FEWEST_BOOKS and len(set(values)) > 1:
        population = from_items([[one, 1.0] for one in values], clusters=books)
        ends = bootstrap(population, {"share": lambda counts: counts[0] / counts[1]})["share"].interval
        if ends is not None:
            return Point(value, *ends, n)
    return Point(value, *wilson(min(value * n, n), n), n)
