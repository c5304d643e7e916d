"""What a harness's log says, in our words: who was asked, and what came of each row."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lengthwise.contracts import Reply, ReplyError, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.examples import Cell
from lengthwise.evaluators.harnesses.kept import Kept


@dataclass(frozen=True, slots=True)
class LoggedRow:
    """One row in one repeat.

    Attributes:
        place: where it stands in the log, for messages.
        row_id: as the log has it; None where it has none that is text.
        prompt: of the row, as the log has it; None where it has none.
        plain: whether that prompt, and nothing else, was asked.
        repeat: 0-based.
        kept: the calls, where a task of ours kept them.
        reply: what came, where it did not.
        error: what came instead.
    """

    place: str
    row_id: str | None
    prompt: str | None
    plain: bool
    repeat: int
    kept: Kept | None = None
    reply: Reply | None = None
    error: ReplyError | None = None


@dataclass(frozen=True, slots=True)
class HarnessLog:
    """The logs of one evaluation, of one model.

    Attributes:
        harness: its name, as in `lengthwise import NAME`.
        version: of the harness, where the log says it.
        files: of which it was read.
        model: as the harness calls it.
        created: when, as the harness says it.
        cells: digest of each cell, where the task was one of ours; empty for other tasks.
        method: key of `METHODS`, likewise.
        sampling: as far as the log says it.
        rows: what it holds, in order; read as they are taken.
    """

    harness: str
    version: str | None
    files: tuple[Path, ...]
    model: str
    created: str | None
    cells: Mapping[Cell, str | None]
    method: str | None
    sampling: Sampling
    rows: Iterable[LoggedRow] = field(repr=False)


def read_kept(record: Any, place: str) -> Kept:
    """Return what a task of ours kept.

    Raises:
        InputError: it is something else; `place` is named.
    """
    try:
        return Kept.from_json(record)
    except ValueError as error:
        raise InputError(f"{place}: {error}; was it written by another version?") from error


def read_messages(messages: Any) -> tuple[str | None, bool]:
    """Return the text of the last user message of a conversation, and whether there is no other message.

    >>> read_messages([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "2 + 2?"}])
    ('2 + 2?', False)
    """
    if not isinstance(messages, list) or not messages:
        return None, False
    users = [one for one in messages if isinstance(one, Mapping) and one.get("role") == "user"]
    content = users[-1].get("content") if users else None
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, Mapping)]
        content = "".join(part for part in parts if isinstance(part, str)) or None
    return (content, len(messages) == 1) if isinstance(content, str) else (None, False)
