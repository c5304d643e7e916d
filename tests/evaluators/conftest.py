"""A data folder, the scripted server and the command line, for the tests of runs."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# Test folders are no packages; this lets the files here import the helpers beside them.
sys.path.insert(0, str(Path(__file__).parent))

from faulty_server import FaultyServer
from run_helpers import Command, command_line, write_data


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with one cell of six rows."""
    return write_data(tmp_path / "data", {"lex-locate/4k": 6})


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    with FaultyServer() as running:
        yield running


@pytest.fixture
def lengthwise(tmp_path: Path) -> Command:
    """Run the command line in a process of its own, in `tmp_path`."""

    def run(*arguments: object, prelude: str = "", **env: str) -> "subprocess.CompletedProcess[str]":
        command = command_line(*arguments, prelude=prelude)
        return subprocess.run(
            command, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, **env}, timeout=120, check=False
        )

    return run
