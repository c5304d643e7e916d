"""The head of the page: what was run, with the settings and the exact command of each run, and what is not whole."""

import shlex
from collections.abc import Sequence

from lengthwise.evaluators.benchmarks import Benchmark
from lengthwise.evaluators.main_table import incomplete
from lengthwise.evaluators.naming import name_of
from lengthwise.evaluators.report.markup import Child, Html, join, tag
from lengthwise.evaluators.scoring import Scored
from lengthwise.evaluators.serving_run import rope_text
from lengthwise.evaluators.sharding import partial_note

# Runs that are said in a line each, and names that stand in the title.
_MOST_RUNS = 8
_MOST_INCOMPLETE = 2
_MOST_NAMES = 3

Groups = Sequence[tuple[Benchmark, Sequence[Scored]]]


def title_of(groups: Groups) -> str:
    """Return what the page is called: its benchmark and the first runs, or its benchmarks and how many runs."""
    if len(groups) > 1:
        benchmarks = ", ".join(benchmark.layout.name for benchmark, _ in groups)
        return f"{benchmarks}: {sum(len(runs) for _, runs in groups):,} runs"
    names = list(dict.fromkeys(run.results.label for _, runs in groups for run in runs))
    shown = ", ".join(names[:_MOST_NAMES])
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return f"{groups[0][0].layout.name}: {shown}{more}"


def incomplete_banner(groups: Groups) -> Html:
    """Return the heading of runs that are but a part of one, or lack replies; empty if none is.

    What there is to say of many of them stands behind a line, so that the summary stays in sight.
    """
    runs = [run for _, of_benchmark in groups for run in of_benchmark]
    parts = [partial_note(run.results.label, run.results.settings) for run in runs]
    lines = [tag("p", part) for part in parts if part]
    lines += [tag("p", incomplete(run.results)) for run in runs if not run.results.complete]
    if len(lines) > _MOST_INCOMPLETE:
        said = f"INCOMPLETE: {len(lines):,} of {len(runs):,} runs; what they lack counts as wrong."
        lines = [tag("details", tag("summary", said), *lines)]
    return tag("div", *lines, class_="banner", role="alert") if lines else Html("")


def what_was_run(groups: Groups) -> Html:
    """Return lines on what was run, and behind them the settings and the exact command of each run."""
    runs = [run for _, of_benchmark in groups for run in of_benchmark]
    if len(runs) <= _MOST_RUNS:
        lines = [_line(run) for run in runs]
    else:
        lines = [_count(benchmark, of_benchmark) for benchmark, of_benchmark in groups]
    details = tag("details", tag("summary", "Settings and exact commands"), *(_run(run) for run in runs))
    return tag("div", *lines, details, class_="ran")


def _count(benchmark: Benchmark, runs: Sequence[Scored]) -> Html:
    cells = {(cell.config, cell.split) for run in runs for cell in run.results.cells}
    configs = {config for config, _ in cells}
    said = f"{_many(len(runs), 'run')}, {_many(len(configs), 'variant')}, {_many(len(cells), 'cell')}"
    return tag("p", tag("strong", benchmark.layout.name), ": ", tag("span", said))


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _line(run: Scored) -> Html:
    settings = run.results.settings
    sampling = "the paper's sampling" if settings.get("sampling_origin") == "paper" else "changed sampling"
    cells = run.results.cells
    n = sum(cell.n for cell in cells)
    repeats = f", {settings['repeats']} repeats" if (settings.get("repeats") or 1) > 1 else ""
    configs = len({cell.config for cell in cells})
    said = f"{n:,} examples of {_many(configs, 'variant')}{repeats}, {settings.get('method')}, {sampling}"
    return tag("p", tag("strong", name_of(run.results)), ": ", tag("span", said))


def _run(run: Scored) -> Html:
    settings = run.results.settings
    model, data, sampling = (settings.get(name) or {} for name in ("model", "data", "sampling"))
    changed = "as in the paper" if settings.get("sampling_origin") == "paper" else "changed from the paper's"
    shown = ", ".join(f"{name} {value}" for name, value in sampling.items() if value is not None)
    excluded = ", ".join(f"{count} of {cell}" for cell, count in run.results.excluded.items())
    facts = {
        "model": model.get("spec"),
        "rope scaling": rope_text(model["rope"]) if model.get("rope") else None,
        "method": settings.get("method"),
        "sampling": join(tag("span", shown, translate="no"), " ", tag("span", f"({changed})")),
        "repeats": settings.get("repeats"),
        "data": f"{data.get('source')}, digest {str(data.get('digest'))[:16]}",
        "revision": data.get("revision"),
        "limit": settings.get("limit"),
        "left out": excluded and f"{excluded}: do not fit the model",
        "begun": settings.get("created"),
        "versions": ", ".join(f"{name} {value}" for name, value in (settings.get("versions") or {}).items()),
    }
    items = [join(tag("dt", name), tag("dd", _unchanged(value))) for name, value in facts.items() if value]
    command = settings.get("command")
    line = tag("pre", shlex.join(map(str, command))) if command else Html("")
    return tag("div", tag("h3", name_of(run.results)), tag("dl", *items), line, class_="run")


def _unchanged(value: Child) -> Html:
    """Return a setting as it is, in any language of the page."""
    return value if isinstance(value, Html) else tag("span", value, translate="no")
