"""What a run knows, and notes, of the rope scaling behind the server that it asks."""

from collections.abc import Mapping, Sequence
from typing import Any

from lengthwise.errors import InputError
from lengthwise.evaluators.preflight import TEMPLATE_MARGIN
from lengthwise.evaluators.providers.base import Window
from lengthwise.evaluators.serving_models import check_factor, find_family


def rope_of_run(name: str, window: Window, factor: float | None = None) -> dict[str, Any] | None:
    """Return what run.json says of the rope scaling of a served model: `method`, `factor`, and how they are `known`.

    A server tells its window and nothing of the scaling behind it. What the user does not give follows from the table
    of models: a window that the model does not have by itself was got by scaling.

    Args:
        name: what the server calls the model.
        window: what it says it can hold.
        factor: given by the user; 1 means none.

    Returns:
        None where nothing is known. A factor or method of None in the result was not told.

    Raises:
        InputError: a factor below 1, or one for a model that is not behind a server.
    """
    family = find_family(name)
    if factor is not None:
        check_factor(factor)
        if window.told_by != "the server":
            raise InputError(f"--rope-factor {factor:g}: is only for models behind a server; leave it out")
        method = family.rope.method if family is not None and family.rope is not None else "yarn"
        return {"method": method if factor > 1 else "none", "factor": factor, "known": "given"}
    tokens = window.tokens if window.told_by == "the server" else None
    if family is None or family.rope is None or tokens is None or tokens <= family.native:
        return None
    rope = family.rope
    own_method, own_factor = family.own or ("", 0.0)
    if own_method == rope.method:
        why = f"the model's config.json holds it ({rope.original:,} tokens without, {rope.window:,} with it)"
        return {"method": rope.method, "factor": rope.factor, "known": f"inferred: {why}"}
    why = f"the server allows {tokens:,}, the model's own window is {family.native:,}"
    if own_method and tokens <= family.own_window:
        # Either would do for this window: both are named, neither is claimed.
        why += (
            f"; by {own_method} {own_factor:g} as in its config.json or {rope.method} {rope.factor:g} as in the papers"
        )
        return {"method": None, "factor": None, "known": f"inferred: {why}"}
    if tokens > rope.window:
        why += f"; a factor of at least {tokens / rope.original:.2f}"
        return {"method": rope.method, "factor": None, "known": f"inferred: {why}"}
    return {"method": rope.method, "factor": rope.factor, "known": f"inferred: {why}"}


def check_same_rope(before: Mapping[str, Any] | None, now: Mapping[str, Any] | None, folder: object) -> None:
    """Raise InputError if a run would go on under another scaling than it began with: one run, one model."""
    told = [tuple((rope or {}).get(key) for key in ("method", "factor")) for rope in (before, now)]
    if told[0] != told[1]:
        raise InputError(
            f"--out {folder}: was begun with rope scaling {rope_text(before)}, the server now has {rope_text(now)}. "
            "Start the server as it was, or choose a new folder (where the server did not change: --rope-factor F)"
        )


def rope_text(rope: Mapping[str, Any] | None) -> str:
    """Return the rope scaling of a run.json for people.

    >>> rope_text({"method": "yarn", "factor": 4.0, "known": "given"})
    'yarn 4 (given)'
    """
    if not rope:
        return "none known"
    factor = "" if rope.get("factor") is None else f" {rope['factor']:g}"
    return f"{rope.get('method') or 'of some kind'}{factor} ({rope.get('known')})"


def static_note(name: str, rope: Mapping[str, Any] | None, tokens: Sequence[int], reserve: int) -> str | None:
    """Return a warning where rows are asked under YaRN that would fit without it; None where there is none to give.

    Args:
        name: of the model.
        rope: see `rope_of_run`.
        tokens: of each prompt.
        reserve: tokens kept for the output.
    """
    family = find_family(name)
    if not rope or rope.get("method") != "yarn" or family is None:
        return None
    short = sum(count + TEMPLATE_MARGIN + reserve <= family.native for count in tokens)
    if not short:
        return None
    return (
        f"careful: rope scaling {rope_text(rope)} is static in vLLM and hurts short inputs: {short:,} of "
        f"{len(tokens):,} rows would fit {family.native:,} tokens without it; ask them on a server without"
    )
