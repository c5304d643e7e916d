"""Text in figures that matplotlib draws: its colours, titles of panels, and labels, which are anyone's text."""

from textwrap import wrap

from lengthwise.evaluators.figures.model import Panel, n_of

INK, QUIET = "#1b1f24", "#57606a"


def titled(panel: Panel, width: int = 46) -> str:
    """Return the title of a panel with its n, on lines of so many letters."""
    return "\n".join(wrap(f"{clean(panel.title)} ({n_of(panel)})".strip(), width))


def clean(text: str, most: int = 48) -> str:
    """Return a name as one line that can be drawn: labels are anyone's text.

    Half a surrogate pair is written as its escape, control characters as spaces; a long name keeps both ends, for
    names of models differ in either.
    """
    text = text.encode("utf-8", "backslashreplace").decode()
    text = "".join(char if char.isprintable() else " " for char in text)
    half = most // 2
    return text if len(text) <= most else f"{text[:half]}…{text[1 - half :]}"
