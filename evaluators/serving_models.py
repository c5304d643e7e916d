"""What is known of the models that people serve: their own window, and the rope scaling that lengthens it.

A model that is not in the table is not guessed at: its facts come from the `config.json` of a local folder, or from
the user.
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any

from lengthwise.errors import InputError

_QUANTIZED = r"(-(fp8|awq|int[48]|gptq(-int[48])?|w4a16|w8a8))?"


@dataclass(frozen=True, slots=True)
class Rope:
    """A static scaling of rotary positions.

    Attributes:
        method: `rope_type` of transformers and vLLM: "yarn" or "llama3".
        factor: how much positions are stretched (> 1).
        original: positions that the model was trained on without scaling (`original_max_position_embeddings`).
        theta: base of the rotary angles (`rope_theta`); None where nobody told.
        window: tokens that hold with the scaling.
        extra: what else the method needs, or the model's own rope settings hold.
    """

    method: str
    factor: float
    original: int
    theta: float | None
    window: int
    extra: Mapping[str, Any] = field(default_factory=dict)


def yarn(factor: float, original: int, theta: float | None, extra: Mapping[str, Any] | None = None) -> Rope:
    """Return YaRN, whose window is the original one times the factor."""
    return Rope("yarn", factor, original, theta, math.floor(factor * original), extra or {})


@dataclass(frozen=True, slots=True)
class ModelFamily:
    """Models with the same window and the same way to lengthen it.

    Attributes:
        pattern: matches the last part of the model's name or path as a whole, in any case.
        title: for messages.
        native: tokens that the model holds without scaling.
        rope: the papers' scaling beyond that; None where it takes none.
        source: where that is from.
        own: what the model's config.json holds as rope scaling of its own, as (method, factor); None for nothing.
        own_window: what vLLM allows with that.
        remote_code: whether its config is Python code on the Hub, which vLLM runs with `--trust-remote-code` only.
    """

    pattern: str
    title: str
    native: int
    rope: Rope | None
    source: str
    own: tuple[str, float] | None = None
    own_window: int = 0
    remote_code: bool = False

    def matches(self, name: str) -> bool:
        """Return whether a model of this name (a Hub id, a path, or what a server calls it) is one of the family."""
        return re.fullmatch(self.pattern, PurePath(name).name, re.IGNORECASE) is not None


_CONFIG = "config.json on the Hub"
_LONGNOVEL = f"{_CONFIG}; LongNovel, appendix E.1"
_QWEN_ROPE = yarn(4.0, 32_768, 1_000_000.0)
_LLAMA_ROPE = Rope(
    "llama3", 8.0, 8_192, 500_000.0, 131_072, {"low_freq_factor": 1.0, "high_freq_factor": 4.0}
)  # fmt: skip

# First match wins. The papers: LongNovel scaled Qwen and InternLM with YaRN 4.0 and Llama 3.1 8B with 8.0 "consistent
# with its original 8192 positions", and left GLM-4 alone. For Llama that can only be the llama3 scaling of its own
# config.json, given explicitly: YaRN 8.0 over 8,192 would end at 65,536, below the 100K that the paper ran.
FAMILIES: tuple[ModelFamily, ...] = (
    ModelFamily(r"qwen3\.\d-.*", "Qwen3.5", 262_144, None, "vLLM's recipes"),
    ModelFamily(r"qwen3-(.*-2507|next-.*|coder-.*|vl-.*)" + _QUANTIZED, "Qwen3 of 2507", 262_144, None, _CONFIG),
    ModelFamily(r"qwen3-[\d.]+b(-a\d+b)?-base", "Qwen3 base", 32_768, _QWEN_ROPE, _LONGNOVEL),
    ModelFamily(r"qwen3-[\d.]+b(-a\d+b)?" + _QUANTIZED, "Qwen3", 40_960, _QWEN_ROPE, _LONGNOVEL),
    ModelFamily(r"qwen2\.5-\d+b-instruct-1m", "Qwen2.5 1M", 1_010_000, None, _CONFIG),
    ModelFamily(
        r"qwen2(\.5)?(-coder)?-[\d.]+b-instruct" + _QUANTIZED, "Qwen2.5 Instruct", 32_768, _QWEN_ROPE, _LONGNOVEL
    ),
    ModelFamily(
        r"internlm2[._]5-20b-chat",
        "InternLM2.5 20B",
        32_768,
        yarn(4.0, 32_768, 50_000_000.0),
        _LONGNOVEL,
        ("dynamic", 2.5),
        81_920,
        remote_code=True,
    ),
    ModelFamily(
        r"internlm2([._]5)?-(chat-)?7b(-chat|-sft)?",
        "InternLM2 7B",
        32_768,
        yarn(4.0, 32_768, 1_000_000.0),
        _LONGNOVEL,
        ("dynamic", 2.0),
        65_536,
        remote_code=True,
    ),
    ModelFamily(
        r"internlm3-8b-instruct",
        "InternLM3 8B",
        32_768,
        yarn(4.0, 32_768, 50_000_000.0),
        _LONGNOVEL,
        ("dynamic", 6.0),
        196_608,
        remote_code=True,
    ),
    ModelFamily(
        r"(meta-)?llama-3\.[13]-(8|70|405)b(-instruct)?" + _QUANTIZED,
        "Llama 3.1",
        8_192,
        _LLAMA_ROPE,
        _LONGNOVEL,
        ("llama3", 8.0),
        131_072,
    ),
    ModelFamily(r"glm-4-9b-chat-1m", "GLM-4 9B 1M", 1_048_576, None, _CONFIG, remote_code=True),
    ModelFamily(r"glm-4-9b-chat", "GLM-4 9B", 131_072, None, _LONGNOVEL, remote_code=True),
    ModelFamily(r"glm-4-9b-chat-hf", "GLM-4 9B", 131_072, None, _LONGNOVEL),
    ModelFamily(r"glm-4\.5(-air)?" + _QUANTIZED, "GLM-4.5", 131_072, None, _CONFIG),
    ModelFamily(r"glm-(4\.[67]|5|5\.1)(-flash)?" + _QUANTIZED, "GLM-4.6 to 5.1", 202_752, None, _CONFIG),
    ModelFamily(r"minimax-m2(\.[15])?", "MiniMax-M2", 196_608, None, _CONFIG),
    ModelFamily(r"minimax-m2\.7", "MiniMax-M2.7", 204_800, None, "MiniMax documentation"),
)


def find_family(name: str) -> ModelFamily | None:
    """Return what the table knows of a model, by its Hub id, path or served name.

    >>> find_family("Qwen/Qwen3-8B").native
    40960
    >>> find_family("Qwen/Qwen3-4B-Instruct-2507").rope is None
    True
    """
    return next((family for family in FAMILIES if family.matches(name)), None)


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What is known of one model.

    Attributes:
        title: the family, or the model's name.
        native: tokens that it holds as it is.
        told_by: who said so.
        rope: the scaling to use beyond that; None where there is none.
        stretch: its own rope settings with factor 1, from which another factor makes YaRN; None where that is not
            possible.
        has_own: whether its config.json holds a rope scaling already.
        notes: what the user should know.
    """

    title: str
    native: int
    told_by: str
    rope: Rope | None
    stretch: Rope | None
    has_own: bool
    notes: tuple[str, ...] = ()


def model_facts(model: str, native_window: int | None = None, theta: float | None = None) -> ModelFacts:
    """Return what is known of a model: from a local folder's config.json, from the table, or from the user.

    Args:
        model: a Hub id, or a local folder (it exists, or starts with `./`, `../`, `/` or `~`).
        native_window: what the user says; goes before everything else.
        theta: likewise, `rope_theta`.

    Raises:
        InputError: a folder without a readable config.json, or a model that nothing is known of.
    """
    if native_window is not None and native_window < 1:
        raise InputError(f"--native-window {native_window}: must be at least 1 (tokens)")
    if theta is not None and not 0 < theta < math.inf:
        raise InputError(f"--rope-theta {theta:g}: must be above 0")
    family = find_family(model)
    path = Path(model).expanduser()
    if path.is_dir() or model.startswith(("./", "../", "/", "~")):
        facts = _folder_facts(path, model, family)
    elif family is not None:
        facts = _family_facts(family)
    elif native_window is not None:
        stretch = yarn(1.0, native_window, None)
        facts = ModelFacts(model, native_window, "--native-window", None, stretch, has_own=False)
    else:
        raise InputError(
            f"MODEL {model!r} is not in our table of models, and no folder of that name is here: give its window "
            "(max_position_embeddings of its config.json) by --native-window N, or name a folder with its config.json"
        )
    if native_window is not None:
        facts = replace(facts, native=native_window, told_by="--native-window")
    if theta is not None:
        facts = replace(facts, rope=_with_theta(facts.rope, theta), stretch=_with_theta(facts.stretch, theta))
    return facts


def _with_theta(rope: Rope | None, theta: float) -> Rope | None:
    return replace(rope, theta=theta) if rope is not None else None


def _family_facts(family: ModelFamily) -> ModelFacts:
    rope = family.rope
    stretch = yarn(1.0, rope.original, rope.theta) if rope is not None and rope.method == "yarn" else None
    notes = (_REMOTE_CODE,) if family.remote_code else ()
    told_by = f"our table of models ({family.source})"
    return ModelFacts(family.title, family.native, told_by, rope, stretch, family.own is not None, notes)


_REMOTE_CODE = (
    "this model's configuration is Python code beside its weights; vLLM runs it only with --trust-remote-code, which "
    "is left to you to add"
)
_LENGTH_KEYS = ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "max_sequence_length")
# vLLM takes the length as already stretched with these, and multiplies it by the factor with all others.
_NOT_MULTIPLIED = ("default", "llama3", "longrope", "su", "yarn", "deepseek_yarn")
# These say how angles are laid out, not how far they are stretched: an override that leaves them out loses them.
_KEPT_KEYS = ("partial_rotary_factor", "mrope_section", "mrope_interleaved")


def _folder_facts(path: Path, model: str, family: ModelFamily | None) -> ModelFacts:
    file = path / "config.json"
    try:
        whole = json.loads(file.read_text("utf-8"))
        config = whole.get("text_config", whole)
        length = min(int(config[key]) for key in _LENGTH_KEYS if config.get(key))
        own = dict(config.get("rope_parameters") or config.get("rope_scaling") or {})
        factor = float(own.get("factor") or 1)
        original = int(own.get("original_max_position_embeddings") or length)
    except FileNotFoundError as error:
        raise InputError(f"MODEL {model!r} (taken as a folder): there is no {file}") from error
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise InputError(
            f"{file}: the model's length cannot be read from it ({error}); mend it, or give the model's Hub id"
        ) from error
    method = own.get("rope_type", own.get("type", "default"))
    native = length if method in _NOT_MULTIPLIED else int(length * factor)
    theta = own.get("rope_theta", config.get("rope_theta"))
    kept = {key: own.get(key, config.get(key)) for key in _KEPT_KEYS}
    extra = {key: value for key, value in kept.items() if value is not None}
    # An override would have to be nested as these are.
    nested = "text_config" in whole or any(isinstance(value, dict) for value in own.values())
    stretch = None if nested else yarn(1.0, original, theta, extra)
    rope = None
    if family is not None:
        native = min(native, family.native)
        rope = family.rope
    if rope is not None:
        rope = replace(rope, theta=theta or rope.theta, extra={**extra, **rope.extra})
        stretch = yarn(1.0, rope.original, rope.theta, extra) if rope.method == "yarn" else None
    notes = (_REMOTE_CODE,) if whole.get("auto_map") else ()
    title = family.title if family is not None else model
    return ModelFacts(title, native, str(file), rope, stretch, method != "default", notes)


def check_factor(factor: float) -> None:
    """Raise InputError for a factor that stretches nothing."""
    if not 1 <= factor < math.inf:
        raise InputError(f"--rope-factor {factor:g}: must be at least 1 (1 means no scaling)")
