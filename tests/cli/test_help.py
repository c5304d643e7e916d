import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from lengthwise.cli import app


def walk(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield name, command
    for below, each in getattr(command, "commands", {}).items():
        yield from walk(f"{name} {below}", each)


ALL = dict(walk("lengthwise", typer.main.get_command(app)))


def test_commands_below_commands_are_looked_at() -> None:
    assert {"lengthwise run", "lengthwise build predicate", "lengthwise harness lm-eval"} <= set(ALL)


@pytest.mark.parametrize("name", ALL)
def test_no_help_text_is_swallowed(name: str) -> None:
    texts = [ALL[name].help or "", *(getattr(each, "help", None) or "" for each in ALL[name].params)]
    # rich takes [word] for a style and shows nothing, unless the bracket is escaped.
    assert [found for text in texts for found in re.findall(r"(?<!\\)\[[a-zA-Z@/#][^\]]*\]", text)] == []
