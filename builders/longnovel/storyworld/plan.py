"""What a build is to make: novels, cut into tasks that any process can do, and what identifies the build."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from lengthwise.errors import InputError

from ...parts import Cell, Rows, Task
from ...tokens import load_tokenizer
from ..prompt_texts import load_prompts, prompts_digest
from ..splits import SPLITS
from .books import Book
from .rows import pair_rows
from .settings import BENCHMARK, VERSION, StorySettings, story_tokens
from .story import make_story
from .wording import wording_digest

# Of short novels a task makes several, so that its files are worth opening.
_TASK_TOKENS = 100_000


@dataclass(frozen=True)
class Payload:
    """What a task is made from: novels of one cell, and the tokenizer that measures them."""

    books: tuple[Book, ...]
    tokenizer: str


def make_rows(payload: Payload) -> Rows:
    """Yield the two rows of every novel of a task; a function of the module, so that workers can import it."""
    for book in payload.books:
        story = make_story(book, payload.tokenizer)
        for row in pair_rows(story, payload.tokenizer, load_prompts(book.language)):
            yield cell_of(book), row


def cell_of(book: Book) -> Cell:
    """Return where the rows of a novel lie: each language has its own files, of which a split is made."""
    return book.scale, f"{book.split}-{book.language}"


def story_tasks(settings: StorySettings) -> list[Task]:
    """Return the tasks of a build, by scale, split and language."""
    return [
        task
        for scale in settings.scales
        for split in SPLITS
        for language, pairs in settings.pairs(split).items()
        for task in _tasks([Book(language, scale, split, settings.seed, index) for index in range(pairs)], settings)
    ]


def _tasks(books: Sequence[Book], settings: StorySettings) -> Iterator[Task]:
    step = max(1, _TASK_TOKENS // story_tokens(books[0].scale)) if books else 1
    for start in range(0, len(books), step):
        some = tuple(books[start : start + step])
        cell = cell_of(some[0])
        name = f"{cell[0]}-{cell[1]}-{start:06d}"
        yield Task(name, (cell,), 2 * len(some), Payload(some, settings.tokenizer))


def cost(task: Task) -> int:
    """Return the tokens of a task's novels, about."""
    return sum(story_tokens(book.scale) for book in task.payload.books)


def try_out(tokenizer: str) -> None:
    """Make sure that a build's tokenizer can be had, before anything is written.

    Raises:
        InputError: there is none of this name, or its file is damaged.
    """
    load_tokenizer(tokenizer)


def describe(settings: StorySettings) -> dict[str, Any]:
    """Return what identifies a build, as JSON types: equal plans give equal rows."""
    return {
        "benchmark": BENCHMARK,
        "version": VERSION,
        "settings": {**asdict(settings), "scales": list(settings.scales), "languages": list(settings.languages)},
        "prompt_template": prompts_digest(),
        "wording": {language: wording_digest(language) for language in settings.languages},
    }


def read_settings(plan: Mapping[str, Any]) -> StorySettings:
    """Return the settings of a build from what identifies it.

    Raises:
        InputError: they are none that there are.
    """
    told = dict(plan["settings"])
    try:
        return StorySettings(**{**told, "scales": tuple(told["scales"]), "languages": tuple(told["languages"])})
    except (KeyError, TypeError) as error:
        raise InputError(f"build.json: its settings cannot be read ({error}); build again") from error
