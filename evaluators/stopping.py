"""Ending a run before its end: no further call is sent, those under way are waited for, and everything is on record.

What ends a run is a limit on its cost, a server that stays away, Ctrl-C or SIGTERM; it happens in one way.
"""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal, TypeAlias

StopKind: TypeAlias = Literal["interrupt", "terminate", "limit", "away"]


class RunStopped(Exception):
    """A run ended before its end, in order; its folder is whole and the same command goes on with it.

    It is no `ReplyError`: a method that is stopped between two calls must not take it for one that failed.

    Attributes:
        kind: what ended it.
        reason: the same for people.
    """

    def __init__(self, kind: StopKind, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


class Stop:
    """Whether a run is to end, and how many of its calls are still under way.

    Attributes:
        stopped: why it ends; None while it goes on.
        at_once: whether the calls under way are given up as well.
        under_way: calls that were sent and have not ended.
        when_stopped: called as soon as it is to end, to wake those who wait for something else.
    """

    def __init__(self) -> None:
        self.stopped: RunStopped | None = None
        self.at_once = False
        self.under_way = 0
        self.when_stopped: list[Callable[[], None]] = []
        self._asked = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()

    def request(self, kind: StopKind, reason: str) -> None:
        """Have the run end; the first reason stays."""
        if self.stopped is None:
            self.stopped = RunStopped(kind, reason)
            self._asked.set()
            for call in self.when_stopped:
                call()

    @contextmanager
    def sending(self) -> Iterator[None]:
        """Count a call as under way while the block lasts."""
        self.under_way += 1
        self._idle.clear()
        try:
            yield
        finally:
            self.under_way -= 1
            if not self.under_way:
                self._idle.set()

    async def check(self) -> None:
        """Do nothing in a run that goes on; in one that ends, wait for the calls under way.

        Only then may the caller give up: a method gives up its other calls with the one that ends.

        Raises:
            RunStopped: the run ends.
        """
        if self.stopped is not None:
            await self._idle.wait()
            # An instance of its own: its traceback grows where it is raised.
            raise RunStopped(self.stopped.kind, self.stopped.reason)

    def end(self, left: str) -> None:
        """Do nothing in a run that came to its end; `left` says what is left of another.

        Raises:
            RunStopped: it was ended, with why and what is left.
        """
        if self.stopped is not None:
            raise RunStopped(self.stopped.kind, f"{self.stopped.reason}; {left}")

    async def sleep(self, seconds: float) -> None:
        """Sleep, unless the run ends meanwhile.

        Raises:
            RunStopped: it does.
        """
        try:
            async with asyncio.timeout(seconds):
                await self._asked.wait()
        except TimeoutError:
            return
        await self.check()


_SIGNALS: tuple[tuple[str, StopKind, str], ...] = (
    ("SIGINT", "interrupt", "Ctrl-C"),
    ("SIGTERM", "terminate", "SIGTERM"),
)


@contextmanager
def heeding_signals(stop: Stop, notify: Callable[[str], None]) -> Iterator[None]:
    """Have Ctrl-C and SIGTERM end a run in order while the block lasts, and a second of them at once.

    Only the main thread of a process gets signals; elsewhere, and where the loop cannot take them, this does nothing.

    Args:
        stop: of the run; the block is run by the task that a second signal cancels.
        notify: told what happens.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def heard(kind: StopKind, name: str) -> None:
        if stop.stopped is not None:
            stop.at_once = True
            if task is not None:
                task.cancel()
            return
        calls = f"{stop.under_way:,} call{'' if stop.under_way == 1 else 's'} under way"
        notify(f"{name}: waiting for {calls}; once more stops at once, and pays for them twice")
        stop.request(kind, name)

    handled: list[tuple[signal.Signals, Any]] = []
    try:
        for name, kind, spoken in _SIGNALS:
            number = signal.Signals[name]
            before = signal.getsignal(number)
            # Ignored from outside (nohup, a shell's background): that is meant.
            if before is signal.SIG_IGN:
                continue
            try:
                loop.add_signal_handler(number, heard, kind, spoken)
            except (NotImplementedError, RuntimeError, ValueError):
                continue
            handled.append((number, before))
        yield
    except asyncio.CancelledError:
        # By a second signal: the run ends as by the first, but for the calls that were under way.
        if not stop.at_once or task is None:
            raise
        task.uncancel()
    finally:
        for number, before in handled:
            loop.remove_signal_handler(number)
            signal.signal(number, before)
