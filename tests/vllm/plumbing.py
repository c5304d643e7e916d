"""Builds in a model's own tokens, and the command line, for the tests against vLLM."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from run_helpers import command_line

from lengthwise.builders.predicate.build import build_predicate
from lengthwise.builders.predicate.settings import Settings


def build(folder: Path, model: Path, configs: Sequence[str], tokens: int, **settings: Any) -> Path:
    """Build configs at a length in the model's own tokens, and return the folder."""
    made = Settings(tokenizer=str(model / "tokenizer.json"), **settings)
    build_predicate(folder, configs, tokens=(tokens,), settings=made)
    return folder


def lengthwise(cwd: Path, *arguments: object) -> "subprocess.CompletedProcess[str]":
    """Run the command line in a process of its own."""
    return subprocess.run(command_line(*arguments), capture_output=True, text=True, cwd=cwd, timeout=300, check=False)
