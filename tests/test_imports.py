"""Imports run one way, evaluators -> builders -> metrics, and every package is in the distribution."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("metrics", "builders", "evaluators", "cards")
FOLDERS = (*ROOMS, "lengthwise")

# What a folder may not import, beside the reason of each in DESIGN.md. Metric modules (metrics/<name>/) are no
# packages: they are scripts that `evaluate` loads, and may import it.
FORBIDDEN = {
    "metrics": (
        "lengthwise.builders", "lengthwise.evaluators", "lengthwise.cards", "lengthwise.cli", "datasets", "evaluate",
    ),
    "builders": ("lengthwise.evaluators", "lengthwise.cli"),
    "evaluators": ("lengthwise.cli",),
    "cards": ("lengthwise.builders", "lengthwise.metrics", "lengthwise.evaluators", "lengthwise.cli"),
    "lengthwise": tuple(f"lengthwise.{room}" for room in ROOMS),
}  # fmt: skip


def modules(folder: str) -> list[Path]:
    """Return the source files of a room's packages."""
    return sorted(path for path in (ROOT / folder).rglob("*.py") if (path.parent / "__init__.py").exists())


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts if parts[0] == "lengthwise" else ("lengthwise", *parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path) -> Iterator[str]:
    """Yield the absolute name of everything that a file imports, inside functions too."""
    package = module_name(path).split(".")
    if path.name != "__init__.py":
        package.pop()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


def reaches(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


@pytest.mark.parametrize("folder", FOLDERS)
def test_directions(folder: str) -> None:
    found = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules(folder)
        if not path.is_relative_to(ROOT / "lengthwise" / "cli")
        for name in imported(path)
        if any(reaches(name, package) for package in FORBIDDEN[folder])
    ]
    assert found == []


def test_no_relative_import_leaves_its_room() -> None:
    found = []
    for path in (path for folder in FOLDERS for path in modules(folder)):
        depth = len(path.relative_to(ROOT).parts) - 1
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level > depth:
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert found == []


def test_every_room_is_imported_from_somewhere() -> None:
    """The walk above sees what it is there to see."""
    names = {name for folder in FOLDERS for path in modules(folder) for name in imported(path)}
    for package in ("lengthwise.metrics", "lengthwise.builders", "lengthwise.errors", "pyarrow"):
        assert any(reaches(name, package) for name in names), package


def packages() -> set[str]:
    found = {path.parent for folder in FOLDERS for path in (ROOT / folder).rglob("__init__.py")}
    return {module_name(folder / "__init__.py") for folder in found}


def test_every_package_is_in_the_distribution() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    assert sorted(packages()) == sorted(settings["packages"])


def test_every_data_file_is_in_the_distribution() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-data"]
    missing = []
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if not path.is_file() or path.suffix in (".py", ".pyc"):
                continue
            owner = next(parent for parent in path.parents if (parent / "__init__.py").exists())
            patterns = [*listed["*"], *listed.get(module_name(owner / "__init__.py"), [])]
            if not any(path.relative_to(owner).match(pattern) for pattern in patterns):
                missing.append(str(path.relative_to(ROOT)))
    assert missing == []
