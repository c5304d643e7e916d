"""`lengthwise build predicate`: from settings to a folder that is ready for the Hub."""

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from lengthwise.errors import InputError

from ..hub_folder import PARTS_FOLDER, SplitFacts, claim_folder, read_build, write_split
from ..parts import Cell, Task, do_tasks, is_done, read_parts, share_of
from ..tokens import load_tokenizer
from .card import finish_folder
from .document_filter import Accepted, FilterBounds
from .document_rows import count_words, document_rows
from .document_selection import Selection, select
from .documents import read_documents
from .rows import synthetic_rows
from .schema import SCHEMA
from .settings import BENCHMARK, DOCUMENTS_SPLIT, LENGTHS, PAPER_LENGTH, VERSION, Settings, Size, split_name
from .variants import VARIANTS, Variant, find_variants

# Tokens that one task makes prompts of, about: a second of work, and a few MB of rows in memory.
_TASK_TOKENS = 1_500_000
# Below so many tokens of prompts in all, starting worker processes costs more than it saves.
_WORTH_WORKERS = 12_000_000
# The paper's 16,000 tokens of output and what a chat template adds.
RESERVE = 16_384


@dataclass(frozen=True)
class BuildResult:
    """What a build left.

    Attributes:
        folder: where.
        finished: False after a shard, while parts of other shards are missing.
        digest: content digest of the data set; "" while it is not finished.
        splits: facts of each (config, split).
        selection: of documents, where documents were given.
        skipped: documents configs that were left out for want of documents.
        reused: the very build was there already.
    """

    folder: Path
    finished: bool
    digest: str = ""
    splits: Mapping[Cell, SplitFacts] | None = None
    selection: Selection | None = None
    skipped: tuple[str, ...] = ()
    reused: bool = False

    def lines(self) -> list[str]:
        """Return what a person wants to read of it."""
        shown = []
        if self.selection is not None:
            kept, refused = len(self.selection.kept), len(self.selection.rejected)
            shown.append(f"documents: {kept} used, {refused} refused by the filter (reasons in build.json)")
        if self.skipped:
            shown.append(
                f"skipped for want of documents: {', '.join(self.skipped)} (give --documents FOLDER or a Hub id)"
            )
        if not self.finished:
            return [
                *shown,
                f"this part is done in {self.folder}; once all parts are in it, the command without --shard finishes it",
            ]
        if self.splits is not None:
            rows = sum(fact.rows for fact in self.splits.values())
            configs = len({config for config, _ in self.splits})
            shown.append(f"{rows:,} rows in {configs} configs, {len(self.splits)} splits: {self.folder}")
        if self.reused:
            shown.append(f"{self.folder} holds this very build already; nothing to do")
        return [*shown, f"digest {self.digest}"]


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
    budgets: list[int] = []
    for split in splits:
        units = split.removesuffix("k")
        if not split.endswith("k") or not units.isdigit():
            raise InputError(f"split {split!r} is no length: give one like {', '.join(LENGTHS)}, or --tokens N")
        budgets.append(int(units) * 1024)
    budgets.extend(tokens)
    if window is not None:
        if window <= reserve:
            raise InputError(f"window {window:,} leaves nothing behind a reserve of {reserve:,} tokens")
        budgets.append(window - reserve)
    for name, values in (("tokens", budgets), ("words", words)):
        for value in values:
            if value < 1:
                raise InputError(f"{name} must be at least 1, not {value}")
    made = [Size(split_name(budget), tokens=budget) for budget in budgets]
    made += [Size(f"{count}words", words=count) for count in words]
    return tuple(dict.fromkeys(made)) or tuple(Size(split, tokens=budget) for split, budget in LENGTHS.items())


def build_predicate(
    out: str | os.PathLike[str],
    configs: Sequence[str] = (),
    *,
    splits: Sequence[str] = (),
    tokens: Sequence[int] = (),
    words: Sequence[int] = (),
    window: int | None = None,
    reserve: int = RESERVE,
    settings: Settings | None = None,
    documents: Sequence[str] = (),
    bounds: FilterBounds | None = None,
    break_ties: bool = False,
    most_documents: int | None = None,
    workers: int = 1,
    shard: tuple[int, int] | None = None,
    progress: bool = False,
) -> BuildResult:
    """Build PredicateLongBench into a folder: Parquet per config and split, a card, and `build.json`.

    The same arguments give the same rows on any machine and in any number of processes. A build that was stopped goes
    on where it was; one that is finished is recognised and left as it is.

    Args:
        out: folder; new, empty, or holding this very build, finished or not.
        configs: names of variants; none for the paper's 13 (the 4 on documents are skipped without documents).
        splits: named lengths such as "4k" and "128k".
        tokens: further lengths, in tokens of the whole prompt.
        words: further lengths, in words.
        window: a model's window, for a length of `window` - `reserve` tokens.
        reserve: see `window`.
        settings: parameters of the construction.
        documents: folders, files or Hub ids to take documents from.
        bounds: of the filter of A.4.2.
        break_ties: take documents whose longest run is not unique too, one word of each other such run left out.
        most_documents: documents used at most; by default as many as examples.
        workers: processes.
        shard: (I, N) to build only part I of N, 1-based; the call that finds all parts in `out` finishes the folder.
        progress: show a bar on stderr.

    Raises:
        InputError: an argument cannot be used; nothing is half written.
        OSError: the disk is full or `out` cannot be written.
    """
    settings = settings or Settings()
    folder = Path(out)
    variants = find_variants(tuple(configs))
    on_documents = [variant for variant in variants if variant.source == "documents"]
    skipped: tuple[str, ...] = ()
    if on_documents and not documents:
        if configs and len(on_documents) == len(variants):
            raise InputError(f"{on_documents[0].name} needs documents: give --documents FOLDER or a Hub id")
        skipped = tuple(variant.name for variant in on_documents)
        on_documents = []
    synthetic = [variant for variant in variants if variant.source == "synthetic"]
    sizes = sizes_of(splits, tokens, words, window, reserve)
    budget_given = bool(tokens or words or window is not None)
    load_tokenizer(settings.tokenizer)
    for variant in (*synthetic, *on_documents):
        settings.check(variant)
    if documents and not on_documents:
        raise InputError("documents were given, but no documents config is among those to build")
    selection = None
    if on_documents:
        selection = _select(documents, bounds, settings, break_ties, most_documents)
    tasks = _synthetic_tasks(synthetic, sizes, budget_given, settings)
    tasks += _document_tasks(on_documents, selection, settings)
    mine = share_of(tasks, shard)
    plan = _plan(settings, tasks, selection, bounds, break_ties)
    # The first row of every cell is made before anything is written: a size or parameter that cannot be met says so
    # now, not after an hour.
    _try_out(tasks, folder)
    if claim_folder(folder, plan):
        return BuildResult(
            folder, True, selection=selection, skipped=skipped, reused=True, digest=read_build(folder)["digest"]
        )
    parts = folder / PARTS_FOLDER
    if sum(task.rows * task.payload.tokens for task in mine) < _WORTH_WORKERS:
        workers = 1
    with tqdm(total=sum(task.rows for task in mine), unit=" rows", desc="build", disable=not progress) as bar:
        for rows in do_tasks(parts, mine, make_rows, SCHEMA, workers):
            bar.update(rows)
    if not all(is_done(parts, task) for task in tasks):
        return BuildResult(folder, False, selection=selection, skipped=skipped)
    order = list(VARIANTS)
    facts = _finish(folder, tasks, progress)
    facts = dict(sorted(facts.items(), key=lambda item: order.index(item[0][0])))
    digest = finish_folder(folder, settings, facts, plan, selection)
    shutil.rmtree(parts)
    return BuildResult(folder, True, digest, facts, selection, skipped)


@dataclass(frozen=True)
class Payload:
    """What a task is made from: a family's variants at one size, and either indices or documents.

    Attributes:
        variants: of one family.
        size: of the split.
        indices: 0-based numbers of the examples.
        documents: one for each index, for the family "documents".
        settings: the build's.
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


def _synthetic_tasks(
    variants: Sequence[Variant], sizes: Sequence[Size], budget_given: bool, settings: Settings
) -> list[Task]:
    families = dict.fromkeys(variant.family for variant in variants)
    tasks: list[Task] = []
    for family in families:
        members = tuple(variant for variant in variants if variant.family == family)
        for size in sizes:
            # What the paper fixes by words (60,000 short ones) stays so at its own length, unless a budget is given.
            words = members[0].n_words
            if words is not None and size.split == PAPER_LENGTH and not budget_given:
                size = Size(size.split, words=words)
            tokens = size.tokens or 5 * (size.words or 0)
            step = max(1, min(16, _TASK_TOKENS // (tokens * len(members))))
            for start in range(0, settings.examples, step):
                indices = range(start, min(start + step, settings.examples))
                tasks.append(_task(family, members, size, indices, (), settings, tokens))
    return tasks


def _document_tasks(variants: Sequence[Variant], selection: Selection | None, settings: Settings) -> list[Task]:
    if selection is None:
        return []
    return [
        _task("documents", tuple(variants), Size(DOCUMENTS_SPLIT), range(index, index + 1), (kept,), settings, kept.n_tokens)
        for index, kept in enumerate(selection.kept)
    ]  # fmt: skip


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
    payload = Payload(members, size, indices, documents, settings, tokens)
    return Task(f"{family}-{size.split}-{indices[0]:06d}", cells, len(indices) * len(members), payload)


def _select(
    documents: Sequence[str],
    bounds: FilterBounds | None,
    settings: Settings,
    break_ties: bool,
    most: int | None,
) -> Selection:
    selection = select(
        (document for source in documents for document in read_documents(source)),
        lambda words: count_words(words, settings.tokenizer),
        bounds,
        seed=settings.seed,
        most=most or settings.examples,
        break_ties=break_ties,
    )
    if not selection.kept:
        reasons = "\n".join(f"  {refused.document.id}: {refused.reason}" for refused in selection.rejected)
        raise InputError(f"no document passes the filter:\n{reasons}")
    return selection


def _plan(
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
            "kept": [kept.document.id for kept in selection.kept],
        }
    return plan


def _try_out(tasks: Sequence[Task], folder: Path) -> None:
    if (folder / PARTS_FOLDER).exists():
        return
    tried: set[tuple[Any, ...]] = set()
    for task in tasks:
        payload: Payload = task.payload
        # The smallest size of each family is the one that may be too small.
        key = (payload.variants, bool(payload.documents))
        smallest = min(
            (other.payload for other in tasks if other.payload.variants == payload.variants), key=lambda p: p.tokens
        )
        if key not in tried:
            tried.add(key)
            one = Payload(
                smallest.variants, smallest.size, smallest.indices[:1], smallest.documents[:1], smallest.settings,
                smallest.tokens,
            )  # fmt: skip
            for _ in make_rows(one):
                pass


def _finish(folder: Path, tasks: Sequence[Task], progress: bool) -> dict[Cell, SplitFacts]:
    cells = list(dict.fromkeys(cell for task in tasks for cell in task.cells))
    facts: dict[Cell, SplitFacts] = {}
    for cell in tqdm(cells, unit=" splits", desc="write", disable=not progress):
        raw = sum(table.nbytes for table in read_parts(folder / PARTS_FOLDER, cell, tasks))
        facts[cell] = write_split(folder, cell, read_parts(folder / PARTS_FOLDER, cell, tasks), raw)
    return facts
