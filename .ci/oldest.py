"""Prints the oldest supported version of every dependency as pip constraints, read off pyproject.toml's floors."""

import re
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).resolve().parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
for requirement in project["dependencies"]:
    name, version = re.fullmatch(r"([\w-]+)[>=]=([\w.]+)", requirement).groups()
    print(f"{name}=={version}")
# What typer stood on then: later ones warn it of their deprecations, and a warning fails a test.
print("click==8.1.8")
