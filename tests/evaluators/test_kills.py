"""Runs killed at random moments, again and again: no reply is lost, none is asked again, and the totals are right.

LENGTHWISE_KILLS sets how many kills there are; the long tier (`pytest -m slow tests/evaluators/test_kills.py`) has
100 of one run.
"""

import json
import os
import random
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest
from faulty_server import FaultyServer, Step
from run_helpers import command_line, write_data

from lengthwise.evaluators.scoring import score_run

ROWS = 400
SHORT = 3


def spent(out: Path) -> dict[str, object]:
    taken = score_run(out, write=False).to_json()["spent"]
    return {name: value for name, value in taken.items() if name != "latency"}


def killed_runs(tmp_path: Path, server: FaultyServer, kills: int, seed: int, number: int) -> int:
    """Start a run and kill it, `kills` times, at a moment of its own each; then let it end. Return kills that hit."""
    data = write_data(tmp_path / "data", {"lex-locate/4k": ROWS})
    draw, hit = random.Random(seed), 0
    # An answer takes so long that the run is in the middle of things for the whole of its life.
    server.default = lambda body: Step(delay=0.02)
    arguments = ["run", data, "--model", server.spec, "--out", "out", "--concurrency", 4, "--quiet"]
    for _ in range(kills):
        before = len(server.seen)
        process = subprocess.Popen(command_line(*arguments), cwd=tmp_path, stderr=subprocess.PIPE)
        # From before it asks for anything to some requests later.
        after = draw.randrange(0, 4)
        deadline = time.monotonic() + 60
        while len(server.seen) < before + after and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.002)
        time.sleep(draw.uniform(0, 0.02) if after else draw.uniform(0, 1.0))
        process.send_signal(number)
        _, said = process.communicate()
        assert process.returncode in (-number, 0, 130, 143), said.decode()
        hit += process.returncode != 0
    done = subprocess.run(command_line(*arguments), cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return hit


def check(tmp_path: Path, server: FaultyServer, hit: int) -> None:
    """Check what the server was asked against what is on record, and the totals against a run that was left alone."""
    log = [json.loads(line) for line in (tmp_path / "out/replies.jsonl").read_text().splitlines()]
    recorded = Counter(line["example"] for line in log)
    assert len(recorded) == ROWS
    # None lost, none asked again: every line is the only one of its row.
    assert set(recorded.values()) == {1}
    # What was asked twice was under way when the run was killed: at most four calls each time.
    assert len(server.seen) - ROWS <= 4 * hit
    arguments = ["run", tmp_path / "data", "--model", server.spec, "--out", "whole", "--quiet"]
    whole = subprocess.run(command_line(*arguments), cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert whole.returncode == 0, whole.stderr
    assert spent(tmp_path / "out") == spent(tmp_path / "whole")


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.timeout(3600)
def test_a_hundred_random_kills_of_one_run(server, tmp_path):
    kills = int(os.environ.get("LENGTHWISE_KILLS", "100"))
    check(tmp_path, server, killed_runs(tmp_path, server, kills, seed=1, number=signal.SIGKILL))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2])
def test_a_few_random_kills_of_one_run(server, tmp_path, seed):
    check(tmp_path, server, killed_runs(tmp_path, server, SHORT, seed, signal.SIGKILL))


@pytest.mark.slow
def test_a_few_terminations_ask_nothing_twice(server, tmp_path):
    killed_runs(tmp_path, server, SHORT, 3, signal.SIGTERM)
    check(tmp_path, server, 0)
