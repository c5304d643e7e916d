"""Figures as people read them: percentages, differences, p-values."""


def signed(value: float | None) -> str:
    """Return a number with its sign and one decimal, a dash for None.

    >>> signed(1.25), signed(-0.04), signed(None)
    ('+1.2', '0.0', '–')
    """
    if value is None:
        return "–"
    shown = f"{value:+.1f}"
    return "0.0" if shown in ("+0.0", "-0.0") else shown


def percent(value: float | None) -> str:
    """Return a share as a percentage with one decimal, a dash for None.

    >>> percent(0.97), percent(None)
    ('97.0', '–')
    """
    return "–" if value is None else f"{100 * value:.1f}"


def difference(value: float | None, interval: tuple[float, float] | None) -> str:
    """Return a difference of shares in points, with its interval.

    >>> difference(-0.125, (-0.2, -0.04)), difference(None, None)
    ('-12.5 [-20.0, -4.0]', '– [–, –]')
    """
    shown = [signed(None if one is None else 100 * one) for one in (value, *(interval or (None, None)))]
    return f"{shown[0]} [{shown[1]}, {shown[2]}]"


def p_text(value: float | None) -> str:
    """Return a p-value with four decimals, a dash for None.

    >>> p_text(0.04), p_text(0.00003), p_text(None)
    ('0.0400', '<0.0001', '–')
    """
    if value is None:
        return "–"
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"
