"""The bar on stderr while a run goes on: outcomes, tokens, time left."""

import sys
from collections import Counter
from types import TracebackType
from typing import Self

from tqdm import tqdm

from lengthwise.evaluators.contracts import OUTCOME_KINDS, Outcome


class Progress:
    """Counts the outcomes of a run, and shows them where wanted.

    Args:
        total: how many outcomes there will be.
        shown: False counts in silence.
    """

    def __init__(self, total: int, shown: bool) -> None:
        self.kinds: Counter[str] = Counter()
        self._input = 0
        self._output = 0
        self._cost = 0.0
        self._bar = tqdm(total=total, unit="reply", file=sys.stderr, disable=not shown, dynamic_ncols=True)

    def add(self, outcome: Outcome) -> None:
        """Count one outcome."""
        self.kinds[outcome.kind] += 1
        self._input += outcome.usage.input or 0
        self._output += outcome.usage.output or 0
        self._cost += outcome.cost or 0.0
        if not self._bar.disable:
            self._bar.set_postfix_str(self.summary(), refresh=False)
            self._bar.update()

    def summary(self) -> str:
        """Return the counts so far, e.g. `correct 3, wrong 1; 12.3k in, 1.2k out`."""
        kinds = ", ".join(f"{kind} {self.kinds[kind]}" for kind in OUTCOME_KINDS if self.kinds[kind])
        tokens = f"; {_short(self._input)} in, {_short(self._output)} out" if self._input else ""
        return kinds + tokens + (f", ${self._cost:.2f}" if self._cost else "")

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the bar as it stands."""
        self._bar.close()


def _short(count: int) -> str:
    """Return a count in three figures or so: 950, 12.3k, 4.5M."""
    if count < 1000:
        return str(count)
    return f"{count / 1e3:.1f}k" if count < 1e6 else f"{count / 1e6:.1f}M"
