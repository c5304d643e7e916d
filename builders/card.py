"""The front matter of a data set's card: what the Hub, its viewer and `datasets` read; and its section of figures.

Every config carries its content digest in its description. That is more than information: for a local folder
`datasets` keys its cache by the README, so a rebuilt folder with an unchanged README would give the old rows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from lengthwise.errors import InputError

from .digest import dataset_digest
from .hub_folder import SplitFacts, parquet_files
from .parts import Cell

_SIZE_CATEGORIES = (
    (1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"), (10_000_000, "1M<n<10M"),
)  # fmt: skip


# Between these lines of a card stands what was seen of the data: figures of runs, put there once there are some.
SEEN_BEGIN = "<!-- what was seen: begin; `lengthwise card` writes these lines -->"
SEEN_END = "<!-- what was seen: end -->"


def put_seen(card: str, body: str) -> str:
    r"""Return a card with `body` between the two marker lines, in the place of what stood there; nothing else changes.

    Args:
        card: the text of a README.md; where it has no marker lines, they are added at its end.
        body: Markdown without marker lines.

    Raises:
        InputError: the card has one of the lines alone, or one of them twice.

    >>> print(put_seen(f"# A\n\n{SEEN_BEGIN}\nold\n{SEEN_END}\n\nrest", "new"))
    # A
    <BLANKLINE>
    <!-- what was seen: begin; `lengthwise card` writes these lines -->
    new
    <!-- what was seen: end -->
    <BLANKLINE>
    rest
    """
    found = card.count(SEEN_BEGIN), card.count(SEEN_END)
    if found == (0, 0):
        return f"{card.rstrip()}\n\n{SEEN_BEGIN}\n{body}\n{SEEN_END}\n"
    before, _, rest = card.partition(SEEN_BEGIN)
    _, end, after = rest.partition(SEEN_END)
    if found != (1, 1) or not end:
        raise InputError(f"README.md: needs the line {SEEN_BEGIN!r} once and {SEEN_END!r} once behind it, or neither")
    return f"{before}{SEEN_BEGIN}\n{body}\n{SEEN_END}{after}"


# Key of a pyarrow field's metadata under which the names of its classes stand.
_CLASSES = b"lengthwise.classes"


def class_label(name: str, classes: Sequence[str]) -> Any:
    """Return a pyarrow field of class numbers, which `datasets` reads as a `ClassLabel` by the card.

    Args:
        name: of the column.
        classes: names, that of number 0 first; none holds a comma.
    """
    import pyarrow as pa

    return pa.field(name, pa.int64(), metadata={_CLASSES: ",".join(classes).encode()})


def column_feature(field: Any) -> dict[str, Any]:
    """Return the card's entry for one column of a schema, class labels with their names."""
    classes = (field.metadata or {}).get(_CLASSES)
    if classes is None:
        return feature(field.name, field.type)
    names = {str(number): name for number, name in enumerate(classes.decode().split(","))}
    return {"name": field.name, "dtype": {"class_label": {"names": names}}}


@dataclass(frozen=True)
class Contents:
    """What every card tells of a folder's contents.

    Attributes:
        configs: in order.
        default: the config that opens first.
        first_split: of it.
        example_answer: `answer_text` of its first row.
        digests: content digest of each config.
        load_name: what `load_dataset` is called with, as far as that is known.
    """

    configs: tuple[str, ...]
    default: str
    first_split: str
    example_answer: str
    digests: Mapping[str, str]
    load_name: str

    def descriptions(self, title: Callable[[str], str]) -> dict[str, str]:
        """Return a description of every config, with its digest; `title` names a config."""
        return {config: f"{title(config)} (content digest {self.digests[config]})" for config in self.configs}


def contents(folder: Path, facts: Mapping[Cell, SplitFacts], default: str) -> Contents:
    """Look into a folder whose Parquet files are written.

    Args:
        folder: of the data set.
        facts: of every (config, split), in order.
        default: the config to open first, if it is among them.
    """
    import pyarrow.parquet as pq

    configs = tuple(dict.fromkeys(config for config, _ in facts))
    first = default if default in configs else configs[0]
    split = next(split for config, split in facts if config == first)
    example = pq.ParquetFile(parquet_files(folder, (first, split))[0]).read_row_group(0, ["answer_text"])
    digests = {
        config: dataset_digest({cell: fact.digest for cell, fact in facts.items() if cell[0] == config})
        for config in configs
    }
    name = folder.name if folder.name not in ("", ".", "..") else "DIR"
    return Contents(configs, first, split, str(example["answer_text"][0].as_py()), digests, name)


def feature(name: str, kind: Any) -> dict[str, Any]:
    """Return the card's entry for one column of a pyarrow type: strings, integers, lists and structs of them."""
    import pyarrow as pa

    if pa.types.is_struct(kind):
        return {"name": name, "struct": [feature(field.name, field.type) for field in kind]}
    if pa.types.is_list(kind):
        inner = feature(name, kind.value_type)
        inner.pop("name")
        return {"name": name, "list": inner["dtype"] if "dtype" in inner else inner.get("struct", inner)}
    return {"name": name, "dtype": str(kind)}


def size_category(rows: int) -> str:
    """Return the Hub's word for a number of rows.

    >>> size_category(6_300)
    '1K<n<10K'
    """
    return next((name for most, name in _SIZE_CATEGORIES if rows < most), "n>10M")


def front_matter(
    facts: Mapping[Cell, SplitFacts],
    schema: Any,
    descriptions: Mapping[str, str],
    default: str,
    extra: Mapping[str, Any],
    views: Mapping[Cell, SplitFacts] | None = None,
    paths: Mapping[Cell, str] | None = None,
) -> str:
    """Return the YAML block of a card, with `configs`, `dataset_info` and the size category.

    Args:
        facts: of every (config, split), in order.
        schema: pyarrow schema of the rows; a mapping from each config to its own where they differ.
        descriptions: of every config.
        default: the config that opens first.
        extra: further keys: licence, language, tags, name.
        views: facts of cells that show some of the same files once more; they add nothing to the size.
        paths: where a cell's files are, if not at `config/split-*.parquet`.
    """
    shown = {**facts, **(views or {})}
    configs = list(dict.fromkeys(config for config, _ in shown))
    configs.sort(key=lambda config: config != default)
    info, entries = [], []
    for config in configs:
        splits = [(split, fact) for (name, split), fact in shown.items() if name == config]
        columns = schema[config] if isinstance(schema, Mapping) else schema
        features = [column_feature(field) for field in columns]
        info.append(
            {
                "config_name": config,
                "features": features,
                "splits": [
                    {"name": split, "num_bytes": fact.num_bytes, "num_examples": fact.rows} for split, fact in splits
                ],
                "download_size": sum(fact.download_size for _, fact in splits),
                "dataset_size": sum(fact.num_bytes for _, fact in splits),
            }
        )
        files = [
            {"split": split, "path": (paths or {}).get((config, split), f"{config}/{split}-*.parquet")}
            for split, _ in splits
        ]
        entry: dict[str, Any] = {"config_name": config, "description": descriptions[config], "data_files": files}
        entries.append({**entry, "default": True} if config == default else entry)
    block = {
        **extra,
        "size_categories": [size_category(sum(fact.rows for fact in facts.values()))],
        "configs": entries,
        "dataset_info": info,
    }
    # Without aliases: the same feature list stands under every config, and some readers do not resolve them.
    dumper = type("Plain", (yaml.SafeDumper,), {"ignore_aliases": lambda self, data: True})
    text = yaml.dump(block, Dumper=dumper, sort_keys=False, allow_unicode=True, width=110)
    return f"---\n{text}---\n"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    r"""Return a Markdown table; a cell's pipes are escaped.

    >>> print(table(["a", "b"], [[1, "x|y"]]))
    | a | b |
    | --- | --- |
    | 1 | x\|y |
    """
    lines = [list(head), ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def histogram(values: Sequence[int], bars: int = 8) -> list[tuple[str, int]]:
    """Return (range, count) for up to `bars` equal ranges between the least and the greatest value.

    >>> histogram([1, 2, 3, 10], bars=3)
    [('1-4', 3), ('5-8', 0), ('9-12', 1)]
    """
    low, high = min(values), max(values)
    width = max(1, -(-(high - low + 1) // bars))
    counts = [0] * (-(-(high - low + 1) // width))
    for value in values:
        counts[(value - low) // width] += 1
    return [
        (f"{low + number * width:,}-{low + (number + 1) * width - 1:,}" if width > 1 else f"{low + number:,}", count)
        for number, count in enumerate(counts)
    ]
