"""The authors' own data (Hub `SII-BDML/LongNovel`), brought into our rows.

Its records hold `id`, `language`, `article`, `summary` and the gold reply as `output`; of books, windows, origins and
pairs they say nothing, so those columns are empty (origin "published"). The split is told by a file's name, the scale
by the article's length.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lengthwise.errors import InputError
from lengthwise.metrics.consistency_answers import parse_consistency_score
from lengthwise.metrics.hallucinations import read_points
from lengthwise.metrics.parsed import Unparsed

from ..hub_files import HubCopy, fetch, file_rows, origin
from ..tokens import load_tokenizer
from .assembly import NovelBuild
from .card import finish_folder
from .export import PROMPT, Exported, Parts, write_parts
from .labels import canonical_types, is_hallucinated, reply_text
from .prompt_texts import Prompts, load_prompts, prompts_digest
from .records import LANGUAGES, PAPER_SCALES, Language
from .rows import PUBLISHED
from .settings import BENCHMARK, VERSION, NovelSettings
from .splits import SPLITS, Split
from .statistics_tables import token_lengths
from .windows import length_range

SOURCE = "SII-BDML/LongNovel"
_FILES = ("*.jsonl", "*.json", "*.parquet")
_NAMES: Mapping[str, Split] = {"train": "train", "valid": "validation", "dev": "validation", "test": "test"}


@dataclass(frozen=True)
class Published:
    """A record that was understood.

    Attributes:
        name: its id, unique in its split.
        language: of it.
        article: the text.
        summary: of the text.
        score: of the gold reply.
        reason: of the gold reply.
        types: canonical names.
    """

    name: str
    language: Language
    article: str
    summary: str
    score: int
    reason: str
    types: tuple[str, ...]


def read_record(record: Mapping[str, Any], place: str) -> Published:
    """Return what a record of the authors' data holds.

    Args:
        record: with `id`, `language`, `article`, `summary` and `output`, the gold reply as JSON text or an object.
        place: of it, for an error.

    Raises:
        InputError: a field is missing, or the reply has no score.
    """
    missing = [name for name in ("language", "article", "summary", "output") if not record.get(name)]
    if missing:
        raise InputError(f"{place}: nothing in {', '.join(missing)}; is this the authors' format?")
    language = next((one for one in LANGUAGES if one == record["language"]), None)
    if language is None:
        raise InputError(f"{place}: language {record['language']!r} is none of {', '.join(LANGUAGES)}")
    output = record["output"] if isinstance(record["output"], str) else json.dumps(record["output"])
    read = parse_consistency_score(output)
    if isinstance(read, Unparsed):
        raise InputError(f"{place}: the gold reply has no score: {output[:80]}")
    types: tuple[str, ...] = ()
    if is_hallucinated(read.value):
        types = canonical_types(point.type.value for point in read_points(output))
    return Published(
        str(record.get("id") or place),
        language,
        record["article"],
        record["summary"],
        read.value,
        _reason(output),
        types,
    )


def _reason(output: str) -> str:
    try:
        said = json.loads(output)
    except ValueError:
        return output
    return str(said.get("reason", "")) if isinstance(said, dict) else output


def scale_of(n_tokens: int) -> str | None:
    """Return the paper's scale in whose range a text's length is, None for none.

    >>> scale_of(15_000), scale_of(104_000), scale_of(50_000)
    ('s', 'xl', None)
    """
    for scale in PAPER_SCALES:
        least, most = length_range(scale)
        if least <= n_tokens <= most:
            return scale
    return None


def split_of(file: str) -> Split | None:
    """Return the split that a file's name tells, None where it tells none.

    >>> split_of("data/test_zh_16k.jsonl"), split_of("README.json")
    ('test', None)
    """
    found = {split for word, split in _NAMES.items() if word in file.lower()}
    return found.pop() if len(found) == 1 else None


def published_row(record: Published, scale: str, prompts: Prompts, tokenizer: str) -> dict[str, Any]:
    """Return a record as a row of ours: all columns of the schema, empty where the authors' data say nothing."""
    question, count = prompts.detection(), load_tokenizer(tokenizer)
    return {
        "id": f"{scale}-{PUBLISHED}-{record.name}",
        "language": record.language,
        "scale": scale,
        "book": "",
        "unit_start": 0,
        "unit_end": 0,
        "origin": PUBLISHED,
        "generator": "",
        "judges": [],
        "pair_id": "",
        "pair_kind": "",
        "score": record.score,
        "hallucinated": int(is_hallucinated(record.score)),
        "types": list(record.types),
        "injections": [],
        "evidence": [],
        "reason": record.reason,
        "review": "",
        "compressed": False,
        "summary_origin": "",
        "n_tokens": count.count(prompts.detection_prompt(question, record.article, record.summary)),
        "tokenizer": count.name,
        "question": question,
        "answer_text": reply_text(record.language, record.score, record.reason, record.types),
        "summary": record.summary,
        "reference": "",
        "article": record.article,
    }


def import_published(out: Path, source: str = SOURCE, settings: NovelSettings | None = None) -> NovelBuild:
    """Bring the authors' data into a folder of our form, which `validate` and `run` take like a build.

    Args:
        out: folder; new or empty.
        source: Hub id, or a folder that holds its files.
        settings: scales that are kept, and the tokenizer.

    Raises:
        InputError: the data cannot be had, a record is not in the authors' format, or `out` holds something.
    """
    settings = settings or NovelSettings()
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"out {str(out)!r} is not an empty folder: choose another")
    where, records = _read(source)
    cells: dict[tuple[str, Split], dict[Language, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    left = 0
    count = load_tokenizer(settings.tokenizer).count
    for split, record in records:
        scale = scale_of(count(record.article))
        if scale not in settings.scales or scale is None:
            left += 1
            continue
        prompts = load_prompts(record.language)
        cells[scale, split][record.language].append(published_row(record, scale, prompts, settings.tokenizer))
    if not cells:
        raise InputError(f"{source}: it holds no text of {', '.join(settings.scales)}")
    exported = Exported()
    both = {language: load_prompts(language) for language in LANGUAGES}
    for scale in settings.scales:
        for split in SPLITS:
            rows = cells.get((scale, split), {})
            parts: Parts = {one: (rows[one], _size(rows[one])) for one in LANGUAGES if rows.get(one)}
            write_parts(out, scale, split, parts, both, exported)
    missing = [f"records of no length that was asked for, left out: {left:,}"] if left else []
    plan = _plan(where, settings, exported, missing)
    texts = {
        s: [row["article"] for rows in by.values() for row in rows] for (s, t), by in cells.items() if t == "test"
    }
    digest = finish_folder(out, settings, plan, exported, token_lengths(texts, {settings.tokenizer: count}))
    facts = {cell: fact for cell, fact in exported.facts.items() if not cell[0].endswith(PROMPT)}
    return NovelBuild(out, digest=digest, splits=facts, missing=tuple(missing), closed=(where,))


def _size(rows: Sequence[Mapping[str, Any]]) -> int:
    return sum(len(row["article"].encode()) + 10_000 for row in rows)


def _read(source: str) -> tuple[str, Iterator[tuple[Split, Published]]]:
    if Path(source).is_dir():
        copy, folder, where = HubCopy(source, _FILES), Path(source), Path(source).resolve().name
    else:
        copy, folder = fetch(f"source {source}", [HubCopy(source, _FILES)], "Give the folder of a copy instead")
        where = origin(copy, folder)

    def records() -> Iterator[tuple[Split, Published]]:
        seen: dict[tuple[Split, str], int] = defaultdict(int)
        for path in sorted(path for path in folder.rglob("*") if path.suffix in (".jsonl", ".json", ".parquet")):
            name = path.relative_to(folder).as_posix()
            split = split_of(name)
            if split is None:
                continue
            for number, record in enumerate(_rows(path), 1):
                found = read_record(record, f"{name} row {number}")
                seen[split, found.name] += 1
                times = seen[split, found.name]
                yield split, found if times == 1 else replace(found, name=f"{found.name}-{times}")

    return where, records()


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    if path.suffix == ".json":
        content = json.loads(path.read_text("utf-8"))
        yield from content if isinstance(content, list) else content.get("data", [])
        return
    yield from file_rows(path.parent, HubCopy(str(path), (path.name,)))


def _plan(where: str, settings: NovelSettings, exported: Exported, missing: Sequence[str]) -> dict[str, Any]:
    languages = {row["language"] for rows in exported.kept.values() for row in rows}
    source = {
        "name": where,
        "kind": PUBLISHED,
        "licence": "unknown",
        "redistributable": False,
        "books": 0,
        "units": 0,
        "languages": [one for one in LANGUAGES if one in languages],
        "summary_origins": [],
        "damage": [],
    }
    return {
        "benchmark": BENCHMARK,
        "version": VERSION,
        "settings": {"scales": list(settings.scales), "tokenizer": settings.tokenizer, "requests": []},
        "prompt_template": prompts_digest(),
        "sources": [source],
        "splits": {},
        "missing": list(missing),
        "refused": [],
    }
