"""What `lengthwise serve-command` prints, run as it stands: a model stretched beyond its own window by YaRN."""

import json
import shlex

import pyarrow.parquet as pq
import pytest
from engine_cases import ask
from plumbing import build, lengthwise
from tiny_model import TEMPLATE_TOKENS, make_model
from vllm_server import QUICK, VllmServer

from lengthwise.evaluators.providers.templates import template_counter
from lengthwise.evaluators.scoring import score_outcomes

pytestmark = pytest.mark.vllm
NATIVE = 8_192


def test_the_printed_command_starts_a_server_that_holds_the_data(needs_vllm, tmp_path):
    model = make_model(tmp_path / "stretched", NATIVE)
    data = build(tmp_path / "plb", model, ["lex-locate"], 9_000, examples=1)
    refused = lengthwise(tmp_path, "serve-command", model, data, "--max-tokens", 500)
    assert refused.returncode == 2
    assert "--rope-factor 1.5" in refused.stderr
    printed = lengthwise(tmp_path, "serve-command", model, data, "--max-tokens", 500, "--rope-factor", 4)
    assert printed.returncode == 0, printed.stderr
    command = shlex.split(printed.stdout)
    overrides = json.loads(command[command.index("--hf-overrides") + 1])
    assert (overrides["rope_parameters"]["rope_type"], overrides["rope_parameters"]["factor"]) == ("yarn", 4)
    with VllmServer([*command, *QUICK], str(model), tmp_path / "server.log") as server:
        arguments = ["run", data, "--model", server.spec, "--rope-factor", 4]
        done = lengthwise(tmp_path, *arguments, "--out", "out", "--max-tokens", 500)
        assert done.returncode == 0, done.stderr
        # The paper's output reserve it does not hold, and the preflight knows the way out.
        refused = lengthwise(tmp_path, *arguments, "--out", "more")
        # What is too little room for an output is no error for vLLM: it lowers the budget, and does not say so. The
        # runner has to notice.
        count = template_counter(str(model))
        (prompt,) = pq.read_table(next(data.glob("lex-locate/*.parquet")))["prompt"].to_pylist()
        window = int(command[command.index("--max-model-len") + 1])
        prompt += " of" * (window - 1 - count(prompt))
        _, (reply,) = ask(server.spec, prompt, max_tokens=500)
    assert reply.usage.input == window - 1
    assert (reply.finish_reason, reply.usage.output) == ("length", 1)
    (outcome,) = score_outcomes(tmp_path / "out").outcomes.values()
    (row,) = pq.read_table(tmp_path / "out" / "examples.parquet").to_pylist()
    assert outcome.usage.input == row["n_tokens"] + TEMPLATE_TOKENS > NATIVE
    assert outcome.kind == "wrong"
    assert json.loads((tmp_path / "out" / "run.json").read_text())["model"]["rope"]["factor"] == 4
    assert refused.returncode == 2
    assert f"lengthwise serve-command {model}" in refused.stderr
