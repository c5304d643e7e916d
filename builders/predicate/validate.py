"""`lengthwise validate` for PredicateLongBench: every row proven, counted and scored again, without a model."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lengthwise.metrics.answers import parse_sequence, parse_sequences
from lengthwise.metrics.sequences import match_sequence, match_sequences

from ..checks import CellJob, CellReport, check_cell, check_folder
from ..tokens import load_tokenizer
from .proof import ProofError, prove
from .reader import read_prompt
from .schema import SCHEMA


def validate_predicate(folder: Path, workers: int = 1, progress: bool = False) -> list[CellReport]:
    """Check a folder row by row; return a report for each (config, split), and a last one for the whole.

    Each row is proven by the solver, its tokens are counted, its gold answer must score 1 and the whole context, no
    answer, a constant answer and a shuffled answer 0; files, schema, digests and sizes are checked.

    Args:
        folder: a finished build.
        workers: processes.
        progress: show a bar on stderr.

    Raises:
        InputError: the folder holds no finished build, or its tokenizer is not to be had.
    """
    return check_folder(folder, _check, workers, progress)


def _check(job: CellJob) -> CellReport:
    return check_cell(job.folder, job.cell, SCHEMA, job.claimed, lambda row: _check_row(row, job.tokenizer))


def _check_row(row: Mapping[str, Any], tokenizer: str) -> Iterator[str]:
    try:
        prove(row)
    except ProofError as error:
        yield str(error)
        return
    counter = load_tokenizer(tokenizer)
    if counter.name != row["tokenizer"]:
        yield f"{row['id']}: tokenizer is {row['tokenizer']!r} and the one that build.json names is {counter.name!r}"
    count = counter.count(row["prompt"])
    if count != row["n_tokens"]:
        yield f"{row['id']}: n_tokens is {row['n_tokens']} and the prompt has {count}"
    yield from _check_scores(row)


def _check_scores(row: Mapping[str, Any]) -> Iterator[str]:
    def tagged(*answers: list[str]) -> str:
        return "\n".join(f"<answer>{' '.join(answer)}</answer>" for answer in answers)

    words = read_prompt(row["prompt"]).words
    wrong = {
        "the whole context": tagged(words),
        "an empty answer": tagged([]),
        "no answer": "",
        "a constant answer": tagged(words[:1] * row["k"]),
        "a shuffled answer": tagged(row["answer"][::-1]),
    }
    if not is_right(row, tagged(*row["answers"])):
        yield f"{row['id']}: the gold answer does not score 1"
    for name, reply in wrong.items():
        if is_right(row, reply):
            yield f"{row['id']}: {name} scores 1"


def is_right(row: Mapping[str, Any], reply: str) -> bool:
    """Return whether a reply gives the row's answer, or for "all" exactly its answers."""
    if row["quantifier"] == "all":
        found = parse_sequences(reply)
        return found.value is not None and match_sequences(found.value, row["answers"]).exact
    one = parse_sequence(reply)
    return one.value is not None and match_sequence(one.value, row["answer"]).exact
