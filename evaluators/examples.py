"""The examples of a data set, from a folder that `lengthwise build` made or from the Hub.

The short columns of the chosen cells (a cell is one config at one split) are read first and stay in memory; prompts
are streamed behind them, in order, a few at a time.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lengthwise.errors import InputError, unknown_name
from lengthwise.evaluators.arrow_tables import column_names, read_table, repeated
from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.contracts import Example

if TYPE_CHECKING:
    import pyarrow as pa

BUILD_FILE = "build.json"
LONG_COLUMNS = ("question", "prompt", "article", "summary", "reference")
# A config of ready prompts, beside the one whose rows it makes them of.
PROMPT_SIBLING = "-prompt"

# Rows decoded at a time while streaming: at 128K tokens a prompt has about 0.5 MB.
_BATCH = 4


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """One config at one split, e.g. `lex-locate` at `128k`."""

    config: str
    split: str

    def __str__(self) -> str:
        """Return `config/split`."""
        return f"{self.config}/{self.split}"


@dataclass(frozen=True, slots=True)
class Data:
    """A data set on this machine.

    Attributes:
        source: as it was named: a folder, or `ORG/NAME` or `ORG/NAME@REVISION` on the Hub.
        folder: where its files are.
        benchmark: key of `lengthwise.evaluators.benchmarks.BENCHMARKS`.
        digest: content digest of the whole set, where its build.json has one.
        revision: the Hub commit, None for a folder.
        prompt_template: SHA-256 of the templates that the prompts were made with, where build.json has it.
        cells: digest per cell, in the order of build.json; None where it has none.
        views: cells that show some files of another config once more, a language of it, -> their files, as a pattern.
    """

    source: str
    folder: Path
    benchmark: str
    digest: str | None
    revision: str | None
    prompt_template: str | None
    cells: Mapping[Cell, str | None]
    views: Mapping[Cell, str] = field(default_factory=dict)

    def pattern(self, cell: Cell) -> str:
        """Return where the Parquet files of a cell are in the folder."""
        return self.views.get(cell, f"{cell}-*.parquet")

    def files(self, cell: Cell) -> list[Path]:
        """Return the Parquet files of a cell, in order.

        Raises:
            InputError: build.json names the cell but there is no file.
        """
        files = sorted(self.folder.glob(self.pattern(cell)))
        if not files:
            raise InputError(
                f"{self.source}: build.json names {cell}, but {self.pattern(cell)} is missing; build it again (a "
                "recipe's rows: by the command in its README.md)"
            )
        return files

    def short_columns(self, cells: Iterable[Cell]) -> "pa.Table":
        """Return all columns but the long ones for all rows of `cells`, with `config` and `split` put behind `id`.

        Raises:
            InputError: a file is missing or not Parquet, or an id comes twice.
        """
        import pyarrow as pa

        tables = [_with_cell(_short_table(file), cell) for cell in cells for file in self.files(cell)]
        table = pa.concat_tables(tables)
        ids = table["id"].to_pylist()
        if len(set(ids)) != len(ids):
            raise InputError(f"{self.source}: the same id is on two rows; `lengthwise validate` says which")
        return table

    def stream(self, wanted: Mapping[Cell, frozenset[str]]) -> Iterator[Example]:
        """Yield the rows with the wanted ids, prompt included, cell by cell in file order."""
        import pyarrow.parquet as pq

        for cell, ids in wanted.items():
            for path in self.files(cell) if ids else ():
                with pq.ParquetFile(path) as file:
                    for group in range(file.num_row_groups):
                        in_group = file.read_row_group(group, columns=["id"])["id"].to_pylist()
                        if not ids.isdisjoint(in_group):
                            yield from self._rows(file, group, cell, ids)

    def _rows(self, file: Any, group: int, cell: Cell, ids: frozenset[str]) -> Iterator[Example]:
        for batch in file.iter_batches(batch_size=_BATCH, row_groups=[group]):
            for row in batch.to_pylist():
                if row["id"] in ids:
                    yield self.example(row, cell)

    def example(self, row: dict[str, Any], cell: Cell) -> Example:
        """Return a row of a cell, all its columns given, as an example; the dictionary is used up."""
        texts = {name: row.pop(name) for name in LONG_COLUMNS if name in row and name != "question"}
        prompt = texts.pop("prompt", None)
        if prompt is None:
            prompt = find_benchmark(self.benchmark).compose({**row, **texts}, self.folder)
        columns = {**row, "config": cell.config, "split": cell.split}
        return Example(row["id"], prompt, columns, self.benchmark, texts, self.folder)


def _short_table(path: Path) -> "pa.Table":
    import pyarrow as pa

    try:
        return read_table(path, [name for name in column_names(path) if name not in LONG_COLUMNS])
    except (OSError, pa.ArrowInvalid) as error:
        raise InputError(f"{path}: cannot be read as Parquet ({error}); build it again") from error


def _with_cell(table: "pa.Table", cell: Cell) -> "pa.Table":
    for place, (name, value) in enumerate({"config": cell.config, "split": cell.split}.items(), 1):
        table = table.add_column(place, name, repeated(value, len(table)))
    return table


def open_data(source: str, configs: Sequence[str] = (), splits: Sequence[str] = ()) -> tuple[Data, list[Cell]]:
    """Find a data set and the cells that are wanted of it; from the Hub, only these are fetched.

    Args:
        source: a folder (it exists, or starts with `./`, `../` or `/`), else a Hub id, `ORG/NAME[@REVISION]`.
        configs: names of configs; none means all.
        splits: names of splits; none means all that each config has.

    Raises:
        InputError: no such data (the message says whether a folder or a Hub id was assumed), config or split.
    """
    path = Path(source).expanduser()
    if path.exists() or source.startswith(("./", "../", "/", "~")):
        data = _folder_data(source, path, None)
        return data, choose_cells(data, configs, splits)
    from lengthwise.evaluators.hub import fetch_build, fetch_cells

    folder, revision = fetch_build(source)
    data = _folder_data(source, folder, revision)
    cells = choose_cells(data, configs, splits)
    fetch_cells(source, revision, [data.pattern(cell) for cell in cells])
    return data, cells


def _folder_data(source: str, folder: Path, revision: str | None) -> Data:
    path = folder / BUILD_FILE
    try:
        build = json.loads(path.read_text("utf-8"))
        cells = {
            Cell(config, split): about.get("digest")
            for config, of_config in build["configs"].items()
            for split, about in of_config.items()
        }
        views = {
            Cell(config, split): about
            for config, of_config in build.get("views", {}).items()
            for split, about in of_config.items()
        }
        return Data(
            source,
            folder,
            build["benchmark"],
            build.get("digest"),
            revision,
            build.get("prompt_template"),
            cells | {cell: about["digest"] for cell, about in views.items()},
            {cell: about["path"] for cell, about in views.items()},
        )
    except (FileNotFoundError, NotADirectoryError) as error:
        what = "no such folder" if not folder.exists() else f"has no {BUILD_FILE}"
        raise InputError(
            f"data {source!r} (taken as a folder): {what}; `lengthwise build predicate --out {source}` makes one"
        ) from error
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise InputError(f"{path}: not what `lengthwise build` writes ({error!r}); build it again") from error


def choose_cells(data: Data, configs: Sequence[str], splits: Sequence[str]) -> list[Cell]:
    """Return the cells of the wanted configs at the wanted splits, in the order of the data set.

    A split that some of the configs lack is fine as long as one has it (document configs have their own). A config of
    ready prompts, or of one language, holds the rows of its sibling once more: unless it is named, it is left out.

    Raises:
        InputError: an unknown config or split, or a config that has none of the wanted splits.
    """
    known_configs = list(dict.fromkeys(cell.config for cell in data.cells))
    for config in configs:
        if config not in known_configs:
            raise unknown_name("config", config, known_configs)
    siblings = {f"{config}{PROMPT_SIBLING}" for config in known_configs} | {cell.config for cell in data.views}
    wanted = configs or [config for config in known_configs if config not in siblings]
    of_configs = [cell for cell in data.cells if cell.config in wanted]
    known_splits = list(dict.fromkeys(cell.split for cell in of_configs))
    for split in splits:
        if split not in known_splits:
            raise unknown_name("split", split, known_splits)
    chosen = [cell for cell in of_configs if not splits or cell.split in splits]
    for config in configs:
        if all(cell.config != config for cell in chosen):
            has = ", ".join(cell.split for cell in of_configs if cell.config == config)
            raise InputError(f"--split {','.join(splits)}: config {config!r} has only {has}")
    return chosen


def stratified_sample(examples: "pa.Table", limit: int, seed: int) -> "pa.Table":
    """Return `limit` rows, spread over the cells in proportion to their sizes, in their order.

    Rows are taken in the order of a hash over seed and base list, not over config: where two configs share their
    lists, the sample holds the same lists of both, and paired tests keep their pairs. A larger limit holds every row
    of a smaller one, up to rounding between cells.

    Args:
        examples: short columns with `id`, `config`, `split`, and `list_id`, `selection` or `pair_id` where lists,
            samples of instances, or texts are shared.
        limit: how many rows (> 0); no more than there are is fine.
        seed: any integer; another seed is another sample.

    Raises:
        InputError: `limit` is not positive.
    """
    if limit < 1:
        raise InputError(f"--limit {limit}: must be at least 1")
    if limit >= len(examples):
        return examples
    cells: dict[tuple[str, str], list[int]] = {}
    for row, cell in enumerate(zip(examples["config"].to_pylist(), examples["split"].to_pylist(), strict=True)):
        cells.setdefault(cell, []).append(row)
    shared = next(name for name in ("list_id", "selection", "pair_id", "id") if name in examples.column_names)
    # A row without a partner stands for itself.
    bases = zip(examples[shared].to_pylist(), examples["id"].to_pylist(), strict=True)
    ranks = [_rank(seed, base or name) for base, name in bases]
    shares = _shares([len(rows) for rows in cells.values()], limit)
    kept = [
        row
        for rows, share in zip(cells.values(), shares, strict=True)
        for row in sorted(rows, key=ranks.__getitem__)[:share]
    ]
    return examples.take(sorted(kept))


def _rank(seed: int, base: str) -> bytes:
    # What stands behind the base: "+scattered" of a list with decoys, "_shuffle1" of a sample in another order.
    base = base.partition("+")[0].partition("_shuffle")[0]
    return hashlib.sha256(f"sample\n{seed}\n{base}".encode()).digest()


def _shares(sizes: Sequence[int], limit: int) -> list[int]:
    """Return whole numbers in proportion to `sizes` that add up to `limit`: floors first, then largest remainders."""
    total = sum(sizes)
    shares = [limit * size // total for size in sizes]
    by_remainder = sorted(range(len(sizes)), key=lambda cell: -(limit * sizes[cell] % total))
    for cell in by_remainder[: limit - sum(shares)]:
        shares[cell] += 1
    return shares


def ids_by_cell(examples: "pa.Table") -> dict[Cell, frozenset[str]]:
    """Return the ids of each cell, cells in order of their first row: what `Data.stream` takes."""
    cells: dict[Cell, set[str]] = {}
    columns = (examples[name].to_pylist() for name in ("config", "split", "id"))
    for config, split, row_id in zip(*columns, strict=True):
        cells.setdefault(Cell(config, split), set()).add(row_id)
    return {cell: frozenset(ids) for cell, ids in cells.items()}
