"""What the page says of a benchmark, from top to bottom: anchor, heading, and what draws it from the scored runs."""

from collections.abc import Callable, Mapping, Sequence, Set
from functools import partial
from typing import TypeAlias

from lengthwise.evaluators.benchmarks import Benchmark
from lengthwise.evaluators.figures.model import Figure
from lengthwise.evaluators.instance_analyses.omissions import Tick
from lengthwise.evaluators.instance_analyses.table import BENCHMARK as MULTI_INSTANCE
from lengthwise.evaluators.longnovel_patterns import NOVEL_CAUSES
from lengthwise.evaluators.report import (
    cause_section,
    chart_sections,
    instance_section,
    novel_section,
    overview_section,
    paired_section,
    sections,
)
from lengthwise.evaluators.report.markup import Html, tag
from lengthwise.evaluators.scoring import Scored

# Nothing drawn, no section.
Draw: TypeAlias = Callable[[Sequence[Scored]], Html]
Section: TypeAlias = tuple[str, str, Draw]

# Of a figure that is shown without being asked for.
_MOST_BARS = 120

_AFTER: tuple[Section, ...] = (
    ("outcomes", "How the examples ended", chart_sections.outcomes),
    ("errors", "How wrong answers are wrong", sections.wrong_answers),
    ("causes", "Why replies were not right", cause_section.causes),
    ("again", "Asked again", cause_section.asked_again),
    ("budgets", "Output budgets", sections.budgets),
)
_SUMMARY: Section = ("summary", "Summary", overview_section.further_figures)
_TABLE: Section = ("table", "The main table", sections.main_table)
_PAIRED: Section = ("paired", "Runs against each other", paired_section.paired)
_OWN: Section = ("tables", "Further tables of the paper", sections.own_tables)


def contents(
    benchmark: Benchmark,
    figures: Sequence[Figure],
    ticks: Mapping[str, Tick],
    tags: Mapping[str, Set[str]],
) -> tuple[Section, ...]:
    """Return the sections on a benchmark, its figures among them; figures of one group stand in one section.

    Args:
        benchmark: that the runs are of.
        figures: in order.
        ticks: a person's judgements of omissions, by key.
        tags: a person's tags of LongNovel's replies, by key.
    """
    drawn = _figures(figures)
    if benchmark.causes is NOVEL_CAUSES:
        # Its main figure is not the accuracy of the main table. The patterns hold what the causes would.
        return (
            _SUMMARY,
            ("tables", "Tables of the paper", sections.own_tables),
            _PAIRED,
            *drawn,
            ("analyses", "Failure patterns, evidence, and what RAG takes", partial(novel_section.analyses, tags=tags)),
            _TABLE,
            *(section for section in _AFTER if section[0] != "causes"),
        )
    if benchmark.name != MULTI_INSTANCE:
        return (_SUMMARY, _TABLE, _OWN, _PAIRED, *drawn, *_AFTER)
    # Its main table has a row for each task and variant at each size: what to read first are the means.
    return (
        _SUMMARY,
        ("tables", "Success over all tasks", sections.own_tables),
        _PAIRED,
        *drawn,
        ("analyses", "Analyses", instance_section.analyses),
        ("omissions", "Instances left out", partial(instance_section.omissions, ticks=ticks)),
        ("table", "Every task and variant by size", sections.main_table),
        *_AFTER,
    )


def _figures(figures: Sequence[Figure]) -> list[Section]:
    groups: dict[str, list[Figure]] = {}
    for one in figures:
        groups.setdefault(one.group or one.title, []).append(one)
    return [
        (of_group[0].id, name, _draw_group(of_group) if of_group[0].group else _draw_one(of_group[0]))
        for name, of_group in groups.items()
    ]


def _draw_one(figure: Figure) -> Draw:
    bars = sum(len(panel.places) * len(panel.series) for panel in figure.panels if panel.kind == "bars")
    if bars <= _MOST_BARS:
        return lambda _: chart_sections.figure(figure)
    return lambda _: tag("details", tag("summary", f"{bars:,} bars"), chart_sections.figure(figure))


def _draw_group(figures: Sequence[Figure]) -> Draw:
    return lambda _: chart_sections.figure_group(figures)
