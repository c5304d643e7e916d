"""Every method that asks one model, with a real one: it is far too small, and yet every row ends in an outcome."""

from pathlib import Path

import pytest
from novel_cases import write_novels
from typer.testing import CliRunner

from lengthwise.cli import app
from lengthwise.contracts import Reply, Sampling
from lengthwise.evaluators.run_folder import RunFolder
from lengthwise.evaluators.runner import run_benchmark
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.settings import RunSettings
from lengthwise.evaluators.vote_runs import vote_runs

pytestmark = [pytest.mark.local, pytest.mark.slow]


def replies(run: RunFolder) -> list[Reply]:
    return [record.result for record in run.replies() if isinstance(record.result, Reply)]


def test_whole_runs_in_both_languages(tmp_path: Path) -> None:
    novels, runs = write_novels(tmp_path / "novels", 1), {}
    for method, most in (("prompt-b", 24), ("cot", 40), ("minicheck:90", 4)):
        sampling = Sampling(max_tokens=most, temperature=0.0)
        settings = RunSettings(str(novels), "local:smollm2-135m", method=method, sampling=sampling)
        runs[method] = run_benchmark(settings, tmp_path / method.partition(":")[0])
        outcomes = score_outcomes(runs[method].path).outcomes
        assert len(outcomes) == 4 and all(outcome.kind not in ("error", "overlength") for outcome in outcomes.values())
    # llama.cpp tells how likely each beginning of an answer was; the one that it chose comes first.
    checked = replies(runs["minicheck:90"])
    assert len(checked) >= 8 and all(reply.alternatives for reply in checked)
    for reply in checked:
        values = [value for _, value in reply.alternatives]
        assert values[0] == max(values) <= 0 and (reply.text or "").strip().startswith(
            reply.alternatives[0][0].strip()
        )
    assert not any(reply.alternatives for reply in replies(runs["cot"]))
    voted = vote_runs([run.path for run in runs.values()], tmp_path / "vote")
    assert len(score_outcomes(voted.path).outcomes) == 4


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    # Eleven thousand tokens take a small model on a processor some minutes.
    ("language", "model"),
    [("en", "smollm2-135m"), pytest.param("zh", "smollm2-135m-16k", marks=pytest.mark.long)],
)
def test_a_whole_run_on_a_story_world_of_4k(language: str, model: str, tmp_path: Path) -> None:
    data = tmp_path / "story"
    made = ["4k", "--source", "storyworld", "--language", language, "--examples", "2", "--out", str(data)]
    built = CliRunner().invoke(app, ["build", "longnovel", *made])
    assert built.exit_code == 0, built.output
    settings = RunSettings(str(data), f"local:{model}", sampling=Sampling(max_tokens=16, temperature=0.0), limit=1)
    run_benchmark(settings, tmp_path / "run")
    scored = score_outcomes(tmp_path / "run")
    assert [row["language"] for row in scored.rows.values()] == [language]
    (outcome,) = scored.outcomes.values()
    # A Chinese text takes a model of English three tokens where Qwen's takes one.
    assert outcome.kind not in ("error", "overlength") and (outcome.usage.input or 0) > 4000, outcome
