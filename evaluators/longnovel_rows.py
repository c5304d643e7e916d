"""Who stands in a row of LongNovel's tables: models with their methods below them, and what bounds them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lengthwise.builders.longnovel.records import PAPER_SCALES
from lengthwise.evaluators.longnovel_figures import NovelFigures, NovelPart
from lengthwise.evaluators.table_formats.cells import Figure, Name, Number

if TYPE_CHECKING:
    from lengthwise.evaluators.results import Results

# As the paper calls them, in the order of its tables; a method without a name is a row by the model's own.
METHOD_NAMES: Mapping[str, str] = {
    "prompt-e": "",
    "zero-shot": "",
    "cot": "CoT",
    "prompt-b": "Prompt-B",
    "rag": "RAG",
    # An ensemble is a model of its own.
    "vote": "",
    "minicheck": "MiniCheck",
}
# Recall of the faithful and of the hallucinated summaries, balanced accuracy and MCC of what looks at no text, and of
# what makes no mistake; known without a run.
BOUNDS: Mapping[str, tuple[float, float, float, float]] = {
    "gold": (1.0, 1.0, 1.0, 1.0),
    "random": (0.5, 0.5, 0.5, 0.0),
    "faithful": (1.0, 0.0, 0.5, 0.0),
    "hallucinated": (0.0, 1.0, 0.5, 0.0),
}
_KIND = {"gold": "ceiling"}
FIGURES = ("recall_non_hallucinated", "recall_hallucinated", "balanced_accuracy", "mcc")


@dataclass(frozen=True, slots=True)
class Shown:
    """A run in the tables.

    Attributes:
        results: of the run.
        figures: of the run.
        model: what the model is called, its method left out.
        method: as the paper calls it; "" for the plain one.
        group: heading of its section.
    """

    results: "Results"
    figures: NovelFigures
    model: str
    method: str
    group: str

    @property
    def name(self) -> Name:
        """Model and method in one."""
        return self.called(f"{self.model} —{self.method}" if self.method else self.model)

    def called(self, text: str) -> Name:
        """Return a name of the run in a table."""
        return Name(text, run=self.results.label if self.results.reference is None else self.model)


def shown_runs(runs: "Sequence[Results]") -> list[Shown]:
    """Return the runs with figures: by group, then by model, then by method, each as it comes first; then the bounds.

    Runs over rows chosen by how they ended are left out: they say nothing of a model.
    """
    found = [
        Shown(run, run.figures, *_names(run), str((run.settings.get("labels") or {}).get("group") or ""))
        for run in runs
        if isinstance(run.figures, NovelFigures) and not run.chosen
    ]
    groups = list(dict.fromkeys(one.group for one in found))
    models = list(dict.fromkeys(one.model for one in found))
    methods = list(dict.fromkeys(METHOD_NAMES.values()))

    def place(one: Shown) -> tuple[int, int, int, int, int]:
        bound = one.results.reference
        base, _, size = one.method.partition(" ")
        known = methods.index(base) if base in methods else len(methods)
        return (
            0 if bound is None else 1 + list(BOUNDS).index(bound) if bound in BOUNDS else len(BOUNDS) + 1,
            groups.index(one.group),
            models.index(one.model),
            known,
            int(size) if size.isdigit() else 0,
        )

    return sorted(found, key=place)


def _names(run: "Results") -> tuple[str, str]:
    method = str(run.settings.get("method") or "")
    label = run.label
    if run.reference is not None:
        return f"{_KIND.get(run.reference, 'floor')} ({run.reference})", ""
    # What `Results.label` and `naming.distinguish` put behind a name to tell methods apart.
    model = re.sub(rf"(?:, | )?\(?{re.escape(method)}\)(?= #\d+$|$)", _closed, label) if method else label
    base, _, size = method.partition(":")
    said = METHOD_NAMES.get(base, base)
    return model, f"{said} {size}".strip() if said else ""


def _closed(match: "re.Match[str]") -> str:
    return ")" if match[0].startswith(",") else ""


def scales_of(shown: Sequence[Shown]) -> list[tuple[str, str]]:
    """Return the cells (config, split) that some run has, the shortest length first."""
    found = dict.fromkeys((part.config, part.split) for one in shown for part in one.figures.cells)
    return sorted(found, key=lambda cell: (_tokens(cell[0]), cell[0], cell[1] != "test"))


def _tokens(config: str) -> tuple[int, str]:
    base, _, tail = config.partition("-")
    if base in PAPER_SCALES:
        return PAPER_SCALES[base], tail
    # Generated novels are shorter than any scale of the builder's, too.
    digits = base.removesuffix("k")
    short = base.endswith("k") and digits.isascii() and digits.isdigit()
    return (1000 * int(digits), tail) if short else (1 << 40, config)


def scale_name(cell: tuple[str, str]) -> str:
    """Return what heads a cell, as the paper does.

    >>> scale_name(("xl", "test")), scale_name(("8k", "validation")), scale_name(("s-zh", "test"))
    ('XL (100k)', '8k validation', 'S (16k) zh')
    """
    base, _, tail = cell[0].partition("-")
    name = f"{base.upper()} ({PAPER_SCALES[base] // 1000}k)" if base in PAPER_SCALES else base
    return " ".join(part for part in (name, tail, "" if cell[1] == "test" else cell[1]) if part)


def missing_bounds(shown: Sequence[Shown]) -> list[str]:
    """Return the bounds that are no run among these, ceiling first."""
    had = {one.results.reference for one in shown}
    return [name for name in BOUNDS if name not in had]


def bound_name(name: str) -> Name:
    """Return what a row of a bound is called that no run shows: its figures are those that it has by definition."""
    called = f"{_KIND.get(name, 'floor')} ({name})"
    return Name(called, run=called, part="by_definition=yes")


def value_of(part: NovelPart | None, figure: str) -> float | None:
    """Return a figure's mean over the repeats; None where it is undefined, or there is no such part."""
    return None if part is None else part.figures[figure].value


def decimals(value: float | None) -> Figure:
    """Return a figure with the three decimals of the paper's tables, a dash for None.

    >>> decimals(0.5), decimals(-0.0001), decimals(None)
    ('0.500', '0.000', '–')
    """
    said = "–" if value is None else f"{value:.3f}"
    return Figure("0.000" if said == "-0.000" else said, Number(value))


def with_interval(value: float | None, ends: tuple[float, float] | None, n: int | None = None) -> Figure:
    """Return a figure with its interval, as in Table 5.

    >>> with_interval(0.68, (0.59, 0.77)), with_interval(0.68, None)
    ('0.680 [0.590, 0.770]', '0.680')
    """
    if ends is None:
        return Figure(decimals(value), Number(value, n=n))
    return Figure(f"{decimals(value)} [{decimals(ends[0])}, {decimals(ends[1])}]", Number(value, *ends, n=n))


def figure_of(part: NovelPart | None, figure: str, mark: str = "") -> Figure:
    """Return a figure of a part as `decimals` has it, with a mark behind it; see `value_of`."""
    value = value_of(part, figure)
    return Figure(f"{decimals(value)}{mark}", Number(value, n=None if part is None else part.n))


def scale_heads(cells: Sequence[tuple[str, str]], figures: Mapping[str, str], tail: str = "") -> list[Name]:
    """Return the heads of columns for each cell and figure.

    Args:
        cells: config and split of each.
        figures: what each is called in the paper's tables, by its name in results.json.
        tail: behind each.
    """
    return [
        Name(f"{scale_name(cell)} {called}{tail}", config=cell[0], split=cell[1], metric=figure)
        for cell in cells
        for figure, called in figures.items()
    ]


def cell_name(cell: tuple[str, str]) -> Name:
    """Return what a row calls a cell."""
    return Name(scale_name(cell), config=cell[0], split=cell[1])
