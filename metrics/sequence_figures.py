"""Figures over many answered sequences: how many are right, and how near the wrong ones come.

Two readings of a reply stand side by side. `exact` takes its last answer block for the answer, as questions for one
sequence do; `set` takes every block of its final section, as questions for all sequences do, so that one sequence too
many is wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from lengthwise.errors import InputError

from .intervals import Interval, clopper_pearson
from .sequences import match_sequence, match_sequences


@dataclass(frozen=True, slots=True)
class SequenceFigures:
    """Figures over the rows of a data set; shares are in [0, 1], None is a figure with nothing to be computed from.

    Attributes:
        exact_match: share of the `n_single` rows with one gold sequence whose last block is it, word for word.
        exact_match_ci: exact (Clopper-Pearson) interval of it, taking rows for independent.
        set_match: share of all rows whose blocks are the gold sequences, no more and no fewer, in any order.
        set_match_ci: its interval.
        first_word_accuracy: share of the parsed but wrong answers to rows with one gold sequence that begin with its
            first word (PredicateLongBench, section 4.7).
        precision: mean share of the answered words that the gold holds, over the same rows; 0 for an unparsed reply.
        longest_common_run: mean length, in words, of the longest run that answer and gold share; 0 for an unparsed
            reply.
        invalid_rate: share of all rows without an answer that can be read.
        n: rows.
        n_single: rows with one gold sequence, or none to be found.
        n_wrong: parsed but wrong rows of these.
    """

    exact_match: float | None
    exact_match_ci: Interval
    set_match: float | None
    set_match_ci: Interval
    first_word_accuracy: float | None
    precision: float | None
    longest_common_run: float | None
    invalid_rate: float | None
    n: int
    n_single: int
    n_wrong: int


def sequence_figures(
    last: Sequence[Sequence[str] | None],
    every: Sequence[Sequence[Sequence[str]] | None],
    golds: Sequence[Sequence[Sequence[str]]],
    *,
    confidence_level: float = 0.95,
) -> SequenceFigures:
    """Compare answers with gold sequences.

    Args:
        last: the sequence of each reply's last block, of `parse_sequence`; None for an unparsed reply.
        every: all sequences of its final section, of `parse_sequences`; None for an unparsed reply.
        golds: the gold sequences of each row; none if there is none to be found.
        confidence_level: of the intervals, in (0, 1).

    Raises:
        InputError: if the lengths differ.

    >>> found = sequence_figures([["a", "b"], None], [[["a", "b"]], None], [[["a", "b"]], [["c"]]])
    >>> found.exact_match, found.invalid_rate, found.first_word_accuracy
    (0.5, 0.5, None)
    """
    if not len(last) == len(every) == len(golds):
        raise InputError(f"{len(golds)} gold entries for {len(last)} and {len(every)} answers: give one for each row")
    single = [(answer, gold[0] if gold else []) for answer, gold in zip(last, golds, strict=True) if len(gold) < 2]
    matches = [(match_sequence(answer, gold) if answer is not None else None) for answer, gold in single]
    exact = [match is not None and match.exact for match in matches]
    wrong = [match for match in matches if match is not None and not match.exact]
    sets = [
        answers is not None and match_sequences(answers, gold).exact
        for answers, gold in zip(every, golds, strict=True)
    ]
    return SequenceFigures(
        exact_match=_mean(exact),
        exact_match_ci=clopper_pearson(sum(exact), len(exact), confidence_level),
        set_match=_mean(sets),
        set_match_ci=clopper_pearson(sum(sets), len(sets), confidence_level),
        first_word_accuracy=_mean([match.first_word_right for match in wrong]),
        precision=_mean([match.precision if match else 0.0 for match in matches]),
        longest_common_run=_mean([match.longest_common_run if match else 0 for match in matches]),
        invalid_rate=_mean([answer is None for answer in last]),
        n=len(golds),
        n_single=len(single),
        n_wrong=len(wrong),
    )


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def gold_sequences(text: str) -> list[list[str]]:
    """Return the gold sequences of a row's `answer_text`: words with blanks, several sequences with " | " between.

    >>> gold_sequences("a b | c d"), gold_sequences("")
    ([['a', 'b'], ['c', 'd']], [])
    """
    return [part.split() for part in text.split("|") if part.split()]
