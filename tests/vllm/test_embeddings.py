"""vLLM's own server of embeddings, with a tiny random model in the layout of BAAI/bge-m3."""

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from vllm_server import VllmServer, api_server

from lengthwise.contracts import OverlengthError, Reply
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.embeddings import embed_request, read_vectors
from lengthwise.evaluators.providers import make_embedder

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "evaluators/rag"))
from tiny_bge_m3 import make_tiny_bge_m3

pytestmark = pytest.mark.vllm


@pytest.fixture(scope="module")
def embedder(needs_vllm: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[VllmServer]:
    folder = make_tiny_bge_m3(tmp_path_factory.mktemp("embedder") / "m3")
    config = json.loads((folder / "config.json").read_text())
    # vLLM asks for what transformers 5 does not write.
    (folder / "config.json").write_text(json.dumps({**config, "position_embedding_type": "absolute"}))
    command = api_server(folder, 8192, "--runner=pooling", "--served-model-name=tiny-m3")
    with VllmServer(command, "tiny-m3", tmp_path_factory.mktemp("log") / "vllm.log") as running:
        yield running


def ask(server: VllmServer, *texts: list[str]) -> list[Reply]:
    async def go() -> list[Reply]:
        async with make_embedder(server.spec) as model:
            assert (await model.window()).tokens == 8192
            asked = model.ask_for(Example("x", "", {}), 0)
            return [await asked(embed_request(one)) for one in texts]

    return asyncio.run(go())


def test_vectors_of_whole_blocks_in_their_order(embedder: VllmServer) -> None:
    texts = ["雨下个不停，" * 583, "The rain fell. " * 233, "第一部说的是城。"]
    together, *alone = ask(embedder, texts, *([text] for text in texts))
    vectors = read_vectors(together)
    assert vectors.shape == (3, 64) and np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(vectors, np.concatenate([read_vectors(one) for one in alone]), atol=1e-4)
    assert not np.allclose(vectors[0], vectors[1], atol=1e-3)
    assert together.usage.input == sum(one.usage.input or 0 for one in alone) and together.usage.output == 0


def test_a_text_that_is_too_long_is_refused_and_told_from_other_errors(embedder: VllmServer) -> None:
    with pytest.raises(OverlengthError, match="8192"):
        ask(embedder, ["第一部说的是城。" * 8000])
