"""Which examples a page holds whole, where it cannot hold all: wrong answers first, spread over the cells."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

# Which run of the page, and the id of the example.
Wanted: TypeAlias = tuple[int, str]

# Characters that a token of text comes to once it is packed: words of English 1.5, of Chinese 2.5, letters drawn 1.5.
_PACKED_TOKEN = 1.5
_UNKNOWN_TOKENS = 2_000


def by_need(records: Iterable[Mapping[str, Any]]) -> list[Wanted]:
    """Return the examples of some replies in the order in which a page should take them up.

    First those with a reply that is not right, in turn from each cell (a config at a split of a run), then the others
    likewise; within a cell in the order of the replies. It depends on nothing but the replies.

    Args:
        records: with `run`, `config`, `split`, `id` and `kind`.
    """
    cells: dict[Wanted, tuple[int, str, str]] = {}
    right: dict[Wanted, bool] = {}
    for record in records:
        key = (record["run"], record["id"])
        cells[key] = (record["run"], record["config"], record["split"])
        right[key] = right.get(key, True) and record["kind"] == "correct"
    taken: Counter[tuple[tuple[int, str, str], bool]] = Counter()
    turns = {}
    order = {cell: place for place, cell in enumerate(dict.fromkeys(cells.values()))}
    for key, cell in cells.items():
        turns[key] = (right[key], taken[cell, right[key]], order[cell])
        taken[cell, right[key]] += 1
    return sorted(turns, key=turns.__getitem__)


def first_of(tokens: Sequence[int | None], room: int) -> int:
    """Return how many examples to read at once: as many as likely fill what room there is, at least one.

    Args:
        tokens: how long each is, in order, None where that is not known.
        room: characters that are left.
    """
    likely = 0.0
    for count, long in enumerate(tokens):
        likely += _PACKED_TOKEN * (long or _UNKNOWN_TOKENS)
        if likely > room:
            return max(count, 1)
    return len(tokens)
