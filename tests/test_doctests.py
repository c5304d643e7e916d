"""Every example in a docstring is run, each module once and under its installed name."""

import doctest
import importlib
import pkgutil

import pytest

# The rooms are mapped into the package: in an editable install a walk of `lengthwise` alone does not see them.
ROOMS = ("lengthwise", "lengthwise.metrics", "lengthwise.builders", "lengthwise.evaluators")

# What a few modules of ours import at their top, since they serve nothing else: extras, not there everywhere.
OPTIONAL = ("inspect_ai", "lm_eval", "matplotlib")


def modules() -> list[str]:
    found = set(ROOMS)
    for room in ROOMS:
        found.update(m.name for m in pkgutil.walk_packages(importlib.import_module(room).__path__, f"{room}."))
    return sorted(found)


MODULES = modules()


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in OPTIONAL:
            raise
        pytest.skip(f"{error.name} is not installed")
    assert doctest.testmod(module).failed == 0


def test_every_room_is_walked() -> None:
    assert {"lengthwise.builders.predicate.solver", "lengthwise.metrics.answers", "lengthwise.evaluators.runner"} <= {
        *MODULES
    }
