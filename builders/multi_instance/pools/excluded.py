"""The three tasks that the paper's filter took out (A.9): only ever asked alone, for Tables 5 and 6.

Two have a source on the Hub, SentEval's probing tasks. The third, grammatical voice, was labelled by the authors' own
rules over Universal Dependencies; neither rules nor labels are published, so there is nothing to read.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from lengthwise.errors import InputError, unknown_name

from .generated_pools import POOL_SEED, POOL_SIZE
from .hub_pools import draw, read_source
from .hub_sources import PARQUET_BRANCH, HubCopy, HubSource, Row, one_line
from .pool import Instance


@dataclass(frozen=True, slots=True)
class ExcludedTask:
    """One task that was taken out.

    Attributes:
        name: of the task.
        title: as the paper's tables show it.
        classes: class name -> the number that stands for it in an answer.
        agreement: of the models of the paper, in percent (Table 5); 85 were needed.
        source: of its sentences; None where none can be had.
    """

    name: str
    title: str
    classes: Mapping[str, int]
    agreement: float
    source: HubSource | None


def probing_instances(classes: Mapping[str, str]) -> Callable[[Iterable[Row]], Iterator[Instance]]:
    """Return what makes instances of SentEval's rows.

    Args:
        classes: label there -> class name here; rows with other labels are left out.

    >>> rows = [{"sentence": "He the met man .", "label": "I"}]
    >>> list(probing_instances({"I": "shifted", "O": "original"})(rows))
    [Instance(text='He the met man .', label='shifted')]
    """

    def instances(rows: Iterable[Row]) -> Iterator[Instance]:
        for row in rows:
            if row["label"] in classes:
                yield Instance(one_line(row["sentence"]), classes[row["label"]])

    return instances


def _probing(task: str, config: str, classes: Mapping[str, str]) -> HubSource:
    repo, files = "tasksource/linguisticprobing", (f"{config}/test*.parquet",)
    copies = (HubCopy(repo, files, PARQUET_BRANCH), HubCopy(repo, files))
    return HubSource(task, copies, probing_instances(classes), "not stated (SentEval)", False)


EXCLUDED: Mapping[str, ExcludedTask] = MappingProxyType(
    {
        task.name: task
        for task in (
            ExcludedTask(
                "bigram-shift",
                "BShift",
                {"original": 0, "shifted": 1},
                69.3,
                _probing("bigram-shift", "bigram_shift", {"O": "original", "I": "shifted"}),
            ),
            ExcludedTask(
                "subject-number",
                "SubjNum",
                {"singular": 0, "plural": 1},
                82.5,
                _probing("subject-number", "subj_number", {"NN": "singular", "NNS": "plural"}),
            ),
            ExcludedTask("voice", "Voice", {"active": 0, "passive": 1}, 78.3, None),
        )
    }
)


def excluded_instances(name: str, size: int = POOL_SIZE, seed: int = POOL_SEED) -> tuple[str, tuple[Instance, ...]]:
    """Return where a task's sentences were read, and `size` of them; which ones the authors took is not known.

    Args:
        name: key of `EXCLUDED`.
        size: of the draw.
        seed: of the draw.

    Raises:
        InputError: an unknown task, voice, or a data set that cannot be fetched.
    """
    if name not in EXCLUDED:
        raise unknown_name("excluded task", name, EXCLUDED)
    source = EXCLUDED[name].source
    if source is None:
        raise InputError(f"{name}: its sentences were labelled by rules that the authors did not publish; no data set "
                         "holds them")  # fmt: skip
    origin, instances = read_source(source)
    return origin, draw(name, instances, size, seed)
