"""Small data of the benchmarks but for PredicateLongBench, in which every case of `COMMON` comes up."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from lengthwise.builders.longnovel.schema import SCHEMA


def novels(folder: Path, benchmark: str = "longnovel") -> Path:
    """Write 28 rows at two lengths, the half of each hallucinated; the articles are a sentence."""
    cells = {scale: [_novel(scale, number) for number in range(14)] for scale in ("s", "m")}
    configs = {}
    for scale, rows in cells.items():
        (folder / scale).mkdir(parents=True)
        pq.write_table(pa.Table.from_pylist(rows, SCHEMA), folder / scale / "test-00000-of-00001.parquet")
        configs[scale] = {"test": {"rows": len(rows), "digest": f"of {benchmark} {scale}"}}
    build = {"benchmark": benchmark, "version": "1", "configs": configs, "digest": "of all"}
    (folder / "build.json").write_text(json.dumps(build))
    return folder


def _novel(scale: str, number: int) -> dict[str, object]:
    false = number % 2
    reply = {"reason": "Numerical Hallucination: nine sons", "score": 1, "hallucination_types": ["Numerical"]}
    empty: dict[str, object] = {
        field.name: [] if pa.types.is_list(field.type) else 0 if pa.types.is_integer(field.type) else ""
        for field in SCHEMA
    }
    return empty | {
        "id": f"{scale}-{number:02d}",
        "language": "en",
        "scale": scale,
        "book": f"book{number // 4}",
        "pair_id": f"{scale}-{number // 2}",
        "hallucinated": false,
        "types": ["numerical"] * false,
        "injections": [
            {"type": "numerical", "subtype": "T1", "hallucinated": "He had nine sons.", "original": "He had three."}
        ]
        * false,
        "compressed": False,
        "n_tokens": 500,
        "tokenizer": "qwen3",
        "question": "Is the summary borne out by the text? Reply with a score.",
        "answer_text": json.dumps(reply if false else {"reason": "", "score": 5}),
        "summary": "He had nine sons." if false else "He had three sons.",
        "article": f"Chapter {scale}{number}. Ann met the captain in Rome. He had three sons.",
    }


def story_world(folder: Path) -> Path:
    """Write the same rows under the name of the generated novels."""
    return novels(folder, "longnovel-storyworld")


def instances(folder: Path) -> Path:
    """Build parity alone and arithmetic with its instances, of 2 and 5 instances with 5 seeds each."""
    from lengthwise.builders.multi_instance.build import build_multi_instance
    from lengthwise.builders.multi_instance.settings import InstanceSettings

    settings = InstanceSettings(sizes=(2, 5), seeds=(1, 2, 3, 4, 5, 6, 7))
    build_multi_instance(folder, ("parity", "arithmetic-instances"), settings=settings)
    return folder


DATA: Mapping[str, Callable[[Path], Path]] = {
    "longnovel": novels,
    "longnovel-storyworld": story_world,
    "multi-instance": instances,
}
