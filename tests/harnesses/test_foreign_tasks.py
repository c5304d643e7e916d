"""Tasks of someone else's over our rows, run by the real harnesses: what `lengthwise import` makes of their logs."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from harness_runs import Call, Serve, write_plain_task
from scripted_server import CASES, read_rows

from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.settings import RunSettings, prepare

pytestmark = [pytest.mark.harness, pytest.mark.slow]

# What becomes of each case where no more than the text is logged.
OF_TEXT = {
    "right": "correct",
    "wrong": "wrong",
    "unparsable": "unparsed",
    "refusal": "refused",
    "truncated": "unparsed",
    "no text": "empty",
}
INSPECT_TASK = """
from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.scorer import includes

@task
def plain():
    return Task(dataset=json_dataset("rows.jsonl"), scorer=includes(), epochs=2)
"""


def kinds(run: Path) -> list[tuple[str, str]]:
    return [(example, one.kind) for (example, _), one in score_outcomes(run).outcomes.items()]


def test_a_plain_task_of_inspect(
    needs: Callable[..., None], call: Call, serve: Serve, plb: Path, tmp_path: Path
) -> None:
    """Rows whose ids are numbers are found by their prompts; its outputs say why they ended."""
    needs("inspect_ai", "openai")
    server = serve({name: CASES[name] for name in OF_TEXT})
    rows = read_rows(plb)
    lines = [json.dumps({"input": row["prompt"], "target": row["answer_text"]}) for row in rows]
    (tmp_path / "rows.jsonl").write_text("\n".join(lines))
    (tmp_path / "plain.py").write_text(INSPECT_TASK)
    done = call(
        "inspect", "eval", "plain.py", "--model", "openai-api/loop/scripted", "--temperature", "0.5",
        "--log-dir", "logs", "--log-format", "json", "--display", "plain",
        cwd=tmp_path, LOOP_BASE_URL=server.url, LOOP_API_KEY="none",
    )  # fmt: skip
    command = ("lengthwise", "import", "inspect", "logs", "--data", plb, "--out", "run", "--label", "Mine")
    imported = call(*command, cwd=tmp_path)
    assert imported.returncode == 0, done.stdout + done.stderr + imported.stderr
    wanted = {**OF_TEXT, "truncated": "truncated_output"}
    in_order = prepare(RunSettings(str(plb), "")).examples["id"].to_pylist()
    assert kinds(tmp_path / "run") == [(row, wanted[server.cases[row]]) for row in in_order for _ in range(2)]
    run = json.loads((tmp_path / "run" / "run.json").read_text())
    assert (run["repeats"], run["imported"]["replies"], run["labels"]["label"]) == (2, 2 * len(rows), "Mine")
    assert (run["sampling"]["temperature"], run["sampling_origin"]) == (0.5, "changed")
    assert run["imported"]["version"]


def test_a_plain_task_of_lm_eval(
    needs: Callable[..., None], call: Call, serve: Serve, plb: Path, tmp_path: Path
) -> None:
    """Its log holds the texts alone."""
    needs("lm_eval", "tenacity")
    server = serve({name: CASES[name] for name in OF_TEXT})
    write_plain_task(
        plb,
        tmp_path,
        output_type="generate_until",
        generation_kwargs={"until": ["\n\n\n\n"], "max_gen_toks": 16000},
        metric_list=[{"metric": "exact_match"}],
    )
    done = call(
        "lm_eval", "--include_path", "tasks", "--tasks", "plain", "--model", "local-chat-completions",
        "--apply_chat_template", "--model_args", f"base_url={server.url}/chat/completions,model=scripted",
        "--log_samples", "--output_path", "out", "--limit", "6",
        cwd=tmp_path,
    )  # fmt: skip
    command = ("lengthwise", "import", "lm-eval", "out", "--data", plb, "--out")
    imported = call(*command, "run", "--only-logged", cwd=tmp_path)
    assert imported.returncode == 0, done.stdout + done.stderr + imported.stderr
    found = kinds(tmp_path / "run")
    assert found == [(row, OF_TEXT[server.cases[row]]) for row, _ in found]
    assert len(found) == 6
    whole = call(*command, "whole", cwd=tmp_path)
    assert whole.returncode == 1
    assert "careful: 2 rows of the data have no reply in the log" in whole.stderr
    other = call(*command, "other", "--config", "unary-all", cwd=tmp_path)
    assert other.returncode == 2
    assert "none of the 6 rows of the log is in these data" in other.stderr
