"""What identifies the wording that novels are told in: another word in a text file, and all rows may be others."""

import hashlib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from ..records import Language


@cache
def wording_digest(language: Language) -> str:
    """Return the SHA-256 (hex) over the text files of a language, by their names."""
    total = hashlib.sha256()
    for name, text in sorted(_texts(files(f"{__package__}.telling") / language)):
        total.update(f"{name}\0{text}\0".encode())
    return total.hexdigest()


def _texts(folder: Traversable, under: str = "") -> list[tuple[str, str]]:
    found = []
    for entry in folder.iterdir():
        name = f"{under}{entry.name}"
        if entry.is_dir():
            found += _texts(entry, f"{name}/")
        elif name.endswith(".txt"):
            # As text: a checkout may have other line ends.
            found.append((name, entry.read_text("utf-8")))
    return found
