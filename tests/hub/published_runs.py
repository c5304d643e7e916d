"""Finished runs that look as if a real model had been asked."""

import json
from pathlib import Path
from typing import Any

from lengthwise.cli import app


def run_of_a_model(data: Path, out: Path, config: str, reference: str, *options: str, **settings: Any) -> Path:
    """Run a reference model and enter a real one's name; further `settings` go into run.json as they are.

    `config` may be several, parted by blanks.
    """
    from typer.testing import CliRunner

    done = CliRunner().invoke(
        app,
        [
            "run",
            str(data),
            *config.split(),
            "--model",
            f"reference:{reference}",
            "--out",
            str(out),
            "--quiet",
            *options,
        ],
    )
    assert done.exit_code == 0, done.output
    about = json.loads((out / "run.json").read_text("utf-8"))
    about["model"] = {"spec": "http://localhost:8000/v1#Qwen/Qwen3-8B", "kind": "http", "name": "Qwen/Qwen3-8B"}
    (out / "run.json").write_text(json.dumps(about | settings), "utf-8")
    return out
