"""Every command with its arguments and options, read off the command line itself, behind what `commands.md` says."""

import re
from collections.abc import Iterator
from typing import Any

import typer
from sphinx.application import Sphinx

from lengthwise.cli import app as command_line

PAGE = "commands"


def markdown(text: str) -> str:
    r"""Return a help text as Markdown: code stays code, options become code, all else is text.

    >>> print(markdown(r"See `list`, or --all. \[default: 1]"))
    See `list`, or `--all`. \[default: 1\]
    """
    marked = re.sub(r"(`[^`]*`)|(--[a-z][a-z-]*)", lambda found: found[1] or f"`{found[2]}`", text)
    parts = " ".join(marked.replace("\\[", "[").split()).split("`")
    plain = ["".join("\\" + one if one in "\\*_<>[]|$#" else one for one in part) for part in parts[::2]]
    code = [f"`{part}`" for part in parts[1::2]] + [""]
    return "".join(outer + inner for outer, inner in zip(plain, code, strict=True))


def _parameter(one: Any) -> str:
    if one.param_type_name == "argument":
        names = f"`{(one.metavar or one.name).upper()}`"
    else:
        value = "" if one.is_flag else f" {(one.metavar or one.name).upper()}"
        names = ", ".join(f"`{name}{value}`" for name in (*one.opts, *one.secondary_opts))
    many = " Can be repeated." if one.multiple and "repeated" not in (one.help or "") else ""
    return f"- {names}: {markdown(one.help or '')}{many}"


def described(name: str, command: Any) -> Iterator[str]:
    """Yield the Markdown of a command, or of those below it."""
    below = getattr(command, "commands", None)
    if below is None:
        shown = [_parameter(one) for one in command.params if not one.hidden and one.name != "help"]
        yield "\n".join([f"## {name}\n", f"{markdown(command.help or '')}\n", *shown, ""])
    for inner in (below or {}).values():
        if not inner.hidden:
            yield from described(f"{name} {inner.name}", inner)


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    if page == PAGE:
        source[0] += "\n" + "\n".join(described("lengthwise", typer.main.get_command(command_line)))


def setup(app: Sphinx) -> dict[str, bool]:
    """Fill the page when it is read."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
