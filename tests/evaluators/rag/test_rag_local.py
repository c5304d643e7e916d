"""RAG with a real model, far too small for it: every row ends in an outcome, in both languages."""

from dataclasses import replace

import pytest
from novel_cases import write_novels
from rag_cases import embeddings

from lengthwise.contracts import Sampling
from lengthwise.evaluators.longnovel_analyses.rag_costs import rag_cost
from lengthwise.evaluators.runner import run_benchmark
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.settings import RunSettings, prepare

pytestmark = [pytest.mark.local, pytest.mark.slow]


def test_a_whole_run(server, tmp_path):
    novels = write_novels(tmp_path / "novels", 1)
    server.vectors = lambda texts: embeddings([f"part {len(text) % 10}" for text in texts])
    settings = RunSettings(
        str(novels),
        "local:smollm2-135m",
        # Each of the two sentences of a summary is a segment.
        method="rag:15",
        sampling=Sampling(max_tokens=12, temperature=0.0),
        roles={"embed": f"{server.url}#fake-m3"},
        # A pair of each language: a model takes its time with either.
        limit=4,
    )
    samples = (replace(settings, seed=seed) for seed in range(50))
    settings = next(one for one in samples if len(set(prepare(one).examples["language"].to_pylist())) == 2)
    run_benchmark(settings, tmp_path / "out")
    scored = score_outcomes(tmp_path / "out")
    assert {row["language"] for row in scored.rows.values()} == {"en", "zh"}
    for outcome in scored.outcomes.values():
        assert outcome.kind not in ("error", "overlength") and 2 <= outcome.own.calls <= 4, outcome
    cost = rag_cost(scored, "s")
    assert cost is not None and cost.tokens_per_call > 300 and cost.embed_calls == 2
    # Nothing is asked again.
    asked = len(server.embedded)
    run_benchmark(settings, tmp_path / "out")
    assert len(server.embedded) == asked and score_outcomes(tmp_path / "out").outcomes == scored.outcomes
