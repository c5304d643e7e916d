"""Where the names of points go in a scatter: beside their points, not on each other, nor on other points."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

# How far from its point a name may stand, in heights of a line; and in which directions, the best first.
_RINGS = (0.0, 0.6, 1.2, 2.0, 3.0)
_DIRECTIONS = ((1, 0), (-1, 0), (1, -1), (1, 1), (-1, -1), (-1, 1), (0, -1), (0, 1))
MOST_NAMED = 12


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle: its left upper corner and its size; y runs downwards."""

    x: float
    y: float
    width: float
    height: float

    def meets(self, other: "Box") -> bool:
        """Return whether two rectangles share any area."""
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )

    def nearest(self, x: float, y: float) -> tuple[float, float]:
        """Return its point that is nearest to another."""
        return min(max(x, self.x), self.x + self.width), min(max(y, self.y), self.y + self.height)

    def within(self, other: "Box") -> bool:
        """Return whether it lies in another one."""
        return (
            other.x <= self.x
            and other.y <= self.y
            and self.x + self.width <= other.x + other.width
            and self.y + self.height <= other.y + other.height
        )


@dataclass(frozen=True, slots=True)
class Placed:
    """A name: its rectangle, and how far from its point that is, in rings around it.

    From the second ring on (0 is the first) a line has to lead to the point.
    """

    box: Box
    ring: int

    @property
    def led(self) -> bool:
        """Whether a line has to lead to its point."""
        return self.ring > 0


def letters(text: str) -> int:
    """Return how wide a text is, in letters; Chinese characters are two.

    >>> letters("ab模型")
    6
    """
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)


def place_names(
    points: Sequence[tuple[float, float]],
    bars: Sequence[Box],
    sizes: Sequence[tuple[float, float]],
    frame: Box,
    radius: float,
) -> list[Placed] | None:
    """Return a place for the name of each point; None where they do not all find one.

    Args:
        points: of the scatter; y runs downwards.
        bars: their intervals, which names avoid as long as there is room.
        sizes: width and height of each name.
        frame: that no name may leave.
        radius: of a point.
    """
    dots = [Box(x - radius, y - radius, 2 * radius, 2 * radius) for x, y in points]
    candidates = [_candidates(*point, *size, radius) for point, size in zip(points, sizes, strict=True)]
    free = [[one for one in of_point if one.box.within(frame)] for of_point in candidates]
    for hurdles in ([*dots, *bars], dots):
        clear = [[one for one in of if not any(map(one.box.meets, hurdles))] for of in free]
        tried = [found for order in _orders(points) if (found := _place(order, clear)) is not None]
        if tried:
            return min(tried, key=lambda found: _faults(points, found))
    return None


def _orders(points: Sequence[tuple[float, float]]) -> list[list[int]]:
    """Return the orders in which points may choose: those with others near them first, or from one side."""
    whole = range(len(points))
    across, down = (sorted(whole, key=lambda one: (points[one][axis], one)) for axis in (0, 1))
    near = sorted(whole, key=lambda one: (_room(points, one), one))
    return [near, across, across[::-1], down, down[::-1]]


def _place(order: Sequence[int], candidates: Sequence[Sequence[Placed]]) -> list[Placed] | None:
    """Return the best place that is left for each point in turn; None where one finds none."""
    found: dict[int, Placed] = {}
    for number in order:
        left = (one for one in candidates[number] if not any(one.box.meets(other.box) for other in found.values()))
        if (one := next(left, None)) is None:
            return None
        found[number] = one
    return [found[number] for number in range(len(candidates))]


def _faults(points: Sequence[tuple[float, float]], found: Sequence[Placed]) -> int:
    """Return how far names are from their points, and twice how many lines to them cross another name."""
    crossed = 0
    for at, one in zip(points, found, strict=True):
        near = one.box.nearest(*at)
        # Points along the line, close enough that none slips past the height of a name.
        line = [(at[0] + (near[0] - at[0]) * part / 8, at[1] + (near[1] - at[1]) * part / 8) for part in range(9)]
        others = [other.box for other in found if other is not one]
        crossed += one.led and any(other.nearest(*spot) == spot for other in others for spot in line)
    return sum(one.ring for one in found) + 2 * crossed


def _room(points: Sequence[tuple[float, float]], one: int) -> float:
    """Return the distance to the nearest other point."""
    return min((math.dist(points[one], other) for place, other in enumerate(points) if place != one), default=0.0)


def _candidates(x: float, y: float, width: float, height: float, radius: float) -> list[Placed]:
    """Return the places for a name around its point, the best first."""
    found = []
    for number, ring in enumerate(_RINGS):
        gap = radius + 2 + ring * height
        for right, down in _DIRECTIONS:
            left = x + gap if right > 0 else x - gap - width if right < 0 else x - width / 2
            top = y - height / 2 + down * (height / 2 + (gap if right == 0 else ring * height))
            found.append(Placed(Box(left, top, width, height), number))
    return found
