"""The 13 variants of the paper (Tables 1 and 2), and two of ours: one entry each.

A variant is a family (which word list), an arrangement (what is planted beside the target) and a question. Variants of
one family and arrangement hold identical lists, so that nothing but the question differs between them.
"""

from dataclasses import dataclass
from typing import Literal

from lengthwise.errors import unknown_name

Family = Literal["unary", "shape", "lex", "lex-short", "letter-sum", "documents"]
Arrangement = Literal["plain", "near-miss", "scattered", "clustered", "lists"]
Quantifier = Literal["exists", "all", "longest"]
Axis = Literal["baseline", "computation", "quantifier", "decoys", "structure", "search-space"]


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

    @property
    def source(self) -> str:
        """Where the words come from: "synthetic" or "documents"."""
        return "documents" if self.family == "documents" else "synthetic"

    @property
    def list_name(self) -> str:
        """What a row's `list_id` begins and ends with: equal for variants that hold identical lists."""
        return self.family if self.arrangement == "plain" else f"{self.family}+{self.arrangement}"


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


def find_variants(names: tuple[str, ...]) -> tuple[Variant, ...]:
    """Return the variants of these names in the table's order; without names, all of the paper's.

    Raises:
        InputError: a name is not in the table; the nearest one is named.

    >>> [variant.name for variant in find_variants(("lex-lists", "unary-all"))]
    ['unary-all', 'lex-lists']
    """
    for name in names:
        if name not in VARIANTS:
            raise unknown_name("config", name, VARIANTS)
    return tuple(variant for variant in _TABLE if (variant.name in names if names else variant.paper))
