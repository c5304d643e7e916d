"""Why a reply was not right, as far as the reply itself tells: the causes of PredicateLongBench's section 4.9.

A reply can show several causes at once, and most that loop or copy also spend their budget on it, so each cause is
counted by itself. A new cause is one entry in `CAUSES`; another benchmark has a table of its own.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol, TypeAlias

from lengthwise.contracts import Reply
from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.judging import PromptOf
from lengthwise.evaluators.judging_predicate import list_words
from lengthwise.metrics.reasoning import split_reasoning
from lengthwise.metrics.reply_patterns import (
    LEAST_ROUNDS,
    Loop,
    longest_copied_stretch,
    looped_end,
    outside_copies,
    plain_words,
    repeated_lines,
    target_words_in,
)

# Repeated lines are a loop if they are half of all lines, and more than a layout's rules and verdicts come to.
REPEATED_RATIO = 0.5
REPEATED_LINES = 10
# So are characters at the end that repeat what stands before them: some 100 tokens, more than any ruled line.
REPEATED_CHARACTERS = 400
# A stretch of the list copied out: five times the longest target there is, ten times the usual one.
COPIED_WORDS = 50
# The share of the target's words that must stand together for the target to have been met with.
TARGET_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Traces:
    """What a reply that is not right shows; "written" is its text with all reasoning, inline or sent apart.

    Attributes:
        budget_spent: it was cut by length, or used as many tokens as the run allowed.
        words: words of `[a-z]` written.
        repeated_line_ratio: share of the lines that repeat an earlier one, in [0, 1); see `repeated_lines`.
        repeated_lines: how many such lines.
        loop: characters at the end of the reasoning, or of the rest, that only repeat what stands before them; 0 if
            there are fewer than `REPEATED_CHARACTERS`.
        target_in_loop: words of the target that stand together in what is repeated.
        copied: words of the longest stretch of the list that is written word for word; None where it was not looked
            up: fewer than `COPIED_WORDS` are written, or the data are gone.
        target: words of the target.
        target_written: words of it that stand together in what is written, copied stretches left out: what goes
            through the list comes by the target.
        target_answered: words of it that stand together in the answer.
    """

    budget_spent: bool
    words: int
    repeated_line_ratio: float
    repeated_lines: int
    loop: int
    target_in_loop: int
    copied: int | None
    target: int
    target_written: int
    target_answered: int


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause.

    Attributes:
        name: in results.json and outcomes.parquet.
        title: in tables.
        about: when it holds, for a legend.
        holds: whether a reply shows it; None where that was not to be looked up.
    """

    name: str
    title: str
    about: str
    holds: Callable[[Any], bool | None]


class Looping(Protocol):
    """The traces of a loop, by which `looped` goes."""

    @property
    def repeated_line_ratio(self) -> float:
        """Share of the lines that repeat an earlier one."""

    @property
    def repeated_lines(self) -> int:
        """How many such lines."""

    @property
    def loop(self) -> int:
        """Characters at the end that only repeat what stands before them."""


def looped(traces: Looping) -> bool:
    """Whether a reply goes round and round: in its lines, or at an end."""
    lines = traces.repeated_lines >= REPEATED_LINES and traces.repeated_line_ratio >= REPEATED_RATIO
    return lines or traces.loop >= REPEATED_CHARACTERS


def _copied(traces: Traces) -> bool | None:
    if traces.words < COPIED_WORDS:
        return False
    return None if traces.copied is None else traces.copied >= COPIED_WORDS


def _lost(traces: Traces) -> bool | None:
    if not _met(traces.target_written, traces.target) or _met(traces.target_answered, traces.target):
        return False
    # Without the list, the target may have been part of a copied stretch.
    return True if traces.copied is not None or traces.words < COPIED_WORDS else None


def _met(words: int, target: int) -> bool:
    return target > 0 and words >= TARGET_SHARE * target


CAUSES: tuple[Cause, ...] = (
    Cause(
        "budget_spent",
        "budget spent",
        "cut by length, or as many tokens as the run allowed",
        lambda traces: traces.budget_spent,
    ),
    Cause(
        "looped",
        "looped",
        f"at least {REPEATED_RATIO:.0%} of the lines, and {REPEATED_LINES} or more, repeat an earlier one; or "
        f"{REPEATED_CHARACTERS} characters or more at the end do, going round at least {LEAST_ROUNDS} times",
        looped,
    ),
    Cause(
        "looped_at_target",
        "looped at target",
        f"looped, with at least {TARGET_SHARE:.0%} of the target's words together in what is repeated",
        lambda traces: looped(traces) and _met(traces.target_in_loop, traces.target),
    ),
    Cause("copied", "list copied", f"{COPIED_WORDS} words or more of the list in a row, word for word", _copied),
    Cause(
        "target_lost",
        "target lost",
        f"at least {TARGET_SHARE:.0%} of the target's words together in the reasoning (not merely as part of a copied "
        "list), but not in the answer",
        _lost,
    ),
)

# From the row, the reply, its answer as parsed, the run's most tokens, and the prompt on demand, to a dataclass of the
# traces that the benchmark's causes go by.
Examine: TypeAlias = Callable[[Mapping[str, Any], Reply, Any, int | None, PromptOf], Any]


def looped_part(thought: str, said: str) -> tuple[str, Loop]:
    """Return the one of a reply's two parts that loops the most at its end, and its loop.

    Reasoning can loop and be followed by an answer all the same. Blanks at an end may be the loop, or hide it.
    """
    # Mostly there are no blanks at the ends, and no need to look twice.
    parts = dict.fromkeys((thought, thought.rstrip(), said, said.rstrip()))
    ends = {part: looped_end(part, REPEATED_CHARACTERS) for part in parts}
    return max(ends.items(), key=lambda end: end[1].repeated)


def parts_of(reply: Reply) -> tuple[str, str]:
    """Return all of a reply's reasoning, inline or sent apart, and the rest of its text."""
    inline, said = split_reasoning(reply.text or "")
    return "\n".join(part for part in (reply.reasoning, inline) if part), said


def spent_budget(reply: Reply, max_tokens: int | None) -> bool:
    """Whether a reply was cut by length, or used as many tokens as the run allowed."""
    used = reply.usage.output
    return reply.finish_reason == "length" or (used is not None and max_tokens is not None and used >= max_tokens)


def examine_predicate(
    columns: Mapping[str, Any], reply: Reply, answer: Any, max_tokens: int | None, prompt_of: PromptOf
) -> Traces:
    """Return the traces of a reply to PredicateLongBench.

    Args:
        columns: the row: `answers`, `list_span`, `n_words`.
        reply: the reply that was scored.
        answer: its answer as the judge parsed it; None where nothing parsed.
        max_tokens: what the run allowed; None if nobody set a limit.
        prompt_of: gives the row's prompt; asked only if the reply is long enough to hold a copied stretch.
    """
    thought, said = parts_of(reply)
    written = plain_words(f"{thought}\n{said}")
    lines = repeated_lines(f"{thought}\n{said}")
    looping, loop = looped_part(thought, said)
    rounds = looping[len(looping) - loop.length :][: LEAST_ROUNDS * loop.period]
    repeated = plain_words("\n".join([*lines.lines, rounds]))
    prompt = prompt_of() if len(written) >= COPIED_WORDS else None
    words_of_list = list_words(columns, prompt) if prompt is not None else None
    copied = None if words_of_list is None else longest_copied_stretch(written, words_of_list).length
    own = written
    if words_of_list is not None and copied is not None and copied >= COPIED_WORDS:
        own = outside_copies(written, words_of_list, COPIED_WORDS)
    targets: Sequence[Sequence[str]] = columns["answers"] or [[]]
    target = max(targets, key=lambda one: target_words_in(own, one))
    return Traces(
        budget_spent=spent_budget(reply, max_tokens),
        words=len(written),
        repeated_line_ratio=round(lines.ratio, 6),
        repeated_lines=lines.count,
        loop=loop.repeated,
        target_in_loop=target_words_in(repeated, target),
        copied=copied,
        target=len(target),
        target_written=target_words_in(own, target),
        target_answered=max((target_words_in(one, target) for one in _sequences(answer)), default=0),
    )


def _sequences(answer: Any) -> Sequence[Sequence[str]]:
    """Return the sequences of an answer, which is one sequence or a list of them."""
    if not answer:
        return []
    return answer if isinstance(answer[0], list | tuple) else [answer]


def described(traces: Any, causes: Sequence[Cause] = CAUSES) -> dict[str, Any]:
    """Return what goes into the details of an outcome: the `causes` that hold, those `not_looked_up`, the `traces`.

    Args:
        traces: what the causes go by; a dataclass.
        causes: of the benchmark.
    """
    held = {cause.name: cause.holds(traces) for cause in causes}
    return {
        "causes": [name for name, holds in held.items() if holds],
        "causes_not_looked_up": [name for name, holds in held.items() if holds is None],
        "traces": asdict(traces),
    }


def causes_of(outcome: Outcome) -> list[str] | None:
    """Return the names of the causes of an outcome; None where there was no wrong reply to examine."""
    names: list[str] | None = outcome.details.get("causes")
    return names


@dataclass(frozen=True, slots=True)
class CauseCounts:
    """How many wrong replies show which cause.

    Attributes:
        replies: replies examined: all that came and were not right, over all repeats.
        by_cause: of these, how many show each cause; one can show several.
        not_looked_up: of these, in how many each cause was not to be looked up, the data being gone; only causes with
            any.
        unexplained: of these, how many show none, as far as could be looked up.
    """

    replies: int = 0
    by_cause: Mapping[str, int] = field(default_factory=dict)
    not_looked_up: Mapping[str, int] = field(default_factory=dict)
    unexplained: int = 0


class CauseTally:
    """Counts the causes of outcomes, one after the other.

    Args:
        causes: of their benchmark.
    """

    def __init__(self, causes: Sequence[Cause] = CAUSES) -> None:
        self._by_cause = dict.fromkeys((cause.name for cause in causes), 0)
        self._not_looked_up = dict(self._by_cause)
        self._replies = 0
        self._unexplained = 0

    def add(self, outcome: Outcome) -> None:
        """Count an outcome, with what `described` says of it among its details."""
        names = causes_of(outcome)
        if names is None:
            return
        self._replies += 1
        self._unexplained += not names
        for name in self._by_cause:
            self._by_cause[name] += name in names
            self._not_looked_up[name] += name in outcome.details["causes_not_looked_up"]

    def counts(self) -> CauseCounts:
        """Return the counts."""
        unknown = {name: count for name, count in self._not_looked_up.items() if count}
        return CauseCounts(self._replies, self._by_cause, unknown, self._unexplained)
