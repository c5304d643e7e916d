"""`lengthwise validate` for generated novels: every row proved from the world that it was told of, without a model."""

import hashlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from lengthwise.errors import InputError

from ...checks import CellJob, CellReport, check_cell, check_folder
from ...hub_folder import read_build
from ...tokens import load_tokenizer
from ..export import PROMPT, read_short
from ..folder_checks import check_counts, check_prompt, check_prompt_cell, check_views
from ..prompt_texts import Prompts, load_prompts, prompts_digest
from ..records import LANGUAGES, Language
from ..row_checks import check_evidence, check_injections, check_label, check_language, check_pairs, row_key
from ..schema import SCHEMA
from ..splits import books_in_two
from .books import read_book
from .plan import read_settings, story_tasks
from .proof import prove
from .story import Story, make_story
from .truth import Facts
from .wording import wording_digest


def validate_storyworld(folder: Path, workers: int = 1, progress: bool = False) -> list[CellReport]:
    """Check a folder row by row; return a report for each (config, split), and a last one for the whole.

    The world of each row is made and told again from the row's `book`. Of each row, article, summary and reference
    must be what is told, every sentence but the injected ones must follow from the ledger and these must not, the
    evidence must be enough, score, class, types and reply must be those of the changes, the languages are looked at,
    and tokens are counted again. Of the whole: pairs, counts, views, and that all novels are there.

    Args:
        folder: a finished build.
        workers: processes.
        progress: show a bar on stderr.

    Raises:
        InputError: the folder holds no finished build, or its tokenizer is not to be had.
    """
    _world.cache_clear()
    reports = check_folder(folder, _check, workers, progress)
    reports[-1].problems.extend(_check_whole(folder, read_build(folder)))
    # A ready prompt is a row once more.
    reports[-1].rows = sum(report.rows for report in reports[:-1] if not report.cell[0].endswith(PROMPT))
    return reports


def _check(job: CellJob) -> CellReport:
    if job.cell[0].endswith(PROMPT):
        return check_prompt_cell(job, _prompts())
    tokenizer = load_tokenizer(job.tokenizer)
    told_alike = not _other_wording(read_build(job.folder))
    kept: list[dict[str, Any]] = []
    seen: set[str] = set()

    def check_row(row: Mapping[str, Any]) -> Iterator[str]:
        key = row_key(row)
        if row["id"] in seen or row["id"] != f"{key.id}-{row['origin']}":
            yield f"{row['id']}: the id is on two rows, or not that of its window and origin"
        seen.add(row["id"])
        yield from check_label(row)
        yield from check_language(row)
        yield from check_prompt(row, tokenizer, _prompts())
        texts = {name: hashlib.sha256(row[name].encode()).hexdigest() for name in ("summary", "reference")}
        short = {name: row[name] for name in ("id", "pair_id", "pair_kind", "origin", "hallucinated")}
        kept.append({**short, **texts, "key": key})
        try:
            book = read_book(row["book"])
        except InputError as error:
            yield f"{row['id']}: {error}"
            return
        if (book.scale, book.split, book.language) != (*job.cell, row["language"]) or row["scale"] != book.scale:
            there = "/".join(job.cell)
            yield f"{row['id']}: a novel of {book.scale}/{book.split} in {book.language} stands in {there}"
            return
        if not told_alike:
            yield from check_evidence(row)
            return
        story, facts = _world(row["book"], job.tokenizer)
        problems = [*check_injections(row, story.summary), *check_evidence(row)]
        yield from problems
        if not problems:
            yield from prove(row, story, facts, tokenizer)

    report = check_cell(job.folder, job.cell, SCHEMA, job.claimed, check_row)
    report.problems.extend(check_pairs(kept))
    return report


# The two rows of a novel follow each other.
@lru_cache(maxsize=1)
def _world(book: str, tokenizer: str) -> tuple[Story, Facts]:
    story = make_story(read_book(book), tokenizer)
    return story, Facts(story.world.pieces)


def _prompts() -> dict[Language, Prompts]:
    return {one: load_prompts(one) for one in LANGUAGES}


def _other_wording(build: Mapping[str, Any]) -> list[Language]:
    """Return the languages whose text files are others than those that the rows were told with."""
    told = build["plan"]["wording"]
    return [
        language for language in LANGUAGES if told.get(language, wording_digest(language)) != wording_digest(language)
    ]


def _check_whole(folder: Path, build: Mapping[str, Any]) -> Iterator[str]:
    if build["prompt_template"] != prompts_digest():
        yield "the prompts are others than those of this version: validate with the version that build.json names"
    other = _other_wording(build)
    if other:
        yield (
            f"the novels in {' and '.join(other)} were told in other words than this version's, so nothing was proved "
            "from their worlds: validate with the version that build.json names"
        )
    subsets = {
        (scale, split): read_short(folder, (scale, split))
        for scale, splits in build["configs"].items()
        if not scale.endswith(PROMPT)
        for split in splits
    }
    yield from check_counts(build, subsets)
    yield from check_views(folder, build)
    yield from books_in_two({(split, row["book"]) for (_, split), rows in subsets.items() for row in rows})
    settings = read_settings(build["plan"])
    wanted = {book.id for task in story_tasks(settings) for book in task.payload.books}
    there = {row["book"] for rows in subsets.values() for row in rows}
    if wanted != there:
        yield f"{len(wanted - there):,} novels that the settings name are missing, {len(there - wanted):,} are others"
