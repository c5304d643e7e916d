"""`lengthwise review`: what it prints, writes and refuses."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lengthwise.builders.longnovel.review.desk import PairDesk, open_pairs
from lengthwise.builders.longnovel.review.store import ReviewLog
from lengthwise.cli import main

Run = Callable[..., tuple[int, str, str]]
FAITHFUL = {"hallucinated": False, "sentences": [], "types": [], "explanation": ""}
WRONG = {"hallucinated": True, "sentences": [0], "types": ["event"], "explanation": "no"}


@pytest.fixture
def run(build: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*options: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["lengthwise", "review", str(build), *options])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        code = ended.value.code
        return (code if isinstance(code, int) else 0), said.out, said.err

    return call


@pytest.fixture
def reviewed(build: Path) -> Path:
    with ReviewLog(build) as log:
        desk = PairDesk(open_pairs(build, log), log, ("lin", "maya"))
        for name, pair in desk.pairs.items():
            right = [WRONG if side.hallucinated else FAITHFUL for side in pair.sides]
            desk.label(name, "lin", right)
            desk.label(name, "maya", right if pair.key.language == "zh" else right[::-1])
    return build


@pytest.mark.usefixtures("reviewed")
def test_the_summary_is_table_9(run: Run):
    code, out, _ = run("--summary")
    assert code == 0
    lines = {line.split("  ")[0].strip(): line.split() for line in out.splitlines()}
    # Of 12 summaries both call 6 hallucinated, 3 of them the same.
    assert lines["hallucinated or not"][-2:] == ["12", "0.000"]
    assert lines["event"][-3:] == ["6", "6", "3"]
    assert out.count("presence, sentences, types") == 3
    _, markdown, _ = run("--summary", "--format", "markdown")
    assert "| event |" in markdown


@pytest.mark.usefixtures("reviewed")
def test_label_studio_both_ways(run: Run, tmp_path: Path):
    tasks = tmp_path / "tasks.json"
    code, out, _ = run("--export-label-studio", str(tasks))
    assert (code, "6 tasks" in out) == (0, True)
    assert tasks.with_suffix(".xml").is_file()
    code, out, _ = run("--import-label-studio", str(tasks))
    assert (code, "0 labels and 0 decisions taken, 12 were there" in out) == (0, True)
    found = json.loads(tasks.read_text("utf-8"))
    found[0]["data"]["pair"] = "x"
    tasks.write_text(json.dumps(found))
    _, _, err = run("--import-label-studio", str(tasks))
    assert "skipped: task 1" in err


def test_summaries_as_tables_and_as_a_source(run: Run, tmp_path: Path):
    _, out, _ = run("--mode", "summaries", "--summary")
    assert ["drafted", "24"] in [line.split() for line in out.splitlines()]
    assert "Versions saved" not in out
    _, out, _ = run("--export-summaries", str(tmp_path / "units.jsonl"))
    assert "24 units" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "--annotator"),
        (["--summary"], "nothing has been reviewed here"),
        (["--annotator", "lin", "--language", "fr"], "unknown language"),
        (["--annotator", "lin", "--labels-needed", "0"], "--labels-needed"),
        (["--annotator", "lin", "--sample", "0"], "--sample 0"),
        (["--annotator", "lin", "--split", "dev"], "no minimal pairs"),
        (["--annotator", "lin", "--port", "70000"], "--port 70000"),
        (["--annotator", "lin", "--host", "203.0.113.7", "--port", "0"], "cannot listen there"),
    ],
)
def test_what_it_refuses(run: Run, options: list[str], message: str):
    code, _, err = run(*options)
    assert code == 2
    assert message in err
