"""What holds for every folder of ours, whatever the benchmark: files, schema, digests, sizes, clean text."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from tqdm import tqdm

from .digest import content_digest, dataset_digest, row_digest
from .hub_folder import ROW_GROUP_BYTES, parquet_files, read_build
from .parts import Cell, processes
from .tokens import load_tokenizer

# A cell of more bytes than this makes the viewer's page too heavy to open.
CELL_BYTES = 8 << 20


@dataclass
class CellReport:
    """What was found in one (config, split).

    Attributes:
        cell: which.
        rows: number of rows read.
        digest: content digest of what was read.
        problems: one line each; empty where all holds.
    """

    cell: Cell
    rows: int = 0
    digest: str = ""
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class CellJob:
    """What the check of one cell is given.

    Attributes:
        folder: of the data set.
        cell: (config, split).
        claimed: the cell's entry of `build.json`.
        tokenizer: name of the one that the rows were counted with.
    """

    folder: Path
    cell: Cell
    claimed: Mapping[str, Any]
    tokenizer: str


def check_cell(
    folder: Path,
    cell: Cell,
    schema: Any,
    claimed: Mapping[str, Any],
    check_row: Callable[[Mapping[str, Any]], Iterator[str]],
) -> CellReport:
    """Read every row of one cell and check it, its files and what `build.json` claims of it.

    Args:
        folder: of the data set.
        cell: (config, split).
        schema: pyarrow schema that the files must have.
        claimed: the cell's entry of `build.json`: rows, digest, files.
        check_row: yields a line for each problem of a row.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    report = CellReport(cell)
    digests: list[str] = []
    files = parquet_files(folder, cell)
    if [path.relative_to(folder).as_posix() for path in files] != list(claimed["files"]):
        report.problems.append(f"{'/'.join(cell)}: the files are not those that build.json lists")
    for path in files:
        try:
            file = pq.ParquetFile(path)
            if not file.schema_arrow.equals(schema):
                report.problems.append(f"{path.name}: the columns or types are not those of the schema")
                continue
            report.problems.extend(_check_groups(path, file))
            for batch in file.iter_batches(batch_size=8):
                for row in batch.to_pylist():
                    digests.append(row_digest(row))
                    empty = [name for name, value in row.items() if value is None]
                    if empty:
                        report.problems.append(f"{row['id']}: nothing in {', '.join(empty)}")
                        continue
                    report.problems.extend(_check_text(row))
                    report.problems.extend(check_row(row))
        except (pa.ArrowException, OSError) as error:
            report.problems.append(f"{path.name} cannot be read: {error}")
    report.rows, report.digest = len(digests), content_digest(digests)
    if report.rows != claimed["rows"]:
        report.problems.append(f"{'/'.join(cell)}: {report.rows} rows where build.json says {claimed['rows']}")
    if report.digest != claimed["digest"]:
        report.problems.append(f"{'/'.join(cell)}: the content digest is not the one in build.json")
    return report


def check_folder(
    folder: Path, check: Callable[[CellJob], CellReport], workers: int = 1, progress: bool = False, chunk: int = 1
) -> list[CellReport]:
    """Check every cell of a folder, then the whole: its digest and its card.

    Args:
        folder: a finished build.
        check: checks one cell; a function of a module, so that worker processes can import it.
        workers: processes.
        progress: show a bar on stderr.
        chunk: cells that a process is handed at a time; more where cells are many and small.

    Returns:
        A report for each (config, split), and a last one for the whole.

    Raises:
        InputError: the folder holds no finished build, or its tokenizer is not to be had.
    """
    build = read_build(folder)
    load_tokenizer(build["tokenizer"])
    jobs = [
        CellJob(folder, (config, split), claimed, build["tokenizer"])
        for config, splits in build["configs"].items()
        for split, claimed in splits.items()
    ]
    bar = tqdm(total=len(jobs), unit=" splits", desc="validate", disable=not progress)
    reports: list[CellReport] = []
    with bar, processes(workers) as pool:
        for report in map(check, jobs) if pool is None else pool.map(check, jobs, chunksize=chunk):
            reports.append(report)
            bar.update()
    digest = dataset_digest({report.cell: report.digest for report in reports})
    whole = CellReport(("", ""), sum(report.rows for report in reports), digest)
    if digest != build["digest"]:
        whole.problems.append("the digest of the data set is not the one in build.json")
    whole.problems.extend(check_card(folder, build))
    return [*reports, whole]


def check_card(folder: Path, build: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each thing in `README.md` that `datasets` or a reader would be misled by; prose may be edited.

    Args:
        folder: of the data set.
        build: contents of `build.json`.
    """
    path = folder / "README.md"
    text = path.read_text("utf-8") if path.is_file() else ""
    if build["digest"] not in text:
        yield "README.md does not carry the digest of the data set"
    try:
        front = yaml.safe_load(text.split("---\n")[1])
        files = {
            entry["config_name"]: {file["split"]: file["path"] for file in entry["data_files"]}
            for entry in front["configs"]
        }
        rows = {
            entry["config_name"]: {split["name"]: split["num_examples"] for split in entry["splits"]}
            for entry in front["dataset_info"]
        }
        described = {entry["config_name"]: entry["description"] for entry in front["configs"]}
    except (IndexError, KeyError, TypeError, yaml.YAMLError):
        yield "README.md has no front matter that `datasets` could read"
        return
    # Views show some of the files of a config once more, under another name.
    shown = {**build["configs"], **build.get("views", {})}
    cells = {
        config: {split: facts.get("path", f"{config}/{split}-*.parquet") for split, facts in of.items()}
        for config, of in shown.items()
    }
    if files != cells:
        yield "README.md: the configs and their files are not those of build.json"
    if rows != {config: {split: facts["rows"] for split, facts in of.items()} for config, of in shown.items()}:
        yield "README.md: the numbers of rows are not those of build.json"
    for config, of in shown.items():
        digest = dataset_digest({(config, split): facts["digest"] for split, facts in of.items()})
        if digest[:16] not in described.get(config, ""):
            # By the README `datasets` tells one build in a folder from another.
            yield f"README.md: the description of {config} does not carry its digest"


def _check_groups(path: Path, file: Any) -> Iterator[str]:
    meta = file.metadata
    for number in range(meta.num_row_groups):
        group = meta.row_group(number)
        if group.total_byte_size > ROW_GROUP_BYTES * 1.05 and group.num_rows > 1:
            yield f"{path.name}: row group {number} holds {group.total_byte_size:,} bytes, more than 16 MiB"
        if not all(group.column(column).has_offset_index for column in range(meta.num_columns)):
            yield f"{path.name}: row group {number} has no page index"


def _check_text(row: Mapping[str, Any]) -> Iterator[str]:
    for name, value in row.items():
        if isinstance(value, str):
            if "\ufffd" in value:
                yield f"{row['id']}: {name} holds U+FFFD, a character lost in decoding"
            if len(value) > CELL_BYTES:
                yield f"{row['id']}: {name} is longer than {CELL_BYTES >> 20} MiB"
