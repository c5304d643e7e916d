"""LongNovel's further tables: recall by type (Figure 3), prompt position, language, origin, repeats, pairs, cost."""

from collections.abc import Iterator, Sequence

from lengthwise.evaluators.benchmark_types import GridTable
from lengthwise.evaluators.figure_text import percent
from lengthwise.evaluators.longnovel_figures import NovelPart
from lengthwise.evaluators.longnovel_rows import (
    BOUNDS,
    FIGURES,
    Shown,
    bound_name,
    decimals,
    missing_bounds,
    scale_name,
    scales_of,
    value_of,
    with_interval,
)
from lengthwise.evaluators.longnovel_types import TYPE_LABELS, TypeShares

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
        rows += [[one.name, by, *_shares(found)] for by, found in sources if found is not None and found.by_type]
    if not rows:
        return None
    for name in missing_bounds(shown):
        # Of a toss or a constant there are no reasons that could point at anything.
        said = "100.0" if name == "gold" else "0.0"
        rows.append([bound_name(name), "by definition", *[said] * (len(TYPE_LABELS) + 2)])
    head = ("Model", "judged by", *TYPE_LABELS.values(), "all", "mean of types")
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
    return GridTable("Recall by type of hallucination (Figure 3)", head, tuple(map(tuple, rows)), tuple(notes))


def _shares(found: TypeShares) -> list[str]:
    shares = (found.by_type.get(name) for name in TYPE_LABELS)
    said = ["–" if share is None else f"{percent(share.value)} ({share.n:,})" for share in shares]
    return [*said, percent(found.micro), percent(found.macro)]


def position_table(shown: Sequence[Shown]) -> GridTable | None:
    """Return each model with the summary at the end and at the beginning of the prompt (appendix F)."""
    ends = {one.model: one for one in shown if one.results.settings.get("method") in ("prompt-e", "zero-shot")}
    begins = {one.model: one for one in shown if one.results.settings.get("method") == "prompt-b"}
    rows = []
    for model in (name for name in ends if name in begins):
        for cell in scales_of([ends[model], begins[model]]):
            parts = [one.figures.cell(*cell) for one in (ends[model], begins[model])]
            row = [model, scale_name(cell)]
            for figure in ("balanced_accuracy", "mcc"):
                values = [value_of(part, figure) for part in parts]
                change = None if None in values else (values[1] or 0.0) - (values[0] or 0.0)
                row += [*map(decimals, values), "–" if change is None else f"{change:+.3f}"]
            rows.append(row)
    if not rows:
        return None
    for name in missing_bounds(shown):
        *_, bacc, mcc = map(decimals, BOUNDS[name])
        rows.append([bound_name(name), "any", bacc, bacc, "+0.000", mcc, mcc, "+0.000"])
    head = ("Model", "length", *(f"{name} {arm}" for name in ("BAcc.", "MCC.") for arm in ("end", "beginning", "B-E")))
    notes = ("End: Prompt-E, beginning: Prompt-B. `lengthwise compare` of the two runs tests the difference.",)
    return GridTable("Where the summary stands in the prompt (appendix F)", head, tuple(map(tuple, rows)), notes)


def language_table(shown: Sequence[Shown]) -> GridTable | None:
    """Return the figures by language; None where there is one alone."""
    if len({part.language for one in shown for part in one.figures.parts} - {None}) < 2:
        return None
    rows = []
    for one, part in _parts(shown, by_language=True):
        figures = [_interval(part, name) for name in FIGURES]
        rows.append([one.name, scale_name((part.config, part.split)), str(part.language), f"{part.n:,}", *figures])
    for name in missing_bounds(shown):
        rows.append([bound_name(name), "any", "each", "", *map(decimals, BOUNDS[name])])
    head = ("Model", "length", "language", "n", "Non-H", "Hallu", "BAcc.", "MCC.")
    return GridTable("By language", head, tuple(map(tuple, rows)), (_BY_BOOK,))


def origin_table(shown: Sequence[Shown]) -> GridTable | None:
    """Return the recalls by where summaries come from; None where nothing but one origin was run."""
    if len({part.origin for one in shown for part in one.figures.parts} - {None}) < 2:
        return None
    rows = []
    for one, part in _parts(shown, by_language=False):
        faithful = f"{part.n - part.n_hallucinated:,}"
        figures = [_interval(part, name) for name in FIGURES]
        where = [one.name, scale_name((part.config, part.split)), _origin(part)]
        rows.append([*where, faithful, f"{part.n_hallucinated:,}", *figures])
    for name in missing_bounds(shown):
        rows.append([bound_name(name), "any", "each", "", "", *map(decimals, BOUNDS[name])])
    head = ("Model", "length", "origin", "n Non-H", "n Hallu", "Non-H", "Hallu", "BAcc.", "MCC.")
    notes = (
        _BY_BOOK,
        "original: people's summaries (a story world's own), all faithful; ERHG: with injected faults, all "
        "hallucinated; MMA: models' own, labelled by arbitration. An origin of one class has one recall alone.",
    )
    return GridTable("By origin of the summary", head, tuple(map(tuple, rows)), notes)


def _origin(part: NovelPart) -> str:
    return part.origin.upper() if part.origin in ("erhg", "mma") else str(part.origin)


def _parts(shown: Sequence[Shown], *, by_language: bool) -> Iterator[tuple[Shown, NovelPart]]:
    cells = scales_of(shown)
    for one in shown:
        chosen = [part for part in one.figures.parts if (part.language if by_language else part.origin) is not None]
        yield from ((one, part) for part in sorted(chosen, key=lambda part: cells.index((part.config, part.split))))


def _interval(part: NovelPart, figure: str) -> str:
    found = part.figures[figure]
    return "–" if found.value is None else with_interval(found.value, found.by_book)


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
                rows.append(
                    [one.name, scale_name(cell), str(repeat + 1), *(decimals(each.repeats[repeat]) for each in found)]
                )
            mean = [decimals(each.value) + ("" if each.spread is None else f"±{each.spread:.3f}") for each in found]
            rows.append([one.name, scale_name(cell), "mean", *mean])
    if not rows:
        return None
    rows += [[bound_name(name), "any", "each", *map(decimals, BOUNDS[name])] for name in missing_bounds(shown)]
    head = ("Model", "length", "repeat", "Non-H", "Hallu", "BAcc.", "MCC.")
    notes = (
        "The mean of the repeats' own figures (never of pooled counts, which MCC would not survive) ± the sample "
        "standard deviation.",
    )
    return GridTable("Each repeat", head, tuple(map(tuple, rows)), notes)


def further_table(shown: Sequence[Shown]) -> GridTable:
    """Return, for each run and length, invalid replies, figures over the rest, pairs, and what it took."""
    rows = []
    for one in shown:
        for cell in scales_of([one]):
            if (part := one.figures.cell(*cell)) is not None:
                rows.append([one.name, scale_name(cell), *_further(part)])
    for name in missing_bounds(shown):
        pairs = {"gold": "100.0", "random": "25.0"}.get(name, "0.0")
        bacc, mcc = (decimals(value) for value in BOUNDS[name][2:])
        rows.append([bound_name(name), "any", "", "", "0.0", bacc, mcc, pairs, "", "", ""])
    head = (
        *("Model", "length", "n", "books", "invalid %", "answered BAcc.", "answered MCC.", "pairs %"),
        *("calls", "input tokens", "cost"),
    )
    notes = (
        "invalid: rows without a score, those not asked yet among them. answered: over the rows with one, a class "
        "that has none is a dash. pairs: "
        "share of the minimal pairs with both summaries right, exact 95 % interval, n in brackets.",
        "calls, input tokens: of the model that was run, for each summary; cost: of the whole run.",
    )
    return GridTable("Replies without a score, pairs, and what it took", head, tuple(map(tuple, rows)), notes)


def _further(part: NovelPart) -> list[str]:
    pairs = part.pairs
    return [
        f"{part.n:,}",
        f"{part.n_books:,}",
        percent(part.invalid),
        decimals(value_of(part, "answered_balanced_accuracy")),
        decimals(value_of(part, "answered_mcc")),
        "–"
        if pairs is None
        else f"{percent(pairs.value)} [{percent(pairs.low)}, {percent(pairs.high)}] ({pairs.n:,})",
        f"{part.calls:.1f}",
        "–" if part.input_tokens is None else f"{part.input_tokens:,.0f}",
        "–" if part.cost is None else f"${part.cost:,.2f}",
    ]
