"""Every example in a docstring is run, each module once and under its installed name."""

import doctest
import importlib
import pkgutil

import pytest

import lengthwise

MODULES = sorted(module.name for module in pkgutil.walk_packages(lengthwise.__path__, "lengthwise."))


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_every_room_is_walked() -> None:
    assert {"lengthwise.builders.predicate.solver", "lengthwise.metrics.answers", "lengthwise.evaluators.runner"} <= {
        *MODULES
    }
