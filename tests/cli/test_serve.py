"""`lengthwise serve-command` as a user types it."""

import json
import shlex
import sys
from inspect import signature
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from lengthwise.cli.serve import register
from lengthwise.errors import InputError
from lengthwise.evaluators import serving_vllm

sys.path.insert(0, str(Path(__file__).parents[1] / "evaluators"))

from run_helpers import write_data


@pytest.fixture
def invoke(tmp_path, monkeypatch):
    # Whatever this machine has installed.
    monkeypatch.setattr(serving_vllm, "DISTRIBUTIONS", ())
    app = typer.Typer()
    # A lone command would lose its name.
    app.callback()(lambda: None)
    register(app)
    cells = {"lex-locate/4k": 4_096, "lex-locate/112k": 114_688, "lex-longest/4k": 4_096}
    data = str(write_data(tmp_path / "plb", dict.fromkeys(cells, 1), cells))

    # Before click 8.2 the two streams had to be asked for apart.
    apart = {"mix_stderr": False} if "mix_stderr" in signature(CliRunner.__init__).parameters else {}

    def run(model, *arguments):
        return CliRunner(**apart).invoke(app, ["serve-command", model, data, *arguments, "--vllm-version", "0.32.0"])

    return run


def test_stdout_is_one_command_and_stderr_has_the_notes(invoke):
    result = invoke("Qwen/Qwen3-8B", "lex-locate", "--split", "4k,112k", "--port", "8001")
    assert result.exit_code == 0
    (line,) = result.stdout.splitlines()
    arguments = shlex.split(line)
    assert arguments[:5] == ["vllm", "serve", "Qwen/Qwen3-8B", "--max-model-len", "131072"]
    assert json.loads(arguments[6])["rope_parameters"]["factor"] == 4.0
    assert arguments[-2:] == ["--port", "8001"]
    assert "static" in result.stderr
    assert all(note.startswith("# ") for note in result.stderr.splitlines())


def test_configs_narrow_the_data(invoke):
    assert "--max-model-len 20480" in invoke("Qwen/Qwen3-8B", "lex-longest").stdout


def test_what_cannot_be_held_is_bad_input(invoke):
    result = invoke("Qwen/Qwen3-8B", "--max-tokens", "20000")
    assert isinstance(result.exception, InputError)
    assert result.stdout == ""
