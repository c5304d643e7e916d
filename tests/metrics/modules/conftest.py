"""Modules are loaded as users load them, by path."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from lengthwise.metrics.modules import module_path

Load = Callable[..., Any]


@pytest.fixture(scope="session")
def load(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Load]:
    """Returns `evaluate.load` of a module's name, with the network switched off by evaluate's own switch."""
    import evaluate

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluate.config, "HF_EVALUATE_OFFLINE", True)
        # Whatever evaluate would write of the inputs, it would write here.
        patch.setattr(evaluate.config, "HF_METRICS_CACHE", str(tmp_path_factory.mktemp("metrics-cache")))
        yield lambda name, *options, **keywords: evaluate.load(module_path(name), *options, **keywords)
