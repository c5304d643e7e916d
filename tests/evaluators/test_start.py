"""What a run brings along before its first request."""

from pathlib import Path

import pytest
from faulty_server import FaultyServer
from run_helpers import Command

# Says what was imported when the first request is about to go out, and ends there.
_PRELUDE = """
import os, sys
from lengthwise.evaluators.calls import Calls
def ask_for(self, example, repeat):
    async def ask(request):
        print(*sys.modules, flush=True)
        os._exit(0)
    return ask
Calls.ask_for = ask_for
"""
_HEAVY = (
    "datasets",
    "evaluate",
    "huggingface_hub",
    "pandas",
    "pyarrow.compute",
    "pyarrow.dataset",
    "tiktoken",
    "torch",
)


@pytest.fixture
def imported(lengthwise: Command, data: Path, server: FaultyServer) -> set[str]:
    """The modules that `lengthwise run` has imported when its first request goes out."""
    done = lengthwise("run", data, "--model", server.spec, "--out", "run", prelude=_PRELUDE)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_nothing_heavy_is_imported_before_the_first_request(imported: set[str]) -> None:
    assert "aiohttp" in imported
    assert imported.isdisjoint(_HEAVY)


def test_pyarrow_takes_its_memory_from_the_system(lengthwise: Command, data: Path) -> None:
    said = "print('pool', pyarrow.default_memory_pool().backend_name)"
    prelude = f"import atexit\n@atexit.register\ndef say():\n    import pyarrow\n    {said}"
    done = lengthwise("run", data, "--model", "reference:gold", "--out", "run", "--quiet", prelude=prelude)
    assert done.stdout.splitlines()[-1] == "pool system"
