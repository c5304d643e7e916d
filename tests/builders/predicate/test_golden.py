import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lengthwise.builders.predicate.variants import VARIANTS

SCRIPT = Path(__file__).with_name("regolden.py")
GOLDEN: dict[str, str] = json.loads(SCRIPT.with_name("golden.json").read_text("utf-8"))

# Runs at the start of every process, workers included: nothing may hang on what others did to the global generators.
POISON = "import random\nimport numpy\nrandom.seed({seed})\nnumpy.random.seed({seed})\n"


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
    assert json.loads(found.stdout) == GOLDEN


def test_every_synthetic_config_has_a_golden_digest() -> None:
    assert {*GOLDEN} == {variant.name for variant in VARIANTS.values() if variant.source == "synthetic"}
