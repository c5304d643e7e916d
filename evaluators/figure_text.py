"""Figures as people read them: percentages, differences, p-values; each keeps the number behind it."""

from lengthwise.evaluators.table_formats.cells import Figure, Number


def signed(value: float | None) -> Figure:
    """Return a number with its sign and one decimal, a dash for None.

    >>> signed(1.25), signed(-0.04), signed(None)
    ('+1.2', '0.0', '–')
    """
    shown = "–" if value is None else f"{value:+.1f}"
    return Figure("0.0" if shown in ("+0.0", "-0.0") else shown, Number(value))


def percent(value: float | None) -> Figure:
    """Return a share as a percentage with one decimal, a dash for None.

    >>> percent(0.97), percent(None)
    ('97.0', '–')
    """
    return Figure("–" if value is None else f"{100 * value:.1f}", Number(value))


def share_of(value: float | None, n: int, low: float | None = None, high: float | None = None) -> Figure:
    """Return a share as a percentage with its interval, if it has one, and what it is over.

    >>> share_of(0.97, 1200), share_of(0.5, 4, 0.1, 0.9), share_of(None, 0)
    ('97.0 (1,200)', '50.0 [10.0, 90.0] (4)', '–')
    """
    if value is None:
        return Figure("–", Number(None))
    ends = "" if low is None else f" [{percent(low)}, {percent(high)}]"
    return Figure(f"{percent(value)}{ends} ({n:,})", Number(value, low, high, n))


def difference(value: float | None, interval: tuple[float, float] | None) -> Figure:
    """Return a difference of shares in points, with its interval.

    >>> difference(-0.125, (-0.2, -0.04)), difference(None, None)
    ('-12.5 [-20.0, -4.0]', '– [–, –]')
    """
    low, high = interval or (None, None)
    shown = [signed(None if one is None else 100 * one) for one in (value, low, high)]
    return Figure(f"{shown[0]} [{shown[1]}, {shown[2]}]", Number(value, low, high))


def p_text(value: float | None) -> Figure:
    """Return a p-value with four decimals, a dash for None.

    >>> p_text(0.04), p_text(0.00003), p_text(None)
    ('0.0400', '<0.0001', '–')
    """
    shown = "–" if value is None else "<0.0001" if value < 0.0001 else f"{value:.4f}"
    return Figure(shown, Number(value))
