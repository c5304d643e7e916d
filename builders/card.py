"""The front matter of a data set's card: what the Hub, its viewer and `datasets` read; and its section of figures.

Every config carries its content digest in its description. That is more than information: for a local folder
`datasets` keys its cache by the README, so a rebuilt folder with an unchanged README would give the old rows.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from lengthwise.errors import InputError

from .hub_folder import SplitFacts
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
) -> str:
    """Return the YAML block of a card, with `configs`, `dataset_info` and the size category.

    Args:
        facts: of every (config, split), in order.
        schema: pyarrow schema of the rows.
        descriptions: of every config.
        default: the config that opens first.
        extra: further keys: licence, language, tags, name.
    """
    configs = list(dict.fromkeys(config for config, _ in facts))
    configs.sort(key=lambda config: config != default)
    features = [feature(field.name, field.type) for field in schema]
    info, entries = [], []
    for config in configs:
        splits = [(split, fact) for (name, split), fact in facts.items() if name == config]
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
        files = [{"split": split, "path": f"{config}/{split}-*.parquet"} for split, _ in splits]
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
