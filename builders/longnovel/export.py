"""Rows into Parquet: a config for each scale, its two languages as views of the same files, prompts beside them.

A split lies in one set of files a language (`s/test-en-*.parquet`, `s/test-zh-*.parquet`): config `s` reads both, and
`s-en` and `s-zh` are entries of the card over the same files, so nothing is stored or downloaded twice. Prompts would
double every article; they are in `s-prompt`, for the test split alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from ..digest import content_digest, row_digest
from ..hub_folder import SplitFacts, parquet_files, write_split
from ..parts import DIGEST_COLUMN, Cell, to_arrow
from .labels import Label
from .pairing import NO_PAIR, pair_labels
from .prompt_texts import Prompts
from .records import LANGUAGES, Language, WindowKey
from .rows import Material, make_row, prompt_row
from .schema import PROMPT_SCHEMA, SCHEMA
from .splits import Split

PROMPT = "-prompt"
# Articles are long: so many rows at most are held at a time.
_BATCH = 8


@dataclass
class Exported:
    """What was written.

    Attributes:
        facts: of every (config, split), prompts included.
        views: of every (config-language, split): the same files once more.
        paths: where the files of a view are, as the card gives it.
        kept: (scale, split) -> its rows without their long columns, for statistics.
    """

    facts: dict[Cell, SplitFacts] = field(default_factory=dict)
    views: dict[Cell, SplitFacts] = field(default_factory=dict)
    paths: dict[Cell, str] = field(default_factory=dict)
    kept: dict[tuple[str, str], list[dict[str, Any]]] = field(default_factory=dict)


# Language -> its rows in order, and about how many bytes they have.
Parts: TypeAlias = dict[Language, tuple[Iterable[Mapping[str, Any]], int]]
_SHORT = tuple(
    name for name in SCHEMA.names if name not in ("question", "answer_text", "summary", "reference", "article")
)


def write_subset(
    folder: Path, scale: str, split: Split, labels: Sequence[Label], material: Material, out: Exported
) -> None:
    """Write the rows of one split of a scale: by language, and there by window and id.

    Args:
        folder: of the data set.
        scale: the config.
        split: which.
        labels: the chosen ones; a language without any has no files.
        material: what rows are made from.
        out: is told what was written.
    """
    pairs = pair_labels(labels)
    parts: Parts = {}
    for language in LANGUAGES:
        chosen = sorted((one for one in labels if one.language == language), key=lambda one: (one.key, one.id))
        if chosen:
            rows = (make_row(label, pairs.get(label.id, NO_PAIR), material) for label in chosen)
            parts[language] = rows, _bytes(chosen, material)
    write_parts(folder, scale, split, parts, material.prompts, out)


def write_parts(
    folder: Path, scale: str, split: Split, parts: Parts, prompts: Mapping[Language, Prompts], out: Exported
) -> None:
    """Write the rows of one split of a scale, a set of files for each language, and the prompts of a test split.

    Args:
        folder: of the data set.
        scale: the config.
        split: which.
        parts: language -> its rows in order, and about how many bytes they have.
        prompts: of each language.
        out: is told what was written.
    """
    written: dict[Language, SplitFacts] = {}
    for language, (rows, size) in parts.items():
        kept = out.kept.setdefault((scale, split), [])
        tables = _tables(_noted(rows, kept), SCHEMA)
        written[language] = write_split(folder, (scale, f"{split}-{language}"), tables, size)
    if written:
        enter_split(scale, split, written, out)
        if split == "test":
            write_prompts(folder, scale, prompts, out)


def enter_split(scale: str, split: Split, written: Mapping[Language, SplitFacts], out: Exported) -> None:
    """Enter a split of a scale whose files are written, a set for each language: as a whole, and as views.

    Args:
        scale: the config.
        split: which.
        written: facts of each language's files, in the order of their names.
        out: is told of them.
    """
    for language, facts in written.items():
        out.views[f"{scale}-{language}", split] = facts
        out.paths[f"{scale}-{language}", split] = f"{scale}/{split}-{language}-*.parquet"
    out.facts[scale, split] = _joined(tuple(written.values()))


def write_prompts(folder: Path, scale: str, prompts: Mapping[Language, Prompts], out: Exported) -> None:
    """Write the ready prompts of a scale's test split, read back from its files so that nothing is counted twice.

    Args:
        folder: of the data set.
        scale: the config.
        prompts: of each language.
        out: where the test split was entered; is told what was written.
    """
    main, cell = (scale, "test"), (scale + PROMPT, "test")
    made = (prompt_row(row, prompts[row["language"]]) for row in read_rows(parquet_files(folder, main)))
    out.facts[cell] = write_split(folder, cell, _tables(made, PROMPT_SCHEMA), out.facts[main].num_bytes)


def view_entries(folder: Path, out: Exported) -> dict[str, dict[str, Any]]:
    """Return the `views` of a `build.json`: config -> split -> rows, digest, path and files."""
    entries: dict[str, dict[str, Any]] = {}
    for (config, split), fact in out.views.items():
        scale, _, language = config.rpartition("-")
        found = parquet_files(folder, (scale, f"{split}-{language}"))
        entries.setdefault(config, {})[split] = {
            "rows": fact.rows,
            "digest": fact.digest,
            "path": out.paths[config, split],
            "files": [path.relative_to(folder).as_posix() for path in found],
        }
    return entries


def _noted(rows: Iterable[Mapping[str, Any]], kept: list[dict[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for row in rows:
        kept.append({name: row[name] for name in _SHORT})
        yield row


def read_rows(files: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """Yield the rows of Parquet files in order, a few in memory at a time."""
    import pyarrow.parquet as pq

    for path in files:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=_BATCH):
                yield from batch.to_pylist()


def read_short(folder: Path, cell: Cell) -> list[dict[str, Any]]:
    """Return the rows of a split without their long columns, for statistics."""
    import pyarrow.parquet as pq

    rows: list[dict[str, Any]] = []
    for path in parquet_files(folder, cell):
        with pq.ParquetFile(path) as file:
            rows += file.read(columns=list(_SHORT)).to_pylist()
    return rows


def _tables(rows: Iterable[Mapping[str, Any]], schema: Any) -> Iterator[Any]:
    import pyarrow as pa

    whole = schema.append(pa.field(DIGEST_COLUMN, pa.string()))
    for row in rows:
        columns = [to_arrow([row[one.name]], one.type) for one in schema]
        yield pa.Table.from_arrays([*columns, to_arrow([row_digest(row)], pa.string())], schema=whole)


def write_rows(folder: Path, cell: Cell, rows: Sequence[Mapping[str, Any]], schema: Any) -> SplitFacts:
    """Write ready rows as the files of one cell."""
    raw = sum(len(value.encode()) for row in rows for value in row.values() if isinstance(value, str))
    return write_split(folder, cell, _tables(rows, schema), raw)


def _bytes(labels: Sequence[Label], material: Material) -> int:
    sizes: dict[WindowKey, int] = {}
    for label in labels:
        if label.key not in sizes:
            sizes[label.key] = len(material.article(label.key).encode())
    return sum(sizes[label.key] + 8 * len(label.summary) + 10_000 for label in labels)


def _joined(parts: Sequence[SplitFacts]) -> SplitFacts:
    digests = tuple(digest for facts in parts for digest in facts.row_digests)
    return SplitFacts(
        len(digests),
        content_digest(digests),
        sum(facts.num_bytes for facts in parts),
        sum(facts.download_size for facts in parts),
        tuple(count for facts in parts for count in facts.n_tokens),
        digests,
    )
