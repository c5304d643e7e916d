"""All that a build of multi-instance processing can be told, checked where it is made."""

from dataclasses import dataclass
from pathlib import Path

from lengthwise.errors import InputError

from .tasks import SEEDS

BENCHMARK = "multi-instance"
# Version of the construction, generated pools included: raised when the same arguments give other rows.
VERSION = 1


@dataclass(frozen=True)
class InstanceSettings:
    """Parameters of a build; the defaults are the paper's.

    Attributes:
        sizes: numbers of instances, rising; () for each task's own (2 to 2,000, category to 200). What a random sample
            of one of the paper's sizes holds does not hang on which others are named; see `plan.selections_of`.
        seeds: of the random samples.
        tokenizer: see `lengthwise.builders.tokens.load_tokenizer`; it counts, and decides nothing.
        prompts: folder with templates of one's own; None for the package's.

    Raises:
        InputError: a value cannot be used; the message says which and why.
    """

    sizes: tuple[int, ...] = ()
    seeds: tuple[int, ...] = SEEDS
    tokenizer: str = "qwen3"
    prompts: Path | None = None

    def __post_init__(self) -> None:
        if any(size < 1 for size in self.sizes):
            raise InputError(f"sizes must be at least 1, not {min(self.sizes)}")
        if list(self.sizes) != sorted(set(self.sizes)):
            raise InputError(f"sizes must rise, each given once, not {self.sizes}")
        if not self.seeds or len(set(self.seeds)) != len(self.seeds):
            raise InputError(f"seeds must be at least one, each given once, not {self.seeds}")
        if any(not 0 < seed < 1 << 63 for seed in self.seeds):
            raise InputError(f"seeds must be between 1 and 2**63 - 1, not {self.seeds}")
