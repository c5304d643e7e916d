"""Small data, the same scripted model for everyone, and what our own runner makes of it."""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

# Test folders are no packages; this lets the files here import the helpers beside them.
sys.path.insert(0, str(Path(__file__).parent))

from harness_runs import Call, OurRun, Serve
from scripted_server import CASES, Case, ScriptedServer

REQUIRE = "LENGTHWISE_REQUIRE_HARNESSES"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Fail a `harness` test that is skipped although LENGTHWISE_REQUIRE_HARNESSES=1 is set."""
    report = yield
    if os.environ.get(REQUIRE) == "1" and report.skipped and item.get_closest_marker("harness"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped although {REQUIRE}=1: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def needs() -> Callable[..., None]:
    """Skip where a module is not installed."""

    def check(*modules: str) -> None:
        for module in modules:
            if importlib.util.find_spec(module) is None:
                pytest.skip(f"{module} is not installed (the extras `inspect`, `lm-eval` and `hf`)")

    return check


@pytest.fixture(scope="session")
def plb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of three configs at 4k in which every case of the scripted model comes up."""
    from lengthwise.builders.predicate.build import build_predicate
    from lengthwise.builders.predicate.settings import Settings

    folder = tmp_path_factory.mktemp("harness") / "plb"
    build_predicate(
        folder, ["lex-locate", "unary-all", "lex-scattered"], splits=("4k",), settings=Settings(examples=8)
    )
    return folder


@pytest.fixture(scope="session")
def serve(plb: Path) -> Iterator[Serve]:
    """Start a scripted model of its own for a run, so that its requests are that run's."""
    running: list[ScriptedServer] = []

    def start(cases: Mapping[str, Case] = CASES, data: Path | None = None) -> ScriptedServer:
        running.append(ScriptedServer(data or plb, cases).__enter__())
        return running[-1]

    yield start
    for server in running:
        server.__exit__()


@pytest.fixture(scope="session")
def ours(serve: Serve, plb: Path, tmp_path_factory: pytest.TempPathFactory) -> OurRun:
    return OurRun(serve(), plb, tmp_path_factory.mktemp("ours") / "run")


@pytest.fixture(scope="session")
def call(tmp_path_factory: pytest.TempPathFactory) -> Call:
    """Run a program of this interpreter's venv, offline, in a folder of its own or in `cwd`."""
    home = tmp_path_factory.mktemp("home")

    def run(program: str, *arguments: Any, cwd: Path, **env: str) -> "subprocess.CompletedProcess[str]":
        path = Path(sys.executable).parent / program
        variables = {"HF_HOME": str(home), "HF_HUB_OFFLINE": "1", "HOME": str(home), "COLUMNS": "200", **env}
        return subprocess.run(
            [str(path), *map(str, arguments)],
            capture_output=True,
            text=True,
            cwd=cwd,
            env={**os.environ, **variables},
            timeout=300,
            check=False,
        )

    return run
