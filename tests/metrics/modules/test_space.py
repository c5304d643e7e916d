import json
import subprocess
import sys
from typing import Any

import pytest

from lengthwise.metrics.modules import MODULES, module_path
from lengthwise.metrics.space import columns_of


class Text:
    dtype = "string"


class Whole:
    dtype = "int64"


def test_cells_become_columns_and_empty_rows_go() -> None:
    rows = [["Score: 1", 1, "[1]"], ["", 0.0, "[]"], [None, "", ""]]
    assert columns_of(rows, {"a": Text(), "b": Whole(), "c": object()}) == {
        "a": ["Score: 1", ""], "b": [1, 0], "c": [[1], []],
    }  # fmt: skip


# Each page is started on a port of its own and asked over HTTP as a browser asks: the page, then the figures.
PAGES = """
import importlib.util, json, sys, urllib.request
from pathlib import Path

found = {}
for folder in map(Path, sys.argv[1:]):
    spec = importlib.util.spec_from_file_location(f"app_{folder.name}", folder / "app.py")
    app = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(app)
    page = app.page()
    _, url, _ = page.launch(server_name="127.0.0.1", prevent_thread_lock=True, quiet=True)
    with urllib.request.urlopen(url) as shown:
        status = shown.status
    from gradio_client import Client

    figures = Client(url, verbose=False).predict(
        {"headers": list(page.input_components[0].headers), "data": app.EXAMPLE, "metadata": None}, api_name="/figures"
    )
    page.close()
    found[folder.name] = [status, figures]
print("RESULT" + json.dumps(found))
"""


@pytest.mark.slow
def test_every_page_starts_and_computes_its_example(tmp_path: Any) -> None:
    pytest.importorskip("gradio")
    done = subprocess.run(
        [sys.executable, "-c", PAGES, *map(module_path, MODULES)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=_environment(tmp_path),
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.split("RESULT")[1])
    assert {name: status for name, (status, _) in found.items()} == dict.fromkeys(MODULES, 200)
    figures = {name: one for name, (_, one) in found.items()}
    assert figures["hallucination_detection"]["balanced_accuracy"] == 0.75
    assert figures["hallucination_types"]["micro"] == 1.0
    assert figures["sequence_match"]["exact_match"] == 0.5
    assert figures["multi_instance"]["success_rate"] == 0.5
    assert figures["pair_accuracy"]["pair_accuracy"] == 0.5
    assert figures["paired_comparison"]["balanced_accuracy"]["difference"] == 0.5


def _environment(home: Any) -> dict[str, str]:
    import os

    # No usage reports, and no proxy between the client and its own machine.
    quiet = {"GRADIO_ANALYTICS_ENABLED": "False", "HF_EVALUATE_OFFLINE": "1", "HF_HOME": str(home), "NO_PROXY": "*"}
    return {**os.environ, **quiet}
