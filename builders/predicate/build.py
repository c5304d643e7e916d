"""`lengthwise build predicate`: from settings to a folder that is ready for the Hub."""

import os
import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from tqdm import tqdm

from lengthwise.errors import InputError

from ..hub_folder import PARTS_FOLDER, SplitFacts, claim_folder, holds_build, read_build, write_split
from ..parts import Cell, Task, do_tasks, processes, read_parts, share_of
from .card import finish_folder
from .document_filter import FilterBounds
from .document_selection import Selection
from .plan import RESERVE, describe, document_tasks, make_rows, select_documents, sizes_of, synthetic_tasks, try_out
from .schema import SCHEMA
from .settings import Settings
from .sweep import Sweep, expand
from .variants import VARIANTS, find_variant, find_variants

# Below so many tokens of prompts in all, starting worker processes costs more than it saves.
_WORTH_WORKERS = 12_000_000


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
        left_out: points of a sweep that no list can hold -> why.
        reused: the very build was there already.
    """

    folder: Path
    finished: bool
    digest: str = ""
    splits: Mapping[Cell, SplitFacts] | None = None
    selection: Selection | None = None
    skipped: tuple[str, ...] = ()
    reused: bool = False
    left_out: Mapping[str, str] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """Return what a person wants to read of it."""
        shown = []
        if self.selection is not None:
            kept, refused = len(self.selection.kept), len(self.selection.rejected)
            shown.append(f"documents: {kept} used, {refused} refused by the filter (reasons in build.json)")
        if self.skipped:
            names = ", ".join(self.skipped)
            shown.append(f"skipped for want of documents: {names} (give --documents FOLDER or a Hub id)")
        shown += [f"left out {name}: {reason}" for name, reason in self.left_out.items()]
        if not self.finished:
            shown.append(
                f"this part is done; once all parts are in {self.folder}, the command without --shard ends it"
            )
            return shown
        if self.splits is not None:
            rows = sum(fact.rows for fact in self.splits.values())
            configs = len({config for config, _ in self.splits})
            counts = [f"{rows:,} row", f"{configs} config", f"{len(self.splits)} split"]
            shown.append(", ".join(c if c.startswith("1 ") else f"{c}s" for c in counts) + f": {self.folder}")
        if self.reused:
            shown.append(f"{self.folder} holds this very build already; nothing to do")
        return [*shown, f"digest {self.digest}"]


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
    sweep: Sweep | None = None,
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
        configs: names of variants, or of points of a sweep such as "lex-scattered--decoys-4"; none for the paper's 13
            (the 4 on documents are skipped without documents).
        splits: named lengths such as "4k" and "128k".
        tokens: further lengths, in tokens of the whole prompt.
        words: further lengths, in words.
        window: a model's window, for a length of `window` - `reserve` tokens.
        reserve: see `window`.
        settings: parameters of the construction.
        sweep: field of `Settings` (a key of `variants.SWEEPS`) -> values: each config that depends on it is built once
            for each, as `<config>--<parameter>-<value>`.
        documents: folders, files or Hub ids to take documents from.
        bounds: of the filter of A.4.2.
        break_ties: take documents whose longest run is not unique too, one word of each other such run left out.
        most_documents: documents used at most; by default as many as examples.
        workers: processes.
        shard: (I, N) to build only part I of N, 1-based; the call without it makes what is missing and finishes.
        progress: show a bar on stderr.

    Raises:
        InputError: an argument cannot be used; nothing is half written.
        OSError: the disk is full or `out` cannot be written.
    """
    settings = settings or Settings()
    if workers < 1:
        raise InputError(f"workers must be at least 1, not {workers}")
    folder = Path(out)
    variants, left_out = expand(find_variants(tuple(configs)), sweep or {}, settings)
    on_documents = [variant for variant in variants if variant.source == "documents"]
    skipped: tuple[str, ...] = ()
    if on_documents and not documents:
        if configs and len(on_documents) == len(variants):
            raise InputError(f"{on_documents[0].name} needs documents: give --documents FOLDER or a Hub id")
        skipped = tuple(dict.fromkeys(variant.in_table for variant in on_documents))
        left_out = {name: reason for name, reason in left_out.items() if find_variant(name).source == "synthetic"}
        on_documents = []
    synthetic = [variant for variant in variants if variant.source == "synthetic"]
    sizes = sizes_of(splits, tokens, words, window, reserve)
    for variant in (*synthetic, *on_documents):
        settings.check(variant)
    if documents and not on_documents:
        raise InputError("documents were given, but no documents config is among those to build")
    selection = None
    if on_documents:
        selection = select_documents(documents, bounds, settings, break_ties, most_documents)
    tasks = synthetic_tasks(synthetic, sizes, settings)
    tasks += document_tasks(on_documents, selection, settings)
    mine = share_of(tasks, shard)
    plan = describe(settings, tasks, selection, bounds, break_ties)
    parts = folder / PARTS_FOLDER
    result = BuildResult(folder, True, selection=selection, skipped=skipped, left_out=left_out)
    if holds_build(folder, plan):
        shutil.rmtree(parts, ignore_errors=True)  # left where a build was killed at its very end
        return replace(result, digest=read_build(folder)["digest"], reused=True)
    if workers > 1 and sum(task.rows * task.payload.tokens for task in mine) < _WORTH_WORKERS:
        workers = 1
    with processes(workers) as pool:
        # In the pool too: this process then needs no tokenizer, which is a third of its memory.
        pool.submit(try_out, tasks).result() if pool else try_out(tasks)
        claim_folder(folder, plan)
        with tqdm(total=sum(task.rows for task in mine), unit=" rows", desc="build", disable=not progress) as bar:
            for rows in do_tasks(parts, mine, make_rows, SCHEMA, pool, workers):
                bar.update(rows)
    # A shard never finishes the folder: two that end at the same time would both do it.
    if shard is not None:
        return replace(result, finished=False)
    facts = _finish(folder, tasks, workers, progress)
    digest = finish_folder(folder, settings, facts, plan, selection)
    shutil.rmtree(parts)
    return replace(result, digest=digest, splits=facts)


def _finish(folder: Path, tasks: Sequence[Task], workers: int, progress: bool) -> dict[Cell, SplitFacts]:
    order = list(VARIANTS)
    cells = sorted(
        dict.fromkeys(cell for task in tasks for cell in task.cells),
        key=lambda cell: order.index(find_variant(cell[0]).in_table),
    )

    def write(cell: Cell) -> SplitFacts:
        raw = sum(table.nbytes for table in read_parts(folder / PARTS_FOLDER, cell, tasks))
        return write_split(folder, cell, read_parts(folder / PARTS_FOLDER, cell, tasks), raw)

    # Compression runs outside the interpreter's lock, so threads serve.
    with ThreadPoolExecutor(workers) as pool:
        facts = tqdm(pool.map(write, cells), total=len(cells), unit=" splits", desc="write", disable=not progress)
        return dict(zip(cells, facts, strict=True))
