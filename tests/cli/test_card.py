import sys
from pathlib import Path

import pytest

from lengthwise.cli import main


@pytest.fixture
def lengthwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Run in `tmp_path`."""
    monkeypatch.chdir(tmp_path)
    return monkeypatch


def called(patch: pytest.MonkeyPatch, *arguments: str) -> int:
    patch.setattr(sys, "argv", ["lengthwise", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_a_build_its_runs_and_its_card(
    lengthwise: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build = ("build", "predicate", "lex-locate", "--split", "4k", "--examples", "2", "--out", "plb", "--quiet")
    assert called(lengthwise, *build) == 0
    assert called(lengthwise, "run", "plb", "--model", "reference:solver", "--out", "a", "--quiet") == 0
    capsys.readouterr()
    assert called(lengthwise, "card", "plb", "a", "--workers", "1", "--quiet") == 0
    shown = capsys.readouterr().out
    assert shown.splitlines()[-1].endswith('section "What was seen" written from 1 run; all rows proven right')
    assert "| ceiling (solver) |" in (tmp_path / "plb" / "README.md").read_text("utf-8")


@pytest.mark.parametrize("arguments", [["none", "a"], ["."], [".", "a"]])
def test_bad_input_ends_with_2(lengthwise: pytest.MonkeyPatch, arguments: list[str]) -> None:
    assert called(lengthwise, "card", *arguments) == 2
