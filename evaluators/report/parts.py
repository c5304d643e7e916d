"""The parts of the page: what stands over all runs, and what each benchmark has; with the navigation between them.

A page on one benchmark is a single part. On a page on several, the anchors of each benchmark's sections begin with its
name, and so do the files of its figures: story world and LongNovel, say, have figures of one name.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from lengthwise.evaluators.figures import Figure, make_figures
from lengthwise.evaluators.figures.cost import cost_against_quality
from lengthwise.evaluators.figures.table import COST
from lengthwise.evaluators.instance_analyses.omissions import Tick
from lengthwise.evaluators.longnovel_analyses.table import is_novel
from lengthwise.evaluators.longnovel_analyses.tags import keys_of
from lengthwise.evaluators.methods import METHODS
from lengthwise.evaluators.report import chart_sections
from lengthwise.evaluators.report.contents import contents
from lengthwise.evaluators.report.header import Groups
from lengthwise.evaluators.report.markup import Html, join, tag
from lengthwise.evaluators.report.overview_section import all_runs
from lengthwise.evaluators.scoring import Scored

Tags = Mapping[str, Set[str]]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A section: its anchor, its heading, and its content, which may be empty."""

    anchor: str
    title: str
    content: Html
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """Sections under one heading.

    Attributes:
        anchor: of the heading.
        name: the heading; "" for sections that stand by themselves.
        sections: in order.
    """

    anchor: str
    name: str
    sections: tuple[Drawn, ...]


def make_parts(groups: Groups, ticks: Mapping[str, Tick], tags: Tags) -> list[Part]:
    """Return the parts of the page, the summary of all runs first; sections with nothing to show are left out.

    Args:
        groups: the runs by benchmark, with labels that are distinct within each.
        ticks: a person's judgements of omissions, by key.
        tags: a person's tags of LongNovel's replies, by key.
    """
    parts = []
    for benchmark, runs in groups:
        prefix, figures = prefix_of(groups, benchmark.name), figures_of(groups, benchmark.name)
        named = {one.id for one in figures}
        sections = contents(benchmark, figures, ticks, _tags_of(groups, runs, tags))
        drawn = (
            Drawn(anchor if anchor in named else f"{prefix}{anchor}", title, draw(runs))
            for anchor, title, draw in sections
        )
        parts.append(Part(benchmark.name, benchmark.layout.name, tuple(one for one in drawn if one.content)))
    summary = Drawn("summary", "Summary", all_runs(groups))
    if len(groups) > 1:
        drawn = (Drawn(one.id, one.title, chart_sections.figure(one)) for one in figures_across(groups))
        return [Part("", "", (summary, *drawn)), *parts]
    first, *others = parts[0].sections
    if first.anchor != summary.anchor:
        return [Part("", "", (summary, first, *others))]
    return [Part("", "", (replace(summary, content=join(summary.content, first.content)), *others))]


def prefix_of(groups: Groups, benchmark: str) -> str:
    """Return what anchors and files of a benchmark begin with: nothing where it is the only one."""
    return f"{benchmark}-" if len(groups) > 1 else ""


def figures_of(groups: Groups, benchmark: str) -> list[Figure]:
    """Return the figures of one of the benchmarks; of several, without those that hold them all."""
    runs = next(runs for one, runs in groups if one.name == benchmark)
    across = {COST} if len(groups) > 1 else set()
    found = (one for one in make_figures(runs) if one.id not in across)
    return [replace(one, id=f"{prefix_of(groups, benchmark)}{one.id}") for one in found]


def figures_across(groups: Groups) -> list[Figure]:
    """Return the figures that hold the runs of all benchmarks; none where there is one."""
    if len(groups) == 1:
        return []
    found = cost_against_quality([run for _, runs in groups for run in runs])
    return [] if found is None else [found]


def _tags_of(groups: Groups, runs: Sequence[Scored], tags: Tags) -> Tags:
    """Return the tags without those of another benchmark's replies, which are nothing to tell of here."""
    if not tags or not is_novel(runs):
        return {}
    others = {
        key for _, group in groups if group is not runs and is_novel(group) for run in group for key in keys_of(run)
    }
    return {key: given for key, given in tags.items() if key not in others}


def named_runs(groups: Groups) -> list[Scored]:
    """Return all runs with labels that are distinct among all: with the benchmark behind, where there are several."""
    if len(groups) == 1:
        return list(groups[0][1])
    return [
        _named(run, f"{run.results.label} · {benchmark.layout.name}") for benchmark, runs in groups for run in runs
    ]


def _named(run: Scored, label: str) -> Scored:
    labels = {**run.results.settings.get("labels", {}), "label": label}
    return replace(run, results=replace(run.results, settings={**run.results.settings, "labels": labels}))


def navigation(parts: Sequence[Part]) -> Html:
    """Return links to the sections that stand by themselves and to the benchmarks, which have links of their own."""
    links: list[Html] = []
    for part in parts:
        links += [tag("a", part.name, href=f"#{part.anchor}")] if part.name else map(_link, part.sections)
    return join(*links)


def _link(one: Drawn) -> Html:
    return tag("a", one.title, href=f"#{one.anchor}")


def draw_parts(parts: Sequence[Part]) -> Html:
    """Return the sections of all parts with their headings."""
    drawn = []
    for part in parts:
        sections = (
            tag("section", tag("h2", one.title), one.content, id=one.anchor, hidden=one.hidden)
            for one in part.sections
        )
        if part.name:
            heading = tag("h2", part.name, class_="part")
            links = tag("nav", *map(_link, part.sections), aria_label=part.name)
            drawn.append(tag("article", heading, links, *sections, id=part.anchor))
        else:
            drawn.append(join(*sections))
    return join(*drawn)


def names_of(groups: Groups) -> set[str]:
    """Return all names on the page, which no language changes: of runs, models, methods, configs, splits, groups."""
    names = set(METHODS)
    for benchmark, runs in groups:
        names |= {*benchmark.references, *benchmark.layout.captions}
        for run in runs:
            settings = run.results.settings
            model, labels = settings.get("model") or {}, settings.get("labels") or {}
            said = (run.results.label, model.get("name"), model.get("spec"), settings.get("method"), *labels.values())
            names |= {str(one) for one in said if one} | {f"{model.get('name')} ({settings.get('method')})"}
            for cell in run.results.cells:
                # Behind its task, a config's name is that of a variant.
                variant = cell.config.partition("-")[2]
                names |= {cell.config, cell.split, f"{cell.config} {cell.split}", *([variant] if variant else [])}
    return names
