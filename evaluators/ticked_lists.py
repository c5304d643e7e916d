"""Reading the CSV files that people fill in or a report page saves: omissions, tags."""

import csv
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from lengthwise.errors import InputError


def ticked_lines(option: str, path: Path | str, columns: tuple[str, str], writer: str) -> Iterator[dict[str, str]]:
    """Return the lines of such a file, each by its columns; what a line lacks at its end is "".

    Args:
        option: that names the file, for messages.
        path: of the file; UTF-8, with or without a mark of it.
        columns: that it must have.
        writer: who writes such files, for messages.

    Raises:
        InputError: the file cannot be read, or lacks a column.
    """
    try:
        text = Path(path).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{option} {path}: cannot be read ({error})") from error
    # A spreadsheet in a country of decimal commas saves with semicolons.
    head = text.partition("\n")[0]
    delimiter = ";" if ";" in head and "," not in head else ","
    lines = csv.DictReader(StringIO(text, newline=""), delimiter=delimiter, restval="")
    if not set(columns) <= set(lines.fieldnames or ()):
        raise InputError(f"{option} {path}: has no columns {' and '.join(columns)}; {writer}")
    return lines
