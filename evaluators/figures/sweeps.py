"""Accuracy over the values of a parameter of the construction: builds with a list of values (sweeps).

The variant under its own name is the point at the parameter's default. Where a variant with none of it, or with all of
it, is another variant on the same base lists, that one is the end of the line.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from lengthwise.builders.predicate.settings import Settings
from lengthwise.builders.predicate.variants import SWEEPS, VARIANTS, Value, point
from lengthwise.evaluators.figures.choosing import (
    INTERVALS,
    at_length,
    cell_at,
    parsed,
    point_of,
    shared_split,
    shown,
)
from lengthwise.evaluators.figures.model import Figure, Panel, Place, Series
from lengthwise.evaluators.figures.places import colours
from lengthwise.evaluators.naming import configs_of, name_of
from lengthwise.evaluators.scoring import Scored

Row: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Parameter:
    """How a parameter of `SWEEPS` is drawn.

    Attributes:
        axis: what its values are.
        zero: whether the variant's baseline is the point at 0.
        beyond: family -> the variant that is the end of the line, with its place's name.
        of_row: reads the parameter's value off a row, where rows show it.
    """

    axis: str
    zero: bool = False
    beyond: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    of_row: Callable[[Row], Value] | None = None


_PARAMETERS: Mapping[str, _Parameter] = {
    "decoys": _Parameter("decoys in the list", zero=True, of_row=lambda row: len(row["decoys"])),
    "near_miss": _Parameter("near misses per predicate (share of words)", zero=True),
    "radius": _Parameter(
        "words on each side of the answer",
        beyond={"lex": ("lex-scattered", "all"), "documents": ("documents-scattered", "all")},
    ),
    "lists": _Parameter("lists", of_row=lambda row: len(row["list_starts"])),
    "targets": _Parameter("sequences to find", of_row=lambda row: len(row["answers"])),
}


def by_decoys(runs: Sequence[Scored]) -> Figure | None:
    """Return accuracy by number of decoys: near-sorted ones, share of near misses, and lists in one prompt."""
    caption = "Accuracy by how many decoys stand in the list; at 0 stands the baseline, on the same base lists."
    return _figure(runs, "decoys", "Accuracy by number of decoys", caption, ("decoys", "near_miss", "lists"))


def by_radius(runs: Sequence[Scored]) -> Figure | None:
    """Return accuracy by the radius of the cluster of decoys."""
    caption = (
        "Accuracy by how close to the answer the decoys stand: all of them lie within this many words on each side; "
        "at “all” they are scattered over the whole list."
    )
    return _figure(runs, "radius", "Accuracy by radius of the cluster", caption, ("radius",))


def by_targets(runs: Sequence[Scored]) -> Figure | None:
    """Return accuracy by the number of sequences that all have to be found."""
    caption = "Accuracy by how many sequences satisfy the predicates, all of which are asked for."
    return _figure(runs, "targets", "Accuracy by number of answers", caption, ("targets",))


def _figure(runs: Sequence[Scored], name: str, title: str, caption: str, parameters: Sequence[str]) -> Figure | None:
    panels = tuple(panel for parameter in parameters for panel in _panels(shown(runs), parameter))
    if not panels:
        return None
    said = (
        f"{caption} At the longest length that all models shown have in common; bands are {INTERVALS}. Values are "
        "evenly spaced, whatever their distance."
    )
    return Figure(name, title, said, panels)


def _panels(runs: Sequence[Scored], parameter: str) -> list[Panel]:
    """Return a panel for each variant, and setting of its other parameters, that was run at two values or more."""
    lines: dict[tuple[str, tuple[tuple[str, Value], ...]], dict[Value, str]] = {}
    swept = set()
    for config in configs_of(runs):
        variant, values = parsed(config)
        if variant not in VARIANTS or not SWEEPS[parameter].affects(VARIANTS[variant]):
            continue
        value = values[parameter] if parameter in values else _default(runs, config, parameter)
        line = (variant, tuple((name, other) for name, other in values.items() if name != parameter))
        # A point of the sweep at the default value is the plain variant again; the plain one comes first.
        lines.setdefault(line, {}).setdefault(value, config)
        if parameter in values:
            swept.add(line)
    order = {line[0]: place for place, line in reversed(list(enumerate(lines)))}
    drawn = sorted((line for line in lines if line in swept), key=lambda line: (order[line[0]], line[1]))
    made = (_panel(runs, parameter, *line, lines[line]) for line in drawn)
    return [panel for panel in made if panel is not None]


def _default(runs: Sequence[Scored], config: str, parameter: str) -> Value:
    """Return the value that a config has without naming it: as its rows show it, else the builder's default."""
    read = _PARAMETERS[parameter].of_row
    if read is not None:
        for run in runs:
            for row in run.rows.values():
                if row["config"] == config:
                    return read(row)
    default: Value = getattr(Settings(), parameter)
    return default


def _panel(
    runs: Sequence[Scored],
    parameter: str,
    variant: str,
    others: Sequence[tuple[str, Value]],
    configs: Mapping[Value, str],
) -> Panel | None:
    about = _PARAMETERS[parameter]
    known = set(configs_of(runs))
    ordered = [(f"{value:,}", configs[value]) for value in sorted(configs)]
    reference = VARIANTS[variant].reference
    if about.zero and reference in known and 0 not in configs:
        ordered.insert(0, ("0", str(reference)))
    beyond = about.beyond.get(VARIANTS[variant].family)
    if beyond is not None and (whole := point(VARIANTS[beyond[0]], dict(others)).name) in known:
        ordered.append((beyond[1], whole))
    results = [run.results for run in runs]
    split = _split(results, [config for _, config in ordered])
    series = tuple(
        Series(name_of(run), points, colour, reference_model)
        for run, (colour, reference_model) in zip(results, colours(results), strict=True)
        if sum(map(bool, points := tuple(point_of(cell_at(run, config, split)) for _, config in ordered))) > 1
    )
    if not series:
        return None
    captions = ", ".join(SWEEPS[name].caption.format(value) for name, value in others)
    title = f"{variant}{f' ({captions})' if captions else ''}{at_length(split)}"
    return Panel(title, "lines", about.axis, tuple(Place(name) for name, _ in ordered), series)


def _split(runs: Sequence[Any], configs: Sequence[str]) -> str | None:
    """Return the length of a line: the longest at which all configs are there, else the longest of most of them."""
    if (split := shared_split(runs, configs)) is not None:
        return split
    counts: dict[str, int] = {}
    for run in runs:
        for config in configs:
            for cell in run.cells:
                if cell.config == config:
                    counts[cell.split] = counts.get(cell.split, 0) + 1
    return max(counts, key=lambda split: counts[split], default=None)
