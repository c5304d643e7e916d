from pathlib import Path

import pytest

from lengthwise.errors import InputError
from lengthwise.line_log import LineLog, read_lines


def number(line: bytes) -> int:
    return int(line)


def opened(path: Path) -> tuple[LineLog, list[int]]:
    found: list[int] = []
    return LineLog(path, number, lambda _, entry: found.append(entry)), found


def test_lines_are_read_back_where_they_stand(tmp_path: Path):
    log, found = opened(tmp_path / "log")
    with log:
        spans = [log.append(line) for line in (b"1\n", b"22\n", b"333\n")]
        assert (spans, found) == ([(0, 2), (2, 3), (5, 4)], [])
        assert log.read(spans[1]) == b"22\n"
    assert list(read_lines(tmp_path / "log", number)) == list(zip(spans, [1, 22, 333], strict=True))


@pytest.mark.parametrize("tail", [b"4", b"x\n", b"\xff", b"\x00\x00"])
def test_what_a_killed_writer_left_is_cut_off(tmp_path: Path, tail: bytes):
    (tmp_path / "log").write_bytes(b"1\n2\n" + tail)
    log, found = opened(tmp_path / "log")
    with log:
        log.append(b"3\n")
    assert found == [1, 2]
    assert (tmp_path / "log").read_bytes() == b"1\n2\n3\n"


def test_a_bad_line_within_is_named_and_nothing_is_changed(tmp_path: Path):
    (tmp_path / "log").write_bytes(b"1\nx\n3\n4")
    for _ in range(2):
        with pytest.raises(InputError, match=r"log, line 2: .*; delete that line"):
            opened(tmp_path / "log")
    assert (tmp_path / "log").read_bytes() == b"1\nx\n3\n4"


def test_a_line_that_does_not_fit_on_the_disk_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    log, _ = opened(tmp_path / "log")
    with log:
        log.append(b"1\n")
        file = log._file

        class Full:
            def write(self, line: bytes) -> int:
                return file.write(line[:2])

            def __getattr__(self, name: str) -> object:
                return getattr(file, name)

        monkeypatch.setattr(log, "_file", Full())
        with pytest.raises(OSError, match="wrote 2 of 4 bytes; is the disk full"):
            log.append(b"234\n")
        monkeypatch.undo()
        log.append(b"5\n")
    assert (tmp_path / "log").read_bytes() == b"1\n5\n"


def test_a_log_that_something_else_has_cut_is_no_endless_wait(tmp_path: Path):
    log, _ = opened(tmp_path / "log")
    with log:
        span = log.append(b"123\n")
        (tmp_path / "log").write_bytes(b"12")
        with pytest.raises(OSError, match="ends within the line at byte 0"):
            log.read(span)


def test_a_second_writer_is_refused(tmp_path: Path):
    log, _ = opened(tmp_path / "log")
    with log, pytest.raises(InputError, match="another process"):
        opened(tmp_path / "log")
    opened(tmp_path / "log")[0].close()
