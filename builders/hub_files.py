"""Data sets of the Hub that builders take their text from: fetched once into its cache, read from its files.

Only the files that are named are fetched, and read as they are: `load_dataset` would refuse data sets that have a
script, and would keep a second copy of the others.
"""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from lengthwise.errors import InputError

Row = Mapping[str, Any]
# Where the Hub keeps its Parquet copy of data sets that only a script can load; `datasets` runs no scripts since 4.
PARQUET_BRANCH = "refs/convert/parquet"


@dataclass(frozen=True, slots=True)
class HubCopy:
    """One repository that holds the rows.

    Attributes:
        repo: Hub id of the data set.
        files: patterns of the files, in the order in which their rows count; "*" goes past folders.
        revision: branch, tag or commit; None is the main branch.
    """

    repo: str
    files: tuple[str, ...]
    revision: str | None = None


def fetch(what: str, copies: Sequence[HubCopy], instead: str) -> tuple[HubCopy, Path]:
    """Fetch the files of the first copy that can be had; return it and the folder that holds them.

    Args:
        what: is being fetched, as an error is to call it.
        copies: tried in order.
        instead: what to do where none can be had, for the error.

    Raises:
        InputError: none can be fetched, or none has such files.
    """
    import huggingface_hub
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

    reasons = []
    for copy in copies:
        try:
            folder = huggingface_hub.snapshot_download(
                copy.repo, repo_type="dataset", revision=copy.revision, allow_patterns=list(copy.files)
            )
        except LocalEntryNotFoundError:
            reasons.append(f"{copy.repo}: the Hub cannot be reached, and the cache does not hold it")
        except (HfHubHTTPError, OSError) as error:
            # The first line is enough; what follows is advice about tokens and a request id.
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            reasons.append(f"{copy.repo} (revision {copy.revision or 'main'}): {reason}")
        else:
            if any(path.is_file() for path in Path(folder).rglob("*")):
                return copy, Path(folder)
            reasons.append(f"{copy.repo} (revision {copy.revision or 'main'}): holds none of {', '.join(copy.files)}")
    raise InputError(f"{what}: {'; '.join(reasons)}. {instead}")


def origin(copy: HubCopy, folder: Path) -> str:
    """Return where a fetched copy was read: its id and commit, "REPO@COMMIT"."""
    # The cache keeps every commit in snapshots/COMMIT.
    return f"{copy.repo}@{folder.name[:12]}"


def file_rows(folder: Path, copy: HubCopy, what: str = "hub") -> Iterator[Row]:
    """Yield the rows of a copy's files in a folder, pattern after pattern, class labels by name.

    Raises:
        InputError: a pattern fits no file.
    """
    for pattern in copy.files:
        for path in fitting_files(folder, copy, pattern, what):
            yield from _READERS.get(path.suffix, _parquet_rows)(path)


def fitting_files(folder: Path, copy: HubCopy, pattern: str, what: str = "hub") -> list[Path]:
    """Return the files of a copy that one of its patterns fits, in order of their names.

    Raises:
        InputError: it fits none.
    """
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    fitting = [folder / name for name in names if fnmatchcase(name, pattern)]
    if not fitting:
        raise InputError(f"{what}: {copy.repo} has no file {pattern!r} (revision {copy.revision or 'main'})")
    return fitting


def _json_rows(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def _csv_rows(path: Path) -> Iterator[Row]:
    """Yield rows whose values are all text: what looks like a number in one file need not in the next."""
    import pyarrow as pa
    import pyarrow.csv

    with path.open(encoding="utf-8", newline="") as lines:
        names = next(csv.reader(lines), [])
    table = pyarrow.csv.open_csv(
        path,
        # A block has to hold a whole row, and a row may be a book.
        read_options=pyarrow.csv.ReadOptions(block_size=1 << 25),
        parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True),
        convert_options=pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string())),
    )
    with table:
        for batch in table:
            yield from batch.to_pylist()


def _parquet_rows(path: Path) -> Iterator[Row]:
    import pyarrow.parquet as pq
    from datasets import ClassLabel, Features

    with pq.ParquetFile(path) as file:
        # The names of class labels are in the metadata that `datasets` writes; without it labels stay as they are.
        features = Features.from_arrow_schema(file.schema_arrow)
        named = {column: feature for column, feature in features.items() if isinstance(feature, ClassLabel)}
        for batch in file.iter_batches():
            for row in batch.to_pylist():
                yield {key: named[key].int2str(value) if key in named else value for key, value in row.items()}


_READERS = {".jsonl": _json_rows, ".csv": _csv_rows}
