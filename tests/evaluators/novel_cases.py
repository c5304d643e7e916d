"""Small LongNovel data folders: rows in both languages and of both classes; articles hold their ids in brackets."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from lengthwise.builders.longnovel.own_prompts import prompts_of
from lengthwise.builders.longnovel.records import Language
from lengthwise.builders.longnovel.rows import detection_prompt
from lengthwise.builders.longnovel.schema import SCHEMA
from lengthwise.builders.tokens import load_tokenizer

TEXTS: dict[Language, tuple[str, str, str, str]] = {
    "en": (
        "Ann met the captain in Rome. He had three sons. They sailed at dawn. ",
        "The captain had three sons.",
        "The captain had nine sons.",
        " ",
    ),
    "zh": ("安娜在罗马遇见船长。他有三个儿子。黎明时他们出海了。", "船长有三个儿子。", "船长有九个儿子。", ""),
}
FIRST: dict[Language, str] = {"en": "Ann met the captain in Rome.", "zh": "安娜在罗马遇见船长。"}


def novel_row(language: Language, number: int, false: bool, folder: Path, scale: str = "s") -> dict[str, Any]:
    """Return one row: a summary of two sentences, the second one changed where it is `false`."""
    text, right, wrong, space = TEXTS[language]
    row_id = f"{scale}-{language}-{number:04d}-{'erhg' if false else 'original'}"
    prompts = prompts_of(folder)[language]
    reply = {"reason": f"Numerical Hallucination: {wrong}", "score": 2, "hallucination_types": ["Numerical"]}
    row = {
        "id": row_id,
        "language": language,
        "scale": scale,
        "book": f"{language}{number // 2}",
        "unit_start": number,
        "unit_end": number,
        "origin": "erhg" if false else "original",
        "generator": "",
        "judges": [],
        "pair_id": f"{language}-{number}",
        "pair_kind": "erhg",
        "score": 2 if false else 5,
        "hallucinated": int(false),
        "types": ["numerical"] if false else [],
        "injections": [{"type": "numerical", "subtype": "T1", "hallucinated": wrong, "original": right}] * false,
        "evidence": [],
        "reason": "",
        "review": "",
        "compressed": False,
        "summary_origin": "human:us",
        "n_tokens": 0,
        "tokenizer": "qwen3",
        "question": prompts.detection(),
        "answer_text": json.dumps(reply if false else {"reason": "", "score": 5}),
        "summary": FIRST[language] + space + (wrong if false else right),
        "reference": FIRST[language] + space + right,
        "article": f"[{row_id}] " + text * 3,
    }
    row["n_tokens"] = load_tokenizer("qwen3").count(detection_prompt(row, prompts))
    assert list(row) == SCHEMA.names
    return row


def write_novels(
    folder: Path, pairs: int = 2, scale: str = "s", languages: Sequence[Language] = ("en", "zh"), split: str = "test"
) -> Path:
    """Write a data folder with so many pairs of each language; prompts that lie in it already are its own."""
    rows = [
        novel_row(language, number, false, folder, scale)
        for language in languages
        for number in range(pairs)
        for false in (False, True)
    ]
    (folder / scale).mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows, SCHEMA), folder / scale / f"{split}-en-00000-of-00001.parquet")
    configs = {scale: {split: {"rows": len(rows), "digest": f"digest of {scale} {len(rows)}"}}}
    build = {"benchmark": "longnovel", "version": "1", "configs": configs, "digest": "all", "tokenizer": "qwen3"}
    (folder / "build.json").write_text(json.dumps(build))
    return folder


def row_of(body: Mapping[str, Any]) -> str:
    """Return the id of the row that a chat request is about."""
    found = re.search(r"\[([a-z0-9]+-(?:en|zh)-\d{4}-[a-z]+)\]", body["messages"][-1]["content"])
    assert found is not None
    return found[1]
