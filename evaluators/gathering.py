"""For models that want all calls of a run at once: which calls those are, and whether they can be known beforehand."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import NoReturn

from lengthwise.contracts import Reply, ReplyError, Request
from lengthwise.errors import InputError
from lengthwise.evaluators.method_parts import MethodKind, Resources
from lengthwise.evaluators.providers.base import Model
from lengthwise.evaluators.row_reader import RowReader
from lengthwise.evaluators.settings import Prepared
from lengthwise.evaluators.spending import Limits
from lengthwise.evaluators.stopping import Stop
from lengthwise.recording import Failure, Key, ReplyLog


class _KnownError(Exception):
    """A method has asked: no more is to be known of it."""


def check_gathering(model: Model, method_name: str, method: MethodKind, limits: Limits | None = None) -> None:
    """Check that a model that wants all calls at once can be told them.

    Args:
        model: of the run.
        method_name: for messages.
        method: how each row is asked.
        limits: of the run.

    Raises:
        InputError: the method may ask more than once, or a limit would have to end what is sent as a whole.
    """
    if not model.gathers:
        return
    if method.most_calls > 1 or method.parts is not None or method.most or method.roles:
        raise InputError(
            f"--method {method_name}: may ask more than once for a row, and a batch comes back too late for a second "
            f"call; take a method of one call, or leave the batches out (--model {model.spec.removeprefix('batch:')})"
        )
    if limits is not None and (limits.cost is not None or limits.tokens is not None):
        raise InputError(
            "--max-cost, --max-tokens-total: a batch is paid for as a whole; --dry-run tells what it can cost, and "
            "--limit makes it smaller"
        )


async def gather(
    model: Model, prepared: Prepared, rows: RowReader, count: int, log: ReplyLog, folder: Path, stop: Stop
) -> None:
    """Have a model that gathers get the replies to all calls of a run that are not on record.

    Args:
        model: of the run.
        prepared: method and number of repeats.
        rows: of the run.
        count: how many.
        log: of the run.
        folder: of the run.
        stop: ends the wait.

    Raises:
        RunStopped: the run is to end.
    """
    if model.gathers:
        await model.gather(folder, _open_calls(prepared, rows, count, log), stop.sleep)


async def _open_calls(
    prepared: Prepared, rows: RowReader, count: int, log: ReplyLog
) -> AsyncIterator[tuple[Key, Request]]:
    """Yield the call of each row and repeat, unless it has a reply or can have none; one prompt is in memory."""
    method = prepared.method.make(Resources(prepared.sampling, lambda example, reply: True))
    asked: list[Request] = []

    async def ask(request: Request) -> NoReturn:
        asked.append(request)
        raise _KnownError

    for number in range(count):
        example = rows.read(number)
        for repeat in range(prepared.settings.repeats):
            asked.clear()
            try:
                await method(example, ask)
            except _KnownError:
                key = Key(example.id, repeat, 0, asked[0].digest)
                known = log.get(key)
                if isinstance(known, Reply) or (isinstance(known, Failure) and known.kind == "overlength"):
                    continue
                yield key, asked[0]
            except ReplyError:
                # It gives up before it asks, and will say so in its turn.
                continue
