"""Cells of tables: texts that keep the numbers behind them, and names that say what the numbers beside them are of.

Both are strings, so that whatever draws a table for people shows them as they are; what writes numbers for programs
(`tidy`) finds these in full, instead of reading them off a picture.
"""

from dataclasses import dataclass, fields
from typing import Literal, TypeAlias

Arrow: TypeAlias = Literal["up", "down", "same"]


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a cell.

    Attributes:
        value: in base units, never rounded: shares in [0, 1], tokens, dollars; None where it is undefined.
        low: lower end of its interval; None without one.
        high: upper end.
        n: what it is over; None where nothing counts that.
        metric: what it is, where that is not what heads its column.
        part: what of the row it is over, as `name=value`; "" for all of it.
        split: that it is over, where that is not its row's or column's.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    n: float | None = None
    metric: str = ""
    part: str = ""
    split: str = ""


class Figure(str):
    """The text of a figure, with the numbers behind it.

    >>> cell = Figure("83.3 (12)", Number(10 / 12, n=12))
    >>> print(cell, cell.numbers[0].n)
    83.3 (12) 12
    """

    __slots__ = ("numbers",)
    numbers: tuple[Number, ...]

    def __new__(cls, text: str, *numbers: Number) -> "Figure":
        """Return a text with its numbers."""
        made = super().__new__(cls, text)
        made.numbers = numbers
        return made


class Marked(Figure):
    """A figure of the main table: what each format marks in its own way stands apart.

    As a plain string it is what a terminal shows: `83.3● ↑* [80.0, 86.0] n=100`.

    Attributes:
        figure: the text of the figure alone.
        tail: what stands behind figure and arrow: interval, number of examples.
        arrow: against the reference row; None for none.
        starred: whether the arrow's difference is beyond chance.
        best: whether it is the best of its row.
    """

    __slots__ = ("arrow", "best", "figure", "starred", "tail")
    figure: str
    tail: str
    arrow: Arrow | None
    starred: bool
    best: bool

    @classmethod
    def make(
        cls, figure: str, tail: str, number: Number, *, arrow: Arrow | None, starred: bool, best: bool
    ) -> "Marked":
        """Return a cell; the arguments are the attributes, and its number."""
        signs = f" {ARROWS[arrow]}{'*' * starred}" if arrow else ""
        made = super().__new__(cls, f"{figure}{'●' * best}{signs} {tail}", number)
        assert isinstance(made, Marked)
        made.figure, made.tail, made.arrow, made.starred, made.best = figure, tail, arrow, starred, best
        return made


ARROWS: dict[Arrow, str] = {"up": "↑", "down": "↓", "same": "="}


@dataclass(frozen=True, slots=True)
class Place:
    """What the numbers of a row or a column are of; "" where it does not say.

    Attributes:
        run: label of the run.
        config: its config.
        split: its split.
        metric: what the numbers are, as results.json calls it.
        part: what of the run they are over, as `name=value`, several joined by `;`.
        benchmark: of the run, where its table is about several.
    """

    run: str = ""
    config: str = ""
    split: str = ""
    metric: str = ""
    part: str = ""
    benchmark: str = ""

    def within(self, other: "Place") -> "Place":
        """Return this place, filled up from another; parts of both hold."""
        known = {one.name: getattr(self, one.name) or getattr(other, one.name) for one in fields(Place)}
        known["part"] = ";".join(dict.fromkeys(part for part in (other.part, self.part) if part))
        return Place(**known)


class Name(str):
    """A heading, or a name at the head of a row, with what the figures under or beside it are of.

    >>> Name("BAcc.", metric="balanced_accuracy").place.metric
    'balanced_accuracy'
    """

    __slots__ = ("place",)
    place: Place

    def __new__(
        cls,
        text: str,
        *,
        run: str = "",
        config: str = "",
        split: str = "",
        metric: str = "",
        part: str = "",
        benchmark: str = "",
    ) -> "Name":
        """Return a text with its place."""
        made = super().__new__(cls, text)
        made.place = Place(run, config, split, metric, part, benchmark)
        return made


def count(number: int, metric: str = "") -> Figure:
    """Return a count as people read it.

    >>> print(count(1234))
    1,234
    """
    return Figure(f"{number:,}", Number(number, metric=metric))


def whole(number: float | None) -> Figure:
    """Return a number without decimals, a dash for None.

    >>> print(whole(1234.5), whole(None))
    1,234 –
    """
    return Figure("–" if number is None else f"{number:,.0f}", Number(number))
