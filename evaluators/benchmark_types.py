"""What the evaluator knows of a benchmark: one frozen entry that holds its judge, its layout and its tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from lengthwise.contracts import Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.causes import CAUSES, Cause, Examine
from lengthwise.evaluators.contracts import Outcome, OutcomeKind
from lengthwise.evaluators.judging import Judge
from lengthwise.evaluators.layouts import Layout
from lengthwise.evaluators.references import Reference
from lengthwise.evaluators.table_formats.grid import GridTable

if TYPE_CHECKING:
    from lengthwise.evaluators.results import Results

Source: TypeAlias = Callable[[Mapping[str, Any]], tuple[str, str]]


class OwnFigures(Protocol):
    """Figures of a run that only its benchmark has."""

    def to_json(self) -> dict[str, Any]:
        """Return them as JSON types, for results.json."""


# From the rows of a run by id and its outcomes by (example id, repeat).
Summarise: TypeAlias = Callable[[Mapping[str, Mapping[str, Any]], Mapping[tuple[str, int], Outcome]], OwnFigures]


Outcomes: TypeAlias = Mapping[tuple[str, int], Outcome]
# From the folder of a run, its rows by id and its outcomes to the outcomes with what lies beside them in the folder.
AddRecorded: TypeAlias = Callable[[Path, Mapping[str, Mapping[str, Any]], Outcomes], Outcomes]
# From a row and its outcome: the score, None where the reply has none, and the gold label.
Detects: TypeAlias = Callable[[Mapping[str, Any], Outcome], tuple[int | None, int]]


def no_tables(runs: "Sequence[Results]") -> tuple[GridTable, ...]:
    """Return no tables: those of a benchmark that has none but the main table."""
    return ()


def no_figures(run: "Results") -> Mapping[str, str]:
    """Return no figures: those of a benchmark whose accuracy says it all."""
    return {}


def ready_prompt(row: Mapping[str, Any], folder: Path | None = None) -> str:
    """Return the prompt that a row holds, whatever lies in the folder of its data.

    Raises:
        InputError: it holds none.
    """
    if "prompt" not in row:
        raise InputError(f"{row.get('id')}: the row has no column prompt; `lengthwise validate` looks at the data")
    return str(row["prompt"])


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One benchmark.

    Attributes:
        name: as in build.json and run.json.
        aliases: what else it may be called.
        description: one line.
        sampling: the paper's settings.
        method: the default method, a key of `lengthwise.evaluators.methods.METHODS`.
        judge: scores one reply given the row's columns.
        source: the stratum of a row, and its source within: rows of one source are no independent evidence, and a
            variant and its reference row are paired by it.
        categories: the paper's words for our outcomes; each outcome kind stands under exactly one.
        layout: of the main table.
        references: the reference models that can answer it, by name.
        compose: makes the prompt of a row where the rows of the data set hold none: of all its columns, and of what
            lies in the folder of the data.
        bounds: which of these are noted beside every run of a model, the ceiling first.
        examine: reads off a reply that is not right why; None if nothing is known to look for.
        causes: what it may find.
        pooled_pairs: compare a variant with its reference row over all splits together: for cells of too few rows to
            be compared by themselves.
        most_details: cells up to which tables list each of them; for the others there is results.json.
        summarise: works out the figures that only this benchmark has; None if it has none.
        tables: the paper's further tables about some runs, drawn from those figures.
        headline: the figures to read first, by what they are, as text; of what `summarise` worked out.
        add_recorded: adds to the outcomes by (example id, repeat) what a judge's verdicts in the run folder say.
        detects: the score and the gold label (1 or 0) of an outcome, where classes are told apart and two runs are
            compared by balanced accuracy and MCC too.
        shared: columns; the prompts of rows that agree in all of them begin alike, and are asked one after the other.
        leading: places of groups of the layout; the one figure of a whole run is over the configs of the first of
            these that it has any of. Without any it is over all.
    """

    name: str
    aliases: tuple[str, ...]
    description: str
    sampling: Sampling
    method: str
    judge: Judge
    source: Source
    categories: Mapping[str, tuple[OutcomeKind, ...]]
    layout: Layout
    references: Mapping[str, Reference]
    compose: Callable[[Mapping[str, Any], Path | None], str] = field(default=ready_prompt)
    bounds: tuple[str, ...] = ("solver", "random")
    examine: Examine | None = None
    causes: tuple[Cause, ...] = CAUSES
    pooled_pairs: bool = False
    most_details: int = 1000
    summarise: Summarise | None = None
    tables: "Callable[[Sequence[Results]], tuple[GridTable, ...]]" = field(default=no_tables)
    headline: "Callable[[Results], Mapping[str, str]]" = field(default=no_figures)
    add_recorded: AddRecorded | None = None
    detects: Detects | None = None
    shared: tuple[str, ...] = ()
    leading: tuple[int, ...] = ()
