"""The limits of the Hub's viewer, as far as its public source tells them, checked on files alone."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FIRST_ROWS_BYTES = 200_000
FEWEST_ROWS = 10
MOST_ROWS = 100
CUT_CELL_BYTES = 100
SCAN_BYTES = 300_000_000
MOST_COLUMNS = 1_000


@dataclass(frozen=True)
class Preview:
    """What the viewer shows of a split at first: so many rows, with these columns cut in some of them."""

    rows: int
    cut: frozenset[str]
    size: int


def size_of(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str).encode())


def preview(rows: list[dict[str, Any]]) -> Preview:
    """Take the first hundred rows as far as they fit; if ten do not, cut their long cells from the last row up."""
    shown = [{"row_idx": place, "row": dict(row), "truncated_cells": []} for place, row in enumerate(rows[:MOST_ROWS])]
    sizes = [size_of(one) + 1 for one in shown]
    count = min(FEWEST_ROWS, len(shown))
    total = 2 + sum(sizes[:count])
    cut: set[str] = set()
    for place in reversed(range(count)):
        if total < FIRST_ROWS_BYTES:
            break
        row: dict[str, Any] = shown[place]["row"]
        for name, value in row.items():
            if size_of(value) > CUT_CELL_BYTES:
                row[name] = json.dumps(value, ensure_ascii=False).encode()[:CUT_CELL_BYTES].decode("utf-8", "ignore")
                cut.add(name)
        total += size_of(shown[place]) + 1 - sizes[place]
    while not cut and count < len(shown) and total + sizes[count] < FIRST_ROWS_BYTES:
        total += sizes[count]
        count += 1
    return Preview(count, frozenset(cut), total)


def scan_is_small(path: Path) -> bool:
    """Return whether a page of rows can be read without a scan that the viewer refuses."""
    import pyarrow.parquet as pq

    meta = pq.ParquetFile(path).metadata
    groups = [meta.row_group(number) for number in range(meta.num_row_groups)]
    columns = range(meta.num_columns)
    indexed = all(group.column(column).has_offset_index for group in groups for column in columns)
    return indexed or all(
        sum(group.column(column).total_compressed_size for column in columns) <= SCAN_BYTES for group in groups
    )
