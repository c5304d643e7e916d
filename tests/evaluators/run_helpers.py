"""Small data sets in the form that the builder writes, and the command line in a process of its own."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from lengthwise.builders.predicate.schema import SCHEMA

# What the fixture `lengthwise` gives: the command line, run in a process of its own.
Command = Callable[..., "subprocess.CompletedProcess[str]"]


def make_row(config: str, split: str, index: int, n_tokens: int = 100, words: str = "x a b c y z") -> dict[str, Any]:
    """Return one row whose answer is `a b c`; its prompt holds its id in brackets."""
    row_id = f"{config}-{split}-s0-{index:04d}"
    question = f"[{row_id}] Words in strict alphabetical order: Find such a run of exactly 3 consecutive words."
    values = {
        "id": row_id,
        "list_id": f"{config.split('-')[0]}-{split}-s0-{index:04d}",
        "axis": "computation",
        "quantifier": "exists",
        "source": "synthetic",
        "k": 3,
        "answer": ["a", "b", "c"],
        "answers": [["a", "b", "c"]],
        "answer_text": "a b c",
        "predicates": [{"kind": "lex", "text": "sorted", "position": -1, "parameters": "{}"}],
        "n_words": len(words.split()),
        "n_tokens": n_tokens,
        "tokenizer": "qwen",
        "target_start": 1,
        "decoys": [],
        "list_starts": [0],
        "document_id": None,
        "seed": 0,
        "question": question,
        "list_span": [len("Words: "), len("Words: ") + len(words)],
        "prompt": f"Words: {words}\n\n{question}",
    }
    assert list(values) == SCHEMA.names
    return values


def write_data(
    folder: Path, cells: Mapping[str, int], n_tokens: Mapping[str, int] | None = None, words: str = "x a b c y z"
) -> Path:
    """Write a data folder; `cells` maps `config/split` to rows, `n_tokens` to the tokens they tell of."""
    configs: dict[str, dict[str, Any]] = {}
    for cell, count in cells.items():
        config, split = cell.split("/")
        rows = [make_row(config, split, index, (n_tokens or {}).get(cell, 100), words) for index in range(count)]
        (folder / config).mkdir(parents=True, exist_ok=True)
        table = pa.Table.from_pylist(rows, SCHEMA)
        pq.write_table(table, folder / config / f"{split}-00000-of-00001.parquet", row_group_size=5)
        configs.setdefault(config, {})[split] = {"rows": count, "digest": f"digest of {cell} {count}"}
    build = {"benchmark": "predicatelongbench", "version": "1", "configs": configs, "digest": "all"}
    (folder / "build.json").write_text(json.dumps(build))
    return folder


# Where the tests run in the background of a shell, SIGINT is ignored, and children inherit that.
_HEED = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)"


def command_line(*arguments: object, prelude: str = "") -> list[str]:
    """Return the command that runs `lengthwise ARGUMENTS` in a process of its own, after `prelude` (Python)."""
    return [
        sys.executable,
        "-c",
        f"{_HEED}\n{prelude}\nimport lengthwise.cli as cli\ncli.main()",
        *map(str, arguments),
    ]
