"""All that a build can be told, checked where it is made."""

from dataclasses import dataclass, field, replace
from typing import Any

from lengthwise.errors import InputError, unknown_name

from .predicates import UNARY, VOWELS
from .variants import DEFAULT_KINDS, Variant
from .words import ENGLISH, WordShape

# The lengths of the splits, in units of 1,024 tokens of the whole prompt. 112k leaves a window of 131,072 tokens
# 16,384 for the chat template and the paper's 16,000 tokens of output.
LENGTHS: dict[str, int] = {f"{units}k": units * 1024 for units in (4, 8, 16, 32, 64, 112, 128)}
PAPER_LENGTH = "128k"
DOCUMENTS_SPLIT = "full"

# Version of the construction: it goes into every stream's key, and is raised when the same arguments give other rows.
VERSION = 1
BENCHMARK = "predicatelongbench"


@dataclass(frozen=True)
class Size:
    """How long the lists of one split are.

    Attributes:
        split: name of the split.
        tokens: most tokens of a prompt; None where the number of words is fixed instead.
        words: number of words; None where the tokens decide.
        named: asked for by the split's name and not as a budget: what the paper fixes by words may then stay so.
    """

    split: str
    tokens: int | None = None
    words: int | None = None
    named: bool = field(default=False, compare=False)

    @property
    def key(self) -> str:
        """The length as part of a stream's key: the same list whatever the split is called."""
        return f"{self.tokens} tokens" if self.words is None else f"{self.words} words"


def split_name(tokens: int) -> str:
    """Return the split's name for a number of tokens.

    >>> split_name(114_688), split_name(100_000)
    ('112k', '100000')
    """
    return f"{tokens // 1024}k" if tokens % 1024 == 0 else str(tokens)


@dataclass(frozen=True)
class Settings:
    """Parameters of the construction; the defaults are the paper's.

    Attributes:
        examples: rows a config and split (100 in the paper).
        seed: any integer of 64 bits.
        tokenizer: see `lengthwise.builders.tokens.load_tokenizer`.
        k: words of the answer (5); documents take their own longest run.
        word_length: letters of a synthetic word; None for each variant's own (8, 12, or 3 and 4).
        alphabet: letters of synthetic words.
        kinds: unary predicates to draw from; () for each family's own.
        string_length: letters of a predicate's string (m = 2).
        near_miss: share of words that are near misses, per predicate (alpha = 0.05).
        targets: number of valid sequences in the lists of `unary-all` (1).
        decoys: near-sorted decoys a list (D = 8).
        radius: words on each side of the target within which clustered decoys lie (rho; 100, the paper gives none).
        lists: number of lists in `lex-lists` (M = 20).

    Raises:
        InputError: a value cannot be used; the message says which and why.
    """

    examples: int = 100
    seed: int = 42
    tokenizer: str = "qwen3"
    k: int = 5
    word_length: int | None = None
    alphabet: str = ENGLISH
    kinds: tuple[str, ...] = field(default=())
    string_length: int = 2
    near_miss: float = 0.05
    targets: int = 1
    decoys: int = 8
    radius: int = 100
    lists: int = 20

    def __post_init__(self) -> None:
        for name, least in (
            ("examples", 1), ("k", 2), ("string_length", 1), ("targets", 1), ("decoys", 1), ("radius", 1), ("lists", 2)
        ):  # fmt: skip
            value = getattr(self, name)
            if value < least:
                raise InputError(f"{name.replace('_', '-')} must be at least {least}, not {value}")
        if self.word_length is not None and self.word_length < 1:
            raise InputError(f"word-length must be at least 1, not {self.word_length}")
        if not -(1 << 63) <= self.seed < 1 << 63:
            raise InputError(f"seed {self.seed} does not fit into 64 bits: give one between -2**63 and 2**63 - 1")
        if not 0 < self.near_miss < 1:
            raise InputError(f"near-miss must be a share between 0 and 1, not {self.near_miss}")
        for kind in self.kinds:
            if kind not in UNARY:
                raise unknown_name("predicate kind", kind, UNARY)
        WordShape((self.word_length or 1,), (), self.alphabet)

    def check(self, variant: Variant) -> None:
        """Raise InputError where these settings cannot make lists of this variant."""
        self.at(variant)._check(variant)

    def at(self, variant: Variant) -> "Settings":
        """Return the settings with what a variant's name sets, for a point of a sweep.

        Raises:
            InputError: a value cannot be used.
        """
        given: dict[str, Any] = dict(variant.parameters)
        return replace(self, **given) if given else self

    def _check(self, variant: Variant) -> None:
        if variant.family in ("lex", "lex-short") and self.k < 3:
            raise InputError(
                f"k = {self.k} is too small for {variant.name}: nearly every list of random words has another run of "
                f"{self.k}; use k >= 3"
            )
        if variant.arrangement in ("scattered", "clustered") and variant.k is not None and self.k < 4:
            raise InputError(
                f"k = {self.k} is too small for {variant.name}: a near-sorted decoy swaps a pair in the interior of "
                "its run, which needs k >= 4"
            )
        # The window is 2 * radius words and the target; the target may stand so that one block is lost at its sides.
        least = -(-(self.decoys + 1) * (self.k + 3) // 2)
        if variant.in_table == "lex-clustered" and self.radius < least:
            raise InputError(
                f"radius {self.radius} is too small for {self.decoys} decoys of {self.k + 2} words; use >= {least}"
            )
        if variant.family in DEFAULT_KINDS:
            shortest = min(self.shape(variant).lengths)
            strings = {"prefix", "suffix", "contains"} & set(self.kinds_of(variant))
            if strings and self.string_length > shortest:
                raise InputError(
                    f"string-length {self.string_length} is longer than words of {variant.name} ({shortest} letters)"
                )
            if strings == set(self.kinds_of(variant)) and self.k > len(self.alphabet) ** self.string_length:
                raise InputError(
                    f"k = {self.k}: there are not so many different strings of {self.string_length} letters for the "
                    f"conditions of {variant.name}: use a smaller k or a larger string-length"
                )
            if "length" in self.kinds_of(variant) and len(self.shape(variant).lengths) == 1:
                raise InputError(
                    "predicates of kind length need words of several lengths: use the config shape-locate"
                )
            vowels = set(VOWELS) & set(self.alphabet)
            if "vowels" in self.kinds_of(variant) and len(vowels) in (0, len(self.alphabet)):
                raise InputError(
                    f"alphabet {self.alphabet!r} gives every word the same kind of letters: predicates of kind vowels "
                    "need vowels and other letters"
                )
            common = [kind for kind in self.kinds_of(variant) if not UNARY[kind].rare]
            if common and variant.arrangement == "near-miss":
                raise InputError(
                    f"predicates of kind {common[0]} hold for so many words that none is a near miss: leave "
                    f"{variant.name} out, or use prefix, suffix and contains"
                )
            if self.near_miss * self.k >= 0.9 and variant.arrangement == "near-miss":
                raise InputError(f"near-miss {self.near_miss} for each of {self.k} predicates leaves no other words")

    def shape(self, variant: Variant) -> WordShape:
        """Return the shape of a variant's words."""
        if self.word_length is not None:
            return WordShape((self.word_length,), (), self.alphabet)
        return WordShape(variant.word_lengths, variant.length_shares, self.alphabet)

    def kinds_of(self, variant: Variant) -> tuple[str, ...]:
        """Return the kinds of predicates that a variant of the unary families draws from."""
        return self.kinds or DEFAULT_KINDS[variant.family]

    def targets_of(self, variant: Variant) -> int:
        """Return how many valid sequences a variant's lists hold."""
        return self.targets if variant.quantifier == "all" else 1
