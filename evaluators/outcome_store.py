"""Outcomes by example and repeat, packed: of a hundred thousand, dataclasses with their details would take 300 MB."""

import pickle
import zlib
from collections import OrderedDict
from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, ValuesView
from itertools import islice
from operator import attrgetter

from lengthwise.contracts import Usage
from lengthwise.evaluators.contracts import Outcome

# Outcomes packed together, which say much the same; and packs that are held open.
_PACK = 64
_OPEN = 8
# All of an outcome, in the order in which it is made.
_plain = attrgetter("example_id", "repeat", "kind", "answer", "message", "details")
_spent = attrgetter("latency", "cost", "calls", "roles")
_usage = attrgetter(*Usage.__slots__)


class OutcomeStore(Mapping[tuple[str, int], Outcome]):
    """The outcomes of a run by (example id, repeat), in the order of the examples; what is read is unpacked anew.

    Args:
        numbers: the numbers of the examples by their ids, from 0, in order.
        repeats: of each (>= 1).
        outcomes: one for each example and repeat, in order.

    Raises:
        ValueError: there are fewer or more.
    """

    def __init__(self, numbers: Mapping[str, int], repeats: int, outcomes: Iterable[Outcome]) -> None:
        self._numbers = numbers
        self._repeats = repeats
        self._packs: list[bytes] = []
        self._open: OrderedDict[int, list[Outcome]] = OrderedDict()
        rest, count = iter(outcomes), 0
        while pack := list(islice(rest, _PACK)):
            self._packs.append(_packed(pack))
            count += len(pack)
        if count != len(self):
            raise ValueError(f"{count} outcomes of {len(self)}")

    def __getitem__(self, key: tuple[str, int]) -> Outcome:
        """Return how an example ended in one repeat."""
        example, repeat = key
        if not 0 <= repeat < self._repeats:
            raise KeyError(key)
        place = self._numbers[example] * self._repeats + repeat
        pack = self._open.pop(place // _PACK, None) or _unpacked(self._packs[place // _PACK])
        self._open[place // _PACK] = pack
        if len(self._open) > _OPEN:
            self._open.popitem(last=False)
        return pack[place % _PACK]

    def __iter__(self) -> Iterator[tuple[str, int]]:
        """Yield the keys."""
        return ((example, repeat) for example in self._numbers for repeat in range(self._repeats))

    def __len__(self) -> int:
        """Return the number of examples times the repeats."""
        return len(self._numbers) * self._repeats

    def values(self) -> ValuesView[Outcome]:
        """Return a view of the outcomes, which goes through them without looking each up."""
        return _Values(self)

    def items(self) -> ItemsView[tuple[str, int], Outcome]:
        """Return a view of keys and outcomes, likewise."""
        return _Items(self)

    def in_order(self) -> Iterator[Outcome]:
        """Yield the outcomes."""
        for pack in self._packs:
            yield from _unpacked(pack)


class _Values(ValuesView[Outcome]):
    _mapping: OutcomeStore

    def __iter__(self) -> Iterator[Outcome]:
        return self._mapping.in_order()


class _Items(ItemsView[tuple[str, int], Outcome]):
    _mapping: OutcomeStore

    def __iter__(self) -> Iterator[tuple[tuple[str, int], Outcome]]:
        return (((one.example_id, one.repeat), one) for one in self._mapping.in_order())


def _packed(outcomes: Iterable[Outcome]) -> bytes:
    parts = [(_plain(one), _usage(one.usage), _spent(one)) for one in outcomes]
    return zlib.compress(pickle.dumps(parts, pickle.HIGHEST_PROTOCOL), 1)


def _unpacked(pack: bytes) -> list[Outcome]:
    make: Callable[..., Outcome] = Outcome
    return [make(*plain, Usage(*usage), *spent) for plain, usage, spent in pickle.loads(zlib.decompress(pack))]
