import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lengthwise.builders.digest import row_digest
from lengthwise.builders.parts import (
    DIGEST_COLUMN,
    Rows,
    Task,
    do_task,
    do_tasks,
    is_done,
    part_path,
    read_parts,
    share_of,
)
from lengthwise.errors import InputError

SCHEMA = pa.schema([("id", pa.string()), ("n", pa.int32())])
CELLS = (("a", "4k"), ("b", "4k"))
TASKS = [Task(f"t-{number}", CELLS, 4, number) for number in range(5)]


def make_rows(number: int) -> Rows:
    for row in range(2):
        for cell in CELLS:
            yield cell, {"id": f"{cell[0]}-{number}-{row}", "n": number}


def ids(folder: Path, cell: tuple[str, str] = CELLS[0]) -> list[str]:
    return [name for table in read_parts(folder, cell, TASKS) for name in table.column("id").to_pylist()]


def unfinished(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".arrow"]


def test_a_task_leaves_a_file_for_each_cell(tmp_path: Path) -> None:
    assert do_task(tmp_path, TASKS[0], make_rows, SCHEMA) == 4
    assert is_done(tmp_path, TASKS[0]) and not is_done(tmp_path, TASKS[1])
    assert unfinished(tmp_path) == []


def test_rows_come_with_their_digests(tmp_path: Path) -> None:
    do_task(tmp_path, TASKS[0], make_rows, SCHEMA)
    (table,) = read_parts(tmp_path, CELLS[1], TASKS[:1])
    digests = table.column(DIGEST_COLUMN).to_pylist()
    assert digests == [row_digest(row) for row in table.drop_columns([DIGEST_COLUMN]).to_pylist()]


def test_rows_stand_in_the_order_of_the_plan(tmp_path: Path) -> None:
    list(do_tasks(tmp_path, TASKS[::-1], make_rows, SCHEMA))
    assert ids(tmp_path) == [f"a-{number}-{row}" for number in range(5) for row in range(2)]


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    do_task(tmp_path, TASKS[2], make_rows, SCHEMA)
    asked: list[int] = []

    def noting(number: int) -> Rows:
        asked.append(number)
        return make_rows(number)

    assert list(do_tasks(tmp_path, TASKS, noting, SCHEMA)) == [4, 4, 4, 4, 4]
    assert asked == [0, 1, 3, 4]


def test_a_task_of_which_one_cell_is_missing_is_done_again(tmp_path: Path) -> None:
    do_task(tmp_path, TASKS[0], make_rows, SCHEMA)
    part_path(tmp_path, CELLS[1], TASKS[0].name).unlink()
    assert list(do_tasks(tmp_path, TASKS[:1], make_rows, SCHEMA)) == [0, 4]
    assert is_done(tmp_path, TASKS[0])


def test_a_torn_file_is_never_taken_for_a_part(tmp_path: Path) -> None:
    path = part_path(tmp_path, CELLS[0], TASKS[0].name)
    path.parent.mkdir(parents=True)
    path.with_suffix(".123.tmp").write_bytes(b"ARROW1\0\0half")
    assert not is_done(tmp_path, TASKS[0])
    list(do_tasks(tmp_path, TASKS, make_rows, SCHEMA))
    assert len(ids(tmp_path)) == 10


def test_a_full_disk_leaves_no_half_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def __init__(self, path: str, mode: str) -> None:
            Path(path).write_bytes(b"ARROW1")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)

    monkeypatch.setattr(pa, "OSFile", Full)
    with pytest.raises(OSError, match="No space left"):
        do_task(tmp_path, TASKS[0], make_rows, SCHEMA)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_an_error_in_the_rows_leaves_nothing(tmp_path: Path) -> None:
    def failing(number: int) -> Rows:
        yield CELLS[0], {"id": "a", "n": 1}
        raise InputError("cannot be made")

    with pytest.raises(InputError, match="cannot be made"):
        list(do_tasks(tmp_path, TASKS, failing, SCHEMA))
    assert not any(tmp_path.rglob("*.arrow"))


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_shards_together_are_the_whole(count: int) -> None:
    shares = [share_of(TASKS, (number, count)) for number in range(1, count + 1)]
    assert sorted(task.name for share in shares for task in share) == [task.name for task in TASKS]


def test_no_shard_is_the_whole() -> None:
    assert share_of(TASKS, None) == TASKS


@pytest.mark.parametrize("shard", [(0, 3), (4, 3), (-1, 3)])
def test_a_shard_that_does_not_exist_is_refused(shard: tuple[int, int]) -> None:
    with pytest.raises(InputError, match=r"the first number must be in 1 to 3"):
        share_of(TASKS, shard)


WAITING = """
import time
from lengthwise.builders.parts import worker_pool
if __name__ == "__main__":
    pool = worker_pool(1)
    print(pool.submit(__import__("os").getpid).result(), flush=True)
    pool.submit(time.sleep, 300).result()
"""


def alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


@pytest.fixture
def waiting(tmp_path: Path) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    script = tmp_path / "waiting.py"
    script.write_text(WAITING, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as started:
        assert started.stdout is not None
        worker = int(started.stdout.readline())
        yield started, worker
        started.kill()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")
def test_workers_end_with_a_parent_that_was_killed(waiting: tuple["subprocess.Popen[Any]", int]) -> None:
    parent, worker = waiting
    assert alive(worker)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    until = time.monotonic() + 20
    while alive(worker) and time.monotonic() < until:
        time.sleep(0.02)
    assert not alive(worker)
