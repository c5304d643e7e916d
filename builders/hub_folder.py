"""A folder that `load_dataset` opens and the Hub's viewer shows: Parquet files, `README.md`, `build.json`.

Row groups hold at most 16 MiB and a shard at most 500 MB, with a page index, so that the viewer reads a page without
the rest. `build.json` is written last: a folder without it is not finished.
"""

import json
import os
import statistics
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lengthwise.errors import InputError

from .digest import content_digest
from .parts import DIGEST_COLUMN, Cell

ROW_GROUP_BYTES = 16 << 20
SHARD_BYTES = 500_000_000
BUILD_FILE = "build.json"
PARTS_FOLDER = ".parts"


@dataclass(frozen=True)
class SplitFacts:
    """What is known of a split once it is written.

    Attributes:
        rows: number of rows.
        digest: content digest.
        num_bytes: size of the rows in memory, as `datasets` counts it.
        download_size: size of the files.
        n_tokens: tokens of every prompt, in order.
        row_digests: of every row, in order, for those who put several sets of files together.
    """

    rows: int
    digest: str
    num_bytes: int
    download_size: int
    n_tokens: tuple[int, ...]
    row_digests: tuple[str, ...] = ()


def write_split(folder: Path, cell: Cell, tables: Iterable[Any], raw_bytes: int) -> SplitFacts:
    """Write the Parquet files of one cell, each under another name until it is whole.

    Args:
        folder: of the data set.
        cell: (config, split).
        tables: pyarrow tables with a digest column, in order.
        raw_bytes: size of all rows in memory, by which the number of shards is chosen.
    """
    import pyarrow.parquet as pq

    config, split = cell
    shards = max(1, -(-raw_bytes // SHARD_BYTES))
    (folder / config).mkdir(parents=True, exist_ok=True)
    digests: list[str] = []
    n_tokens: list[int] = []
    num_bytes = 0
    paths = [folder / config / f"{split}-{number:05d}-of-{shards:05d}.parquet" for number in range(shards)]
    unfinished = [path.with_suffix(".tmp") for path in paths]
    writer: Any = None
    shard, shard_bytes = 0, 0
    try:
        for group in _row_groups(tables):
            digests.extend(group.column(DIGEST_COLUMN).to_pylist())
            group = group.drop_columns([DIGEST_COLUMN])
            n_tokens.extend(group.column("n_tokens").to_pylist())
            if writer is not None and shard_bytes + group.nbytes > raw_bytes / shards and shard < shards - 1:
                writer.close()
                writer, shard, shard_bytes = None, shard + 1, 0
            if writer is None:
                writer = pq.ParquetWriter(
                    unfinished[shard], group.schema, compression="zstd", write_page_index=True, use_dictionary=False
                )
            writer.write_table(group, row_group_size=max(1, group.num_rows))
            num_bytes += group.nbytes
            shard_bytes += group.nbytes
        if writer is not None:
            writer.close()
            writer = None
        for there, path in zip(unfinished, paths, strict=True):
            if not there.exists():  # fewer row groups than shards: the last ones are empty
                pq.ParquetWriter(there, group.schema).close()
            there.replace(path)
    finally:
        if writer is not None:
            writer.close()
        for there in unfinished:
            there.unlink(missing_ok=True)
    size = sum(path.stat().st_size for path in paths)
    return SplitFacts(len(digests), content_digest(digests), num_bytes, size, tuple(n_tokens), tuple(digests))


def _row_groups(tables: Iterable[Any]) -> Iterator[Any]:
    """Yield tables of as many rows as stay under the size of a row group, at least one."""
    import pyarrow as pa

    waiting: list[Any] = []
    size = 0
    for table in tables:
        for row in range(table.num_rows):
            one = table.slice(row, 1)
            if waiting and size + one.nbytes > ROW_GROUP_BYTES:
                yield pa.concat_tables(waiting).combine_chunks()
                waiting, size = [], 0
            waiting.append(one)
            size += one.nbytes
    if waiting:
        yield pa.concat_tables(waiting).combine_chunks()


def parquet_files(folder: Path, cell: Cell) -> list[Path]:
    """Return the files of one cell, in order; a split may be in pieces with names of their own (`test-en`)."""
    return sorted((folder / cell[0]).glob(f"{cell[1]}-*.parquet"))


def cell_entries(folder: Path, facts: Mapping[Cell, SplitFacts]) -> dict[str, dict[str, Any]]:
    """Return the `configs` of a `build.json`: config -> split -> rows, digest, sizes, tokens and files."""
    entries: dict[str, dict[str, Any]] = {}
    for (config, split), fact in facts.items():
        entries.setdefault(config, {})[split] = {
            "rows": fact.rows,
            "digest": fact.digest,
            "num_bytes": fact.num_bytes,
            "download_size": fact.download_size,
            "n_tokens": {
                "min": min(fact.n_tokens),
                "median": statistics.median_low(fact.n_tokens),
                "max": max(fact.n_tokens),
            },
            "files": [path.relative_to(folder).as_posix() for path in parquet_files(folder, (config, split))],
        }
    return entries


def write_text(path: Path, text: str) -> None:
    """Write a small file so that it is there whole or not at all."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def read_build(folder: Path) -> dict[str, Any]:
    """Return the contents of `build.json`.

    Raises:
        InputError: there is none, or it is damaged.
    """
    path = folder / BUILD_FILE
    if not folder.is_dir():
        raise InputError(f"there is no folder {str(folder)!r}")
    if not path.is_file():
        unfinished = " (the build was stopped: give its command again)" if (folder / PARTS_FOLDER).exists() else ""
        raise InputError(f"{str(folder)!r} holds no {BUILD_FILE}, so it is no finished build{unfinished}")
    try:
        build = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise InputError(f"{path} is damaged ({error}): build again") from error
    if not isinstance(build, dict) or "configs" not in build:
        raise InputError(f"{path} is damaged (no configs): build again")
    return build


def holds_build(folder: Path, plan: dict[str, Any]) -> bool:
    """Return whether the finished build of `plan` is in `folder`.

    Raises:
        InputError: a finished build of something else is.
    """
    if not (folder / BUILD_FILE).exists():
        return False
    if read_build(folder).get("plan") == plan:
        return True
    raise InputError(f"out {str(folder)!r} holds another build: choose another folder, or remove this one")


def claim_folder(folder: Path, plan: dict[str, Any]) -> bool:
    """Make `folder` ready for a build of `plan`; return True where that very build is already finished in it.

    Raises:
        InputError: the folder holds another build, or anything else.
    """
    if holds_build(folder, plan):
        return True
    plan_file = folder / PARTS_FOLDER / "plan.json"
    if plan_file.exists():
        if json.loads(plan_file.read_text("utf-8")) != plan:
            raise InputError(
                f"out {str(folder)!r} holds the unfinished build of other parameters: give those again, choose "
                "another folder, or remove this one"
            )
        return False
    # A folder of parts without a plan is what a build leaves that was killed at its very start.
    if folder.exists() and (not folder.is_dir() or any(path.name != PARTS_FOLDER for path in folder.iterdir())):
        raise InputError(f"out {str(folder)!r} is not an empty folder: choose another")
    plan_file.parent.mkdir(parents=True, exist_ok=True)
    write_text(plan_file, json.dumps(plan, indent=1, sort_keys=True))
    return False
