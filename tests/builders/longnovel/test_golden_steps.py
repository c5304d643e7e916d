"""What the steps without a model make of fixed books never changes; a new digest is a new version."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from lengthwise.builders.digest import content_digest, row_digest
from lengthwise.builders.longnovel.records import Unit
from lengthwise.builders.longnovel.sources.plain import chapters
from lengthwise.builders.longnovel.sources.reading import read_source
from lengthwise.builders.longnovel.steps_files import unit_row, window_row
from lengthwise.builders.longnovel.units import make_units
from lengthwise.builders.longnovel.windows import make_windows
from lengthwise.builders.tokens import load_tokenizer

SCALES = ("4k", "8k", "s", "m", "l", "xl", "200k")


def digests(source: Iterable[Unit]) -> tuple[int, str, int, str]:
    """Return the number and digest of a source's units, and of its windows at several scales."""
    units = list(make_units(source, load_tokenizer().count))
    windows = make_windows(SCALES, ((made.unit, made.n_tokens) for made in units))
    return (
        len(units), content_digest(row_digest(unit_row(made)) for made in units)[:16],
        len(windows), content_digest(row_digest(window_row(window)) for window in windows)[:16],
    )  # fmt: skip


def tale() -> str:
    """Return a small book: chapters of uneven length, one of them without a paragraph's end."""
    lengths = (3, 40, 150, 60, 1, 90)
    parts = []
    for number, length in enumerate(lengths, 1):
        sentences = [
            f"On day {day} the ferryman of village {number} counted {day * number} boats, and told nobody of them."
            for day in range(1, length * 3 + 1)
        ]
        between = " " if number == 3 else "\n\n"
        parts.append(f"CHAPTER {number}. The River\n\n{between.join(sentences)}\n\n")
    return "".join(parts)


def test_a_small_authored_book() -> None:
    found, notes = chapters(tale())
    units = [Unit("tale", n, "en", chapter.title, chapter.text) for n, chapter in enumerate(found, 1)]
    assert notes == []
    assert digests(units) == (7, "d476a333b4250013", 15, "dd07f346e57a45c6")


@pytest.mark.shared
@pytest.mark.parametrize(
    ("folder", "headings", "expected"),
    [
        ("epics_en", False, (60, "71fb95f59f761310", 154, "d1d0469e93c2f467")),
        ("novels_en", False, (199, "9708ba3a6ebe02ee", 498, "aa13026e30d1241c")),
        ("novels_zh", False, (256, "a96ecacfd3afe6ff", 754, "62b5f78a1ca0a965")),
        ("novels_zh", True, (240, "148223ba24f559b0", 712, "44ecd3506afee63b")),
        ("squality", False, (75, "745583d627d41705", 207, "50a55d4f4926ce8a")),
    ],
)
def test_the_shared_books(shared_dir: Path, folder: str, headings: bool, expected: tuple[int, str, int, str]) -> None:
    source = read_source(shared_dir / "data" / folder, headings_as_summaries=headings)
    assert digests(source.units) == expected
