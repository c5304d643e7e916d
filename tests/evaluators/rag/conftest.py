import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from rag_cases import RagServer


@pytest.fixture
def server() -> Iterator[RagServer]:
    with RagServer() as running:
        yield running
