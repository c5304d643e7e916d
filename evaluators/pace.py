"""How fast one host is asked: as many calls at once as it bears, and no more a minute than it allows.

Refusals (429 and the like) halve the number of calls under way and have all of them wait; answers let it grow again,
by a tenth for every round of answers. So a run finds the pace of a host by itself, and keeps to it when it changes.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

MINUTE = 60.0
# Of the calls under way: after a refusal, and for every round of answers.
SHRINK = 0.5
GROW = 0.1
# Seconds that all wait after a refusal that names no time: doubled with each further one, up to the second.
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 60.0


@dataclass(slots=True)
class Charge:
    """What one call counts in a window of a minute."""

    at: float
    amount: float


class MinuteWindow:
    """At most `limit` in any 60 seconds.

    Args:
        limit: > 0.
    """

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._charges: deque[Charge] = deque()
        self._total = 0.0

    def wait(self, now: float, amount: float) -> float:
        """Return the seconds until `amount` fits; what is more than a whole minute's limit goes out alone."""
        while self._charges and self._charges[0].at <= now - MINUTE:
            self._total -= self._charges.popleft().amount
        over = self._total + amount - self._limit
        wait = 0.0
        for charge in self._charges:
            if over <= 0:
                break
            over -= charge.amount
            wait = charge.at + MINUTE - now
        return wait

    def charge(self, now: float, amount: float) -> Charge:
        """Take note of a call that is sent now."""
        charge = Charge(now, amount)
        self._charges.append(charge)
        self._total += amount
        return charge

    def correct(self, charge: Charge, amount: float) -> None:
        """Put the real amount in the place of the one that was expected."""
        # What has left the window is in the total no more.
        if self._charges and charge.at >= self._charges[0].at:
            self._total += amount - charge.amount
        charge.amount = amount


class Pace:
    """Lets calls to one host through, in the order in which they come.

    Args:
        most: calls under way at the same time (>= 1).
        requests: most a minute; None for no limit.
        tokens: most a minute, output included; None for no limit.
        clock: seconds.

    Attributes:
        allowed: calls that may be under way now, in 1 to `most`.
        under_way: those that are.
    """

    def __init__(
        self,
        most: int,
        requests: int | None = None,
        tokens: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.most = most
        self.allowed = float(most)
        self.under_way = 0
        self._requests = MinuteWindow(requests) if requests else None
        self._tokens = MinuteWindow(tokens) if tokens else None
        self._clock = clock
        self._waiting: deque[tuple[asyncio.Future[Charge | None], float]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._paused_until = 0.0
        self._last_cut = -1.0
        self._refused = 0
        self._opened = False

    async def enter(self, tokens: float) -> Charge | None:
        """Wait until a call of about `tokens` may be sent; each is followed by `leave`.

        Returns:
            What was charged for its tokens, to be corrected by the real number; None where they have no limit.
        """
        if not self._waiting and self._may_go(tokens):
            return self._go(tokens)
        turn: asyncio.Future[Charge | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((turn, tokens))
        self.let_through()
        try:
            return await turn
        except asyncio.CancelledError:
            # Let through and cancelled in one moment: what was given is given back.
            if turn.done() and not turn.cancelled():
                self.leave()
            raise

    def leave(self, charge: Charge | None = None, tokens: float | None = None) -> None:
        """Note that a call has ended, however it did.

        Args:
            charge: what `enter` returned.
            tokens: that it really took, where that is known.
        """
        if self._tokens is not None and charge is not None and tokens is not None:
            self._tokens.correct(charge, tokens)
        self.under_way -= 1
        self.let_through()

    def let_through(self) -> None:
        """Let all through that may go now; for the rest, come back when time is what they wait for."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        while self._waiting and (self.under_way < int(self.allowed) or self._opened):
            turn, tokens = self._waiting[0]
            if turn.done():
                self._waiting.popleft()
                continue
            now = self._clock()
            wait = 0.0 if self._opened else self._wait(now, tokens)
            if wait > 0:
                self._timer = asyncio.get_running_loop().call_later(wait, self.let_through)
                return
            self._waiting.popleft()
            turn.set_result(self._go(tokens))

    def _may_go(self, tokens: float) -> bool:
        return self._opened or (self.under_way < int(self.allowed) and self._wait(self._clock(), tokens) <= 0)

    def _go(self, tokens: float) -> Charge | None:
        now = self._clock()
        self.under_way += 1
        if self._requests is not None:
            self._requests.charge(now, 1)
        return self._tokens.charge(now, tokens) if self._tokens is not None else None

    def open(self) -> None:
        """Let everybody through from now on: the run ends, and nobody is to wait for a turn that he will not use."""
        self._opened = True
        self.let_through()

    def _wait(self, now: float, tokens: float) -> float:
        waits = [self._paused_until - now]
        if self._requests is not None:
            waits.append(self._requests.wait(now, 1))
        if self._tokens is not None:
            waits.append(self._tokens.wait(now, tokens))
        return max(waits)

    def answered(self) -> None:
        """Note an answer: the host bears what it is asked, and perhaps a little more."""
        self._refused = 0
        if self.allowed < self.most:
            self.allowed = min(float(self.most), self.allowed + max(1.0, GROW * self.allowed) / self.allowed)
            self.let_through()

    def refused(self, sent: float, retry_after: float | None) -> bool:
        """Note that the host would not take a call for now.

        Args:
            sent: when the call was sent, by the clock.
            retry_after: seconds that the host asks to wait, if it said so.

        Returns:
            Whether the pace was cut: of calls that were under way together, the first refusal does so for all.
        """
        now = self._clock()
        self._refused += 1
        cut = sent > self._last_cut
        if cut:
            self._last_cut = now
            self.allowed = max(1.0, self.allowed * SHRINK)
        if retry_after is None:
            retry_after = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(self._refused - 1, 10)) if cut else 0.0
        self._paused_until = max(self._paused_until, now + retry_after)
        self.let_through()
        return cut

    def now(self) -> float:
        """Return the time by the clock of this pace."""
        return self._clock()
