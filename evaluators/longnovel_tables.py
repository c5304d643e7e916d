"""LongNovel's tables beside the main one, in the layouts of the paper: Tables 4, 5, 6, 10 and 11.

Any number of runs, methods below their model. Every table ends with what bounds it: the ceiling, and the floors of
answers that look at no text.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, TypeAlias

from lengthwise.evaluators.longnovel_rows import (
    BOUNDS,
    FIGURES,
    Shown,
    bound_name,
    decimals,
    figure_of,
    missing_bounds,
    scale_heads,
    scale_name,
    scales_of,
    shown_runs,
    value_of,
    with_interval,
)
from lengthwise.evaluators.table_formats.grid import GridTable

if TYPE_CHECKING:
    from lengthwise.evaluators.results import Results

Cell: TypeAlias = tuple[str, str]
BACC, MCC = "balanced_accuracy", "mcc"
MAIN_NAMES: Mapping[str, str] = {BACC: "BAcc.", MCC: "MCC."}
ALL_NAMES: Mapping[str, str] = dict(zip(FIGURES, ("Non-H", "Hallu", "BAcc.", "MCC."), strict=True))
PRINTED_MCC = "Where a model gives all rows one class, MCC is undefined; it is 0.000 here, as in the paper."
INVALID = "A reply without a score counts as the wrong class (5.1): with no score at all, BAcc. is 0 and MCC. is -1."
REPEATS = "With repeats, a figure is the mean of each repeat's own."
_SCALES_A_TABLE = 2


def novel_tables(runs: "Sequence[Results]") -> tuple[GridTable, ...]:
    """Return the tables about some runs; those with nothing to show are left out."""
    from lengthwise.evaluators.longnovel_more_tables import more_tables

    shown = shown_runs(runs)
    if not shown:
        return ()
    return (
        main_figures(shown),
        *detailed_figures(shown),
        *interval_tables(shown),
        *ablation_table(shown),
        *more_tables(shown),
    )


def headline(run: "Results") -> dict[str, str]:
    """Return the figures to read first: the paper's, as means over the lengths of a run."""
    means: dict[str, str] = {}
    for one in shown_runs([run]):
        cells = one.figures.cells
        for name, figure in (("balanced accuracy", BACC), ("MCC", MCC)):
            values = [value for part in cells if (value := value_of(part, figure)) is not None]
            means[name] = decimals(fmean(values) if values else None)
    return means


def main_figures(shown: Sequence[Shown]) -> GridTable:
    """Return Table 4: balanced accuracy and MCC at each length; the best of a group and column has ●, the next ○."""
    cells = scales_of(shown)
    wanted = [(cell, figure) for cell in cells for figure in (BACC, MCC)]
    head = ["Model", *scale_heads(cells, MAIN_NAMES)]
    marks = _ranks(shown, wanted)

    def said(one: Shown) -> list[str]:
        return [
            figure_of(one.figures.cell(*cell), figure, marks.get((id(one), cell, figure), ""))
            for cell, figure in wanted
        ]

    rows = [*_sections(shown, said, len(wanted)), *_bounds(shown, lambda values: list(values[2:]) * len(cells))]
    notes = [
        "BAcc.: balanced accuracy, the mean of the two recalls, the paper's first figure. It equals the accuracy of "
        "the main table where half of the rows are hallucinated.",
        *general_notes(shown),
    ]
    if missing_bounds(shown):
        notes.append(
            "A ceiling or floor stands here with what it comes to by definition, and not with how it fared on these "
            "rows (that is in the main table), unless it is one of the runs."
        )
    if marks:
        notes.append("● the best of its group, ○ the second (of two models and more).")
    title = "Balanced accuracy and MCC (Table 4)"
    return GridTable(title, tuple(head), tuple(map(tuple, rows)), tuple(notes), name="classes")


def detailed_figures(shown: Sequence[Shown]) -> Iterator[GridTable]:
    """Yield Tables 10 and 11: both recalls beside them, two lengths a table."""
    everything = scales_of(shown)
    for place in range(0, len(everything), _SCALES_A_TABLE):
        cells = everything[place : place + _SCALES_A_TABLE]
        head = ["Model", *scale_heads(cells, ALL_NAMES)]

        def said(one: Shown, cells: Sequence[Cell] = cells) -> list[str]:
            return [figure_of(one.figures.cell(*cell), figure) for cell in cells for figure in FIGURES]

        rows = [*_sections(shown, said, len(head) - 1), *_all_bounds(shown, len(cells))]
        number = {0: " (Table 10)", _SCALES_A_TABLE: " (Table 11)"}.get(place, "")
        lengths = ", ".join(map(scale_name, cells))
        notes = ("Non-H, Hallu: recall of the faithful and of the hallucinated summaries.", *general_notes(shown))
        name = "-".join(["recalls", *("-".join(cell) for cell in cells)])
        yield GridTable(f"Both recalls, {lengths}{number}", tuple(head), tuple(map(tuple, rows)), notes, name=name)


def interval_tables(shown: Sequence[Shown]) -> Iterator[GridTable]:
    """Yield Table 5 twice: with intervals over books, and with those of the paper, over rows within their class."""
    cells = scales_of(shown)
    head = ["Model", *scale_heads(cells, MAIN_NAMES, " (95% CI)")]
    books = sorted({part.n_books for one in shown for part in one.figures.cells})
    counted = f"{books[0]}" if len(books) == 1 else f"{books[0]} to {books[-1]}"
    by_book = [
        f"Percentile bootstrap, 10,000 resamples of whole books ({counted} here, a length), each with its rows' "
        "answers in all repeats: rows of one book share their text and are no independent evidence. With few books "
        "such an interval is rather too narrow; with one there is none.",
    ]
    by_row = [
        "As the paper does: percentile bootstrap, 10,000 resamples of rows within their class. It takes rows for "
        "independent: read the intervals by book.",
    ]
    for title, name, notes, naive in (
        ("Intervals, books resampled (Table 5)", "intervals", by_book, False),
        ("Intervals, rows resampled within their class (Table 5 as printed)", "intervals-rows", by_row, True),
    ):

        def said(one: Shown, naive: bool = naive) -> list[str]:
            found: list[str] = []
            for cell in cells:
                part = one.figures.cell(*cell)
                for figure in (BACC, MCC):
                    known = None if part is None else part.figures[figure]
                    ends = known and (known.by_row if naive else known.by_book)
                    n = None if part is None else part.n
                    found.append(with_interval(None if known is None else known.value, ends or None, n))
            return found

        rows = [*_sections(shown, said, len(head) - 1), *_bounds(shown, lambda values: list(values[2:]) * len(cells))]
        yield GridTable(title, tuple(head), tuple(map(tuple, rows)), tuple(notes), name=name)


# Configurations of the training data, by the group that a run is labelled with.
_ABLATION = {"base": "", "mma": "-MMA", "mma-only": "-MMA", "full": "-FULL"}
_ENDINGS = ("-MMA-only", "-MMA", "-FULL", "-SFT")


def ablation_table(shown: Sequence[Shown]) -> Iterator[GridTable]:
    """Yield Table 6 where runs are labelled with the groups base, MMA-only and FULL, two of them at least."""
    arms = [(one, _ABLATION[group]) for one in shown if (group := one.group.casefold()) in _ABLATION]
    if len({arm for _, arm in arms}) < 2:
        return
    cells = scales_of([one for one, _ in arms])
    head = ["Model", *scale_heads(cells, MAIN_NAMES)]
    order = list(dict.fromkeys(_family(one) for one, _ in arms))
    ranked = sorted(arms, key=lambda arm: (order.index(_family(arm[0])), list(_ABLATION.values()).index(arm[1])))
    rows = []
    for one, arm in ranked:
        method = f" —{one.method}" if one.method else ""
        figures = [figure_of(one.figures.cell(*cell), figure) for cell in cells for figure in MAIN_NAMES]
        rows.append([one.called(f"{_family(one)}{arm}{method}"), *figures])
    rows += _bounds(shown, lambda values: list(values[2:]) * len(cells))
    note = (
        "Runs labelled `--group base`, `MMA-only` and `FULL`; a model's name without these endings says which belong "
        "together."
    )
    title = "What the training data were made of (Table 6)"
    yield GridTable(title, tuple(head), tuple(map(tuple, rows)), (note,), name="training")


def _family(one: Shown) -> str:
    name = one.model.partition(" #")[0]
    for ending in _ENDINGS:
        if name.casefold().endswith(ending.casefold()):
            return name[: -len(ending)]
    return name


def general_notes(shown: Sequence[Shown]) -> list[str]:
    """Return what to know of the figures in most tables."""
    notes = [PRINTED_MCC]
    if any(part.invalid for one in shown for part in one.figures.cells):
        notes.append(INVALID)
    if any(len(part.figures[BACC].repeats) > 1 for one in shown for part in one.figures.cells):
        notes.append(REPEATS)
    return notes


def _sections(shown: Sequence[Shown], said: Callable[[Shown], list[str]], width: int) -> list[list[str]]:
    """Return a row a run under the heading of its group; methods stand below their model."""
    real = [one for one in shown if one.results.reference is None]
    rows: list[list[str]] = []
    group, model = "", ""
    for one in shown:
        if one in real and one.group != group:
            rows.append([one.group or "(no group)", *[""] * width])
            group, model = one.group, ""
        below = bool(one.method) and one.model == model
        rows.append([one.called(f"—{one.method}") if below else one.name, *said(one)])
        model = one.model
    return rows


def _all_bounds(shown: Sequence[Shown], times: int) -> list[list[str]]:
    return _bounds(shown, lambda values: list(values) * times)


def _bounds(shown: Sequence[Shown], said: Callable[[Sequence[str]], list[str]]) -> list[list[str]]:
    """Return a row a bound that no run shows; `said` makes its cells of both recalls, BAcc. and MCC."""
    return [[bound_name(name), *said([decimals(value) for value in BOUNDS[name]])] for name in missing_bounds(shown)]


def _ranks(shown: Sequence[Shown], wanted: Sequence[tuple[Cell, str]]) -> dict[tuple[int, Cell, str], str]:
    """Return the marks of the best and the second of each group and column; equals share theirs."""
    marks = {}
    real = [one for one in shown if one.results.reference is None]
    for group in dict.fromkeys(one.group for one in real):
        members = [one for one in real if one.group == group]
        for cell, figure in wanted:
            values = {
                id(one): round(value, 3)
                for one in members
                if (value := value_of(one.figures.cell(*cell), figure)) is not None
            }
            if len(set(values.values())) < 2:
                continue
            best, *rest = sorted(set(values.values()), reverse=True)
            for member, value in values.items():
                mark = "●" if value == best else "○" if rest and value == rest[0] else ""
                if mark:
                    marks[member, cell, figure] = mark
    return marks
