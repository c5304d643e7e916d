"""The figures of one cell (one config at one split), counted outcome by outcome.

Every figure is worked out for each repeat by itself and then averaged over the repeats, never from pooled counts. A
cell's `outcomes`, `refusals` and `decoy_hits` are plain counts over all repeats.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from lengthwise.evaluators.budgets import output_tokens, within_budget
from lengthwise.evaluators.causes import CAUSES, Cause, CauseCounts, CauseTally
from lengthwise.evaluators.contracts import OUTCOME_KINDS, Outcome
from lengthwise.metrics.intervals import clopper_pearson

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Accuracy:
    """A share of right answers.

    Attributes:
        n: examples it is over, per repeat (the mean, where repeats differ).
        correct: right ones, per repeat (a mean, so it can be a fraction).
        value: the share, in [0, 1]; None of no examples.
        low: lower end of the exact 95 % interval.
        high: upper end. The interval is that of one run of n examples with the mean count right: repeats of the same
            examples are not independent, so it does not shrink with their number.
    """

    n: float
    correct: float
    value: float | None
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class CellResult:
    """The figures of one cell.

    Attributes:
        config: its config.
        split: its split.
        n: examples.
        repeats: how often each was asked.
        accuracy: over all examples, the headline: nothing leaves the denominator.
        accuracy_rest: over the examples that did not end in `error`.
        outcomes: how many ended in each way, over all repeats; every kind is present.
        refusals: of these, `refused`: counted as wrong and shown apart (Table 2's note).
        parsed_wrong: answers that parsed and were wrong, over all repeats.
        first_word: share of these that began with the right word (section 4.7); None if there are none.
        decoy_hits: of these, how many gave which kind of decoy, over all repeats.
        decoys_unknown: of these, how many could not be looked up, the data being gone.
        length_error: mean of words answered minus words of the gold over the parsed answers; None if there are none.
        output_tokens: mean over the replies whose usage the server reported; None if there are none.
        causes: why replies were not right, counted over all repeats (section 4.9).
    """

    config: str
    split: str
    n: int
    repeats: int
    accuracy: Accuracy
    accuracy_rest: Accuracy
    outcomes: Mapping[str, int]
    refusals: int
    parsed_wrong: int
    first_word: float | None
    decoy_hits: Mapping[str, int]
    decoys_unknown: int
    length_error: float | None
    output_tokens: float | None
    causes: CauseCounts


@dataclass(frozen=True, slots=True)
class BudgetResult:
    """A cell under an output budget.

    Attributes:
        tokens: the budget.
        config: the cell's config.
        split: the cell's split.
        accuracy: with replies over the budget counted as wrong.
        over: replies over the budget or cut by length, over all repeats.
        unknown: replies whose tokens the server did not report; they are left as they are.
        beyond_run: the run itself allowed fewer tokens, so that more budget could not show.
    """

    tokens: int
    config: str
    split: str
    accuracy: Accuracy
    over: int
    unknown: int
    beyond_run: bool


def accuracy_of(runs: Sequence[Sequence[Outcome]]) -> Accuracy:
    """Return the accuracy of a cell, given its outcomes repeat by repeat."""
    return accuracy_of_counts([(sum(outcome.kind == "correct" for outcome in run), len(run)) for run in runs])


def accuracy_of_counts(counts: Iterable[tuple[int, int]]) -> Accuracy:
    """Return the accuracy of a cell, given how many of how many were right in each repeat."""
    tried = [(correct, n) for correct, n in counts if n]
    if not tried:
        return Accuracy(0, 0, None, 0.0, 1.0)
    n = fmean(n for _, n in tried)
    value = fmean(correct / n for correct, n in tried)
    low, high = clopper_pearson(min(value * round(n), round(n)), round(n), CONFIDENCE)
    return Accuracy(n, value * n, value, low, high)


class CellTally:
    """Counts the outcomes of one cell.

    Args:
        repeats: how often its rows were asked.
        causes: that its benchmark knows.
    """

    def __init__(self, repeats: int, causes: Sequence[Cause] = CAUSES) -> None:
        self._kinds: list[Counter[str]] = [Counter() for _ in range(repeats)]
        self._first_words: list[list[bool]] = [[] for _ in range(repeats)]
        self._length_errors: list[list[float]] = [[] for _ in range(repeats)]
        self._hits: Counter[str] = Counter()
        self._unknown = 0
        self._tokens: list[int] = []
        self._causes = CauseTally(causes)

    def add(self, repeat: int, outcome: Outcome) -> None:
        """Count the outcome of one row in one repeat."""
        kind, details = outcome.kind, outcome.details
        self._kinds[repeat][kind] += 1
        if kind == "wrong":
            if (first := details.get("first_word_right")) is not None:
                self._first_words[repeat].append(first)
            if hit := details.get("decoy_hit"):
                self._hits[hit["kind"]] += 1
            self._unknown += details.get("decoy_looked_up") is False
        if kind in ("correct", "wrong") and (error := details.get("length_error")) is not None:
            self._length_errors[repeat].append(error)
        if (used := output_tokens(outcome)) is not None:
            self._tokens.append(used)
        self._causes.add(outcome)

    def result(self, config: str, split: str) -> CellResult:
        """Return the figures of the cell of these names."""
        counts = sum(self._kinds, Counter[str]())
        sizes = [kinds.total() for kinds in self._kinds]
        return CellResult(
            config=config,
            split=split,
            n=sizes[0] if sizes else 0,
            repeats=len(sizes),
            accuracy=accuracy_of_counts((kinds["correct"], n) for kinds, n in zip(self._kinds, sizes, strict=True)),
            accuracy_rest=accuracy_of_counts(
                (kinds["correct"], n - kinds["error"]) for kinds, n in zip(self._kinds, sizes, strict=True)
            ),
            outcomes={kind: counts[kind] for kind in OUTCOME_KINDS},
            refusals=counts["refused"],
            parsed_wrong=counts["wrong"],
            first_word=_mean_of_means(self._first_words),
            decoy_hits=dict(sorted(self._hits.items())),
            decoys_unknown=self._unknown,
            length_error=_mean_of_means(self._length_errors),
            output_tokens=fmean(self._tokens) if self._tokens else None,
            causes=self._causes.counts(),
        )


def cell_result(
    config: str, split: str, runs: Sequence[Sequence[Outcome]], causes: Sequence[Cause] = CAUSES
) -> CellResult:
    """Work out the figures of one cell.

    Args:
        config: its config.
        split: its split.
        runs: its outcomes, repeat by repeat; every repeat holds all examples.
        causes: that its benchmark knows.
    """
    tally = CellTally(len(runs), causes)
    for repeat, run in enumerate(runs):
        for outcome in run:
            tally.add(repeat, outcome)
    return tally.result(config, split)


def _mean_of_means(runs: Sequence[Sequence[float]]) -> float | None:
    """Return the mean over repeats of each repeat's mean; repeats without a figure are left out."""
    means = [fmean(run) for run in runs if run]
    return fmean(means) if means else None


class BudgetTally:
    """Counts the outcomes of one cell under one output budget.

    Args:
        repeats: how often its rows were asked.
        tokens: the budget.
    """

    def __init__(self, repeats: int, tokens: int) -> None:
        self._tokens = tokens
        self._correct = [0] * repeats
        self._sizes = [0] * repeats
        self._over = 0
        self._unknown = 0

    def add(self, repeat: int, outcome: Outcome) -> None:
        """Count the outcome of one row in one repeat."""
        within = within_budget(outcome, self._tokens)
        self._sizes[repeat] += 1
        self._correct[repeat] += within and outcome.kind == "correct"
        self._over += not within or outcome.kind == "truncated_output"
        self._unknown += output_tokens(outcome) is None and outcome.kind not in ("error", "overlength")

    def result(self, config: str, split: str, max_tokens: int | None) -> BudgetResult:
        """Return the figures of the cell of these names; `max_tokens` is what the run itself allowed."""
        return BudgetResult(
            tokens=self._tokens,
            config=config,
            split=split,
            accuracy=accuracy_of_counts(zip(self._correct, self._sizes, strict=True)),
            over=self._over,
            unknown=self._unknown,
            beyond_run=max_tokens is not None and self._tokens > max_tokens,
        )


def budget_result(
    config: str, split: str, runs: Sequence[Sequence[Outcome]], tokens: int, max_tokens: int | None
) -> BudgetResult:
    """Work out one cell under one output budget.

    Args:
        config: its config.
        split: its split.
        runs: its outcomes, repeat by repeat.
        tokens: the budget.
        max_tokens: what the run itself allowed, None if nobody set a limit.
    """
    tally = BudgetTally(len(runs), tokens)
    for repeat, run in enumerate(runs):
        for outcome in run:
            tally.add(repeat, outcome)
    return tally.result(config, split, max_tokens)
