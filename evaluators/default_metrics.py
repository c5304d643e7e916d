"""Which `evaluate` module scores a benchmark's replies, and what of a row it takes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

from lengthwise.builders.multi_instance.tasks import find_task
from lengthwise.errors import InputError
from lengthwise.evaluators.novel_faults import gold_label

Row: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DefaultMetric:
    """What scores a benchmark.

    Attributes:
        module: key of `lengthwise.metrics.modules.MODULES`.
        reference: the gold entry of a row.
        per_row: the module's further arguments that are lists with an entry for each row, and how a row gives them.
    """

    module: str
    reference: Callable[[Row], Any]
    per_row: Mapping[str, Callable[[Row], Any]]

    def options(self, rows: Sequence[Row]) -> dict[str, list[Any]]:
        """Return the further arguments for some rows; one that these rows have no column for is left out."""
        found: dict[str, list[Any]] = {}
        for name, read in self.per_row.items():
            try:
                found[name] = [read(row) for row in rows]
            except KeyError:
                continue
        return found


def default_metric(benchmark: str) -> DefaultMetric:
    """Return what scores a benchmark, by its full name.

    Raises:
        InputError: it has no module of its own.
    """
    if benchmark not in DEFAULT_METRICS:
        raise InputError(f"{benchmark} has no metric of its own; name one: metric=...")
    return DEFAULT_METRICS[benchmark]


def _aggregation(row: Row) -> dict[str, Any] | None:
    """Return how a table's summary follows from its instances; an aggregate alone needs none."""
    return None if row["setting"] == "aggregate" else dict(find_task(row["task"]).aggregation)


_DETECTION = DefaultMetric("hallucination_detection", gold_label, MappingProxyType({}))

DEFAULT_METRICS: Mapping[str, DefaultMetric] = MappingProxyType(
    {
        "predicatelongbench": DefaultMetric("sequence_match", lambda row: row["answer_text"], MappingProxyType({})),
        "longnovel": _DETECTION,
        "longnovel-storyworld": _DETECTION,
        "multi-instance": DefaultMetric(
            "multi_instance",
            lambda row: row["answer_text"],
            MappingProxyType(
                {
                    "aggregation": _aggregation,
                    "answer_type": lambda row: find_task(row["task"]).answer_type,
                    "seeds": lambda row: row["seed"],
                }
            ),
        ),
    }
)
