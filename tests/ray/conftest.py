"""A real Ray cluster of several nodes on this machine, for the tests marked `ray`; see .ci/ray."""

import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

# Test folders are no packages; this lets the files here import the helpers of the runner's tests.
sys.path.insert(0, str(Path(__file__).parents[1] / "evaluators"))

from faulty_server import FaultyServer

REQUIRE = "LENGTHWISE_REQUIRE_RAY"
NODE = {"num_cpus": 1, "object_store_memory": 80_000_000}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Fail a test of this folder that is skipped although LENGTHWISE_REQUIRE_RAY=1 is set."""
    report = yield
    if os.environ.get(REQUIRE) == "1" and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped although {REQUIRE}=1: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def cluster() -> Iterator[Any]:
    """A cluster of three nodes with one processor each."""
    if importlib.util.find_spec("ray") is None:
        pytest.skip("ray is not installed: .ci/ray makes an environment with it and runs these tests")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    running = Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
    for _ in range(2):
        running.add_node(**NODE)
    running.wait_for_nodes()
    yield running
    running.shutdown()


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    with FaultyServer() as running:
        yield running
