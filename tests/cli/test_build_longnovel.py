import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lengthwise.cli import main

SENTENCE = "On day {n} the old captain of book {book} walked down to the harbour and counted the boats once more. "
SLOTS = (
    *("compressor", "critic", "generator-1", "generator-2", "generator-3", "judge-1", "judge-2", "arbiter"),
    *("extractor", "injector-1", "injector-2", "injector-3"),
)


@pytest.fixture
def books(tmp_path: Path) -> Path:
    folder = tmp_path / "books"
    folder.mkdir()
    for book in range(2):
        lines = []
        for unit in range(1, 4):
            text = "".join(SENTENCE.format(n=n, book=book) for n in range(unit * 200, unit * 200 + 110))
            summary = {"summary": "He counts boats.", "summary_origin": "human:us"}
            lines.append({"unit": unit, "text": text, **summary})
        (folder / f"b{book}.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    return folder


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Run a command line; return its exit code and all that it said."""

    def called(*arguments: str | Path) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["lengthwise", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        shown = capsys.readouterr()
        return int(ended.value.code or 0), shown.out + shown.err

    return called


def test_windows_need_no_model(run: Callable[..., tuple[int, str]], books: Path, tmp_path: Path) -> None:
    code, said = run("build", "longnovel", "4k", "--source", books, "--out", tmp_path / "d", "--until", "windows")
    assert (code, said.splitlines()[:2]) == (
        0, ["units: 6 of 2 books, 6 with a summary", "windows: 6 of 4k"]
    )  # fmt: skip


def test_a_dry_run_says_what_will_be_asked_and_what_it_costs(
    run: Callable[..., tuple[int, str]], books: Path, tmp_path: Path
) -> None:
    (tmp_path / "roles.toml").write_text("\n".join(f'{slot} = "openai:gpt-5.2"' for slot in SLOTS))
    command = ["build", "longnovel", "4k", "--source", books, "--out", tmp_path / "d", "--dry-run"]
    code, said = run(*command, "--models", tmp_path / "roles.toml")
    assert code == 0
    assert "arbitration  generator-1" in said and "in all US$" in said
    assert not (tmp_path / "d" / "build.json").exists() and not (tmp_path / "d/steps/replies.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--out: name the folder"),
        (["--out", "new", "--until", "units"], "--source: name a folder"),
        (["--out", "new", "--source", "books", "--examples", "8"], "--examples: applies to --source storyworld alone"),
        (["--out", "new", "--source", "storyworld", "--models", "roles.toml"], "--models: does not apply"),
        (["--out", "new", "--source", "storyworld", "--source", "books"], "--source storyworld: stands alone"),
        (["--out", "new", "--examples", "3"], "examples must be even"),
        (["2000k", "--out", "new"], "a length from 1k to 1000k"),
        (["5", "--out", "new", "--source", "books"], "scale '5'"),
        (["--out", "new", "--source", "books", "--until", "window"], "unknown step 'window': did you mean 'windows'?"),
        (["--out", "new", "--source", "books", "--shares", "1,2"], "--shares '1,2': give three whole numbers"),
        (["--out", "new", "--source", "books", "--language", "fr"], "unknown language 'fr'"),
        (["8k", "--out", "new", "--source", "books", "--rows", "paper"], "none of 8k"),
        (["--out", "new", "--source", "books", "--rows", "none.tsv"], "there is no file 'none.tsv'"),
        (["--out", "new", "--recipe", "books", "--source", "books"], "no build.json"),
        (["--out", "new", "--source", "./nowhere"], "no such folder or file"),
        (["--out", "new", "--source", "books", "--prompts", "nowhere"], "there is no such folder"),
        (["--out", "new", "--source", "books", "--prompts", "books"], "has neither en/ nor zh/"),
    ],
)
def test_what_cannot_be_built_is_said_in_one_line(
    run: Callable[..., tuple[int, str]],
    books: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, said = run("build", "longnovel", *arguments, "--quiet")
    assert code == 2 and said.startswith("error: ") and said.count("\n") == 1 and message in said


def test_export_needs_one_form(run: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    code, said = run("export", tmp_path, "--out", tmp_path / "x")
    assert (code, said) == (2, "error: --recipe, --sft: give one of them\n")
