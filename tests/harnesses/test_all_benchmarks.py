"""Every benchmark in both harnesses: each row ends as with our own runner, and so does `lengthwise import` of the log.

One evaluation for each benchmark and harness; all tests look at these.
"""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from benchmark_data import DATA
from harness_runs import Call, OurRun, Serve
from scripted_server import COMMON, ScriptedServer

from lengthwise.evaluators.run_folder import RunFolder
from lengthwise.metrics.classification import detection

pytestmark = [pytest.mark.harness, pytest.mark.slow]

BENCHMARKS = sorted(DATA)
FIGURES = ("balanced_accuracy", "mcc")


@dataclass(frozen=True)
class Done:
    """An evaluation by a harness."""

    server: ScriptedServer
    log: Path
    said: str


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    @cache
    def of(benchmark: str) -> Path:
        return DATA[benchmark](tmp_path_factory.mktemp("data") / benchmark)

    return of


@pytest.fixture(scope="module")
def own(
    serve: Serve, data: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], OurRun]:
    @cache
    def of(benchmark: str) -> OurRun:
        folder = data(benchmark)
        return OurRun(serve(COMMON, folder), folder, tmp_path_factory.mktemp("own") / "run")

    return of


@pytest.fixture(scope="module")
def inspect(
    needs: Callable[..., None],
    call: Call,
    serve: Serve,
    data: Callable[[str], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[str], Done]:
    needs("inspect_ai", "openai")

    @cache
    def of(benchmark: str) -> Done:
        server, folder = serve(COMMON, data(benchmark)), tmp_path_factory.mktemp("inspect")
        done = call(
            "inspect", "eval", f"lengthwise/{benchmark}", "--model", "openai-api/loop/scripted",
            "-T", f"data={data(benchmark)}", "--log-dir", "logs", "--display", "plain",
            cwd=folder, LOOP_BASE_URL=server.url, LOOP_API_KEY="none",
        )  # fmt: skip
        return Done(server, next((folder / "logs").glob("*.eval")), done.stdout + done.stderr)

    return of


@pytest.fixture(scope="module")
def lm_eval(
    needs: Callable[..., None],
    call: Call,
    serve: Serve,
    data: Callable[[str], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[str], Done]:
    needs("lm_eval", "tenacity")

    @cache
    def of(benchmark: str) -> Done:
        server, folder = serve(COMMON, data(benchmark)), tmp_path_factory.mktemp("lm_eval")
        wrote = call("lengthwise", "harness", "lm-eval", data(benchmark), "--out", "tasks", cwd=folder)
        assert wrote.returncode == 0, wrote.stderr
        (group,) = (name for name in (folder / "tasks").iterdir() if "\ngroup:" in name.read_text())
        named = f"base_url={server.url}/chat/completions,model=scripted,num_concurrent=4"
        done = call(
            "lm_eval", "--include_path", "tasks", "--tasks", group.stem, "--model", "local-chat-completions",
            "--apply_chat_template", "--model_args", named, "--log_samples", "--output_path", "out",
            cwd=folder,
        )  # fmt: skip
        return Done(server, folder / "out", done.stdout + done.stderr)

    return of


def inspect_log(call: Call, done: Done) -> dict[str, Any]:
    """Return the log as JSON, by inspect's own command."""
    dumped = call("inspect", "log", "dump", done.log, cwd=done.log.parent)
    log: dict[str, Any] = json.loads(dumped.stdout)
    return log


def lm_eval_samples(done: Done) -> list[dict[str, Any]]:
    return [json.loads(line) for file in done.log.rglob("samples_*.jsonl") for line in file.read_text().splitlines()]


def lm_eval_results(done: Done) -> dict[str, Any]:
    (file,) = done.log.rglob("results_*.json")
    results: dict[str, Any] = json.loads(file.read_text())
    return results


def figures(own: OurRun) -> dict[str, list[float]]:
    """Return balanced accuracy and MCC of each cell, from our results.json; nothing where there is none."""
    parts = [one for one in own.figures.get("parts", ()) if one["language"] is None and one["origin"] is None]
    return {name: [part["figures"][name]["value"] for part in parts] for name in FIGURES}


def over_all(own: OurRun) -> dict[str, float]:
    """Return them of all cells together, from our outcomes."""
    rows = {row["id"]: row["hallucinated"] for row in RunFolder.open(own.folder).examples().to_pylist()}
    outcomes = pq.read_table(own.folder / "outcomes.parquet").to_pylist()
    scores = [None if one["answer"] is None else json.loads(one["answer"]) for one in outcomes]
    found = detection(scores, [rows[one["example_id"]] for one in outcomes]).to_dict()
    return {name: found[name] for name in FIGURES}


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_inspect_rows(
    benchmark: str, inspect: Callable[[str], Done], own: Callable[[str], OurRun], call: Call
) -> None:
    """Outcomes, details and requests; the requests of a row that is asked again are as many as ours."""
    done, ours = inspect(benchmark), own(benchmark)
    samples = inspect_log(call, done)["samples"]
    scores = {sample["id"]: sample["scores"]["outcome"] for sample in samples}
    assert {row: score["metadata"]["outcome"] for row, score in scores.items()} == ours.kinds, done.said
    assert len(set(ours.kinds.values())) >= 7
    for row, score in scores.items():
        details = score["metadata"]["details"]
        assert details == {name: ours.details[row][name] for name in details}
    assert done.server.bodies == ours.server.bodies
    assert done.server.prompts == []


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_inspect_figures(
    benchmark: str, inspect: Callable[[str], Done], own: Callable[[str], OurRun], call: Call
) -> None:
    ours = own(benchmark)
    results = inspect_log(call, inspect(benchmark))["results"]["scores"]
    found = {
        (score["name"], name.split("/")[-1]): metric["value"]
        for score in results
        for name, metric in score["metrics"].items()
    }
    counts = {kind: value for (kind, name), value in found.items() if name == "count" and value}
    assert counts == Counter(ours.kinds.values())
    assert found["correct", "accuracy"] == pytest.approx(ours.accuracy)
    of_classes = {name: value for (score, name), value in found.items() if score == "outcome"}
    assert of_classes == pytest.approx(over_all(ours) if benchmark.startswith("longnovel") else {})


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_lm_eval_rows(benchmark: str, lm_eval: Callable[[str], Done], own: Callable[[str], OurRun]) -> None:
    done, ours = lm_eval(benchmark), own(benchmark)
    kinds = {}
    for sample in lm_eval_samples(done):
        (metric,) = (name for name in sample["metrics"] if sample[name] == 1)
        kinds[sample["doc"]["id"]] = "correct" if metric == "accuracy" else metric
    assert kinds == ours.kinds, done.said
    assert done.server.bodies == ours.server.bodies
    assert done.server.prompts == []


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_lm_eval_figures(benchmark: str, lm_eval: Callable[[str], Done], own: Callable[[str], OurRun]) -> None:
    """Of every cell, balanced accuracy and MCC; of the group, accuracy and the number of calls."""
    ours, results = own(benchmark), lm_eval_results(lm_eval(benchmark))["results"]
    groups = [found for name, found in results.items() if name.count("_") < 3 and "accuracy,none" in found]
    assert groups[0]["accuracy,none"] == pytest.approx(ours.accuracy)
    calls = [found["calls,none"] for found in results.values() if "calls,none" in found]
    assert sum(calls) == sum(map(len, ours.server.bodies.values()))
    for name, values in figures(ours).items():
        cells = [found[f"{name},none"] for task, found in results.items() if task.endswith("_test")]
        assert sorted(cells) == pytest.approx(sorted(values))


def outcomes(run: Path) -> list[dict[str, Any]]:
    """Return how the rows of a scored run ended, without what a harness cannot know: how the error was worded."""
    rows = pq.read_table(run / "outcomes.parquet").to_pylist()
    known = ("example_id", "kind", "answer", "details", "causes", "output_tokens", "calls")
    return sorted(({name: row[name] for name in known} for row in rows), key=lambda row: str(row["example_id"]))


@pytest.mark.parametrize("benchmark", BENCHMARKS)
@pytest.mark.parametrize("harness", ["inspect", "lm-eval"])
def test_an_imported_log_is_our_run(
    harness: str,
    benchmark: str,
    request: pytest.FixtureRequest,
    own: Callable[[str], OurRun],
    data: Callable[[str], Path],
    call: Call,
    tmp_path: Path,
) -> None:
    """The same outcome, answer, details, tokens and calls of every row; what reads run folders reads it."""
    done, ours = request.getfixturevalue(harness.replace("-", "_"))(benchmark), own(benchmark)
    out = tmp_path / "run"
    command = ("lengthwise", "import", harness, done.log, "--data", data(benchmark), "--out", out)
    imported = call(*command, cwd=tmp_path)
    assert imported.returncode == 0, imported.stderr
    assert outcomes(out) == outcomes(ours.folder)
    run = json.loads((out / "run.json").read_text())
    assert run["model"]["kind"] == "imported"
    assert run["imported"]["harness"] == harness
    assert (run["imported"]["unmatched"], run["imported"]["missing"], run["imported"]["asked_otherwise"]) == (0, 0, 0)
    theirs = json.loads((ours.folder / "run.json").read_text())
    same = ("benchmark", "method", "sampling", "sampling_origin", "repeats", "n_examples")
    assert {name: run[name] for name in same} == {name: theirs[name] for name in same}
    again = call(*command, cwd=tmp_path)
    assert again.returncode == 2 and "choose a new folder" in again.stderr
    compared = call("lengthwise", "compare", ours.folder, out, cwd=tmp_path)
    assert compared.returncode == 0, compared.stderr
    reported = call("lengthwise", "report", ours.folder, out, "--out", "report.html", cwd=tmp_path)
    assert reported.returncode == 0, reported.stderr
    more = call("lengthwise", "run", "--from", out / "run.json", "--out", tmp_path / "more", cwd=tmp_path)
    assert "nobody can be asked for more" in more.stderr
