"""Novels of nine blocks that tell their place in the story, and a server that embeds texts by that place."""

import json
import math
import re
import struct
from base64 import b64encode
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from faulty_server import FaultyServer, Step, completion
from novel_cases import novel_row

from lengthwise.builders.longnovel.prompt_texts import load_prompts
from lengthwise.builders.longnovel.records import Language
from lengthwise.builders.longnovel.rows import detection_prompt
from lengthwise.builders.longnovel.schema import SCHEMA
from lengthwise.builders.tokens import load_tokenizer

N_BLOCKS = 9
# Of which part of the story each segment of a summary tells; see the windows below.
TOLD = (0, 4, 5, 1)
# By hand. R = floor(9 / 3) - 1 = 2, and the five parts nearest to 4, 5 and 1 are 2-6, 3-7 and 0-4. Segment 0: anchor
# 0. Segment 1: neither 1 nor 0 is among 2-6, the smallest is 2. Segment 2: 3 is among 3-7, as 2 + 1. Segment 3: of 0-4
# those that do not go back are 3 and 4, and 4 is 3 + 1; as the last one it goes on to the end.
ANCHORS = (0, 2, 3, 4)
WINDOWS = ((0, 2), (0, 4), (1, 5), (2, 8))


def block(language: Language, part: int) -> str:
    """Return a block that no further sentence of the same kind fits into."""
    if language == "zh":
        # 175 sentences of 20 characters are 3,500.
        return "".join(f"第{part}部之{number:03d}日，雨下个不停，人人都愁。" for number in range(175))
    # 70 sentences of 49 and the spaces between them are 3,499.
    return " ".join(f"Of part {part} is told on day {number:03d} that rain fell long." for number in range(70))


def segments(language: Language) -> list[str]:
    """Return the segments of a summary: no two fit into 75 characters."""
    if language == "zh":
        return [f"第{part}部说的是某一座城里的故事，城中的人们一天到晚只是盼着雨停下来，好出门去。" for part in TOLD]
    return [f"Of part {part} it is said that the rain fell on the town all year." for part in TOLD]


def row(language: Language, number: int, false: bool) -> dict[str, Any]:
    """Return a row; the two of one number share their article."""
    made = novel_row(language, number, false, Path("/nowhere"))
    space, length = (" ", 49) if language == "en" else ("", 20)
    # The server finds the row by what is in brackets; it takes the place of the first sentence.
    named = f"Case [{language}{number}] of part 0" if language == "en" else f"案[{language}{number}]第0部"
    named = named.ljust(length - 1, "x") + ("." if language == "en" else "。")
    blocks = [block(language, part) for part in range(N_BLOCKS)]
    made["article"] = named + space.join(blocks)[length:]
    told = segments(language)
    last = told[3].replace("rain", "snow").replace("雨", "雪") if false else told[3]
    made["summary"] = space.join([*told[:3], last])
    made["n_tokens"] = load_tokenizer("qwen3").count(detection_prompt(made, load_prompts(language)))
    return made


def write_rows(folder: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """Write a data folder of one cell, `s/test`."""
    (folder / "s").mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(list(rows), SCHEMA), folder / "s/test-00000-of-00001.parquet")
    configs = {"s": {"test": {"rows": len(rows), "digest": f"digest {len(rows)}"}}}
    (folder / "build.json").write_text(json.dumps({"benchmark": "longnovel", "configs": configs, "digest": "all"}))
    return folder


def vector(text: str) -> list[float]:
    """Return the place of a text as a direction: the further apart two parts are, the less alike."""
    part = int(re.findall(r"(?:part |第)(\d)", text)[0])
    return [math.cos(part / 6), math.sin(part / 6)]


class RagServer(FaultyServer):
    """The server, with embeddings.

    Attributes:
        embedded: the texts of each request for embeddings.
        embed_steps: steps for these, used up from the front.
        vectors: makes the body of an answer for texts.
        scores: what it says of a segment, by (the segment, "local" or "whole"); 5 else. A text is said as it is.
    """

    def __init__(self) -> None:
        super().__init__()
        self.embedded: list[list[str]] = []
        self.embed_steps: list[Step] = []
        self.vectors: Callable[[Sequence[str]], dict[str, Any]] = embeddings
        self.scores: dict[tuple[str, str], int | str] = {}
        self.models = None
        self.default = self.answer

    def take(self, body: dict[str, Any], headers: dict[str, str], path: str) -> tuple[str, Step]:
        if "input" not in body:
            return super().take(body, headers, path)
        with self._lock:
            self._under_way += 1
            self.embedded.append(body["input"])
            return "embed", self.embed_steps.pop(0) if self.embed_steps else Step(body=self.vectors(body["input"]))

    def answer(self, body: dict[str, Any]) -> Step:
        return Step(body=completion(self.said(body["messages"][-1]["content"])))

    def said(self, prompt: str) -> str:
        score = self.scores.get(asked_about(prompt), 5)
        return score if isinstance(score, str) else verdict(score)


def verdict(score: int) -> str:
    """Return a reply in the form asked for."""
    if score > 2:
        return json.dumps({"score": score, "reason": "fine"})
    return json.dumps({"reason": f"Event Hallucination: {score}", "score": score, "hallucination_types": ["Event"]})


def asked_about(prompt: str) -> tuple[str, str]:
    """Return the segment that a prompt is about, and whether by an excerpt ("local") or the "whole" text."""
    tasks = [load_prompts(language).detection(excerpt=True) for language in ("en", "zh")]
    return prompt.rstrip().splitlines()[-1], "local" if any(map(prompt.startswith, tasks)) else "whole"


def embeddings(texts: Sequence[str], base64: bool = False) -> dict[str, Any]:
    """Return the body of a good answer, its entries in an order of its own."""
    vectors = [vector(text) for text in texts]
    sent: list[Any] = [b64encode(struct.pack("<2f", *one)).decode() for one in vectors] if base64 else vectors
    data = [{"object": "embedding", "index": place, "embedding": one} for place, one in enumerate(sent)]
    return {"object": "list", "data": data[::-1], "model": "fake-m3", "usage": {"prompt_tokens": 7 * len(texts)}}
