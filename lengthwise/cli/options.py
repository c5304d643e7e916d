"""Option values that several commands read alike."""

from enum import StrEnum

from lengthwise.errors import InputError


class TableFormat(StrEnum):
    """How tables are printed."""

    text = "text"
    markdown = "markdown"
    latex = "latex"
    csv = "csv"


def parse_names(values: list[str] | None) -> tuple[str, ...]:
    """Return the names of an option that may be repeated and may hold commas.

    >>> parse_names(["a, b", "c"])
    ('a', 'b', 'c')
    """
    return tuple(name.strip() for value in values or () for name in value.split(",") if name.strip())


def parse_numbers(option: str, text: str) -> tuple[int, ...]:
    """Return whole numbers parted by commas.

    Raises:
        InputError: a part is none; the option is named.

    >>> parse_numbers("--size", "2,5,1_000")
    (2, 5, 1000)
    """
    parts = [part.strip().replace("_", "") for part in text.split(",") if part.strip()]
    if not all(part.isdecimal() for part in parts):
        raise InputError(f"{option} {text!r}: give whole numbers parted by commas, e.g. 2,5,10")
    return tuple(map(int, parts))


def parse_shard(text: str | None) -> tuple[int, int] | None:
    """Return (I, N) of `I/N`.

    Raises:
        InputError: it is not of that form.
    """
    if text is None:
        return None
    number, _, count = text.partition("/")
    if not (number.isdigit() and count.isdigit() and int(count)):
        raise InputError(f"shard {text!r} cannot be read: give I/N, as in 1/4")
    return int(number), int(count)
