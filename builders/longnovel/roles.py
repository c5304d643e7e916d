"""Which model does what: the twelve slots of the construction, read from a file of roles (`roles.toml`).

A slot is filled by a model's spec and how it is to generate. What is the same for every slot stands under
`[defaults]`. The file goes into the build's provenance, so it never holds a key: keys come from the environment.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args
from urllib.parse import urlsplit

from lengthwise.contracts import Sampling
from lengthwise.errors import InputError, unknown_name

Slot: TypeAlias = Literal[
    "compressor", "critic",
    "generator-1", "generator-2", "generator-3", "judge-1", "judge-2", "arbiter",
    "extractor", "injector-1", "injector-2", "injector-3",
]  # fmt: skip
SLOTS: tuple[Slot, ...] = get_args(Slot)
GENERATORS: tuple[Slot, ...] = ("generator-1", "generator-2", "generator-3")
JUDGES: tuple[Slot, ...] = ("judge-1", "judge-2")
INJECTORS: tuple[Slot, ...] = ("injector-1", "injector-2", "injector-3")
# In the extractor's slot: entities by a tagger on this machine instead of a model (see `entities`).
OFFLINE = "offline"

# The paper's output budget (its inference settings); it states no temperature for the construction.
_DEFAULTS = Sampling(max_tokens=8192)
_SAMPLING: Mapping[str, tuple[tuple[type, ...], float, float]] = {
    "max_tokens": ((int,), 1, 10_000_000),
    "temperature": ((int, float), 0, 10),
    "top_p": ((int, float), 0, 1),
    "reasoning_effort": ((str,), 0, 0),
    "thinking_tokens": ((int,), 0, 10_000_000),
}
_SETTINGS = ("model", "api_key_env", *_SAMPLING)
_KEY_LIKE = re.compile(r"key|token$|secret|password|authori[sz]ation|credential", re.IGNORECASE)
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Role:
    """How a slot is filled.

    Attributes:
        slot: which.
        model: a spec as `--model` takes it, or "offline" in the extractor's slot.
        sampling: how it is to generate.
        api_key_env: the environment variable with the key, for a host that has none of its own; never the key.
    """

    slot: Slot
    model: str
    sampling: Sampling = _DEFAULTS
    api_key_env: str | None = None

    @property
    def identity(self) -> str:
        """The model as calls are recorded under it: without the address, which may be another one tomorrow.

        >>> Role("arbiter", "http://localhost:8000/v1#Qwen/Qwen3-8B").identity, Role("arbiter", "openai:m").identity
        ('Qwen/Qwen3-8B', 'openai:m')
        """
        return self.model.partition("#")[2] or self.model

    def to_json(self) -> dict[str, Any]:
        """Return the role as plain JSON types, for provenance; settings that are left to the server are left out."""
        settings = {name: value for name, value in asdict(self.sampling).items() if value is not None}
        return {"model": self.model, **({"api_key_env": self.api_key_env} if self.api_key_env else {}), **settings}


Roles: TypeAlias = Mapping[Slot, Role]


def read_roles(path: Path) -> Roles:
    """Read a file of roles.

    Args:
        path: TOML: `slot = "SPEC"`, or a table `[slot]` with `model`, and any of `max_tokens`, `temperature`,
            `top_p`, `reasoning_effort`, `thinking_tokens`, `api_key_env`; the same under `[defaults]` for all.

    Raises:
        InputError: no such file, no TOML, or what `parse_roles` refuses.
    """
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"--models {path}: cannot be read ({error.strerror}); name a file of roles") from error
    except ValueError as error:
        raise InputError(f"--models {path}: is no TOML ({error})") from error
    return parse_roles(content, str(path))


def parse_roles(content: Mapping[str, Any], name: str = "roles.toml") -> Roles:
    """Return the twelve roles, in the order of `SLOTS`; the inverse of `roles_json`.

    Args:
        content: what the file holds.
        name: of the file, for messages.

    Raises:
        InputError: an unknown slot or setting, a slot without a model, a value out of range, or a key.
    """
    for slot in content:
        if slot not in SLOTS and slot != "defaults":
            raise unknown_name(f"slot in {name}", slot, (*SLOTS, "defaults"))
    defaults = _settings(content.get("defaults", {}), "defaults", name)
    roles: dict[Slot, Role] = {}
    missing = []
    for slot in SLOTS:
        entry = content.get(slot, {})
        settings = {**defaults, **_settings({"model": entry} if isinstance(entry, str) else entry, slot, name)}
        model = settings.pop("model", None)
        if model is None:
            missing.append(slot)
            continue
        variable = settings.pop("api_key_env", None)
        if model == OFFLINE:
            if slot != "extractor":
                raise InputError(f"{name}, {slot}: only the extractor can be {OFFLINE!r}; name a model")
            roles[slot] = Role(slot, model, Sampling())
            continue
        roles[slot] = Role(slot, model, replace(_DEFAULTS, **settings), variable)
    if missing:
        raise InputError(f'{name}: no model for {", ".join(missing)}; add a line like {missing[0]} = "openai:NAME"')
    return roles


def roles_json(roles: Roles) -> dict[str, Any]:
    """Return the roles as plain JSON types, without any key."""
    return {slot: roles[slot].to_json() for slot in SLOTS}


def _settings(entry: Any, slot: str, name: str) -> dict[str, Any]:
    if not isinstance(entry, Mapping):
        raise InputError(f"{name}, {slot}: must be a model's spec or a table with one")
    for setting, value in entry.items():
        _check(setting, value, f"{name}, {slot}")
    # 0 and 0.0 are one setting, but not one request digest.
    return {
        key: float(value) if _SAMPLING.get(key, ((),))[0] == (int, float) else value for key, value in entry.items()
    }


def _check(setting: str, value: Any, where: str) -> None:
    if setting not in _SETTINGS:
        if _KEY_LIKE.search(setting):
            # The message must not repeat the value.
            raise InputError(
                f"{where}: {setting!r} must not stand in the file, which goes into the build's provenance; put the "
                "key into an environment variable, and that variable's name under api_key_env"
            )
        raise unknown_name(f"setting in {where}", setting, _SETTINGS)
    if setting == "api_key_env":
        if not isinstance(value, str) or not _VARIABLE.fullmatch(value):
            raise InputError(f"{where}: api_key_env must be the name of an environment variable, not the key itself")
    elif setting == "model":
        if not isinstance(value, str) or not value:
            raise InputError(f"{where}: model must be a spec like openai:NAME or http://localhost:8000/v1#NAME")
        if value.startswith(("http://", "https://")):
            address = urlsplit(value)
            if address.username or address.password or address.query:
                raise InputError(
                    f"{where}: the model's address must not hold a name, a password or a query; give the key in an "
                    "environment variable that api_key_env names"
                )
            if not address.fragment:
                raise InputError(f"{where}: {value} lacks the model's name; write it behind the address: #NAME")
    else:
        kinds, least, most = _SAMPLING[setting]
        number: Any = value
        # TOML's true is an int to Python.
        if isinstance(value, bool) or not isinstance(value, kinds):
            raise InputError(f"{where}: {setting} = {value!r} must be {' or '.join(kind.__name__ for kind in kinds)}")
        if kinds != (str,) and not least <= number <= most:
            raise InputError(f"{where}: {setting} = {value!r} must be in {least:g} to {most:g}")
