"""Where blocks go: uniform over all arrangements in which they touch neither each other nor the target."""

from math import comb

from ..streams import Stream
from .instance import Unplantable


def scatter(stream: Stream, low: int, high: int, target: tuple[int, int], size: int, count: int) -> list[int]:
    """Return the starts, ascending, of `count` blocks of `size` cells in [low, high), apart from the target.

    Between two blocks, and between a block and the target, lies at least one free cell. Every such arrangement is
    equally likely: the number on the left of the target is drawn by the number of arrangements it allows, then each
    side's by choosing places among the free cells.

    Args:
        stream: where the draws come from.
        low: first cell that a block may use.
        high: one past the last.
        target: first cell of the target's block, and one past its last.
        size: cells of a block.
        count: number of blocks.

    Raises:
        Unplantable: there is no such arrangement.
    """
    left, right = target[0] - low, high - target[1]
    ways = [_ways(left, size, on_left) * _ways(right, size, count - on_left) for on_left in range(count + 1)]
    if sum(ways) == 0:
        raise Unplantable(
            f"{count} blocks of {size} words do not fit in the {left + right:,} places beside the target's"
        )
    drawn = stream.below(sum(ways))
    on_left = 0
    while drawn >= ways[on_left]:
        drawn -= ways[on_left]
        on_left += 1
    # A block and the free cell on its side towards the target make one unit; units and free cells in any order.
    starts = [low + place + number * size for number, place in enumerate(_places(stream, left, size, on_left))]
    starts += [
        target[1] + 1 + place + number * size
        for number, place in enumerate(_places(stream, right, size, count - on_left))
    ]
    return starts


def _ways(cells: int, size: int, count: int) -> int:
    return comb(cells - count * size, count) if cells >= count * (size + 1) else 0


def _places(stream: Stream, cells: int, size: int, count: int) -> list[int]:
    return sorted(stream.sample(cells - count * size, count).tolist()) if count else []
