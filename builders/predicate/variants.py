"""The 13 variants of the paper (Tables 1 and 2), and two of ours: one entry each.

A variant is a family (which word list), an arrangement (what is planted beside the target) and a question. Variants of
one family and arrangement hold identical lists, so that nothing but the question differs between them.

A config is a variant under its own name, or one point of a sweep: `lex-clustered--decoys-4--radius-60` is
lex-clustered with two parameters set by its name.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from types import MappingProxyType
from typing import Literal, TypeAlias

from lengthwise.errors import InputError, unknown_name

Family = Literal["unary", "shape", "lex", "lex-short", "letter-sum", "documents"]
Arrangement = Literal["plain", "near-miss", "scattered", "clustered", "lists"]
Quantifier = Literal["exists", "all", "longest"]
Axis = Literal["baseline", "computation", "quantifier", "decoys", "structure", "search-space"]
Value: TypeAlias = int | float


@dataclass(frozen=True)
class Variant:
    """One config of the data set.

    Attributes:
        name: of the config.
        family: the data family; with length, seed and index it fixes the base list.
        arrangement: what stands beside the target.
        question: template under `prompts/`.
        axis: of difficulty that it moves along (3.3).
        quantifier: "exists" a window, "all" windows, or the "longest" one.
        group: section of Table 2: 1 baselines, 2 quantifier, 3 decoys, 4 structure, 5 the text of 4.4, 6 ours.
        reference: the baseline that Table 2's arrow compares it with; None for a baseline.
        title: as a table shows it.
        k: words of the answer; None for documents, where it is the longest run.
        word_lengths: letters of a synthetic word.
        length_shares: share of each word length but the last.
        n_words: the paper's fixed number of words, where it fixes that instead of tokens.
        paper: whether it is the paper's.
        parameters: (field of `Settings`, value) of each parameter that the config's name sets, for a point of a sweep.
    """

    name: str
    family: Family
    arrangement: Arrangement
    question: str
    axis: Axis
    quantifier: Quantifier
    group: int
    reference: str | None
    title: str
    k: int | None = 5
    word_lengths: tuple[int, ...] = (8,)
    length_shares: tuple[float, ...] = ()
    n_words: int | None = None
    paper: bool = True
    parameters: tuple[tuple[str, Value], ...] = ()

    @property
    def source(self) -> str:
        """Where the words come from: "synthetic" or "documents"."""
        return "documents" if self.family == "documents" else "synthetic"

    @property
    def list_name(self) -> str:
        """What a row's `list_id` begins and ends with: equal for variants that hold identical lists."""
        planted: list[str] = [] if self.arrangement == "plain" else [self.arrangement]
        # The number of targets stands in `list_id` whatever the config is called.
        planted += [part for part in self.name.split(_MARK)[1:] if not part.startswith("targets-")]
        return "+".join([self.family, *planted])

    @property
    def in_table(self) -> str:
        """Name of the table's variant that this one is, or is a point of a sweep of."""
        return self.name.partition(_MARK)[0]


_UNARY = (12,)

_TABLE = (
    Variant("unary-locate", "unary", "plain", "unary-exists", "baseline", "exists", 1, None, "Unary, locate",
            word_lengths=_UNARY),
    Variant("unary-all", "unary", "plain", "unary-all", "quantifier", "all", 2, "unary-locate",
            "Unary, retrieve all", word_lengths=_UNARY),
    Variant("unary-decoys", "unary", "near-miss", "unary-exists", "decoys", "exists", 3, "unary-locate",
            "Unary, near-miss decoys", word_lengths=_UNARY),
    Variant("lex-locate", "lex", "plain", "lex-locate", "computation", "exists", 1, None, "Lexicographic, locate"),
    Variant("lex-longest", "lex", "plain", "lex-longest", "quantifier", "longest", 2, "lex-locate",
            "Lexicographic, longest run"),
    Variant("lex-scattered", "lex", "scattered", "lex-locate", "decoys", "exists", 3, "lex-locate",
            "Lexicographic, near-sorted, scattered"),
    Variant("lex-clustered", "lex", "clustered", "lex-locate", "structure", "exists", 4, "lex-locate",
            "Lexicographic, near-sorted, clustered"),
    Variant("lex-lists", "lex", "lists", "lex-lists", "decoys", "exists", 3, "lex-locate",
            "Lexicographic, multi-list"),
    Variant("lex-short-words", "lex-short", "plain", "lex-locate", "search-space", "exists", 5, "lex-locate",
            "Lexicographic, 60K short words", word_lengths=(3, 4), length_shares=(0.2931,), n_words=60_000),
    Variant("documents-locate", "documents", "plain", "lex-locate", "computation", "exists", 1, None,
            "Documents, locate", k=None),
    Variant("documents-longest", "documents", "plain", "lex-longest", "quantifier", "longest", 2, "documents-locate",
            "Documents, longest run", k=None),
    Variant("documents-scattered", "documents", "scattered", "lex-locate", "decoys", "exists", 3, "documents-locate",
            "Documents, near-sorted, scattered", k=None),
    Variant("documents-clustered", "documents", "clustered", "lex-locate", "structure", "exists", 4,
            "documents-locate", "Documents, near-sorted, clustered", k=None),
    Variant("shape-locate", "shape", "plain", "unary-exists", "computation", "exists", 6, "unary-locate",
            "Unary, word length and vowels", word_lengths=(8, 9, 10, 11, 12),
            length_shares=(0.2, 0.2, 0.2, 0.2), paper=False),
    Variant("sum-locate", "letter-sum", "plain", "letter-sum", "computation", "exists", 6, "lex-locate",
            "Letter sum of a window", paper=False),
)  # fmt: skip

VARIANTS: dict[str, Variant] = {variant.name: variant for variant in _TABLE}

GROUPS: dict[int, str] = {
    1: "Baselines",
    2: "Quantifier",
    3: "Decoys",
    4: "Decoys and context structure",
    5: "Search space",
    6: "Beyond the paper",
}

# Predicate kinds that a family draws from where the caller names none.
DEFAULT_KINDS: dict[Family, tuple[str, ...]] = {
    "unary": ("prefix", "suffix", "contains"),
    "shape": ("length", "vowels"),
}


@dataclass(frozen=True)
class SweepParameter:
    """A parameter that a build may be given several values of.

    Attributes:
        field: of `Settings`.
        affects: whether the lists of a variant depend on it.
        caption: of a value, with `{}` for it.
        kind: of its values.
    """

    field: str
    affects: Callable[[Variant], bool]
    caption: str
    kind: type[int] | type[float] = int

    @property
    def option(self) -> str:
        """Its name on the command line and in the names of configs."""
        return self.field.replace("_", "-")


# All of these change what stands beside the target and leave the baseline's list as it is, so that every point of a
# sweep is paired with it. (k, seed or word length make other baselines: build those into folders of their own.)
# The order is that of the parts of a config's name.
SWEEPS: Mapping[str, SweepParameter] = MappingProxyType(
    {
        one.field: one
        for one in (
            SweepParameter("decoys", lambda variant: variant.arrangement in ("scattered", "clustered"), "{} decoys"),
            SweepParameter("radius", lambda variant: variant.arrangement == "clustered", "radius {}"),
            SweepParameter("near_miss", lambda variant: variant.arrangement == "near-miss", "near-miss {}", float),
            SweepParameter("lists", lambda variant: variant.arrangement == "lists", "{} lists"),
            SweepParameter("targets", lambda variant: variant.quantifier == "all", "{} targets"),
        )
    }
)
# Between the parts of the name of a point of a sweep.
_MARK = "--"


def point(variant: Variant, parameters: Mapping[str, Value]) -> Variant:
    """Return a variant as one point of a sweep: the same, but for its name, its title and its parameters.

    Args:
        variant: of the table.
        parameters: field of `Settings` -> value, each one that the variant's lists depend on; none gives the variant.

    >>> point(VARIANTS["unary-decoys"], {"near_miss": 0.01}).name
    'unary-decoys--near-miss-0.01'
    """
    given = tuple((name, parameters[name]) for name in SWEEPS if name in parameters)
    parts = [f"{SWEEPS[name].option}-{_shown(value)}" for name, value in given]
    captions = ", ".join(SWEEPS[name].caption.format(_shown(value)) for name, value in given)
    title = f"{variant.title} ({captions})" if given else variant.title
    return replace(variant, name=_MARK.join([variant.in_table, *parts]), title=title, parameters=given)


def _shown(value: Value) -> str:
    """Return a value in digits, without an exponent."""
    return f"{Decimal(repr(value)):f}"


def find_variant(name: str) -> Variant:
    """Return the variant of a config's name, of the table or a point of a sweep.

    Raises:
        InputError: there is no such variant, or it has no such parameter or value.

    >>> find_variant("lex-clustered--decoys-4--radius-60").title
    'Lexicographic, near-sorted, clustered (4 decoys, radius 60)'
    """
    start, *parts = name.split(_MARK)
    if start not in VARIANTS:
        raise unknown_name("config", name, VARIANTS)
    variant = VARIANTS[start]
    mine = [one for one in SWEEPS.values() if one.affects(variant)]
    parameters: dict[str, Value] = {}
    for part in parts:
        parameter = next((one for one in mine if part.startswith(f"{one.option}-")), None)
        if parameter is None:
            named = " and ".join(one.option for one in mine) or "nothing"
            raise InputError(f"config {name!r}: what can be varied of {start} is {named}, and {part!r} is none of it")
        try:
            parameters[parameter.field] = parameter.kind(part.removeprefix(f"{parameter.option}-"))
        except ValueError:
            raise InputError(f"config {name!r}: the value in {part!r} is no number that {start} can take") from None
    made = point(variant, parameters)
    if made.name != name:
        raise InputError(f"config {name!r} is written {made.name!r}")
    return made


def parse_config(name: str) -> tuple[Variant, dict[str, Value]]:
    """Return the table's variant that a config is of, and the parameters that its name sets.

    Args:
        name: of a config, such as "lex-locate" or "lex-clustered--decoys-4--radius-60".

    Returns:
        The entry of `VARIANTS`, and field of `Settings` -> value, empty where the config is the variant itself.

    Raises:
        InputError: there is no such variant, or it has no such parameter or value.

    >>> variant, parameters = parse_config("unary-decoys--near-miss-0.01")
    >>> variant.name, parameters
    ('unary-decoys', {'near_miss': 0.01})
    """
    variant = find_variant(name)
    return VARIANTS[variant.in_table], dict(variant.parameters)


def find_variants(names: tuple[str, ...]) -> tuple[Variant, ...]:
    """Return the variants of these names in the table's order; without names, all of the paper's.

    Points of a sweep stand in the order in which they are given.

    Raises:
        InputError: a name is not in the table, nor a point of a sweep; the nearest one is named.

    >>> [variant.name for variant in find_variants(("lex-lists", "unary-all"))]
    ['unary-all', 'lex-lists']
    """
    if not names:
        return tuple(variant for variant in _TABLE if variant.paper)
    found = [find_variant(name) for name in dict.fromkeys(names)]
    return tuple(sorted(found, key=lambda variant: [*VARIANTS].index(variant.in_table)))
