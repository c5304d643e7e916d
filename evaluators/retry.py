"""Asking again after a passing fault: exponential back-off with full jitter, and `Retry-After` honoured.

This is the one place that retries; the HTTP client below it does not, or one 128K prefill would be paid twice.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from lengthwise.contracts import Ask, Reply, ReplyError, Request
from lengthwise.errors import InputError


class PassingError(ReplyError):
    """A fault that may pass: a rate limit, a broken connection, a time-out, a body that is not JSON.

    Args:
        message: what the server or the network said.
        retry_after: seconds that the server asks to wait, if it said so.
        timed_out: whether the whole time for a reply was used up.
        status: of HTTP; None where no answer came.
        unreachable: whether nobody took the connection.

    Attributes:
        counts: whether it is one of the tries that a call has; not while the host is known to be away.
    """

    def __init__(
        self,
        message: str,
        retry_after: float | None = None,
        timed_out: bool = False,
        status: int | None = None,
        unreachable: bool = False,
    ) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.timed_out = timed_out
        self.status = status
        self.unreachable = unreachable
        self.counts = True

    @property
    def refused(self) -> bool:
        """Whether the host is up, and takes no more for now: 429, 529, and 503 with a time to come back."""
        return self.status in (429, 529) or (self.status == 503 and self.retry_after is not None)


class RefusedError(ReplyError):
    """The host takes no call at all of this caller's: a wrong key, nothing left to pay with, no such model."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often to ask, and how long to wait between.

    Attributes:
        attempts: most tries of one call, the first included (>= 1).
        timeouts: most tries that may end by time-out: each can cost an hour and a whole prefill (>= 1).
        refusals: most tries that the host may refuse because it takes no more for now; they are none of `attempts`,
            as they say nothing of the call (>= 1).
        base: seconds; the wait before try n + 1 is uniform in 0 to min(cap, base * 2**(n - 1)).
        cap: seconds.
        longest: the longest `Retry-After` that is waited for, in seconds; with more the call fails at once.

    Raises:
        InputError: a number is out of its range.
    """

    attempts: int = 8
    timeouts: int = 2
    refusals: int = 40
    base: float = 1.0
    cap: float = 60.0
    longest: float = 1800.0

    def __post_init__(self) -> None:
        if min(self.attempts, self.timeouts, self.refusals) < 1 or min(self.base, self.cap, self.longest) < 0:
            raise InputError(f"retry policy {self}: numbers of tries must be at least 1, times at least 0")

    def wait(self, tried: int, error: PassingError, uniform: Callable[[float, float], float]) -> float:
        """Return the seconds to wait after `tried` tries, the last of which ended in `error`."""
        backoff = uniform(0.0, min(self.cap, self.base * 2.0 ** (tried - 1)))
        if error.retry_after is None:
            return backoff
        # At least as long as asked; the jitter on top keeps callers that were refused together from coming together.
        return error.retry_after + min(backoff, 1.0)


def retrying(
    ask: Ask,
    policy: RetryPolicy,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    uniform: Callable[[float, float], float] = random.uniform,
) -> Ask:
    """Wrap an `ask` so that a `PassingError` is asked again, as `policy` allows.

    Args:
        ask: raises `PassingError` where another try makes sense, any other `ReplyError` where none does.
        policy: see `RetryPolicy`.
        sleep: takes seconds.
        uniform: draws between two bounds.

    Returns:
        An `ask` that raises `ReplyError` with the last message and the number of tries.
    """

    async def ask_again(request: Request) -> Reply:
        tried = timeouts = refusals = 0
        while True:
            try:
                return await ask(request)
            except PassingError as error:
                if not error.counts:
                    # Whoever said so also waits for the host to come back.
                    continue
                refusals += error.refused
                tried += not error.refused
                timeouts += error.timed_out
                too_long = error.retry_after is not None and error.retry_after > policy.longest
                spent = tried == policy.attempts or timeouts == policy.timeouts or refusals == policy.refusals
                if spent or too_long:
                    tries = "1 try" if tried + refusals == 1 else f"{tried + refusals} tries"
                    wait = f"; the server asks to wait {error.retry_after:.0f} s" if too_long else ""
                    raise ReplyError(f"{error} (after {tries}{wait})") from error
                pause = policy.wait(tried + refusals, error, uniform)
            await sleep(pause)

    return ask_again


def parse_retry_after(value: str | None, now: datetime | None = None) -> float | None:
    """Return the seconds that a `Retry-After` header asks for: a number, or a date in HTTP form.

    None where there is no header or it is neither; a date gone by is 0.

    >>> parse_retry_after("2.5")
    2.5
    >>> parse_retry_after("Fri, 31 Dec 1999 23:59:59 GMT", datetime(1999, 12, 31, 23, 59, 29, tzinfo=UTC))
    30.0
    >>> parse_retry_after("soon") is None
    True
    """
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            date = parsedate_to_datetime(value)
        except ValueError:
            return None
        date = date if date.tzinfo else date.replace(tzinfo=UTC)
        seconds = (date - (now or datetime.now(UTC))).total_seconds()
    # NaN fails this comparison, and so becomes 0.
    return seconds if seconds > 0 else 0.0
