"""A review over the made-up books, and its command as a process of its own."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lengthwise.builders.longnovel.review.desk import PairDesk, open_pairs
from lengthwise.builders.longnovel.review.store import ReviewLog

Serve = Callable[..., tuple[subprocess.Popen[str], str]]


@pytest.fixture
def build(finished: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished, tmp_path / "build"))


@pytest.fixture
def desk(build: Path) -> Iterator[PairDesk]:
    with ReviewLog(build, lambda: datetime(2026, 1, 2, tzinfo=UTC)) as log:
        yield PairDesk(open_pairs(build, log), log, ("lin", "maya", "tom"))


@pytest.fixture
def serve(build: Path) -> Iterator[Serve]:
    """Starts `lengthwise review` on a free port; returns the process and its address."""
    started: list[subprocess.Popen[str]] = []

    def start(*options: str) -> tuple[subprocess.Popen[str], str]:
        code = "from lengthwise.cli import main; main()"
        command = [
            sys.executable,
            "-c",
            code,
            "review",
            str(build),
            "--annotator",
            "lin,maya",
            "--port",
            "0",
            *options,
        ]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        started.append(process)
        assert process.stdout is not None
        said = []
        for line in process.stdout:
            said.append(line)
            if line.startswith("http://"):
                return process, line.split()[0]
        raise AssertionError("".join(said))

    yield start
    for process in started:
        process.kill()
        process.communicate(timeout=20)
