"""Prompts that begin alike are asked one after the other: what vLLM's own cache makes of it, when it is small.

`pytest -s` prints the shares.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from vllm_server import VllmServer, api_server

from lengthwise.builders.longnovel.storyworld.build import build_storyworld
from lengthwise.builders.longnovel.storyworld.settings import StorySettings
from lengthwise.contracts import Sampling
from lengthwise.evaluators.ordering import Order
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.settings import RunSettings

pytestmark = pytest.mark.vllm
WINDOW = 32_768
# Tokens of the cache: room for four or five of the pairs' texts, and for no more of the data.
CACHE = 65_536
BLOCK = 128
CONCURRENCY = 4


@pytest.fixture(scope="module")
def small(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[VllmServer]:
    options = (
        f"--block-size={BLOCK}",
        f"--num-gpu-blocks-override={CACHE // BLOCK}",
        "--enable-prompt-tokens-details",
    )
    command = api_server(model, WINDOW, "--served-model-name=tiny", *options)
    with VllmServer(command, "tiny", tmp_path_factory.mktemp("log") / "server.log") as running:
        yield running


@pytest.fixture(scope="module")
def pairs(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty pairs of summaries, each pair on a text of its own; all of one class first, as many sets have them."""
    folder = tmp_path_factory.mktemp("novels") / "nov"
    settings = StorySettings(("4k",), 40, languages=("en",), tokenizer=str(model / "tokenizer.json"))
    build_storyworld(folder, settings, workers=1)
    (path,) = (folder / "4k").glob("test-*.parquet")
    table = pq.read_table(path, partitioning=None)
    pq.write_table(table.sort_by([("hallucinated", "ascending"), ("book", "ascending")]), path)
    return folder


@pytest.fixture(scope="module")
def share(small: VllmServer, pairs: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Order], float]:
    """The share of prompt tokens that the cache serves, by vLLM's own count, of a run in an order."""

    def run(order: Order) -> float:
        names = ("vllm:prefix_cache_hits_total", "vllm:prefix_cache_queries_total")
        before = [small.count(name) for name in names]
        out = tmp_path_factory.mktemp("runs") / order
        settings = RunSettings(str(pairs), small.spec, sampling=Sampling(max_tokens=8))
        run_benchmark(settings, out, RunOptions(concurrency=CONCURRENCY, order=order))
        hits, asked = (small.count(name) - one for name, one in zip(names, before, strict=True))
        found = score_outcomes(out).outcomes.values()
        assert sum(one.usage.cached or 0 for one in found) == hits
        assert sum(one.usage.input or 0 for one in found) > 3 * CACHE
        print(f"\n{order}: {100 * hits / asked:.1f} % of {asked:,.0f} prompt tokens from the cache")
        return hits / asked

    return run


def test_pairs_share_what_they_have_in_common(share: Callable[[Order], float]) -> None:
    plain = share("file")
    # The instructions, which stand before every text: the texts themselves are gone when they are wanted again.
    assert plain < 0.25
    assert share("prefix") >= max(0.45, plain + 0.25)
