"""`lengthwise validate` for LongNovel: every row proved again from its texts and its steps, without a model."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..checks import CellJob, CellReport, check_cell, check_folder
from ..hub_folder import parquet_files, read_build
from ..tokens import load_tokenizer
from .export import PROMPT, read_rows
from .folder_checks import check_counts, check_prompt, check_prompt_cell, check_views
from .own_prompts import FOLDER, own_prompts, prompts_of
from .prompt_texts import Prompts, prompts_digest
from .records import Language, Unit, WindowKey
from .row_checks import check_evidence, check_injections, check_label, check_language, check_pairs, row_key
from .rows import PUBLISHED, article_text
from .schema import SCHEMA
from .splits import books_in_two, shared_text
from .steps_files import UNITS_FILE, WINDOWS_FILE, read_units, read_windows
from .windows import length_range

# Where units meet, tokens may merge or part: so many at most for each place.
_SEAM = 3


def validate_longnovel(folder: Path, workers: int = 1, progress: bool = False) -> list[CellReport]:
    """Check a folder row by row; return a report for each (config, split), and a last one for the whole.

    Of each row the window is measured, the tokens are counted, score, class and types are worked out from its origin
    and injections, the injected sentences are found in the summary and their originals in the reference, the languages
    are looked at, and the reply must score as it says. Where the build's steps are beside the rows, the windows and
    their texts must be those of the steps. Of the whole: pairs, counts, views, and splits that share no book.

    Args:
        folder: a finished build.
        workers: processes.
        progress: show a bar on stderr.

    Raises:
        InputError: the folder holds no finished build, or its tokenizer is not to be had.
    """
    # Of a folder that was built again since, in this process.
    _windows.cache_clear()
    _units.cache_clear()
    reports = check_folder(folder, _check, workers, progress)
    reports[-1].problems.extend(_check_whole(folder, read_build(folder)))
    # A ready prompt is a row once more.
    reports[-1].rows = sum(report.rows for report in reports[:-1] if not report.cell[0].endswith(PROMPT))
    return reports


def _check(job: CellJob) -> CellReport:
    if job.cell[0].endswith(PROMPT):
        return check_prompt_cell(job, _prompts(job.folder))
    tokenizer = load_tokenizer(job.tokenizer)
    prompts = _prompts(job.folder)
    kept: list[dict[str, Any]] = []
    seen: set[str] = set()

    def check_row(row: Mapping[str, Any]) -> Iterator[str]:
        if row["id"] in seen:
            yield f"{row['id']}: the id is on two rows"
        seen.add(row["id"])
        if row["scale"] != job.cell[0]:
            yield f"{row['id']}: scale {row['scale']!r} in the config {job.cell[0]}"
            return
        window = row["scale"] if row["origin"] == PUBLISHED else row_key(row).id
        if not row["id"].startswith(f"{window}-{row['origin']}"):
            yield f"{row['id']}: the id is not that of its window and origin"
        yield from check_label(row)
        yield from check_injections(row)
        yield from check_evidence(row)
        yield from check_language(row)
        yield from check_prompt(row, tokenizer, prompts)
        yield from _check_window(job.folder, row, job.tokenizer)
        texts = {name: hashlib.sha256(row[name].encode()).hexdigest() for name in ("summary", "reference")}
        short = {name: row[name] for name in ("id", "pair_id", "pair_kind", "origin", "hallucinated")}
        kept.append({**short, **texts, "key": row_key(row)})

    report = check_cell(job.folder, job.cell, SCHEMA, job.claimed, check_row)
    report.problems.extend(check_pairs(kept))
    return report


def _prompts(folder: Path) -> Mapping[Language, Prompts] | None:
    """Return the prompts that the rows were made with, by language; None where they are not to be had."""
    own = own_prompts(folder)
    return prompts_of(folder) if read_build(folder)["prompt_template"] == prompts_digest(own) else None


def _check_window(folder: Path, row: Mapping[str, Any], tokenizer: str) -> Iterator[str]:
    name, key = row["id"], row_key(row)
    if row["origin"] == PUBLISHED:
        # Which units it has is not known; its length is.
        key = replace(key, unit_start=1, unit_end=1)
    if not 1 <= key.unit_start <= key.unit_end:
        yield f"{name}: units {key.unit_start} to {key.unit_end} are no window"
        return
    least, most = length_range(key.scale)
    tokens, slack = _count(tokenizer, row["article"]), _SEAM * (key.unit_end - key.unit_start)
    if not least - slack <= tokens <= most + slack:
        yield f"{name}: the article has {tokens:,} tokens, outside {least:,} to {most:,}"
    windows = _windows(folder)
    if windows is None or row["origin"] == PUBLISHED:
        return
    if key not in windows:
        yield f"{name}: {WINDOWS_FILE} has no such window"
        return
    units = _units(folder)
    window = [units.get((key.book, index)) for index in range(key.unit_start, key.unit_end + 1)]
    if any(one is None for one in window):
        yield f"{name}: {UNITS_FILE} lacks a unit of its window"
        return
    whole = [one for one in window if one is not None]
    if any(unit.gap for _, unit in whole[1:]):
        yield f"{name}: its window runs over a place where the source lacks chapters"
    if sum(n_tokens for n_tokens, _ in whole) != windows[key] or not least <= windows[key] <= most:
        yield f"{name}: its units have {sum(n for n, _ in whole):,} tokens, {WINDOWS_FILE} says {windows[key]:,}"
    if article_text([unit for _, unit in whole]) != row["article"]:
        yield f"{name}: the article is not the text of its units"


# Rows of one window follow each other.
@lru_cache(maxsize=1)
def _count(tokenizer: str, article: str) -> int:
    return load_tokenizer(tokenizer).count(article)


@lru_cache(maxsize=1)
def _windows(folder: Path) -> dict[WindowKey, int] | None:
    """Return the tokens of each window of the steps; None where a folder (from the Hub) has no steps."""
    if not (folder / WINDOWS_FILE).exists():
        return None
    return {window.key: window.n_tokens for window in read_windows(folder)}


@lru_cache(maxsize=1)
def _units(folder: Path) -> dict[tuple[str, int], tuple[int, Unit]]:
    return {(one.unit.book, one.unit.index): (one.n_tokens, one.unit) for one in read_units(folder)}


def _check_whole(folder: Path, build: Mapping[str, Any]) -> Iterator[str]:
    cells = [(scale, split) for scale, of in build["configs"].items() for split in of if not scale.endswith(PROMPT)]
    if _prompts(folder) is None:
        yield f"{_other_prompts(folder, build)}; numbers of tokens and ready prompts were not checked"
    books: set[tuple[str, str]] = set()
    kinds: set[bool] = set()
    subsets: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for cell in cells:
        rows = subsets.setdefault(cell, [])
        for row in read_rows(parquet_files(folder, cell)):
            rows.append({name: row[name] for name in ("language", "origin", "hallucinated", "types")})
            books.add((cell[1], row["book"]))
            kinds |= {origin.startswith("model") for origin in row["summary_origin"].split("+") if origin}
    yield from books_in_two(sorted(books))
    yield from shared_text(_articles(folder, cells))
    if len(kinds) > 1:
        yield "people's and models' own reference summaries stand in one table"
    yield from check_counts(build, subsets)
    yield from check_views(folder, build)


def _other_prompts(folder: Path, build: Mapping[str, Any]) -> str:
    own = build["plan"].get("own_prompts")
    if own and own_prompts(folder) is None:
        return (
            f"the rows were made with prompts of one's own ({', '.join(own)}), and the folder {FOLDER} that held them "
            "is not there: copy it back"
        )
    if own or own_prompts(folder) is not None:
        return f"the prompts in the folder {FOLDER} are others than those that the rows were made with: copy them back"
    return "the prompts are others than those of this version: validate with the version that build.json names"


def _articles(folder: Path, cells: list[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    seen: set[WindowKey] = set()
    for cell in cells:
        for row in read_rows(parquet_files(folder, cell)):
            key = row_key(row)
            if row["book"] == "" or key not in seen:
                seen.add(key)
                yield cell[1], row["book"], row["article"]
