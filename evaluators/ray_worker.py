"""What runs on the nodes of a cluster: one shard of a run, by the same function that a run in one piece calls.

Nothing here knows Ray: an instance lives in a process of its own on some node, and its driver calls it from afar.
"""

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.runner import RunOptions, run
from lengthwise.evaluators.settings import RunSettings
from lengthwise.evaluators.stopping import RunStopped, Stop, StopKind
from lengthwise.line_log import InUseError

EndKind: TypeAlias = Literal["done", "refused", "in-use", "failed"] | StopKind


@dataclass(frozen=True, slots=True)
class News:
    """What happened since the driver asked last.

    Attributes:
        outcomes: what came, without answers and details.
        notes: for the user.
    """

    outcomes: tuple[Outcome, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class End:
    """How a shard ended: plain data, as not every error survives the way to another process.

    Attributes:
        kind: "done"; "refused" by an `InputError`, "in-use" where another process still writes to the folder, "failed"
            by the system (a full disk); else what stopped the run.
        text: for people; "" where it is done.
        news: the last.
    """

    kind: EndKind
    text: str
    news: News


class ShardWorker:
    """Runs one shard.

    Args:
        folder: the driver's working folder, which relative paths are meant from.
        keys: environment variables with keys that the driver has, and this node may not.
    """

    def __init__(self, folder: str, keys: Mapping[str, str]) -> None:
        self._folder = folder
        self._keys = keys
        self._stop = Stop()
        self._outcomes: list[Outcome] = []
        self._notes: list[str] = []

    async def run(self, settings: RunSettings, out: str, options: RunOptions) -> End:
        """Run the shard that the settings name into its folder, or go on with it there."""
        try:
            self._enter(Path(out))
            await run(settings, out, replace(options, notify=self._notes.append, watch=self._watch), self._stop)
        except InUseError as error:
            return self._end("in-use", str(error))
        except InputError as error:
            return self._end("refused", str(error))
        except OSError as error:
            return self._end("failed", f"{socket.gethostname()}: {error}")
        except RunStopped as stopped:
            return self._end(stopped.kind, stopped.reason)
        return self._end("done", "")

    async def news(self) -> News:
        """Return what happened since this was called last."""
        news = News(tuple(self._outcomes), tuple(self._notes))
        self._outcomes.clear()
        self._notes.clear()
        return news

    async def stop(self) -> None:
        """Have the run end in order: calls under way are waited for, no other is sent."""
        self._stop.request("interrupt", "stopped by the driver")

    def _enter(self, out: Path) -> None:
        for folder in (Path(self._folder), out.parent):
            if not folder.is_dir():
                raise InputError(
                    f"{folder}: is not there on the node {socket.gethostname()}; start from a folder, and name one as "
                    "--out, on storage that all nodes share"
                )
        os.chdir(self._folder)
        for name, value in self._keys.items():
            os.environ.setdefault(name, value)

    def _watch(self, outcome: Outcome) -> None:
        self._outcomes.append(
            Outcome(outcome.example_id, outcome.repeat, outcome.kind, usage=outcome.usage, cost=outcome.cost)
        )

    def _end(self, kind: EndKind, text: str) -> End:
        return End(kind, text, News(tuple(self._outcomes), tuple(self._notes)))
