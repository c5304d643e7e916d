import json
import subprocess
import sys
from pathlib import Path

import pytest


def lengthwise(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", "from lengthwise.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=120, check=False)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["parity"], "--out: name the folder"),
        (["pariti", "--out", "x"], "unknown config 'pariti': did you mean 'parity'?"),
        (["ner-shortest-noise-tail", "--out", "x"], "did you mean 'ner-noise-tail-shortest'?"),
        (["parity", "--setting", "all", "--out", "x"], "unknown setting 'all'"),
        (["parity", "parity-all", "--out", "x"], "a config is named twice"),
        (["parity", "--out", "x", "--size", "2,x"], "--size '2,x': give whole numbers"),
        (["parity", "--out", "x", "--size", "5,2"], "sizes must rise"),
        (["parity", "--out", "x", "--seed", "1,1"], "seeds must be at least one, each given once"),
        (["parity", "--out", "x", "--size", "50", "--pool-size", "40"], "the pool has 40"),
        (["parity", "--out", "x", "--pool-size", "200000"], "parity has not so many different instances"),
        (["parity", "--out", "x", "--pool", "nowhere"], "neither generated, nor hub, nor a folder"),
        (["parity", "--out", "x", "--prompts", "nowhere"], "there is no such folder"),
        (["parity", "--out", "x", "--retained", "none.json"], "not a file that `lengthwise filter` wrote"),
        (["parity", "--out", "x", "--shard", "2"], "give I/N"),
    ],
)
def test_what_cannot_be_meant_is_one_line(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = lengthwise(tmp_path, "build", "multi-instance", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr and done.stderr.count("\n") == 1
    assert not (tmp_path / "x").exists()


def test_build_and_validate(tmp_path: Path) -> None:
    arguments = ("parity", "word-instances", "--size", "2,5", "--out", "mip", "--quiet")
    built = lengthwise(tmp_path, "build", "multi-instance", *arguments)
    assert built.returncode == 0, built.stderr
    assert "20 rows, 2 configs, 4 splits: mip" in built.stdout
    assert "whole pools, no single-instance filter: parity, word" in built.stdout
    checked = lengthwise(tmp_path, "validate", "mip", "--quiet")
    assert checked.returncode == 0, checked.stdout
    digest = json.loads((tmp_path / "mip" / "build.json").read_text("utf-8"))["digest"]
    assert checked.stdout == f"20 rows proven right in 4 splits; digest {digest}\n"


def test_setting_by_option(tmp_path: Path) -> None:
    arguments = (
        "parity-single",
        "word",
        "word-instances",
        "--setting",
        "instances",
        "--size",
        "2",
        "--pool-size",
        "9",
    )
    built = lengthwise(tmp_path, "build", "multi-instance", *arguments, "--out", "mip", "--quiet")
    assert built.returncode == 0, built.stderr
    assert sorted(path.name for path in (tmp_path / "mip").iterdir() if path.is_dir()) == [
        "parity-instances-single",
        "word-instances",
    ]


def test_load_dataset_opens_what_was_built(tmp_path: Path) -> None:
    lengthwise(tmp_path, "build", "multi-instance", "parity", "--size", "2,5", "--out", "mip", "--quiet")
    code = "from datasets import load_dataset; d = load_dataset('mip', 'parity'); print(d['n5'][0]['prompt'][-40:])"
    env_free = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False
    )
    assert env_free.stdout.endswith("=== End of numbers ===\n"), env_free.stderr
