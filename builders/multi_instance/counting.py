"""Tokens of a prompt, from the tokens of its instances: each of those stands in many prompts, and is encoded once."""

from collections.abc import Sequence
from functools import lru_cache

from ..tokens import Tokenizer, load_tokenizer
from .configs import InstanceConfig
from .tasks import InstanceTask

# Instances whose counts are kept: those of one pool in all of its shapes.
_KEPT = 100_000


class PromptCounter:
    """Counts whole prompts; exact, or by the whole text where the tokenizer promises nothing about its parts.

    `lengthwise validate` counts the whole text always.

    Attributes:
        name: of the tokenizer.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.name = tokenizer.name
        self._tokenizer = tokenizer
        self._additive = tokenizer.splits_at_spaces and tokenizer.splits_behind_lines
        self._of_text = lru_cache(_KEPT)(lambda text: tokenizer.count(f" {text}\n\n"))
        self._of_label = lru_cache(_KEPT)(lambda item, number: tokenizer.count(f"{item} {number}:"))

    def count(self, config: InstanceConfig, question: str, texts: Sequence[str], prompt: str) -> int:
        """Return the tokens of a prompt.

        Args:
            config: of the row.
            question: the prompt's first part.
            texts: its instances as shown.
            prompt: what `prompts.assemble` made of these.
        """
        # Noise at a random place makes a text of its own in every prompt.
        if not self._additive or config.noise == "random":
            return self._tokenizer.count(prompt)
        items = sum(self._of_label(config.task.item, number) for number in range(1, len(texts) + 1))
        return self._frame(config.task, question) + items + sum(map(self._of_text, texts))

    def _frame(self, task: InstanceTask, question: str) -> int:
        return self._tokenizer.count(f"{question}\n\n\n=== Here are the {task.items} ===\n\n") + self._tokenizer.count(
            f"=== End of {task.items} ==="
        )


@lru_cache(maxsize=2)
def prompt_counter(tokenizer: str) -> PromptCounter:
    """Return the counter of the tokenizer that a name stands for; see `load_tokenizer`."""
    return PromptCounter(load_tokenizer(tokenizer))
