import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from lengthwise.cli import main
from lengthwise.cli.build import LITE_EXAMPLES

Command = Callable[..., "subprocess.CompletedProcess[str]"]
SMALL = ("--split", "4k", "--examples", "1", "--quiet")


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Run a command line that must end with code 2 and one line on stderr; return the line."""

    def run(*arguments: str) -> str:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["lengthwise", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        shown = capsys.readouterr()
        assert (ended.value.code, shown.out) == (2, "")
        assert shown.err.startswith("error: ") and shown.err.count("\n") == 1
        return shown.err

    return run


@pytest.fixture
def lengthwise(tmp_path: Path) -> Command:
    """Run the command line in a process of its own, in `tmp_path`."""

    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-c", "from lengthwise.cli import main; main()", *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False)

    return run


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lex-locate"], "--out: name the folder"),
        (["lex-locat", "--out", "x"], "unknown config 'lex-locat': did you mean 'lex-locate'?"),
        (["lex-locate", "--out", "x", "--k", "-1"], "k must be at least 2, not -1"),
        (["lex-locate", "--out", "x", "--k", "5000", *SMALL], "too few for lex lists"),
        (["lex-scattered", "--out", "x", "--k", "3"], "needs k >= 4"),
        (["lex-locate", "--out", "x", "--word-length", "2"], "is too small for"),
        (["lex-locate", "--out", "x", "--split", "5q"], "split '5q' is no length"),
        (["lex-locate", "--out", "x", "--tokens", "10"], "10 tokens are too few"),
        (["lex-locate", "--out", "x", "--window", "100"], "leaves nothing behind a reserve"),
        (["lex-locate", "--out", "x", "--shard", "2"], "shard '2' cannot be read: give I/N"),
        (["lex-locate", "--out", "x", "--shard", "3/2", *SMALL], "shard 3/2"),
        (["lex-locate", "--out", "x", "--lite", "--examples", "3"], "--lite and --examples both"),
        (["lex-locate", "--out", "x", "--tokenizer", "qwen"], "unknown tokenizer 'qwen': did you mean 'qwen3'?"),
        (["unary-locate", "--out", "x", "--kinds", "prefix,sufix"], "did you mean 'suffix'?"),
        (["documents-locate", "--out", "x"], "documents-locate needs documents"),
        (["documents-locate", "--out", "x", "--documents", "./none"], "./none"),
        (["--out", "x", "--documents", ".", "--bound", "min_tokns=1"], "did you mean 'min_tokens'?"),
        (["--out", "x", "--documents", ".", "--bound", "min_tokens=x"], "give NAME=VALUE"),
        (["lex-scattered", "--out", "x", "--decoys", "2,x"], "--decoys: 'x' is no whole number"),
        (["lex-scattered", "--out", "x", "--decoys", ","], "--decoys ',': names no value"),
        (["lex-locate", "--out", "x", "--near-miss", "0.1,0.2"], "near-miss has several values, but nothing"),
        (["lex-lists--decoys-2", "--out", "x"], "what can be varied of lex-lists is lists"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_leaves_nothing(
    refused: Callable[..., str], tmp_path: Path, arguments: list[str], message: str
) -> None:
    assert message in refused("build", "predicate", *arguments)
    assert not any(tmp_path.iterdir())


def test_a_build_says_what_it_made_and_is_recognised(lengthwise: Command, tmp_path: Path) -> None:
    first = lengthwise("build", "predicate", "lex-locate,unary-all", "--out", "plb", *SMALL)
    digest = json.loads((tmp_path / "plb" / "build.json").read_text("utf-8"))["digest"]
    assert first.returncode == 0, first.stderr
    assert first.stdout.splitlines() == ["2 rows, 2 configs, 2 splits: plb", f"digest {digest}"]
    again = lengthwise("build", "predicate", "lex-locate,unary-all", "--out", "plb", *SMALL)
    assert (again.returncode, again.stdout.splitlines()[-1]) == (0, f"digest {digest}")
    assert "holds this very build already" in again.stdout
    other = lengthwise("build", "predicate", "lex-locate", "--out", "plb", *SMALL)
    assert other.returncode == 2 and "holds another build" in other.stderr


def test_shards_are_built_apart_and_finished_together(lengthwise: Command, tmp_path: Path) -> None:
    arguments = ("build", "predicate", "lex-locate", "unary-all", "--out", "plb", *SMALL)
    part = lengthwise(*arguments, "--shard", "1/2")
    assert part.returncode == 0 and "this part is done" in part.stdout
    assert not (tmp_path / "plb" / "build.json").exists()
    assert lengthwise(*arguments, "--shard", "2/2").returncode == 0
    assert lengthwise(*arguments).returncode == 0
    assert lengthwise("validate", "plb", "--quiet").returncode == 0


def test_lite_is_25_rows(lengthwise: Command, tmp_path: Path) -> None:
    ended = lengthwise("build", "predicate", "sum-locate", "--out", "plb", "--split", "2k", "--lite", "--quiet")
    assert ended.returncode == 0, ended.stderr
    assert pq.read_table(tmp_path / "plb" / "sum-locate").num_rows == LITE_EXAMPLES == 25


def test_the_command_on_the_card_builds_the_same_rows(lengthwise: Command, tmp_path: Path) -> None:
    given = (
        "--tokens",
        "5000",
        "--words",
        "700",
        "--seed",
        "-3",
        "--k",
        "6",
        "--kinds",
        "prefix,suffix",
        "--lists",
        "7",
    )
    ended = lengthwise(
        "build", "predicate", "unary-all", "lex-lists", "--out", "plb", "--examples", "1", "--quiet", *given
    )
    assert ended.returncode == 0, ended.stderr
    card = (tmp_path / "plb" / "README.md").read_text("utf-8")
    (line,) = [line for line in card.splitlines() if line.startswith("lengthwise build predicate ")]
    again = lengthwise(*shlex.split(line.replace(" DIR", " other"))[1:], "--quiet")
    assert again.returncode == 0, again.stderr
    assert again.stdout.splitlines()[-1] == ended.stdout.splitlines()[-1]


def test_several_values_are_a_config_each_and_the_card_names_the_command(lengthwise: Command, tmp_path: Path) -> None:
    given = ("lex-scattered", "lex-clustered", "--decoys", "2,16", "--radius", "60,100", *SMALL)
    ended = lengthwise("build", "predicate", *given, "--out", "plb")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines()[:2] == [
        "left out lex-clustered--decoys-16--radius-60: radius 60 is too small for 16 decoys of 7 words; use >= 68",
        "5 rows, 5 configs, 5 splits: plb",
    ]
    card = (tmp_path / "plb" / "README.md").read_text("utf-8")
    (line,) = [line for line in card.splitlines() if line.startswith("lengthwise build predicate ")]
    assert line.endswith(" --decoys 2,16 --radius 60,100")
    again = lengthwise(*shlex.split(line.replace(" DIR", " plb"))[1:], "--quiet")
    assert "holds this very build already" in again.stdout


def test_validate_counts_what_it_proved(lengthwise: Command, built: Path) -> None:
    ended = lengthwise("validate", str(built), "--quiet", "--workers", "1")
    assert ended.returncode == 0
    assert ended.stdout.startswith("33 rows proven right in 11 splits; digest ")


def test_validate_lists_problems_and_ends_with_1(lengthwise: Command, tmp_path: Path) -> None:
    lengthwise("build", "predicate", "lex-locate", "--out", "plb", *SMALL)
    (tmp_path / "plb" / "README.md").write_text("mine", encoding="utf-8")
    ended = lengthwise("validate", "plb", "--quiet")
    assert ended.returncode == 1
    assert "README.md does not carry the digest" in ended.stdout and "2 problems in 1 rows" in ended.stdout


@pytest.mark.parametrize("name", ["missing", "."])
def test_validate_of_what_is_no_build(refused: Callable[..., str], name: str) -> None:
    assert "there is no folder" in refused("validate", name) or "is no finished build" in refused("validate", name)


def test_bad_input_ends_a_real_process_with_code_2(lengthwise: Command) -> None:
    ended = lengthwise("build", "predicate", "lex-locat", "--out", "x")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("error: unknown config 'lex-locat'")
