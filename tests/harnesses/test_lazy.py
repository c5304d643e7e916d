"""Nobody pays for a harness who does not run it."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.harness

CODE = """
import sys
import lengthwise, lengthwise.cli, lengthwise.evaluators.harnesses.lm_eval_files, lengthwise.evaluators.runner
print([name for name in ("inspect_ai", "lm_eval", "requests", "openai") if name in sys.modules])
"""


def test_no_harness_is_imported() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
