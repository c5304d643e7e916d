"""Which reader a benchmark has: one table; a benchmark without an entry shows its prompts as they are."""

from collections.abc import Mapping
from types import MappingProxyType

from lengthwise.evaluators.benchmarks import LONGNOVEL, MULTI_INSTANCE, PREDICATELONGBENCH, STORYWORLD, find_benchmark
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.report.reader.instances import INSTANCES
from lengthwise.evaluators.report.reader.model import Document, Part, Reader
from lengthwise.evaluators.report.reader.novels import NOVELS
from lengthwise.evaluators.report.reader.word_lists import WORD_LISTS

READERS: Mapping[str, Reader] = MappingProxyType(
    {
        PREDICATELONGBENCH.name: WORD_LISTS,
        MULTI_INSTANCE.name: INSTANCES,
        LONGNOVEL.name: NOVELS,
        STORYWORLD.name: NOVELS,
    }
)


def _prompt(example: Example) -> Document:
    return Document(Part("Prompt", example.prompt))


def reader_of(benchmark: str) -> Reader:
    """Return the reader of a benchmark, by its name or an alias.

    Raises:
        InputError: there is none of that name.
    """
    return READERS.get(find_benchmark(benchmark).name, Reader(_prompt))
