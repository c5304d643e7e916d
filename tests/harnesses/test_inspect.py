"""`inspect eval lengthwise/predicate` against the scripted model: the outcomes, scores and requests of our runner."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from harness_runs import Call, OurRun, Serve
from scripted_server import CASES, ScriptedServer, said, tagged

pytestmark = pytest.mark.harness


class Evaluated:
    """A log of inspect, and who was asked for it."""

    def __init__(self, log: dict[str, Any], server: ScriptedServer, said: str) -> None:
        self.log, self.server, self.said = log, server, said
        self.samples = log["samples"]
        self.scores = [sample["scores"]["outcome"] for sample in self.samples]
        self.kinds = {
            sample["id"]: score["metadata"]["outcome"] for sample, score in zip(self.samples, self.scores, strict=True)
        }
        self.metrics = {
            score["name"]: {name.split("/")[-1]: metric["value"] for name, metric in score["metrics"].items()}
            for score in log["results"]["scores"]
        }


Evaluate = Callable[..., Evaluated]


@pytest.fixture(scope="module")
def evaluate(
    needs: Callable[..., None], call: Call, serve: Serve, plb: Path, tmp_path_factory: pytest.TempPathFactory
) -> Evaluate:
    needs("inspect_ai", "openai")

    def run(*arguments: str, cases: Any = CASES) -> Evaluated:
        server, folder = serve(cases), tmp_path_factory.mktemp("inspect")
        # A relative path, as a reader types it.
        (folder / "plb").symlink_to(plb)
        done = call(
            "inspect", "eval", "lengthwise/predicate", "--model", "openai-api/loop/scripted", "-T", "data=./plb",
            "--log-format", "json", "--log-dir", "logs", "--display", "plain", *arguments,
            cwd=folder, LOOP_BASE_URL=server.url, LOOP_API_KEY="none",
        )  # fmt: skip
        (log,) = (folder / "logs").glob("*.json")
        return Evaluated(json.loads(log.read_text()), server, done.stdout + done.stderr)

    return run


@pytest.fixture(scope="module")
def whole(evaluate: Evaluate) -> Evaluated:
    """An evaluation of all rows."""
    return evaluate()


def test_it_succeeds(whole: Evaluated) -> None:
    assert whole.log["status"] == "success"


def test_every_row_has_the_outcome_of_our_runner(whole: Evaluated, ours: OurRun) -> None:
    assert whole.kinds == ours.kinds


def test_every_outcome_comes_up(ours: OurRun) -> None:
    """All but `error` are in the scripted model's cases."""
    assert len(set(ours.kinds.values())) == 7


def test_the_details_are_those_of_our_runner(whole: Evaluated, ours: OurRun) -> None:
    """All that the judge says; what `score` adds about causes is not asked for here."""
    for sample, score in zip(whole.samples, whole.scores, strict=True):
        details = score["metadata"]["details"]
        assert details == {name: ours.details[sample["id"]][name] for name in details}
    assert all("first_word_right" in score["metadata"]["details"] for score in whole.scores if score.get("answer"))


def test_accuracy_is_that_of_our_runner(whole: Evaluated, ours: OurRun) -> None:
    assert whole.metrics["correct"]["accuracy"] == pytest.approx(ours.accuracy)


def test_the_counts_of_outcomes_are_those_of_our_runner(whole: Evaluated, ours: OurRun) -> None:
    counts = {kind: metrics["count"] for kind, metrics in whole.metrics.items() if metrics["count"]}
    assert counts == Counter(ours.kinds.values())


def test_requests_are_those_of_our_runner(whole: Evaluated, ours: OurRun) -> None:
    """The same message and settings, and each row once."""
    assert whole.server.bodies == ours.server.bodies
    assert whole.server.prompts == []


def test_usage_is_kept(whole: Evaluated) -> None:
    (usage,) = whole.log["stats"]["model_usage"].values()
    answered = sum(sample["output"].get("usage") is not None for sample in whole.samples)
    assert (usage["input_tokens"], usage["input_tokens_cache_read"]) == (3000 * answered, 1000 * answered)
    assert (usage["output_tokens"], usage["reasoning_tokens"]) == (17 * answered, 5 * answered)


def test_some_configs_a_sample_and_repeats(evaluate: Evaluate, plb: Path) -> None:
    """The sample is that of `lengthwise run --limit 5`; repeats are epochs, and the metrics their means."""
    from lengthwise.evaluators.settings import RunSettings, prepare

    chosen = ("-T", "configs=lex-locate,unary-all", "-T", "splits=4k", "-T", "limit=5", "-T", "repeats=2")
    done = evaluate(*chosen, cases={"right": lambda row: said(tagged(row))})
    settings = RunSettings(str(plb), "", configs=("lex-locate", "unary-all"), limit=5)
    wanted = prepare(settings).examples["id"].to_pylist()
    assert Counter(sample["id"] for sample in done.samples) == dict.fromkeys(wanted, 2)
    assert {row_id: len(bodies) for row_id, bodies in done.server.bodies.items() if bodies} == dict.fromkeys(wanted, 2)
    assert done.metrics["correct"]["count"] == 5


def test_an_error_stays_in_the_denominator(evaluate: Evaluate) -> None:
    """Nor does it end the evaluation; the log is marked as incomplete."""
    broken = {
        "right": lambda row: said(tagged(row)),
        "broken": lambda row: (400, {"error": {"message": "no such parameter", "code": "bad"}}),
    }
    done = evaluate("-T", "configs=lex-locate", cases=broken)
    assert done.kinds == {
        row_id: "correct" if case == "right" else "error"
        for row_id, case in done.server.cases.items()
        if row_id in done.kinds
    }
    assert done.metrics["correct"]["accuracy"] == 0.5
    assert done.metrics["error"]["count"] == 4
    assert done.log["status"] == "error"
