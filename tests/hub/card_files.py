"""What the card of a folder names: its configs, and the files of their splits."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml


def front(folder: Path) -> dict[str, Any]:
    return dict(yaml.safe_load((folder / "README.md").read_text("utf-8").split("---\n")[1]))


def splits(folder: Path) -> Iterator[tuple[str, list[Path]]]:
    for config in front(folder)["configs"]:
        for entry in config["data_files"]:
            yield f"{config['config_name']}/{entry['split']}", sorted(folder.glob(entry["path"]))
