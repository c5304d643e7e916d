"""`lengthwise build predicate`: from settings to a folder that is ready for the Hub."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from lengthwise.errors import InputError

from ..folder_build import Built, FolderBuild
from ..plan_recipe import Rebuild
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
class BuildResult(Built):
    """What a build left.

    Attributes:
        selection: of documents, where documents were given.
        skipped: documents configs that were left out for want of documents.
        left_out: points of a sweep that no list can hold -> why.
    """

    selection: Selection | None = None
    skipped: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)

    def notes(self) -> list[str]:
        """Return what was left out, and why."""
        shown = []
        if self.selection is not None:
            kept, refused = len(self.selection.kept), len(self.selection.rejected)
            shown.append(f"documents: {kept} used, {refused} refused by the filter (reasons in build.json)")
        if self.skipped:
            names = ", ".join(self.skipped)
            shown.append(f"skipped for want of documents: {names} (give --documents FOLDER, a Hub id, or storyworld)")
        return shown + [f"left out {name}: {reason}" for name, reason in self.left_out.items()]


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
    rebuild: Rebuild | None = None,
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
        documents: folders, files or Hub ids to take documents from; "storyworld" for generated novels.
        bounds: of the filter of A.4.2.
        break_ties: take documents whose longest run is not unique too, one word of each other such run left out.
        most_documents: documents used at most; by default as many as examples.
        workers: processes.
        shard: (I, N) to build only part I of N, 1-based; the call without it makes what is missing and finishes.
        progress: show a bar on stderr.
        rebuild: the recipe that plan and rows must be of; no other documents than its own are looked at.

    Raises:
        InputError: an argument cannot be used; nothing is half written.
        OSError: the disk is full or `out` cannot be written.
    """
    settings = settings or Settings()
    folder = Path(out)
    variants, left_out = expand(find_variants(tuple(configs)), sweep or {}, settings)
    on_documents = [variant for variant in variants if variant.source == "documents"]
    skipped: tuple[str, ...] = ()
    if on_documents and not documents:
        if configs and len(on_documents) == len(variants):
            raise InputError(
                f"{on_documents[0].name} needs documents: give --documents FOLDER, a Hub id, or storyworld"
            )
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
        only = None if rebuild is None else {name for name, _ in rebuild.plan["documents"]["kept"]}
        selection = select_documents(documents, bounds, settings, break_ties, most_documents, only)
    tasks = synthetic_tasks(synthetic, sizes, settings)
    tasks += document_tasks(on_documents, selection, settings)
    plan = describe(settings, tasks, selection, bounds, break_ties)
    if rebuild is not None:
        rebuild.check(plan)
    order = list(VARIANTS)
    build = FolderBuild(
        folder,
        plan,
        tasks,
        make_rows,
        SCHEMA,
        lambda facts: (
            finish_folder(folder, settings, facts, plan, selection)
            if rebuild is None
            else rebuild.finish(folder, facts)
        ),
        check=partial(try_out, tasks),
        order=lambda cell: order.index(find_variant(cell[0]).in_table),
        cost=lambda task: task.rows * int(task.payload.tokens),
        worth_workers=_WORTH_WORKERS,
    )
    result = BuildResult(folder, selection=selection, skipped=skipped, left_out=left_out)
    return build.run(result, workers, shard, progress)
