import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lengthwise.builders.hub_folder import parquet_files, read_build
from lengthwise.cli import main


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


def test_without_a_source_novels_are_generated(run: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    code, said = run(
        "build", "longnovel", "1k", "--examples", "4", "--out", tmp_path / "d", "--workers", "1", "--quiet"
    )
    build = read_build(tmp_path / "d")
    assert (code, build["benchmark"]) == (0, "longnovel-storyworld")
    assert said == f"4 rows, 1 config, 1 split: {tmp_path / 'd'}\ndigest {build['digest']}\n"
    code, said = run("validate", tmp_path / "d", "--workers", "1", "--quiet")
    assert (code, said) == (0, f"4 rows proven right in 2 splits; digest {build['digest']}\n")


def test_options_reach_the_build(run: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    command = ("build", "longnovel", "1k,2k", "--source", "storyworld", "--examples", "2", "--train", "2",
               "--validation", "4", "--language", "zh", "--seed", "7", "--out", tmp_path / "d", "--workers", "1",
               "--quiet")  # fmt: skip
    code, said = run(*command, "--shard", "1/2")
    assert code == 0 and "this part is done" in said
    code, said = run(*command)
    assert code == 0 and said.startswith("16 rows, 2 configs, 6 splits")
    assert [path.name.split("-")[1] for path in parquet_files(tmp_path / "d", ("2k", "train"))] == ["zh"]
    assert run(*command)[1].startswith(f"{tmp_path / 'd'} holds this very build already")


def test_a_folder_with_steps_of_books_goes_on_with_them(run: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    (tmp_path / "d" / "steps").mkdir(parents=True)
    (tmp_path / "d" / "steps" / "plan.json").write_text("{}")
    code, said = run("build", "longnovel", "4k", "--out", tmp_path / "d")
    assert code != 0 and "generated" not in said and not (tmp_path / "d" / "build.json").exists()
