"""A server that is away is asked now and then by one call, until it answers, and not by every row's last try."""

import time
from collections.abc import Callable

# Failures of any passing kind in a row, of so many different calls at least, that mean that nothing works there; of
# connections that nobody takes, a few are enough.
FAILURES, CALLS = 10, 3
UNREACHABLE = 3
# Seconds between two probes: doubled from the first to the last.
FIRST_PROBE, LAST_PROBE = 1.0, 30.0


class Breaker:
    """Watches how calls to one host end.

    Args:
        patience: seconds for which a host may be away before that ends the run (>= 0).
        clock: seconds.
    """

    def __init__(self, patience: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._patience = patience
        self._clock = clock
        self._failures = 0
        self._unreachable = 0
        self._calls: set[str] = set()
        self._failing_since = 0.0
        self._wait = FIRST_PROBE
        self.away_since: float | None = None
        self.next_probe = 0.0

    @property
    def away(self) -> bool:
        """Whether the host is taken to be away."""
        return self.away_since is not None

    @property
    def gone(self) -> bool:
        """Whether it has been away for longer than anyone waits."""
        return self.away_since is not None and self._clock() - self.away_since >= self._patience

    def seconds_away(self) -> float:
        """Return for how long the host has been away; 0 if it is there."""
        return 0.0 if self.away_since is None else self._clock() - self.away_since

    def answered(self) -> bool:
        """Note an answer of any kind; return whether the host had been taken to be away."""
        was_away = self.away
        self._failures = self._unreachable = 0
        self._calls.clear()
        self._wait = FIRST_PROBE
        self.away_since = None
        return was_away

    def failed(self, call: str, unreachable: bool) -> bool:
        """Note a call that brought no answer.

        Args:
            call: which one; a call that fails again and again may itself be to blame.
            unreachable: whether nobody took the connection.

        Returns:
            Whether the host is from now on taken to be away.
        """
        now = self._clock()
        if not self._failures:
            self._failing_since = now
        self._failures += 1
        self._unreachable = self._unreachable + 1 if unreachable else 0
        if len(self._calls) < CALLS:
            self._calls.add(call)
        if self.away:
            self._wait = min(LAST_PROBE, 2 * self._wait)
            # The last one when patience ends, and not long after.
            self.next_probe = now + min(self._wait, max(0.0, self._patience - self.seconds_away()))
            return False
        nothing_works = self._failures >= FAILURES and len(self._calls) >= CALLS
        if self._unreachable < UNREACHABLE and not nothing_works:
            return False
        self.away_since = self._failing_since
        self.next_probe = now + min(self._wait, self._patience)
        return True
