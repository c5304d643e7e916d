"""Whole runs: planted faults against the scripted server, and what the commands make of them."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from faulty_server import Step, completion, error

from lengthwise.builders.multi_instance.build import build_multi_instance
from lengthwise.builders.multi_instance.settings import InstanceSettings
from lengthwise.contracts import Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.again_selection import again_settings
from lengthwise.evaluators.comparing import compare_runs
from lengthwise.evaluators.comparing_tables import render_comparison
from lengthwise.evaluators.plan import plan_run
from lengthwise.evaluators.references_instances import reply_of
from lengthwise.evaluators.report import write_report
from lengthwise.evaluators.retry import RetryPolicy
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_outcomes, score_run
from lengthwise.evaluators.settings import RunSettings
from lengthwise.evaluators.tables import render_results

FAST = RunOptions(retries=RetryPolicy(attempts=2, base=0.001))
ROW = "parity-instances-random_5_seed1"
TOO_LONG = "This model's maximum context length is 40960 tokens. However, your messages resulted in 50000 tokens."
Change = Callable[[dict[str, Any]], Any]


def flipped(table: dict[str, Any]) -> dict[str, Any]:
    """One instance wrong, the summary that of the new answers."""
    one = 1 - table["1"]
    step = 1 if one else -1
    return {**table, "1": one, "odd": table["odd"] + step, "even": table["even"] - step}


# Each way to be wrong: what becomes of the right table, and the class that it must land in, by both readings.
PLANTED: dict[str, tuple[Change, str, str | None, str | None]] = {
    "right": (dict, "correct", None, None),
    "one wrong instance": (flipped, "wrong", "individual", "combined"),
    "wrong sum only": (lambda table: {**table, "odd": table["odd"] + 1}, "wrong", "aggregation", "aggregation"),
    "both": (lambda table: {**flipped(table), "odd": 99}, "wrong", "combined", "combined"),
    "missing keys": (lambda table: {key: table[key] for key in table if key not in "23"}, "wrong", "key", "key"),
    "extra keys": (lambda table: {**table, "6": 1, "7": 0}, "wrong", "key", "key"),
    "invalid JSON": (lambda table: json.dumps(table)[:20] + " ... and so on", "unparsed", "parse", None),
    "over-long": (lambda table: error(400, TOO_LONG, "context_length_exceeded"), "overlength", None, None),
}


def answering(server: Any, example_of: Any, rows: list[str], change: Change = dict) -> None:
    """Let the server answer these rows by their right tables, changed."""
    replies = {}
    for row in rows:
        example = example_of(row)
        made = change(json.loads(reply_of(example, example.columns["instance_answers"])))
        text = made if isinstance(made, str) else json.dumps(made) if isinstance(made, dict) else None
        replies[example.prompt] = made if text is None else Step(200, completion(text))
    server.default = lambda body: replies[body["messages"][-1]["content"]]


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_fault_lands_in_its_class(mip, example_of, server, tmp_path, planted):
    change, kind, failure, by_gold = PLANTED[planted]
    rows = ["parity-instances-random_5_seed1", "parity-instances-random_5_seed2"]
    answering(server, example_of, rows, change)
    settings = RunSettings(str(mip), server.spec, ("parity-instances",), ("n5",))
    run_benchmark(settings, tmp_path / "out", FAST)
    scored = score_outcomes(tmp_path / "out")
    for outcome in scored.outcomes.values():
        assert outcome.kind == kind
        assert outcome.details.get("failure") == failure
        assert failure == "parse" or outcome.details.get("failure_by_gold") == by_gold
        # Only a reply that cannot be parsed is asked for again, up to three times in all, each with its cost.
        assert outcome.calls == (3 if kind == "unparsed" else 0 if kind == "overlength" else 1)
        assert outcome.usage.output == (10 * outcome.calls or None)
    failures = json.loads((tmp_path / "out" / "results.json").read_text())["figures"]["cells"][0]["summary"][
        "failures"
    ]
    wanted = {"overlength": "overlong"}.get(kind, failure)
    assert {name: count for name, count in failures.items() if count} == ({wanted: 2} if wanted else {})


def test_a_later_attempt_counts_and_all_are_kept(mip, example_of, server, tmp_path):
    answering(server, example_of, [ROW])
    right = server.default
    tries = iter([Step(200, completion("I would rather not.")), Step(200, completion("")), None])
    server.default = lambda body: next(tries) or right(body)
    run_benchmark(RunSettings(str(mip), server.spec, ("parity-instances",), ("n5",), limit=1), tmp_path / "out", FAST)
    (outcome,) = score_outcomes(tmp_path / "out").outcomes.values()
    assert (outcome.kind, outcome.calls, outcome.usage.output) == ("correct", 3, 30)


def test_the_paper_s_sampling_is_sent(mip, example_of, server, tmp_path):
    answering(server, example_of, [ROW])
    run_benchmark(RunSettings(str(mip), server.spec, ("parity-instances",), ("n5",), limit=1), tmp_path / "out", FAST)
    assert [(one.body["temperature"], one.body["max_tokens"]) for one in server.seen] == [(0.0, 20_000)]


def test_what_does_not_fit_names_the_size_that_does(mip, example_of, server, tmp_path):
    most = max(example_of(f"parity-random_5_seed{seed}").columns["n_tokens"] for seed in (1, 2))
    server.models = [{"id": "fake", "max_model_len": most + 64 + 20_000}]
    with pytest.raises(InputError, match=r"parity/n10 needs .* Ways out: --split n2,n5; --only-fitting") as caught:
        run_benchmark(RunSettings(str(mip), server.spec, ("parity",)), tmp_path / "out", FAST)
    assert "data built with" not in str(caught.value)


@pytest.fixture
def two_runs(mip: Path, tmp_path: Path) -> tuple[Path, Path]:
    configs = ("parity", "parity-instances", "parity-noise-tail", "parity-shuffled", "word-instances")
    for name in ("gold", "constant"):
        run_benchmark(RunSettings(str(mip), f"reference:{name}", configs), tmp_path / name, FAST)
    return tmp_path / "gold", tmp_path / "constant"


def test_tables_of_a_run_and_of_two(two_runs):
    gold, constant = map(score_run, two_runs)
    for runs in ([gold], [gold, constant]):
        for format in ("text", "markdown"):
            text = render_results(runs, format)  # type: ignore[arg-type]
            assert "(Table 2)" in text and "(Table 3)" in text and "how experiments failed" in text
            assert "decoys" not in text and "first word" not in text
    assert re.search(r"^variant +n2 +n5 +n10 *$", render_results(gold), re.MULTILINE)
    pairs = {pair.config: pair for pair in gold.pairs}
    assert pairs["parity-instances"].n == 6 and pairs["parity-instances"].split == "all"
    assert pairs["parity-shuffled"].n == 3 and pairs["parity-shuffled"].reference_alone == 3


def test_a_comparison_pairs_by_row(two_runs):
    found = compare_runs(*two_runs, n_resamples=200)
    assert found.overall.comparison.n == 3 * (2 + 2 + 2 + 2 + 2) and found.only_first == found.only_second == 0
    assert "parity-noise-tail" in render_comparison(found)


def test_a_page_holds_the_replies(two_runs, tmp_path):
    page = write_report(two_runs, tmp_path / "page.html").read_text("utf-8")
    assert "Multi-instance processing" in page and "parity-instances-random_10_seed2" in page


def test_rows_that_failed_are_asked_again(two_runs, tmp_path):
    settings = again_settings(two_runs[1], ["wrong"], configs=["word-instances"])
    run_benchmark(settings, tmp_path / "again", FAST)
    assert {cell.config for cell in score_run(tmp_path / "again").cells} == {"word-instances"}


def test_a_plan_counts_up_to_three_calls_a_row(mip):
    plan = plan_run(RunSettings(str(mip), "openai:gpt-5-nano", ("parity",), ("n2", "n10")))
    assert (plan.calls, plan.most_calls, plan.most_output_tokens) == (4, 12, 80_000)


def test_a_model_s_run_carries_ceiling_and_floors(mip, example_of, server, tmp_path):
    server.default = lambda body: Step(200, completion('{"answer": 0}'))
    run_benchmark(RunSettings(str(mip), server.spec, ("parity", "wsd")), tmp_path / "out", FAST)
    text = render_results(score_run(tmp_path / "out"))
    assert "ceiling (solver)" in text and "floor (random)" in text and "floor (constant)" in text
    assert "ceiling (solver): blank where no rule solves the task." in text


@pytest.mark.local
def test_a_real_model_runs_the_small_sizes(tmp_path):
    folder = tmp_path / "data"
    configs = ("parity", "word-instances")
    build_multi_instance(folder, configs, settings=InstanceSettings(sizes=(2, 5), seeds=(1,)), progress=False)
    settings = RunSettings(str(folder), "local:smollm2-135m", sampling=Sampling(max_tokens=48))
    run_benchmark(settings, tmp_path / "out", RunOptions(concurrency=1))
    results = score_run(tmp_path / "out")
    assert (results.n_expected, results.n_error) == (4, 0)
    assert "(Table 2)" in render_results(results)
