"""Tokens of a novel's stretches and of the prompts that hold it, exact, without reading the novel again for each.

Where a tokenizer never joins what stands before and behind an empty line, the tokens of a text are the sum of those of
its chapters, each with the empty line behind it. With any other tokenizer everything is counted whole.
"""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate

from ...tokens import Tokenizer

GAP = "\n\n"


class NovelTokens:
    """Counts tokens of one novel.

    Args:
        units: texts of its chapters; none begins with white space.
        tokenizer: what counts.

    Attributes:
        article: the whole text.
        starts: where each unit begins in it.
    """

    def __init__(self, units: Sequence[str], tokenizer: Tokenizer) -> None:
        self.article = GAP.join(units)
        self.starts = tuple(accumulate((len(unit) + len(GAP) for unit in units[:-1]), initial=0))
        self._units = units
        self._tokenizer = tokenizer

    def unit_at(self, place: int) -> int:
        """Return the unit, from 0, that holds a character of the article."""
        return bisect_right(self.starts, place) - 1

    def between(self, start: int, end: int) -> int:
        """Return the tokens of a stretch of the article, given as half-open character offsets."""
        first, last = self.unit_at(start), self.unit_at(end - 1)
        count = self._tokenizer.count
        if first == last or not self._tokenizer.splits_behind_lines:
            return count(self.article[start:end])
        head = count(self.article[start : self.starts[first + 1]])
        return head + sum(self._counts[first + 1 : last]) + count(self.article[self.starts[last] : end])

    def of_prompt(self, before: str, behind: str) -> int:
        """Return the tokens of a prompt that holds the article.

        Args:
            before: what stands before it, up to its first letter.
            behind: what stands behind it, from its last letter on.
        """
        rest = behind.removeprefix(GAP)
        if not self._tokenizer.splits_behind_lines or rest == behind or rest[:1].isspace():
            return self._tokenizer.count(before + self.article + behind)
        return self._begun(before) + sum(self._counts[1:]) + self._tokenizer.count(rest)

    def _begun(self, before: str) -> int:
        # Both prompts of a pair begin alike, and the first chapter joins what stands right before it.
        if before not in self._beginnings:
            self._beginnings[before] = self._tokenizer.count(before + self._units[0] + GAP)
        return self._beginnings[before]

    @cached_property
    def _beginnings(self) -> dict[str, int]:
        return {}

    @cached_property
    def _counts(self) -> list[int]:
        """Tokens of each unit with the empty line behind it."""
        return [self._tokenizer.count(unit + GAP) for unit in self._units]
