"""A build as a list of small tasks, each leaving finished part files: so it can be killed, resumed and sharded.

A task makes the rows of a few examples for several (config, split) cells. Its rows go to one Arrow file a cell,
written under another name and renamed when whole; a task whose files are all there is done. Any number of processes or
machines may do tasks of one plan in one folder.
"""

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from lengthwise.errors import InputError

from .digest import row_digest

Cell: TypeAlias = tuple[str, str]
Rows: TypeAlias = Iterable[tuple[Cell, Mapping[str, Any]]]
DIGEST_COLUMN = "__digest"


@dataclass(frozen=True)
class Task:
    """A piece of a build.

    Attributes:
        name: sorts in the order in which the rows are to stand in each cell.
        cells: the (config, split) pairs that it makes rows for.
        rows: rows over all cells, for the progress bar.
        payload: what `make_rows` is given; picklable.
    """

    name: str
    cells: tuple[Cell, ...]
    rows: int
    payload: Any


def part_path(folder: Path, cell: Cell, task: str) -> Path:
    """Return where a task's rows of one cell lie."""
    return folder / cell[0] / cell[1] / f"{task}.arrow"


def is_done(folder: Path, task: Task) -> bool:
    """Return whether all of a task's files are there."""
    return all(part_path(folder, cell, task.name).exists() for cell in task.cells)


def do_task(folder: Path, task: Task, make_rows: Callable[[Any], Rows], schema: Any) -> int:
    """Make a task's rows and write its part files; return the number of rows.

    Raises:
        InputError: the rows cannot be made with these parameters.
        OSError: the disk is full or the folder cannot be written.
    """
    import pyarrow as pa

    rows: dict[Cell, list[Mapping[str, Any]]] = {cell: [] for cell in task.cells}
    for cell, row in make_rows(task.payload):
        rows[cell].append(row)
    for cell, made in rows.items():
        columns = [to_arrow([row[field.name] for row in made], field.type) for field in schema]
        digests = to_arrow([row_digest(row) for row in made], pa.string())
        table = pa.Table.from_arrays([*columns, digests], schema=schema.append(pa.field(DIGEST_COLUMN, pa.string())))
        path = part_path(folder, cell, task.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        # The process id keeps two workers that do the same task (two machines, one folder) out of each other's way.
        unfinished = path.with_suffix(f".{os.getpid()}.tmp")
        try:
            with pa.OSFile(str(unfinished), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
                writer.write_table(table)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
    return sum(map(len, rows.values()))


def to_arrow(values: Sequence[Any], kind: Any) -> Any:
    """Return a pyarrow array of plain values, none of them None, made from its buffers.

    `pyarrow.array` would import pandas (0.3 s and 50 MB in every process), and take a list of structs apart ten times
    as slowly.

    Args:
        values: the column.
        kind: a pyarrow type: string, large_string, an integer, boolean, or a list or struct of such types.
    """
    import pyarrow as pa

    if pa.types.is_struct(kind):
        columns = [to_arrow([value[field.name] for value in values], field.type) for field in kind]
        return pa.StructArray.from_arrays(columns, fields=list(kind))
    if pa.types.is_list(kind):
        flat = [value for inner in values for value in inner]
        return pa.Array.from_buffers(
            kind, len(values), [None, _offsets(map(len, values), "int32")], children=[to_arrow(flat, kind.value_type)]
        )
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        texts = [value.encode("utf-8") for value in values]
        offsets = _offsets(map(len, texts), "int32" if pa.types.is_string(kind) else "int64")
        return pa.Array.from_buffers(kind, len(texts), [None, offsets, pa.py_buffer(b"".join(texts))])
    if pa.types.is_boolean(kind):
        bits = np.packbits(np.array(values, dtype=bool), bitorder="little")
        return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(bits)])
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(np.array(values, dtype=str(kind)))])


def _offsets(lengths: Iterable[int], kind: str) -> Any:
    import pyarrow as pa

    return pa.py_buffer(np.array(list(accumulate(lengths, initial=0)), dtype=kind))


def do_tasks(
    folder: Path,
    tasks: Sequence[Task],
    make_rows: Callable[[Any], Rows],
    schema: Any,
    pool: ProcessPoolExecutor | None = None,
    workers: int = 1,
) -> Iterator[int]:
    """Do every task that is not done yet; yield the number of rows of each as it ends.

    Args:
        folder: where parts go.
        tasks: the plan, or this shard's share of it.
        make_rows: a function of a module (workers import it), payload -> rows.
        schema: pyarrow schema of the rows.
        pool: the processes that do the work; None does it in this one.
        workers: how many processes those are.

    Raises:
        InputError: as `make_rows` raised it.
    """
    todo = [task for task in tasks if not is_done(folder, task)]
    yield sum(task.rows for task in tasks) - sum(task.rows for task in todo)
    if pool is None:
        for task in todo:
            yield do_task(folder, task, make_rows, schema)
        return
    waiting = iter(todo)
    # A few tasks ahead keep every process busy; more would only fill the queue.
    running = {pool.submit(do_task, folder, task, make_rows, schema) for task in islice(waiting, 2 * workers)}
    while running:
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()
        running |= {pool.submit(do_task, folder, task, make_rows, schema) for task in islice(waiting, len(done))}


@contextmanager
def processes(count: int) -> Iterator[ProcessPoolExecutor | None]:
    """Give `count` worker processes, or None where one is enough; what is not begun when the block ends is dropped."""
    if count == 1:
        yield None
        return
    pool = worker_pool(count)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def worker_pool(workers: int) -> ProcessPoolExecutor:
    """Return a pool of processes that end when this one does, however it ends."""
    # "spawn" is the one start method that is safe whatever threads the caller runs, on every system.
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_end_with_parent)


def _end_with_parent() -> None:
    # A worker waits at a queue that it holds open itself: where the parent was killed it would wait for ever.
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def share_of(tasks: Sequence[Task], shard: tuple[int, int] | None) -> list[Task]:
    """Return the tasks of shard I of N (1-based), or all of them.

    Raises:
        InputError: I is not in 1 to N.
    """
    if shard is None:
        return list(tasks)
    number, count = shard
    if not 1 <= number <= count:
        raise InputError(f"shard {number}/{count}: the first number must be in 1 to {count}")
    return list(tasks[number - 1 :: count])


def read_parts(folder: Path, cell: Cell, tasks: Sequence[Task]) -> Iterator[Any]:
    """Yield the pyarrow table of each part of a cell, in order of the plan, digests included."""
    import pyarrow as pa

    for task in tasks:
        if cell in task.cells:
            with pa.memory_map(str(part_path(folder, cell, task.name))) as source:
                yield pa.ipc.open_file(source).read_all()
