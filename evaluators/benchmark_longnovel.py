"""LongNovel as the evaluator knows it, and the same task on generated novels under a name of its own."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from lengthwise.builders.longnovel.records import PAPER_SCALES
from lengthwise.builders.longnovel.rows import detection_prompt
from lengthwise.contracts import Sampling
from lengthwise.evaluators.benchmark_types import Benchmark
from lengthwise.evaluators.judging_longnovel import judge_consistency
from lengthwise.evaluators.layouts import Layout, Place, TableGroup
from lengthwise.evaluators.longnovel_figures import book_of, detected, novel_figures
from lengthwise.evaluators.longnovel_patterns import NOVEL_CAUSES, examine_novel
from lengthwise.evaluators.longnovel_tables import headline, novel_tables
from lengthwise.evaluators.longnovel_verdicts import add_verdicts
from lengthwise.evaluators.novel_texts import data_prompts
from lengthwise.evaluators.references_longnovel import LONGNOVEL_REFERENCES


def compose_prompt(row: Mapping[str, Any], folder: Path | None = None) -> str:
    """Return the prompt of a row that holds article and summary (Prompt-E), by the prompts of its data's folder."""
    return detection_prompt(row, data_prompts(row, folder))


def book_source(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return the language and the book of a row: rows of one book are no independent evidence.

    >>> book_source({"language": "en", "book": "moby_dick", "id": "s-moby_dick-0001-0004-original"})
    ('en', 'moby_dick')
    """
    return str(row.get("language") or ""), book_of(row)


def _place(config: str) -> Place | None:
    """Return the place of another length: behind the longest of the paper's that is no longer than it."""
    base, _, tail = config.partition("-")
    digits = base.removesuffix("k")
    if base in PAPER_SCALES:
        row = base
    elif base.endswith("k") and digits.isdigit():
        row = max(
            (name for name, tokens in PAPER_SCALES.items() if tokens <= 1000 * int(digits)),
            key=PAPER_SCALES.__getitem__,
            default="s",
        )
    else:
        return None
    what = {"": "", "prompt": ", ready prompts", "en": ", English", "zh": ", Chinese"}.get(tail, f", {tail}")
    tokens = PAPER_SCALES.get(base) or 1000 * int(digits)
    return Place(row, f"{tokens // 1000:,}k tokens{what}")


LONGNOVEL = Benchmark(
    name="longnovel",
    aliases=(),
    description="say whether a summary of a stretch of a novel, up to 100k tokens and more, is borne out by it",
    # Section 4.2 and the authors' code: temperature 0, top-p 1, 8,192 tokens of output.
    sampling=Sampling(max_tokens=8192, temperature=0.0, top_p=1.0),
    method="prompt-e",
    judge=judge_consistency,
    source=book_source,
    # Section 5.1: a reply without a score is wrong for its class.
    categories=MappingProxyType(
        {
            "correct": ("correct",),
            "wrong": ("wrong",),
            "invalid": ("unparsed", "empty", "refused", "truncated_output", "overlength"),
            "not run": ("error",),
        }
    ),
    layout=Layout(
        name="LongNovel",
        title="LongNovel: accuracy by length of the text (%)",
        groups=(TableGroup("Tokens of the text", tuple(PAPER_SCALES)),),
        references={},
        captions={name: f"{tokens // 1000}k tokens" for name, tokens in PAPER_SCALES.items()},
        basis="book",
        place=_place,
        notes=(
            "Accuracy is over all rows, a reply without a score being wrong. The paper's first figure is balanced "
            "accuracy (a table of its own): it is the same where half of the rows are hallucinated, as in its tests.",
        ),
    ),
    references=LONGNOVEL_REFERENCES,
    compose=compose_prompt,
    bounds=("gold", "random", "faithful", "hallucinated"),
    examine=examine_novel,
    causes=NOVEL_CAUSES,
    summarise=novel_figures,
    tables=novel_tables,
    headline=headline,
    add_recorded=add_verdicts,
    detects=detected,
    # The text comes before the summary, in every prompt of the paper's.
    shared=("book", "unit_start", "unit_end"),
)

# Generated novels: never shown under the paper's name.
STORYWORLD = replace(
    LONGNOVEL,
    name="longnovel-storyworld",
    aliases=("storyworld",),
    description="the task of LongNovel on generated novels, whose truth is exact",
    layout=replace(LONGNOVEL.layout, name="Story world", title="Story world: accuracy by length of the text (%)"),
)
