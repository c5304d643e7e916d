"""A tiny model in vLLM's own server on this machine's CPU, for the tests marked `vllm`; see .ci/vllm."""

import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# Test folders are no packages; this lets the files here import the helpers beside them.
sys.path.insert(0, str(Path(__file__).parents[1] / "evaluators"))
sys.path.insert(0, str(Path(__file__).parent))

from vllm_server import VllmServer, api_server

WINDOW = 131_072
NAME = "tiny"
REQUIRE = "LENGTHWISE_REQUIRE_VLLM"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Fail a test of this folder that is skipped although LENGTHWISE_REQUIRE_VLLM=1 is set."""
    report = yield
    if os.environ.get(REQUIRE) == "1" and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped although {REQUIRE}=1: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def needs_vllm() -> None:
    """Skip where vLLM is not installed; it is not imported, that takes seconds."""
    if importlib.util.find_spec("vllm") is None:
        pytest.skip("vllm is not installed: .ci/vllm makes an environment with it and runs these tests")


@pytest.fixture(scope="session")
def model(needs_vllm: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny model with a tokenizer of its own."""
    from tiny_model import make_model

    return make_model(tmp_path_factory.mktemp("models") / "tiny", WINDOW)


@pytest.fixture(scope="session")
def server(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[VllmServer]:
    """One server for all tests; it goes by two names: one that says nothing, and the model's folder."""
    # Cached tokens in the usage, and an address to abort a request at: the defaults have neither.
    options = ("--enable-prompt-tokens-details", "--enable-scale-out")
    command = api_server(model, WINDOW, "--served-model-name", NAME, str(model), *options)
    with VllmServer(command, NAME, tmp_path_factory.mktemp("log") / "server.log") as running:
        yield running
