"""What the READMEs say is so: both hold the same commands, and the snippets run; see test_docs.py for all pages."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lengthwise.builders.longnovel.storyworld.build import build_storyworld
from lengthwise.builders.longnovel.storyworld.settings import StorySettings
from lengthwise.builders.multi_instance.build import build_multi_instance
from lengthwise.builders.multi_instance.settings import InstanceSettings
from lengthwise.builders.predicate.build import build_predicate
from lengthwise.builders.predicate.settings import Settings
from lengthwise.builders.predicate.variants import VARIANTS

ROOT = Path(__file__).resolve().parents[1]
READMES = ("README.md", "README.zh.md")


def text_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def blocks(name: str, language: str) -> list[str]:
    found = re.findall(rf"(?ms)^```{language}\n(.*?)^```$", text_of(name))
    return [re.sub(r"(?m) *#.*$", "", block) for block in found]


@pytest.mark.parametrize("language", ["sh", "text", "python"])
def test_both_languages_show_the_same(language: str) -> None:
    english, chinese = (blocks(name, language) for name in READMES)
    assert english == chinese != []


def test_the_python_snippets_run(tmp_path: Path) -> None:
    build_predicate(
        tmp_path / "lengthwise-quickstart" / "data",
        ("lex-locate", "lex-scattered"),
        splits=("4k",),
        settings=Settings(examples=2),
    )
    build_predicate(tmp_path / "plb", ("lex-locate",), splits=("24k",), settings=Settings(examples=1))
    build_multi_instance(
        tmp_path / "lengthwise-quickstart" / "mip", ("parity",), settings=InstanceSettings(sizes=(2, 5, 10))
    )
    build_storyworld(tmp_path / "lengthwise-quickstart" / "novel", StorySettings(("4k",), examples=2))
    env = {**os.environ, "HF_HOME": str(tmp_path / "hf"), "HF_HUB_OFFLINE": "1"}
    for snippet in blocks("README.md", "python"):
        command = [sys.executable, "-c", snippet]
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
        if done.returncode < 0 and "streaming=True" in snippet:
            # After a stream was read, pyarrow's threads can bring the interpreter down as it ends (datasets #7467).
            # Everything is printed by then.
            assert done.stdout.count("\n") >= 3, done.stdout
            done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
        assert done.returncode == 0, (done.returncode, done.stderr)
    assert (tmp_path / "random.html").is_file()


@pytest.mark.parametrize("name", READMES)
def test_the_table_of_configs_is_whole(name: str) -> None:
    # The table of methods stands before it.
    _, first, behind = text_of(name).partition("| `unary-locate`")
    rows = [line for line in (first + behind).splitlines() if line.startswith("| `")]
    named: list[str] = []
    for config in re.findall(r"`([\w-]+)`", " ".join(row.split("|")[1] for row in rows)):
        named.append(named[-1].split("-")[0] + config if config.startswith("-") else config)
    assert sorted(named) == sorted(VARIANTS)
