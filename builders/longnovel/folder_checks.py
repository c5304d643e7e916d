"""What holds of every folder with LongNovel's rows, whoever wrote the novels: prompts, counts, views."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..checks import CellJob, CellReport, check_cell
from ..digest import content_digest, row_digest
from ..hub_folder import parquet_files
from ..tokens import Tokenizer
from .export import PROMPT, read_rows
from .prompt_texts import Prompts
from .records import Language
from .rows import detection_prompt, prompt_row
from .schema import PROMPT_SCHEMA
from .statistics_tables import Composition, compositions

Row = Mapping[str, Any]
# By language; None where the prompts that rows were made with are not to be had.
ByLanguage = Mapping[Language, Prompts] | None


def check_prompt(row: Row, tokenizer: Tokenizer, by_language: ByLanguage) -> Iterator[str]:
    """Yield whether a row's question is another than its prompts', or its tokens another number than its prompt's."""
    if row["tokenizer"] != tokenizer.name:
        yield f"{row['id']}: counted by {row['tokenizer']!r}, the build by {tokenizer.name!r}"
        return
    if by_language is None:
        return
    prompts = by_language[row["language"]]
    if row["question"] != prompts.detection():
        yield f"{row['id']}: the question is not the prompt of detection"
    count = tokenizer.count(detection_prompt(row, prompts))
    if count != row["n_tokens"]:
        yield f"{row['id']}: n_tokens is {row['n_tokens']} and the prompt has {count}"


def check_prompt_cell(job: CellJob, by_language: ByLanguage) -> CellReport:
    """Check the ready prompts of a scale against the rows that they are of.

    Args:
        job: a cell of a config that ends in `PROMPT`.
        by_language: the prompts that the rows were made with.
    """
    main = job.cell[0].removesuffix(PROMPT), job.cell[1]
    expected = {
        row["id"]: row_digest(prompt_row(row, by_language[row["language"]])) if by_language is not None else ""
        for row in read_rows(parquet_files(job.folder, main))
    }
    found: list[str] = []

    def check_row(row: Row) -> Iterator[str]:
        found.append(row["id"])
        if by_language is not None and row_digest(row) != expected.get(row["id"]):
            yield f"{row['id']}: the prompt is not made of the row of {main[0]}"

    report = check_cell(job.folder, job.cell, PROMPT_SCHEMA, job.claimed, check_row)
    if found != list(expected):
        report.problems.append(f"{'/'.join(job.cell)}: the rows are not those of {main[0]}, in their order")
    return report


def check_counts(build: Mapping[str, Any], subsets: Mapping[tuple[str, str], Sequence[Row]]) -> Iterator[str]:
    """Yield where the rows are not those that `build.json` counts, or their classes do not add up.

    Args:
        build: contents of `build.json`.
        subsets: (scale, split) -> its rows, of which language, origin, class and types are needed.
    """
    for line in compositions(subsets):
        yield from line.problems()
        claimed = build["composition"].get(line.subset)
        if claimed is None or Composition(line.subset, **claimed) != line:
            yield f"{line.subset}: the counts in build.json are not those of its rows"


def check_views(folder: Path, build: Mapping[str, Any]) -> Iterator[str]:
    """Yield which configs of one language hold other rows than `build.json` says."""
    for config, splits in build["views"].items():
        scale, _, language = config.rpartition("-")
        for split, facts in splits.items():
            digests = [row_digest(row) for row in read_rows(parquet_files(folder, (scale, f"{split}-{language}")))]
            if (len(digests), content_digest(digests)) != (facts["rows"], facts["digest"]):
                yield f"{config}/{split}: its files hold other rows than build.json says"
