"""What all tests may use: the folder of real input beside the checkout, and a small build of all synthetic configs."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

SHARED = Path(__file__).resolve().parents[2] / "shared"
REQUIRE_SHARED = "LENGTHWISE_REQUIRE_SHARED"

# The same cases in every run, and no deadline: other work on the machine must not fail a test.
settings.register_profile(
    "lengthwise", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.filter_too_much], max_examples=40
)
settings.load_profile("lengthwise")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Fail a `shared` test that is skipped although the folder is there and LENGTHWISE_REQUIRE_SHARED=1 is set."""
    report = yield
    wanted = os.environ.get(REQUIRE_SHARED) == "1" and SHARED.is_dir()
    if wanted and report.skipped and not hasattr(report, "wasxfail") and item.get_closest_marker("shared"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped although {REQUIRE_SHARED}=1: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder `shared` beside the checkout: documents and reference cases that are not in the repository."""
    if not SHARED.is_dir():
        pytest.skip(f"there is no folder {SHARED}")
    return SHARED


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished build of every synthetic config at 4k, 3 examples each; copy it before damaging it."""
    from lengthwise.builders.predicate.build import build_predicate
    from lengthwise.builders.predicate.settings import Settings
    from lengthwise.builders.predicate.variants import VARIANTS

    folder = tmp_path_factory.mktemp("built") / "plb"
    synthetic = [variant.name for variant in VARIANTS.values() if variant.source == "synthetic"]
    build_predicate(folder, synthetic, splits=("4k",), settings=Settings(examples=3))
    return folder
