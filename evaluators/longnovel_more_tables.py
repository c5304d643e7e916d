"""LongNovel's further tables: recall by type (Figure 3), prompt position, language, origin, repeats, pairs, cost."""

from collections.abc import Iterator, Sequence

from lengthwise.evaluators.figure_text import percent, share_of
from lengthwise.evaluators.longnovel_figures import Measured, NovelPart
from lengthwise.evaluators.longnovel_rows import (
    BOUNDS,
    FIGURES,
    Shown,
    bound_name,
    cell_name,
    decimals,
    missing_bounds,
    scales_of,
    value_of,
    with_interval,
)
from lengthwise.evaluators.longnovel_tables import ALL_NAMES, MAIN_NAMES
from lengthwise.evaluators.longnovel_types import TYPE_LABELS, TypeShare, TypeShares
from lengthwise.evaluators.table_formats.cells import Figure, Name, Number, count, whole
from lengthwise.evaluators.table_formats.grid import GridTable

# In the rows of bounds, which hold at every length.
_ANY_LENGTH = Name("any")
_FIGURE_HEADS = tuple(Name(called, metric=figure) for figure, called in ALL_NAMES.items())

_BY_BOOK = (
    "In brackets the 95 % interval, books resampled; one without width says that all books were alike, and no more."
)


def more_tables(shown: Sequence[Shown]) -> Iterator[GridTable]:
    """Yield the tables that have something to show."""
    makers = (type_table, position_table, language_table, origin_table, repeats_table, further_table)
    for make in makers:
        if (table := make(shown)) is not None:
            yield table


def type_table(shown: Sequence[Shown]) -> GridTable | None:
    """Return Figure 3 as a table: recall by type, by the matcher, and by a judge where there is one."""
    rows = []
    for one in shown:
        sources = [("rule", one.figures.types), (one.figures.judge, one.figures.judged)]
        rows += [
            [one.name, Name(by, part=f"judged_by={by}"), *_shares(found)]
            for by, found in sources
            if found is not None and found.by_type
        ]
    if not rows:
        return None
    for name in missing_bounds(shown):
        # Of a toss or a constant there are no reasons that could point at anything.
        said = percent(1.0 if name == "gold" else 0.0)
        rows.append([bound_name(name), Name("by definition"), *[said] * (len(TYPE_LABELS) + 2)])
    types = (Name(label, metric="fault_recall", part=f"type={name}") for name, label in TYPE_LABELS.items())
    means = (Name("all", metric="fault_recall"), Name("mean of types", metric="fault_recall_mean_of_types"))
    head = ("Model", "judged by", *types, *means)
    notes = [
        "Share in % of the summaries with a fault of the type in which the reply's reasons point at one of them, "
        "whatever its score; n in brackets; over all lengths.",
        "rule: the offline matcher (same type, and the sentence quoted or both terms named), which misses "
        "paraphrases; `lengthwise score RUN --judge SPEC` has a model judge, as the paper had.",
    ]
    notes += [
        f"{one.name}: {judged.unread:,} faults have no verdict of {one.figures.judge}; where a summary has others, "
        "these count as missed. The same command asks for them."
        for one in shown
        if (judged := one.figures.judged) is not None and judged.unread
    ]
    title = "Recall by type of hallucination (Figure 3)"
    return GridTable(title, head, tuple(map(tuple, rows)), tuple(notes), name="types")


def _shares(found: TypeShares) -> list[str]:
    shares = (found.by_type.get(name) for name in TYPE_LABELS)
    return [*map(_type_share, shares), percent(found.micro), percent(found.macro)]


def _type_share(share: TypeShare | None) -> Figure:
    if share is None:
        return Figure("–")
    return Figure(f"{percent(share.value)} ({share.n:,})", Number(share.value, share.low, share.high, share.n))


def position_table(shown: Sequence[Shown]) -> GridTable | None:
    """Return each model with the summary at the end and at the beginning of the prompt (appendix F)."""
    ends = {one.model: one for one in shown if one.results.settings.get("method") in ("prompt-e", "zero-shot")}
    begins = {one.model: one for one in shown if one.results.settings.get("method") == "prompt-b"}
    rows = []
    for model in (name for name in ends if name in begins):
        for cell in scales_of([ends[model], begins[model]]):
            parts = [one.figures.cell(*cell) for one in (ends[model], begins[model])]
            row: list[str] = [ends[model].called(model), cell_name(cell)]
            for figure in MAIN_NAMES:
                values = [value_of(part, figure) for part in parts]
                change = None if None in values else (values[1] or 0.0) - (values[0] or 0.0)
                said = "–" if change is None else f"{change:+.3f}"
                row += [*map(decimals, values), Figure(said, Number(change))]
            rows.append(row)
    if not rows:
        return None
    for name in missing_bounds(shown):
        *_, bacc, mcc = map(decimals, BOUNDS[name])
        same = Figure("+0.000", Number(0.0))
        rows.append([bound_name(name), _ANY_LENGTH, bacc, bacc, same, mcc, mcc, same])
    arms = {"end": "summary=end", "beginning": "summary=beginning", "B-E": "summary=beginning-end"}
    columns = (
        Name(f"{called} {arm}", metric=figure, part=part)
        for figure, called in MAIN_NAMES.items()
        for arm, part in arms.items()
    )
    head = ("Model", "length", *columns)
    notes = ("End: Prompt-E, beginning: Prompt-B. `lengthwise compare` of the two runs tests the difference.",)
    title = "Where the summary stands in the prompt (appendix F)"
    return GridTable(title, head, tuple(map(tuple, rows)), notes, name="positions")


def language_table(shown: Sequence[Shown]) -> GridTable | None:
    """Return the figures by language; None where there is one alone."""
    if len({part.language for one in shown for part in one.figures.parts} - {None}) < 2:
        return None
    rows = []
    for one, part in _parts(shown, by_language=True):
        figures = [_interval(part, name) for name in FIGURES]
        where = [one.name, cell_name((part.config, part.split)), str(part.language)]
        rows.append([*where, count(part.n), *figures])
    for name in missing_bounds(shown):
        rows.append([bound_name(name), _ANY_LENGTH, Name("each"), "", *map(decimals, BOUNDS[name])])
    head = ("Model", "length", "language", "n", *_FIGURE_HEADS)
    return GridTable("By language", head, tuple(map(tuple, rows)), (_BY_BOOK,), name="languages")


def origin_table(shown: Sequence[Shown]) -> GridTable | None:
    """Return the recalls by where summaries come from; None where nothing but one origin was run."""
    if len({part.origin for one in shown for part in one.figures.parts} - {None}) < 2:
        return None
    rows = []
    for one, part in _parts(shown, by_language=False):
        faithful = count(part.n - part.n_hallucinated)
        figures = [_interval(part, name) for name in FIGURES]
        where = [one.name, cell_name((part.config, part.split)), _origin(part)]
        rows.append([*where, faithful, count(part.n_hallucinated), *figures])
    for name in missing_bounds(shown):
        rows.append([bound_name(name), _ANY_LENGTH, Name("each"), "", "", *map(decimals, BOUNDS[name])])
    counts = (Name("n Non-H", metric="n_non_hallucinated"), Name("n Hallu", metric="n_hallucinated"))
    head = ("Model", "length", "origin", *counts, *_FIGURE_HEADS)
    notes = (
        _BY_BOOK,
        "original: people's summaries (a story world's own), all faithful; ERHG: with injected faults, all "
        "hallucinated; MMA: models' own, labelled by arbitration. An origin of one class has one recall alone.",
    )
    return GridTable("By origin of the summary", head, tuple(map(tuple, rows)), notes, name="origins")


def _origin(part: NovelPart) -> Name:
    said = part.origin.upper() if part.origin in ("erhg", "mma") else str(part.origin)
    return Name(said, part=f"origin={part.origin}")


def _parts(shown: Sequence[Shown], *, by_language: bool) -> Iterator[tuple[Shown, NovelPart]]:
    cells = scales_of(shown)
    for one in shown:
        chosen = [part for part in one.figures.parts if (part.language if by_language else part.origin) is not None]
        yield from ((one, part) for part in sorted(chosen, key=lambda part: cells.index((part.config, part.split))))


def _interval(part: NovelPart, figure: str) -> str:
    found = part.figures[figure]
    return "–" if found.value is None else with_interval(found.value, found.by_book, part.n)


def repeats_table(shown: Sequence[Shown]) -> GridTable | None:
    """Return each repeat by itself; None where there are none."""
    rows = []
    for one in shown:
        for cell in scales_of([one]):
            part = one.figures.cell(*cell)
            if part is None or len(part.figures[FIGURES[0]].repeats) < 2:
                continue
            found = [part.figures[name] for name in FIGURES]
            for repeat in range(len(found[0].repeats)):
                each_own = (decimals(each.repeats[repeat]) for each in found)
                rows.append([one.name, cell_name(cell), str(repeat + 1), *each_own])
            rows.append([one.name, cell_name(cell), "mean", *map(_mean, FIGURES, found)])
    if not rows:
        return None
    for name in missing_bounds(shown):
        rows.append([bound_name(name), _ANY_LENGTH, Name("each"), *map(decimals, BOUNDS[name])])
    head = ("Model", "length", "repeat", *_FIGURE_HEADS)
    notes = (
        "The mean of the repeats' own figures (never of pooled counts, which MCC would not survive) ± the sample "
        "standard deviation.",
    )
    return GridTable("Each repeat", head, tuple(map(tuple, rows)), notes, name="repeats")


def _mean(name: str, found: Measured) -> Figure:
    """Return the mean of the repeats with its deviation, which in CSV is a figure of its own."""
    said = decimals(found.value) + ("" if found.spread is None else f"±{found.spread:.3f}")
    return Figure(said, Number(found.value), Number(found.spread, metric=f"{name}_sd"))


def further_table(shown: Sequence[Shown]) -> GridTable:
    """Return, for each run and length, invalid replies, figures over the rest, pairs, and what it took."""
    rows = []
    for one in shown:
        for cell in scales_of([one]):
            if (part := one.figures.cell(*cell)) is not None:
                rows.append([one.name, cell_name(cell), *_further(part)])
    for name in missing_bounds(shown):
        pairs = percent({"gold": 1.0, "random": 0.25}.get(name, 0.0))
        bacc, mcc = (decimals(value) for value in BOUNDS[name][2:])
        rows.append([bound_name(name), _ANY_LENGTH, "", "", percent(0.0), bacc, mcc, pairs, "", "", ""])
    head = (
        *("Model", "length", "n", "books", "invalid %"),
        Name("answered BAcc.", metric="answered_balanced_accuracy"),
        Name("answered MCC.", metric="answered_mcc"),
        Name("pairs %", metric="pairs_right"),
        *("calls", "input tokens", Name("cost", metric="cost_usd")),
    )
    notes = (
        "invalid: rows without a score, those not asked yet among them. answered: over the rows with one, a class "
        "that has none is a dash. pairs: "
        "share of the minimal pairs with both summaries right, exact 95 % interval, n in brackets.",
        "calls, input tokens: of the model that was run, for each summary; cost: of the whole run.",
    )
    title = "Replies without a score, pairs, and what it took"
    return GridTable(title, head, tuple(map(tuple, rows)), notes, name="further")


def _further(part: NovelPart) -> list[str]:
    pairs = part.pairs
    return [
        count(part.n),
        count(part.n_books),
        percent(part.invalid),
        decimals(value_of(part, "answered_balanced_accuracy")),
        decimals(value_of(part, "answered_mcc")),
        "–" if pairs is None else share_of(pairs.value, pairs.n, pairs.low, pairs.high),
        Figure(f"{part.calls:.1f}", Number(part.calls)),
        whole(part.input_tokens),
        Figure("–" if part.cost is None else f"${part.cost:,.2f}", Number(part.cost)),
    ]
