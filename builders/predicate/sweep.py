"""A sweep: a build in which a parameter has several values, and each variant that depends on it a config for each."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from lengthwise.errors import InputError, unknown_name

from .settings import Settings
from .variants import SWEEPS, Value, Variant, find_variants, point

# Field of `Settings` -> the values that it is to have.
Sweep = Mapping[str, Sequence[Value]]


def expand(
    variants: Sequence[Variant], sweep: Sweep, settings: Settings
) -> tuple[tuple[Variant, ...], dict[str, str]]:
    """Put in the place of each variant that depends on a swept parameter one point for each value.

    Where a variant depends on several, each value meets each; of these pairs those that do not go together (16 decoys
    within 60 words) are left out. The default value is a point like the others, so that a sweep is whole by itself.
    What a variant's name sets already stays so.

    Args:
        variants: to build, in order.
        sweep: field of `Settings` -> values.
        settings: of all that is not swept.

    Returns:
        What is to be built, in order; and name of each point that was left out -> why.

    Raises:
        InputError: a parameter cannot be swept, has no value or one twice, or no variant depends on it; a value cannot
            be used.
    """
    for field, values in sweep.items():
        _check(field, values, variants)
    made: list[Variant] = []
    left_out: dict[str, str] = {}
    for variant in variants:
        mine = [field for field in SWEEPS if field in sweep and _open(field, variant)]
        usable = []
        for one in _points(variant, mine, sweep):
            try:
                settings.check(one)
                usable.append(one)
            except InputError as error:
                if len(mine) < 2:
                    raise
                left_out[one.name] = str(error)
        if not usable:
            raise InputError(f"{variant.in_table}: no two of these values go together; {left_out.popitem()[1]}")
        made += usable
    return tuple(made), left_out


def _check(field: str, values: Sequence[Value], variants: Sequence[Variant]) -> None:
    if field not in SWEEPS:
        raise unknown_name("parameter of a sweep", field, SWEEPS)
    option = SWEEPS[field].option
    if not values:
        raise InputError(f"{option}: give at least one value")
    twice = next((value for number, value in enumerate(values) if value in values[:number]), None)
    if twice is not None:
        raise InputError(f"{option}: {twice} is given twice")
    if not any(_open(field, variant) for variant in variants):
        depending = ", ".join(variant.name for variant in find_variants(()) if SWEEPS[field].affects(variant))
        raise InputError(
            f"{option} has several values, but nothing that is to be built depends on it: add one of {depending}, or "
            "give one value"
        )


def _open(field: str, variant: Variant) -> bool:
    """Return whether a variant depends on a parameter that its name does not set."""
    return SWEEPS[field].affects(variant) and field not in dict(variant.parameters)


def _points(variant: Variant, fields: Sequence[str], sweep: Sweep) -> Iterator[Variant]:
    for values in product(*(sweep[field] for field in fields)):
        given = dict(zip(fields, values, strict=True))
        yield point(variant, {**dict(variant.parameters), **given}) if given else variant


def contract(names: Sequence[str], settings: Settings) -> tuple[list[str], dict[str, list[Value]]]:
    """Return configs and a sweep that come to the configs of these names: the shortest way to ask for them.

    Args:
        names: of configs, points of a sweep among them.
        settings: of the build.
    """
    variants = find_variants(tuple(names))
    sweep: dict[str, list[Value]] = {field: [] for field in SWEEPS}
    for variant in variants:
        for field, value in variant.parameters:
            if value not in sweep[field]:
                sweep[field].append(value)
    sweep = {field: values for field, values in sweep.items() if values}
    short = list(dict.fromkeys(variant.in_table for variant in variants))
    if sweep and all(len(values) > 1 for values in sweep.values()):
        try:
            whole, _ = expand(find_variants(tuple(short)), sweep, settings)
        except InputError:  # values of one variant that another cannot take
            whole = ()
        if whole == variants:
            return short, sweep
    return list(names), {}
