"""What the Hub's viewer needs of a data set to show it, as far as its public source tells.

Of a split it takes the first hundred rows as far as they fit into 200,000 bytes of JSON, ten of them in any case:
where those are larger, their cells are cut to a hundred bytes, and a split that is still too large has no preview.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .hub_folder import SHARD_BYTES

MOST_CONFIGS = 4_000
MOST_SPLITS = 30
FIRST_ROWS = 10
FIRST_ROWS_BYTES = 200_000
CUT_CELL_BYTES = 100


def check_viewer(folder: Path, build: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each thing that the viewer would not show.

    Args:
        folder: of the data set.
        build: contents of `build.json`.
    """
    shown = {**build["configs"], **build.get("views", {})}
    if len(shown) > MOST_CONFIGS:
        yield f"{len(shown):,} configs, where the Hub's viewer shows {MOST_CONFIGS:,} at most: push them as several"
    for config, splits in shown.items():
        if len(splits) > MOST_SPLITS:
            yield (
                f"{config}: {len(splits)} splits, where the Hub's viewer shows {MOST_SPLITS} at most: build fewer "
                "lengths or sizes, or push them as several data sets"
            )
    for splits in build["configs"].values():
        for split in splits.values():
            yield from _check_files([folder / name for name in split["files"]])


def _check_files(files: Sequence[Path]) -> Iterator[str]:
    for path in files:
        if (size := path.stat().st_size) > SHARD_BYTES:
            yield f"{path.name}: {size:,} bytes, more than the {SHARD_BYTES:,} of a shard: build again"
    if (size := first_rows_size(_head(files[0]))) > FIRST_ROWS_BYTES:
        yield f"{files[0].name}: its first rows take {size:,} bytes when cut, over {FIRST_ROWS_BYTES:,}"


def _head(path: Path) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        return next((batch.to_pylist() for batch in file.iter_batches(batch_size=FIRST_ROWS)), [])


def first_rows_size(rows: Sequence[Mapping[str, Any]]) -> int:
    """Return how many bytes of JSON the first rows take, their cells cut from the last row up as far as it needs.

    Args:
        rows: `FIRST_ROWS` of them, or all that there are.
    """
    sizes = [_bytes(row) for row in rows]
    for place in reversed(range(len(rows))):
        if sum(sizes) < FIRST_ROWS_BYTES:
            break
        sizes[place] = _bytes({name: _cut(value) for name, value in rows[place].items()})
    return sum(sizes)


def _cut(value: Any) -> Any:
    text = json.dumps(value, ensure_ascii=False).encode()
    return value if len(text) <= CUT_CELL_BYTES else text[:CUT_CELL_BYTES].decode("utf-8", "ignore")


def _bytes(row: Mapping[str, Any]) -> int:
    # With what the viewer puts around a row: its number, and the names of the columns that it cut.
    around = {"row_idx": 0, "row": row, "truncated_cells": list(row)}
    return len(json.dumps(around, ensure_ascii=False, separators=(",", ":")).encode())
