"""The content digest: what makes two builds the same, whatever library wrote the files.

A row's digest is the SHA-256 of its canonical JSON (all columns, keys sorted, no spaces, UTF-8). The digest of a split
is the SHA-256 over its rows' digests in order, one hexadecimal line each; that of a data set, over one line
`config/split digest` for each split, sorted.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any


def row_digest(row: Mapping[str, Any]) -> str:
    """Return the SHA-256 (hex) of one row.

    >>> row_digest({"b": [1], "a": "é"}) == row_digest({"a": "é", "b": [1]})
    True
    """
    text = json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def content_digest(digests: Iterable[str]) -> str:
    """Return the digest (hex) of a split from those of its rows, in order."""
    total = hashlib.sha256()
    for digest in digests:
        total.update(f"{digest}\n".encode())
    return total.hexdigest()


def dataset_digest(splits: Mapping[tuple[str, str], str]) -> str:
    """Return the digest (hex) of a data set from those of its (config, split) pairs."""
    return content_digest(f"{config}/{split} {digest}" for (config, split), digest in sorted(splits.items()))
