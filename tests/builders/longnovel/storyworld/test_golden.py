import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("regolden.py")
GOLDEN = SCRIPT.with_name("golden.json")

# Runs at the start of every process, workers included: nothing may hang on what others did to the global generators.
POISON = "import random\nimport numpy\nrandom.seed({seed})\nnumpy.random.seed({seed})\n"


@pytest.mark.skipif(not GOLDEN.exists(), reason="the wording is still being written: regolden.py --write ends that")
@pytest.mark.parametrize(("hash_seed", "workers"), [("0", 1), ("1", 2)])
def test_the_rows_are_the_same_in_every_process(tmp_path: Path, hash_seed: str, workers: int) -> None:
    (tmp_path / "sitecustomize.py").write_text(POISON.format(seed=7 + workers), encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    found = subprocess.run(
        [sys.executable, SCRIPT, "--workers", str(workers)],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout) == json.loads(GOLDEN.read_text("utf-8"))


def test_one_process_and_two_make_the_same_rows() -> None:
    made = [
        subprocess.run([sys.executable, SCRIPT, "--workers", str(count)], capture_output=True, text=True, check=True)
        for count in (1, 2)
    ]
    assert made[0].stdout == made[1].stdout != ""
