"""The plan of a build: which sizes, which tasks, which documents, and what identifies the whole."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from lengthwise.errors import InputError

from ..parts import Cell, Task
from .document_filter import Accepted, FilterBounds
from .document_rows import count_words, document_rows
from .document_selection import Selection, select
from .documents import SourceDocument, read_documents
from .rows import synthetic_rows
from .settings import BENCHMARK, DOCUMENTS_SPLIT, LENGTHS, PAPER_LENGTH, VERSION, Settings, Size, split_name
from .variants import Family, Value, Variant

# Tokens that one task makes prompts of, about: a second of work, and a few MB of rows in memory.
_TASK_TOKENS = 1_500_000

# The paper's 16,000 tokens of output and what a chat template adds.
RESERVE = 16_384

# The source of documents that are generated here; a folder of this name is `./storyworld`.
STORYWORLD = "storyworld"


def sizes_of(
    splits: Sequence[str] = (),
    tokens: Sequence[int] = (),
    words: Sequence[int] = (),
    window: int | None = None,
    reserve: int = RESERVE,
) -> tuple[Size, ...]:
    """Return the sizes that are asked for; without any, those of all named lengths.

    Args:
        splits: names in `LENGTHS`, or any "<n>k" (n * 1,024 tokens).
        tokens: most tokens of a prompt.
        words: numbers of words.
        window: a model's window, from which `reserve` is taken.
        reserve: tokens kept free in the window for output and chat template.

    Raises:
        InputError: a size cannot be read, or is not positive.
    """
    named: list[int] = []
    for split in splits:
        units = split.removesuffix("k")
        if not split.endswith("k") or not units.isdigit():
            raise InputError(f"split {split!r} is no length: give one like {', '.join(LENGTHS)}, or --tokens N")
        named.append(int(units) * 1024)
    budgets = list(tokens)
    if window is not None:
        if reserve < 0:
            raise InputError(f"reserve must be at least 0 tokens, not {reserve}")
        if window <= reserve:
            raise InputError(f"window {window:,} leaves nothing behind a reserve of {reserve:,} tokens")
        budgets.append(window - reserve)
    for name, values in (("split", named), ("tokens", budgets), ("words", words)):
        for value in values:
            if value < 1:
                raise InputError(f"{name} must be at least 1, not {value}")
    made = [Size(split_name(budget), tokens=budget) for budget in budgets]
    made += [Size(f"{count}words", words=count) for count in words]
    if not named and not made:
        named = list(LENGTHS.values())
    # Asked for in both ways, a length is a budget.
    sizes = {size.split: size for size in (Size(split_name(budget), tokens=budget, named=True) for budget in named)}
    sizes |= {size.split: size for size in made}
    return tuple(sizes.values())


@dataclass(frozen=True)
class Payload:
    """What a task is made from: a family's variants at one size, and either indices or documents.

    Attributes:
        variants: of one family, with the same parameters set by their names.
        size: of the split.
        indices: 0-based numbers of the examples.
        documents: one for each index, for the family "documents".
        settings: the build's, with those parameters.
        tokens: of a row, about.
    """

    variants: tuple[Variant, ...]
    size: Size
    indices: range
    documents: tuple[Accepted, ...]
    settings: Settings
    tokens: int


def make_rows(payload: Payload) -> Iterable[tuple[Cell, Mapping[str, Any]]]:
    """Yield every row of a task with its cell; a function of the module, so that worker processes can import it."""
    for number, index in enumerate(payload.indices):
        variants = list(payload.variants)
        if payload.documents:
            rows = document_rows(variants, payload.documents[number], index, payload.settings)
        else:
            rows = synthetic_rows(variants, payload.size, index, payload.settings)
        for variant, row in zip(variants, rows, strict=True):
            yield (variant.name, payload.size.split), row


def synthetic_tasks(variants: Sequence[Variant], sizes: Sequence[Size], settings: Settings) -> list[Task]:
    """Return the tasks for all synthetic variants: a few indices of one family, one size and one set of parameters."""
    tasks: list[Task] = []
    for members in _alike(variants):
        family = members[0].family
        for size in sizes:
            # What the paper fixes by words (60,000 short ones) stays so at its own length, unless that is a budget.
            words = members[0].n_words
            if words is not None and size.named and size.split == PAPER_LENGTH:
                size = Size(size.split, words=words)
            tokens = size.tokens or 5 * (size.words or 0)
            step = max(1, min(16, _TASK_TOKENS // (tokens * len(members))))
            for start in range(0, settings.examples, step):
                indices = range(start, min(start + step, settings.examples))
                tasks.append(_task(family, members, size, indices, (), settings, tokens))
    return tasks


def _alike(variants: Sequence[Variant]) -> list[tuple[Variant, ...]]:
    """Return the variants in groups of one family with the same parameters set by their names."""
    groups: dict[tuple[Family, tuple[tuple[str, Value], ...]], list[Variant]] = {}
    for variant in variants:
        groups.setdefault((variant.family, variant.parameters), []).append(variant)
    return [tuple(members) for members in groups.values()]


def document_tasks(variants: Sequence[Variant], selection: Selection | None, settings: Settings) -> list[Task]:
    """Return a task for each selected document and set of parameters."""
    if selection is None:
        return []
    size = Size(DOCUMENTS_SPLIT)
    return [
        _task("documents", members, size, range(index, index + 1), (kept,), settings, kept.n_tokens)
        for members in _alike(variants)
        for index, kept in enumerate(selection.kept)
    ]


def _task(
    family: str,
    members: tuple[Variant, ...],
    size: Size,
    indices: range,
    documents: tuple[Accepted, ...],
    settings: Settings,
    tokens: int,
) -> Task:
    cells = tuple((variant.name, size.split) for variant in members)
    payload = Payload(members, size, indices, documents, settings.at(members[0]), tokens)
    return Task(f"{family}-{size.split}-{indices[0]:06d}", cells, len(indices) * len(members), payload)


def select_documents(
    documents: Sequence[str],
    bounds: FilterBounds | None,
    settings: Settings,
    break_ties: bool,
    most: int | None,
    only: Collection[str] | None = None,
) -> Selection:
    """Return the documents that pass the filter, as many as there are to be examples at most.

    The source "storyworld" is generated novels: as many as it takes. Of what is read, `only` names the documents that
    may be used, where not all may.

    Raises:
        InputError: a source cannot be read, or none of its documents passes; the reasons are given.
    """
    generated: Iterable[SourceDocument] = ()
    if STORYWORLD in documents:
        from ..longnovel.storyworld.documents import story_documents

        generated = story_documents(settings.seed)
    selection = select(
        (
            document
            for source in documents
            if source != STORYWORLD
            for document in read_documents(source)
            if only is None or document.id in only
        ),
        lambda words: count_words(words, settings.tokenizer),
        bounds,
        seed=settings.seed,
        most=most or settings.examples,
        break_ties=break_ties,
        endless=generated,
    )
    if not selection.kept:
        reasons = "\n".join(f"  {refused.document.id}: {refused.reason}" for refused in selection.rejected)
        raise InputError(f"no document passes the filter:\n{reasons}")
    return selection


def describe(
    settings: Settings,
    tasks: Sequence[Task],
    selection: Selection | None,
    bounds: FilterBounds | None,
    break_ties: bool,
) -> dict[str, Any]:
    """Return what identifies a build, as JSON types: equal plans give equal rows."""
    cells = {cell: task.payload.size for task in tasks for cell in task.cells}
    plan: dict[str, Any] = {
        "benchmark": BENCHMARK,
        "version": VERSION,
        "settings": {**asdict(settings), "kinds": list(settings.kinds)},
        "cells": [[config, split, size.key] for (config, split), size in cells.items()],
    }
    if selection is not None:
        plan["documents"] = {
            "bounds": asdict(bounds or FilterBounds()),
            "break_ties": break_ties,
            "kept": [[kept.document.id, _words_digest(kept)] for kept in selection.kept],
        }
    return plan


def _words_digest(document: Accepted) -> str:
    return hashlib.sha256(" ".join(document.words).encode()).hexdigest()


def try_out(tasks: Sequence[Task]) -> None:
    """Make one row of each family at its smallest size: what cannot be built says so before anything is written.

    Raises:
        InputError: a size or a parameter cannot be met.
    """
    smallest: dict[tuple[Variant, ...], Payload] = {}
    for task in tasks:
        known = smallest.setdefault(task.payload.variants, task.payload)
        if task.payload.tokens < known.tokens:
            smallest[task.payload.variants] = task.payload
    for payload in smallest.values():
        for _ in make_rows(replace(payload, indices=payload.indices[:1], documents=payload.documents[:1])):
            pass
