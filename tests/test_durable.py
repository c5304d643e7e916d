"""A power cut loses what no `fsync` has put on the disk: here the disk is what `fsync` was told to keep."""

import errno
import os
import threading
from pathlib import Path

import pytest

from lengthwise import durable
from lengthwise.contracts import Reply
from lengthwise.durable import Syncer, one_at_a_time, replace_durably
from lengthwise.recording import Key, ReplyLog


class Disk:
    """Keeps what a file or folder held at its last `fsync`."""

    def __init__(self, monkeypatch):
        self.kept = {}
        self.came = threading.Condition()
        self.broken = False
        self._real = os.fsync
        monkeypatch.setattr(durable.os, "fsync", self.fsync)

    def fsync(self, descriptor):
        if self.broken:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        path = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
        held = sorted(entry.name for entry in path.iterdir()) if path.is_dir() else path.read_bytes()
        self._real(descriptor)
        with self.came:
            self.kept[path] = held
            self.came.notify_all()

    def wait_for(self, path, held):
        """Wait until a power cut would leave this; time out far behind the promise."""
        with self.came:
            assert self.came.wait_for(lambda: self.kept.get(path) == held, timeout=20)


@pytest.fixture
def disk(monkeypatch):
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("needs /proc, to tell which file is put on the disk")
    return Disk(monkeypatch)


def call(number):
    reply = Reply(text=f"answer {number}", finish_reason="stop")
    return Key("row", 0, number, "digest"), reply


def test_no_line_waits_for_the_next_one_to_be_put_on_the_disk(disk, tmp_path):
    path = tmp_path / "replies.jsonl"
    with ReplyLog(path) as log:
        for number in range(3):
            log.append(*call(number))
            # No further write and no close: the time alone brings it to the disk.
            disk.wait_for(path, path.read_bytes())
    assert path.name in disk.kept[tmp_path]


def test_the_promise_is_a_second():
    assert durable.EVERY < 1.0


def test_many_lines_cost_few_waits(disk, tmp_path):
    path, waits = tmp_path / "log", []
    real = disk.fsync
    durable.os.fsync = lambda descriptor: (waits.append(descriptor), real(descriptor))
    with path.open("wb", buffering=0) as file:
        syncer = Syncer(file.fileno(), tmp_path, every=0.2)
        for number in range(1000):
            file.write(b"%d\n" % number)
            syncer.written()
        syncer.close()
    assert disk.kept[path] == path.read_bytes() and len(waits) < 100


def test_closing_puts_the_rest_on_the_disk(disk, tmp_path):
    path = tmp_path / "log"
    with path.open("wb", buffering=0) as file:
        syncer = Syncer(file.fileno(), tmp_path, every=60.0)
        for line in (b"a\n", b"b\n"):
            file.write(line)
            syncer.written()
        syncer.close()
    assert disk.kept[path] == b"a\nb\n"


def test_a_disk_that_fails_is_told_to_who_writes_next(disk, tmp_path):
    disk.broken = True
    with (tmp_path / "log").open("wb", buffering=0) as file:
        syncer = Syncer(file.fileno(), tmp_path, every=0.001)
        syncer.written()
        with pytest.raises(OSError, match="Input/output error"):
            while True:
                syncer.written()


def test_a_file_that_takes_another_ones_place_is_on_the_disk_before_and_its_name_after(disk, tmp_path, monkeypatch):
    part, path = tmp_path / "x.part", tmp_path / "x"
    path.write_bytes(b"old")
    part.write_bytes(b"new")
    real = os.replace

    def replace(*names):
        assert disk.kept[part] == b"new"
        real(*names)

    monkeypatch.setattr(durable.os, "replace", replace)
    replace_durably(part, path)
    assert disk.kept[tmp_path] == ["x"] and path.read_bytes() == b"new"


def test_one_at_a_time(tmp_path):
    inside, most = 0, 0

    def enter():
        nonlocal inside, most
        for _ in range(50):
            with one_at_a_time(tmp_path):
                inside += 1
                most = max(most, inside)
                inside -= 1

    threads = [threading.Thread(target=enter) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1
