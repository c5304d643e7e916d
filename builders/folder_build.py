"""What is the same in every build, whatever it builds: parts, shards, going on after a kill, writing, finishing."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from tqdm import tqdm

from lengthwise.errors import InputError

from .hub_folder import PARTS_FOLDER, SplitFacts, claim_folder, holds_build, read_build, write_split
from .parts import Cell, Rows, Task, do_tasks, processes, read_parts, share_of


@dataclass(frozen=True)
class Built:
    """What a build left; each benchmark adds what is its own.

    Attributes:
        folder: where.
        finished: False after a shard, while parts of other shards are missing.
        digest: content digest of the data set; "" while it is not finished.
        splits: facts of each (config, split) that was written.
        reused: the very build was there already.
    """

    folder: Path
    finished: bool = True
    digest: str = ""
    splits: Mapping[Cell, SplitFacts] | None = None
    reused: bool = False

    def notes(self) -> list[str]:
        """Return what a person should know of what was built, and what not."""
        return []

    def lines(self) -> list[str]:
        """Return what a person wants to read of it, the digest last."""
        if not self.finished:
            part = f"this part is done; once all parts are in {self.folder}, the command without --shard ends it"
            return [*self.notes(), part]
        shown = self.notes()
        if self.splits is not None:
            rows = sum(fact.rows for fact in self.splits.values())
            configs = len({config for config, _ in self.splits})
            counts = [f"{rows:,} row", f"{configs} config", f"{len(self.splits)} split"]
            shown.append(", ".join(c if c.startswith("1 ") else f"{c}s" for c in counts) + f": {self.folder}")
        if self.reused:
            shown.append(f"{self.folder} holds this very build already; nothing to do")
        return [*shown, f"digest {self.digest}"]


Some = TypeVar("Some", bound=Built)


def _nothing() -> None:
    pass


@dataclass(frozen=True)
class FolderBuild:
    """A build, ready to be carried out.

    Attributes:
        folder: new, empty, or holding this very build, finished or not.
        plan: what identifies the build, JSON types.
        tasks: all of it.
        make_rows: payload of a task -> its rows; a function of a module, so that worker processes can import it.
        schema: pyarrow schema of the rows.
        finish: writes card and `build.json`, given the facts of every cell in order; returns the digest.
        check: tries out what may turn out not to be possible, before anything is written; picklable.
        prepare: lays down what the tasks read, once the folder is claimed.
        order: sort key of the cells; by default they stand in the order of the tasks.
        cost: of a task, in any unit.
        worth_workers: costs of all tasks below which starting processes costs more than it saves.
    """

    folder: Path
    plan: dict[str, Any]
    tasks: Sequence[Task]
    make_rows: Callable[[Any], Rows]
    schema: Any
    finish: Callable[[Mapping[Cell, SplitFacts]], str]
    check: Callable[[], None] = _nothing
    prepare: Callable[[], None] = _nothing
    order: Callable[[Cell], Any] | None = None
    cost: Callable[[Task], int] = lambda task: task.rows
    worth_workers: int = 0

    def run(self, result: Some, workers: int, shard: tuple[int, int] | None = None, progress: bool = False) -> Some:
        """Do what is not done yet; return `result` with what came of it.

        Args:
            result: with the benchmark's own facts.
            workers: processes.
            shard: (I, N) for part I of N, 1-based; the call without it makes what is missing and finishes.
            progress: show a bar on stderr.

        Raises:
            InputError: the folder holds something else, a shard out of range, or what `check` and the tasks raise.
            OSError: the disk is full or the folder cannot be written.
        """
        if workers < 1:
            raise InputError(f"workers must be at least 1, not {workers}")
        parts = self.folder / PARTS_FOLDER
        mine = share_of(self.tasks, shard)
        if holds_build(self.folder, self.plan):
            shutil.rmtree(parts, ignore_errors=True)  # left where a build was killed at its very end
            return replace(result, digest=read_build(self.folder)["digest"], reused=True)
        if workers > 1 and sum(map(self.cost, mine)) < self.worth_workers:
            workers = 1
        with processes(workers) as pool:
            # In the pool too: this process then needs no tokenizer, which is a third of its memory.
            pool.submit(self.check).result() if pool else self.check()
            claim_folder(self.folder, self.plan)
            self.prepare()
            with tqdm(total=sum(task.rows for task in mine), unit=" rows", desc="build", disable=not progress) as bar:
                for rows in do_tasks(parts, mine, self.make_rows, self.schema, pool, workers):
                    bar.update(rows)
        # A shard never finishes the folder: two that end at the same time would both do it.
        if shard is not None:
            return replace(result, finished=False)
        facts = self._write(workers, progress)
        digest = self.finish(facts)
        shutil.rmtree(parts)
        return replace(result, digest=digest, splits=facts)

    def _write(self, workers: int, progress: bool) -> dict[Cell, SplitFacts]:
        by_cell: dict[Cell, list[Task]] = {}
        for task in self.tasks:
            for cell in task.cells:
                by_cell.setdefault(cell, []).append(task)
        cells = list(by_cell) if self.order is None else sorted(by_cell, key=self.order)
        parts = self.folder / PARTS_FOLDER

        def write(cell: Cell) -> SplitFacts:
            raw = sum(table.nbytes for table in read_parts(parts, cell, by_cell[cell]))
            return write_split(self.folder, cell, read_parts(parts, cell, by_cell[cell]), raw)

        # Compression runs outside the interpreter's lock, so threads serve.
        with ThreadPoolExecutor(workers) as pool:
            facts = tqdm(pool.map(write, cells), total=len(cells), unit=" splits", desc="write", disable=not progress)
            return dict(zip(cells, facts, strict=True))
