"""What every generator draws: small integers, names by their weights, and instances that differ."""

from collections.abc import Callable, Mapping
from itertools import accumulate

from lengthwise.builders.streams import Stream
from lengthwise.errors import InputError

from ..pool import Instance

POOL_VERSION = 1
# A generator that gives this many known texts in a row is as good as exhausted.
_ATTEMPTS = 1000
_BLOCK = 64


class Draws:
    """Small integers from one stream, fetched in blocks: a call of NumPy for each would cost more than the text.

    >>> draws = Draws(Stream("demo"))
    >>> all(draws.below(3) in (0, 1, 2) for _ in range(200))
    True
    """

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._words: list[int] = []

    def below(self, bound: int) -> int:
        """Return an integer, uniform over 0 to `bound` - 1; the bias is under `bound` / 2**64."""
        if not self._words:
            self._words = self._stream.words(_BLOCK).tolist()
        return self._words.pop() * bound >> 64


def distinct(task: str, amount: int, seed: int, make: Callable[[Draws], Instance]) -> list[Instance]:
    """Return `amount` instances with different texts; a longer list begins with a shorter one.

    Args:
        task: key of the task, a part of every stream's key.
        amount: of instances.
        seed: of the pool.
        make: makes one instance from its draws; the stream's key is ("multi-instance", POOL_VERSION, task, seed,
            index, attempt), so that no instance depends on another unless their texts are equal.

    Raises:
        InputError: there seem not to be so many different texts.
    """
    seen: set[str] = set()
    instances: list[Instance] = []
    for index in range(amount):
        for attempt in range(_ATTEMPTS):
            instance = make(Draws(Stream("multi-instance", POOL_VERSION, task, seed, index, attempt)))
            if instance.text not in seen:
                break
        else:
            raise InputError(f"cannot make {amount} different instances of {task}: there are about {index}")
        seen.add(instance.text)
        instances.append(instance)
    return instances


def shares(weights: Mapping[str, int], draws: Draws) -> str:
    """Draw a name with the given weights.

    >>> shares({"always": 3, "never": 0}, Draws(Stream("demo")))
    'always'
    """
    drawn = draws.below(sum(weights.values()))
    return next(name for name, end in zip(weights, accumulate(weights.values()), strict=True) if drawn < end)


def generator(task: str, make: Callable[[Draws], Instance]) -> Callable[[int, int], list[Instance]]:
    """Return a task's `generate(count, seed)`, see `distinct`: the form in which its module is asked for instances.

    Args:
        task: key of the task.
        make: makes one instance.
    """

    def generate(count: int, seed: int) -> list[Instance]:
        return distinct(task, count, seed, make)

    return generate
