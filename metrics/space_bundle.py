"""A metric as a Space that needs no `lengthwise`: its script, and beside it every pure module that it reaches.

`evaluate` fetches what a script imports relatively, one level deep and no more. So imports of this package become
relative ones, and the script names modules that only other modules import.

>>> {"sequence_match.py", "answers.py", "errors.py", "app.py"} <= set(bundle("sequence_match", "ORG/sequence_match"))
True
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from lengthwise.errors import InputError

from .modules import module_path

_HERE = Path(__file__).parent
_OWN = re.compile(r"^(\s*from )lengthwise\.(?:metrics\.)?(\w+)( import )", re.MULTILINE)
_LOADS = re.compile(r"^.*from lengthwise\.metrics\.modules import module_path\n", re.MULTILINE)


def bundle(name: str, repo: str) -> dict[str, str]:
    """Return the files of a metric's Space, by name.

    Args:
        name: of the metric.
        repo: `ORG/NAME` of the Space.

    Raises:
        InputError: an unknown metric, or a Space of another name: `evaluate.load` looks for a script of that name.
    """
    folder = Path(module_path(name))
    if repo.rpartition("/")[2] != name:
        raise InputError(f"{repo!r}: `evaluate.load` wants a Space of the metric's own name; push to ORG/{name}")
    script = (folder / f"{name}.py").read_text("utf-8")
    sources = _reached(script)
    direct = set(_imported(script))
    files = {f"{module}.py": _relative(text) for module, text in sources.items()}
    files[f"{name}.py"] = _named(
        _relative(_loading(script, name, repo)), [one for one in sources if one not in direct]
    )
    files["app.py"] = (folder / "app.py").read_text("utf-8").replace("lengthwise.metrics.space", "space")
    files["space.py"] = (_HERE / "space.py").read_text("utf-8")
    files["README.md"] = _loading((folder / "README.md").read_text("utf-8"), name, repo)
    files["requirements.txt"] = (folder / "requirements.txt").read_text("utf-8")
    return files


def _reached(script: str) -> dict[str, str]:
    """Return the source of every module of this package that a script reaches, by name."""
    found: dict[str, str] = {}
    waiting = list(_imported(script))
    while waiting:
        module = waiting.pop()
        if module not in found:
            path = _HERE / f"{module}.py"
            # What is no metric's is the root package's, as `errors` is.
            text = (path if path.is_file() else _HERE / _root(module)).read_text("utf-8")
            found[module] = text
            waiting.extend(_imported(text))
    return dict(sorted(found.items()))


def _root(module: str) -> Path:
    import lengthwise

    return Path(lengthwise.__path__[0]) / f"{module}.py"


def _imported(text: str) -> Iterator[str]:
    """Yield the names of the package's own modules that a source imports, inside functions too."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module:
            if node.level == 1:
                yield node.module
            elif node.level == 0 and node.module.startswith("lengthwise."):
                yield node.module.rpartition(".")[2]


def _relative(text: str) -> str:
    return _OWN.sub(r"\1.\2\3", text)


def _loading(text: str, name: str, repo: str) -> str:
    """Return a text whose examples load the Space, and not the package's module."""
    return _LOADS.sub("", text).replace(f'module_path("{name}")', f'"{repo}"').replace(f"ORG/{name}", repo)


def _named(script: str, modules: list[str]) -> str:
    """Return a script that imports `modules` too, so that they are fetched."""
    lines = [f"from .{module} import __name__ as _{module}\n" for module in modules]
    at = re.search(r"^from \.", script, re.MULTILINE)
    assert at is not None, "a metric's script imports some module"
    return script[: at.start()] + "".join(lines) + script[at.start() :]
