"""All that a build of story worlds can be told, checked where it is made, and the lengths that it knows."""

from collections.abc import Mapping
from dataclasses import dataclass

from lengthwise.errors import InputError

from ..compression import target_words
from ..records import LANGUAGES, PAPER_SCALES, SUMMARY_WORDS, Language
from ..splits import SPLITS, Split
from ..windows import ABOVE, BELOW

BENCHMARK = "longnovel-storyworld"
# The name of the source, as `build longnovel --source` and `build predicate --documents` take it.
SOURCE = "storyworld"
TITLE = "Story world (LongNovel's task, generated)"
# Version of the construction: raised when the same arguments give other rows.
VERSION = 1
# Of worlds and their prose, which are written for this project.
LICENCE = "Apache-2.0"
LEAST, MOST = 1, 1000
"""The shortest and the longest novel, in thousands of tokens."""


def story_tokens(scale: str) -> int:
    """Return the length T of a scale in tokens; a generated novel may be shorter than a window of a book.

    >>> story_tokens("xl"), story_tokens("1k")
    (100000, 1000)

    Raises:
        InputError: it is no scale, or beyond what there is.
    """
    if scale in PAPER_SCALES:
        return PAPER_SCALES[scale]
    digits = scale.removesuffix("k")
    if not (scale.endswith("k") and digits.isascii() and digits.isdigit() and LEAST <= int(digits) <= MOST):
        raise InputError(f"scale {scale!r}: give s, m, l, xl, or a length from {LEAST}k to {MOST}k, e.g. 8k")
    if scale != f"{int(digits)}k":
        raise InputError(f"scale {scale!r}: write it {int(digits)}k")
    return int(digits) * 1000


def story_range(scale: str) -> tuple[int, int]:
    """Return the least and the greatest length of a novel in tokens: the paper's, and never half as much again.

    >>> story_range("xl"), story_range("4k"), story_range("1k")
    ((98000, 104000), (2000, 6000), (500, 1500))
    """
    tokens = story_tokens(scale)
    return max(tokens - BELOW, tokens // 2), min(tokens + ABOVE, tokens * 3 // 2)


def summary_words(scale: str) -> int:
    """Return how many words (characters in Chinese) a summary is to have; see `compression.target_words`.

    >>> summary_words("xl"), summary_words("4k"), summary_words("1k")
    (1500, 220, 60)
    """
    tokens, shortest = story_tokens(scale), PAPER_SCALES["s"]
    if tokens < shortest:
        return round(SUMMARY_WORDS["s"] * tokens / shortest / 10) * 10
    return target_words(scale)


@dataclass(frozen=True)
class StorySettings:
    """Parameters of a build.

    Attributes:
        scales: names, each once.
        examples: rows of the test split of each scale.
        train: rows of the training split; 0 for none.
        validation: rows of the validation split; 0 for none.
        languages: half the pairs each where there are two.
        seed: of all draws; another one gives other novels.
        tokenizer: see `lengthwise.builders.tokens.load_tokenizer`; it measures the novels.

    Raises:
        InputError: a value cannot be used; the message says which and why.
    """

    scales: tuple[str, ...] = tuple(PAPER_SCALES)
    examples: int = 200
    train: int = 0
    validation: int = 0
    languages: tuple[Language, ...] = LANGUAGES
    seed: int = 42
    tokenizer: str = "qwen3"

    def __post_init__(self) -> None:
        if not self.scales or len(set(self.scales)) != len(self.scales):
            raise InputError(f"configs must be at least one, each given once, not {', '.join(self.scales) or 'none'}")
        for scale in self.scales:
            story_tokens(scale)
        for name in ("examples", "train", "validation"):
            count = getattr(self, name)
            if count < 0 or count % 2:
                raise InputError(f"{name} must be even, as half of the rows are hallucinated, not {count}")
        if not any(self.rows.values()):
            raise InputError("examples, train and validation are all 0: there is nothing to build")
        if (
            not self.languages
            or set(self.languages) - set(LANGUAGES)
            or len(set(self.languages)) < len(self.languages)
        ):
            raise InputError(f"languages must be of {', '.join(LANGUAGES)}, each once, not {self.languages}")
        if not 0 < self.seed < 1 << 63:
            raise InputError(f"seed must be between 1 and 2**63 - 1, not {self.seed}")

    @property
    def rows(self) -> Mapping[Split, int]:
        """Rows of each split of a scale."""
        return dict(zip(SPLITS, (self.train, self.validation, self.examples), strict=True))

    def pairs(self, split: Split) -> dict[Language, int]:
        """Return the pairs of each language in one split of a scale; the first language takes what is odd."""
        whole, odd = divmod(self.rows[split] // 2, len(self.languages))
        return {language: whole + (place < odd) for place, language in enumerate(self.languages)}
