"""Several servers of one model: which of them is asked next, and which of them rest."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

# A replica that failed is left alone for a second, then for twice as long, and so on up to a minute.
FIRST_REST = 1.0
LONGEST_REST = 60.0
# What a server has in its prefix cache saves a whole prefill: worth a place or two in its queue.
WORTH_IN_QUEUE = 2
# Prefixes whose replica is remembered; each is a number.
_REMEMBERED = 4096


@dataclass(slots=True)
class Replica:
    """One server.

    Attributes:
        base_url: its address.
        load: requests under way there.
        resting_until: time, by the clock of its `Replicas`, before which it is asked only if all others rest, too.
        failures: in a row.
        checked: whether it has said that it serves the model in a window that is large enough.
        told_of: whether the user knows that it fails.
    """

    base_url: str
    load: int = 0
    resting_until: float = 0.0
    failures: int = 0
    checked: bool = True
    told_of: bool = False


class Replicas:
    """Servers of one model, least loaded first.

    Args:
        base_urls: their addresses (>= 1).
        clock: seconds, monotonic.
    """

    def __init__(self, base_urls: Sequence[str], clock: Callable[[], float] = time.monotonic) -> None:
        self.all = [Replica(one) for one in base_urls]
        self._clock = clock
        self._homes: OrderedDict[int, Replica] = OrderedDict()

    def choose(self, prefix: int, tried: Sequence[Replica] = ()) -> Replica | None:
        """Return the replica to ask next.

        It is the one with the fewest requests under way, or the one that was asked last for the same beginning of a
        prompt if it has hardly more: that one has it in its cache. Who rests is passed over, unless nobody was tried
        yet and all rest: then it is the one whose rest ends first.

        Args:
            prefix: stands for the beginning of the prompt: equal where beginnings are equal.
            tried: who was asked already, and failed.

        Returns:
            None where nobody is left.
        """
        now = self._clock()
        awake = [one for one in self.all if one.resting_until <= now and one not in tried]
        if not awake:
            return None if tried else min(self.all, key=lambda one: one.resting_until)
        least = min(awake, key=lambda one: one.load)
        home = self._homes.get(prefix)
        return home if home in awake and home is not None and home.load <= least.load + WORTH_IN_QUEUE else least

    @contextmanager
    def asking(self, replica: Replica, prefix: int) -> Iterator[None]:
        """Count a request as under way there."""
        self._homes[prefix] = replica
        self._homes.move_to_end(prefix)
        if len(self._homes) > _REMEMBERED:
            self._homes.popitem(last=False)
        replica.load += 1
        try:
            yield
        finally:
            replica.load -= 1

    def succeeded(self, replica: Replica) -> None:
        """Note that a replica answered."""
        replica.failures = 0
        replica.resting_until = 0.0

    def failed(self, replica: Replica, retry_after: float | None = None) -> None:
        """Let a replica rest: as long as it asks, or longer each time."""
        rest = min(LONGEST_REST, FIRST_REST * 2.0 ** min(replica.failures, 10))
        replica.failures += 1
        replica.resting_until = max(replica.resting_until, self._clock() + max(rest, retry_after or 0.0))
