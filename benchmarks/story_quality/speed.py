"""Speed: 100 rows of 100,000 tokens, half of them Chinese, built as a user builds them."""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

EXAMPLES, GOAL = 100, 180


def measure_speed(workers: int) -> dict[str, Any]:
    """Build, and time it from command to folder."""
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "data"
        command = [
            sys.executable, "-m", "lengthwise", "build", "longnovel", "xl", "--source", "storyworld", "--out",
            str(out), "--examples", str(EXAMPLES), "--workers", str(workers), "--quiet",
        ]  # fmt: skip
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - start
        cell = json.loads((out / "build.json").read_text("utf-8"))["configs"]["xl"]["test"]
    tokens = EXAMPLES // 2 * 100_000
    failed = [f"{seconds:.0f} s, the goal is {GOAL}"] if seconds > GOAL else []
    return {
        "rows": cell["rows"], "seconds": seconds, "tokens of prose per second": tokens / seconds,
        "tokens of prompts": f"{cell['n_tokens']['min']:,} to {cell['n_tokens']['max']:,}", "failed": failed,
    }  # fmt: skip
