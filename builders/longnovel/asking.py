"""How the steps ask models: every call recorded, several windows at a time, and what could not be used counted.

All calls of a build are in one log, `steps/replies.jsonl`, under the chain of calls that they belong to ("window/step"
and what tells its chains apart), the slot and the model: a step that is given again replays what is on record and asks
only for the rest, and a slot that is given another model is asked anew. Without asks nothing is asked: the build is
made from its records alone, or ends in an error that names what is missing.
"""

import json
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, TypeAlias, TypeVar

from lengthwise.builders.hub_folder import write_text
from lengthwise.contracts import Ask, Message, OverlengthError, Reply, ReplyError, Request, Role
from lengthwise.errors import InputError
from lengthwise.metrics.parsed import Unparsed
from lengthwise.recording import Failure, Key, ReplyLog, recorded
from lengthwise.workers import run_workers

from .roles import Roles, Slot, parse_roles, roles_json

Asks: TypeAlias = Mapping[Slot, Ask]
Item = TypeVar("Item")
Made = TypeVar("Made")

# Replies to one question that are looked at before the question is given up.
ATTEMPTS = 3
CONCURRENCY = 8
REPLIES_FILE = "steps/replies.jsonl"
ROLES_FILE = "steps/roles.json"
_SURROGATE = re.compile("[\ud800-\udfff]")


class RefusedError(Exception):
    """A reply, or what was to be made of replies, cannot be used; the message is a short reason, which is counted."""


def readable(read: Callable[[str], Made | Unparsed]) -> Callable[[Reply], Made]:
    """Return a reader of text as `Line.usable` takes it: what cannot be parsed is refused with the reason."""

    def read_reply(reply: Reply) -> Made:
        if reply.finish_reason == "content_filter":
            raise RefusedError("stopped by a content filter")
        if _SURROGATE.search(reply.text or ""):
            # Half a character: no file and no request could hold what is made of it.
            raise RefusedError("the reply is no whole text")
        made = read(reply.text or "")
        if isinstance(made, Unparsed):
            # Reasons are counted: the words of a refusal would make each one its own.
            raise RefusedError(made.reason.partition(":")[0])
        return made

    return read_reply


@dataclass
class Tally:
    """What became of a step, in numbers.

    Attributes:
        step: its name.
        items: how many things it was to make.
        kept: how many it made.
        failed: those for which no reply came, and why: they are asked for again when the build goes on.
        rejected: those that were given up, by reason.
        refused: replies that could not be used, by reason; most were asked for again.
    """

    step: str
    items: int = 0
    kept: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    rejected: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as plain JSON types; `items` is the sum of `kept`, `failed` and `rejected`."""
        return {
            "items": self.items,
            "kept": self.kept,
            "failed": dict(sorted(self.failed.items())),
            "rejected": dict(sorted(self.rejected.items())),
            "refused_replies": dict(sorted(self.refused.items())),
        }

    @staticmethod
    def from_json(step: str, record: Mapping[str, Any]) -> "Tally":
        """Rebuild a tally from what `to_json` gave."""
        counters = (Counter(record[name]) for name in ("rejected", "refused_replies"))
        return Tally(step, record["items"], record["kept"], dict(record["failed"]), *counters)


class Line:
    """One slot within one chain of calls; its calls are numbered in the order in which they are made.

    Args:
        ask: asks, or replays.
        calls: whose roles say how to generate.
        slot: which.
    """

    def __init__(self, ask: Ask, calls: "Calls", slot: Slot) -> None:
        self._ask = ask
        self._sampling = calls.roles[slot].sampling
        self.slot: Slot = slot

    async def ask(self, prompt: str | Sequence[Message], role: Role = "generate") -> Reply:
        """Return the reply to one question.

        Raises:
            ReplyError: none came.
            InputError: nothing is to be asked, and the reply is not on record.
        """
        messages = (Message("user", prompt),) if isinstance(prompt, str) else tuple(prompt)
        return await self._ask(Request(messages, self._sampling, role))

    async def usable(
        self, prompt: str | Sequence[Message], read: Callable[[Reply], Made], tally: Tally, role: Role = "generate"
    ) -> Made:
        """Return what `read` makes of the first reply that it does not refuse, of at most `ATTEMPTS`.

        Raises:
            RefusedError: with the last reason; each refused reply is counted.
            ReplyError, InputError: see `ask`.
        """
        reason = ""
        for _ in range(ATTEMPTS):
            reply = await self.ask(prompt, role)
            try:
                return read(reply)
            except RefusedError as refused:
                reason = str(refused)
                tally.refused[f"{self.slot}: {reason}"] += 1
        raise RefusedError(reason)


class Calls:
    """The calls of a build.

    Args:
        roles: of the twelve slots.
        log: where calls are recorded.
        asks: of each slot; None asks nobody, and failures on record stay failures.
    """

    def __init__(self, roles: Roles, log: ReplyLog, asks: Asks | None = None) -> None:
        self.roles = roles
        self._log = log
        self._asks = asks

    @classmethod
    @contextmanager
    def open(cls, folder: Path, roles: Roles | None = None, asks: Asks | None = None) -> Iterator[Self]:
        """Open the records of a build, to go on with them or, without asks, to make it again from them.

        Args:
            folder: of the build; the roles are noted in it.
            roles: None takes those on record.
            asks: see `Calls`.

        Raises:
            InputError: there are no roles on record, or another process is writing into the folder.
        """
        noted = folder / ROLES_FILE
        if roles is None:
            if not noted.is_file():
                raise InputError(
                    f"{folder} holds no calls of models: give --models roles.toml, which names the models"
                )
            roles = parse_roles(json.loads(noted.read_text("utf-8")), str(noted))
        noted.parent.mkdir(parents=True, exist_ok=True)
        with ReplyLog(folder / REPLIES_FILE) as log:
            write_text(noted, json.dumps(roles_json(roles), indent=1, ensure_ascii=False) + "\n")
            yield cls(roles, log, asks)

    def line(self, chain: str, slot: Slot, ask: Ask | None = None) -> Line:
        """Return the line of a slot within a chain of calls.

        Args:
            chain: "window/step" and what tells the step's chains apart; one line of a slot each.
            slot: which.
            ask: asks in the place of the slot's own model (the tagger on this machine).
        """
        example = f"{chain}/{slot}@{self.roles[slot].identity}"
        if ask is None and self._asks is not None:
            ask = self._asks[slot]
        if self._asks is None:
            return Line(_replayed(self._log, example), self, slot)
        assert ask is not None
        return Line(recorded(ask, self._log, example, 0), self, slot)


def _replayed(log: ReplyLog, example: str) -> Ask:
    """Return an `ask` that knows only what is on record; it numbers calls as `recorded` does."""
    calls = 0

    async def replay(request: Request) -> Reply:
        nonlocal calls
        known = log.get(Key(example, 0, calls, request.digest))
        if known is None:
            raise InputError(
                f"{REPLIES_FILE} holds no reply for {example}, call {calls + 1}, to this request; "
                "give --models roles.toml to ask for it"
            )
        calls += 1
        if isinstance(known, Failure):
            raise OverlengthError(known.message) if known.kind == "overlength" else ReplyError(known.message)
        return known

    return replay


async def each(
    items: Sequence[Item],
    name: Callable[[Item], str],
    make: Callable[[Item], Awaitable[Made]],
    tally: Tally,
    concurrency: int = CONCURRENCY,
    done: Callable[[], object] = lambda: None,
) -> list[Made | None]:
    """Make something of each item, several at a time.

    Args:
        items: in any number; they are taken up in order.
        name: of an item, for the tally.
        make: may raise `ReplyError` (counted as failed), `OverlengthError` and `RefusedError` (counted as rejected).
        tally: where it is counted.
        concurrency: how many are under way at the same time (>= 1).
        done: told as each ends.

    Returns:
        What was made, in the order of the items, whatever the order in which they were done; None where nothing was.

    Raises:
        InputError: `concurrency` is less than 1, or as `make` raised it: what is under way is stopped then.
    """
    if concurrency < 1:
        raise InputError(f"--concurrency {concurrency}: must be at least 1")
    made: list[Made | None] = [None] * len(items)
    waiting = iter(range(len(items)))
    tally.items += len(items)

    async def worker() -> None:
        for place in waiting:
            try:
                made[place] = await make(items[place])
                tally.kept += 1
            except OverlengthError:
                # It never will: asking again is of no use, and the rest must not wait for it.
                tally.rejected["does not fit the model's window"] += 1
            except ReplyError as error:
                tally.failed[name(items[place])] = str(error)
            except RefusedError as refused:
                tally.rejected[str(refused)] += 1
            done()

    await run_workers(worker, min(concurrency, len(items)))
    return made
