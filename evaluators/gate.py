"""Before each call to a host: is the run to go on, is the host there, and does it bear one more?"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from lengthwise.contracts import Ask, OverlengthError, Reply, ReplyError, Request
from lengthwise.errors import InputError
from lengthwise.evaluators.breaker import Breaker
from lengthwise.evaluators.pace import Pace
from lengthwise.evaluators.retry import PassingError, RefusedError
from lengthwise.evaluators.stopping import Stop

# Seconds for which a server may be away before the run ends: one that is started again is back by then.
PATIENCE = 600.0
# A host that only refuses is there, and may have to be waited for: so many times as long.
REFUSING = 3.0
# Calls in a row that a host refuses for good: every further one would be refused as well.
HOPELESS = 20


@dataclass(frozen=True, slots=True)
class Rates:
    """What a provider allows.

    Attributes:
        requests: a minute (> 0); None for no limit.
        tokens: a minute, prompts and output (> 0); None for no limit.
        patience: seconds for which the host may be away before the run ends (>= 0).

    Raises:
        InputError: a number is out of its range.
    """

    requests: int | None = None
    tokens: int | None = None
    patience: float = PATIENCE

    def __post_init__(self) -> None:
        for option, value in (("--rpm", self.requests), ("--tpm", self.tokens)):
            if value is not None and value < 1:
                raise InputError(f"{option} {value}: must be at least 1 a minute; leave it out for no limit")
        if not self.patience >= 0:
            raise InputError(f"--patience {self.patience}: must be at least 0 seconds")


class Gate:
    """Stands before one host.

    Args:
        host: what it is called in messages.
        most: calls under way at the same time (>= 1).
        rates: what the host allows.
        stop: of the run.
        notify: told when the host goes away and comes back.
    """

    def __init__(self, host: str, most: int, rates: Rates, stop: Stop, notify: Callable[[str], None]) -> None:
        self.host = host
        self.pace = Pace(most, rates.requests, rates.tokens)
        self._breaker = Breaker(rates.patience)
        self._patience = rates.patience
        self._stop = stop
        self._notify = notify
        self._refusing_since: float | None = None
        self._told_of_refusals = False
        self._hopeless = 0
        self._probe = asyncio.Lock()
        stop.when_stopped.append(self.pace.open)

    def through(self, ask: Ask, tokens: Callable[[Request], float]) -> Ask:
        """Return an `ask` whose calls go through this gate, one try each.

        Args:
            ask: raises `PassingError` where another try makes sense.
            tokens: how many a request and its reply will take, about.
        """

        async def gated_ask(request: Request) -> Reply:
            await self._stop.check()
            if self._breaker.away:
                async with self._probe:
                    # The others wait for this lock, and find the host back or go next.
                    if self._breaker.away:
                        await self._stop.sleep(max(0.0, self._breaker.next_probe - self.pace.now()))
                        return await self._send(ask, request, tokens)
            return await self._send(ask, request, tokens)

        return gated_ask

    async def _send(self, ask: Ask, request: Request, tokens: Callable[[Request], float]) -> Reply:
        charge = await self.pace.enter(tokens(request))
        spent: float | None = None
        try:
            # It may have been a long wait.
            if self._stop.stopped is None:
                with self._stop.sending():
                    reply = await self._watched(ask, request)
                if reply.usage.input is not None and reply.usage.output is not None:
                    spent = reply.usage.input + reply.usage.output
                return reply
        finally:
            self.pace.leave(charge, spent)
        await self._stop.check()
        raise AssertionError("a stopped run has no more calls")

    async def _watched(self, ask: Ask, request: Request) -> Reply:
        sent = self.pace.now()
        try:
            reply = await ask(request)
        except PassingError as error:
            if error.refused:
                self._refused(error, sent)
            else:
                self._failed(error, request)
            raise
        except (OverlengthError, ReplyError) as error:
            # The host has its wits about it.
            self._answered()
            self._hopeless = self._hopeless + 1 if isinstance(error, RefusedError) else 0
            if self._hopeless == HOPELESS:
                self._stop.request("away", f"{self.host} refuses every call: {error}")
            raise
        self._answered()
        self._hopeless = 0
        self.pace.answered()
        return reply

    def _answered(self) -> None:
        away = self._breaker.seconds_away()
        self._refusing_since = None
        if self._breaker.answered():
            self._notify(f"{self.host} answers again, after {away:.0f} s")

    def _refused(self, error: PassingError, sent: float) -> None:
        now = self.pace.now()
        if self._breaker.answered():
            self._notify(f"{self.host} is back, and takes no more for now: {error}")
        longest = REFUSING * self._patience
        if error.retry_after is not None and error.retry_after > longest:
            self._stop.request("away", f"{self.host} asks to wait {_spoken(error.retry_after)}: {error}")
        self.pace.refused(sent, error.retry_after)
        if not self._told_of_refusals:
            self._told_of_refusals = True
            self._notify(f"{self.host} takes no more for now ({error}); going on more slowly, as it lets us")
        if self._refusing_since is None:
            self._refusing_since = now
        # Of calls sent together, the ones refused later say nothing of later.
        elif sent - self._refusing_since > longest:
            minutes = (now - self._refusing_since) / 60
            self._stop.request("away", f"{self.host} has refused every call for {minutes:.0f} min: {error}")

    def _failed(self, error: PassingError, request: Request) -> None:
        if self._breaker.failed(request.digest, error.unreachable):
            self._notify(f"{self.host} is away ({error}); asking it now and then, until it answers")
        if self._breaker.away:
            error.counts = False
        if self._breaker.gone:
            away = self._breaker.seconds_away()
            self._stop.request("away", f"{self.host} has not answered for {away:.0f} s: {error}")


def _spoken(seconds: float) -> str:
    """Return a time for people.

    >>> _spoken(45), _spoken(600), _spoken(86_400)
    ('45 s', '10 min', '24 h')
    """
    return (
        f"{seconds:.0f} s"
        if seconds < 120
        else f"{seconds / 60:.0f} min"
        if seconds < 7200
        else f"{seconds / 3600:.0f} h"
    )
