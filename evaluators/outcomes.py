"""From the replies to one example to its one outcome.

The order: `error`; `overlength`; `empty`; if an answer parses, `correct` or `wrong`, whatever the finish reason; else
`truncated_output`, `refused`, `unparsed`. One reading is ours: a reply without visible text is `empty` only if it
ended by itself. Where the finish reason says why there is no text, that is the outcome: cut by length (all tokens
spent on reasoning) is `truncated_output`, stopped by a content filter is `refused`. Else a model that reasons beyond
its budget would be `empty` on a server that splits reasoning off, and `truncated_output` on one that does not.

The separate reasoning text of a reply is never scored: an answer that stands only there was not given.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lengthwise.contracts import OverlengthError, Reply, ReplyError, Role, Usage
from lengthwise.evaluators.benchmark_types import Benchmark
from lengthwise.evaluators.contracts import Outcome, OutcomeKind, Spent
from lengthwise.evaluators.judging import Judgement, PromptOf, no_prompt
from lengthwise.metrics.reasoning import mask_reasoning
from lengthwise.metrics.refusals import find_refusal


def decide(
    benchmark: Benchmark,
    columns: Mapping[str, Any],
    replies: Sequence[Reply],
    error: ReplyError | None = None,
    *,
    scored: Reply | None = None,
    repeat: int = 0,
    prompt_of: PromptOf = no_prompt,
) -> Outcome:
    """Decide how one example of a run ended.

    Args:
        benchmark: whose judge scores the reply.
        columns: the row, with its `id`.
        replies: the replies to all calls of the example in order; all are counted.
        error: what ended the example instead of a further reply, if anything did.
        scored: the reply that the method settled on; None is the last one.
        repeat: which repeat this is, from 0.
        prompt_of: gives the row's prompt, for what only the prompt can tell (see the judge).

    Returns:
        The outcome. `details` hold the judge's figures and, of the scored reply, `finish_reason` and `output_tokens`.
        No reply and no error is an `error`: the run did not come to this example.
    """
    if error is None and scored is None and not replies:
        error = ReplyError("no reply is recorded: the run did not come to this example")
    if error is not None:
        kind: OutcomeKind = "overlength" if isinstance(error, OverlengthError) else "error"
        return _outcome(columns, repeat, kind, replies, message=str(error))
    reply = scored if scored is not None else replies[-1]
    text = reply.text or ""
    about = {"finish_reason": reply.finish_reason, "output_tokens": reply.usage.output}
    # A blank reply parses as nothing; asking the judge anyway would only reword that.
    judgement = (
        benchmark.judge(columns, text, prompt_of)
        if mask_reasoning(text).strip()
        else Judgement(parsed=False, reason="the reply holds no text outside reasoning")
    )
    if judgement.parsed:
        kind = "correct" if judgement.correct else "wrong"
        details = {**about, **judgement.details}
        return _outcome(columns, repeat, kind, replies, answer=judgement.answer, details=details)
    kind, message = _why_unanswered(reply, judgement.reason or "no answer was found")
    details = {**about, **judgement.details}
    return _outcome(columns, repeat, kind, replies, message=message, details=details)


def unjudged(
    columns: Mapping[str, Any],
    replies: Sequence[Reply],
    error: ReplyError | None = None,
    *,
    scored: Reply | None = None,
    repeat: int = 0,
) -> Outcome:
    """Return what is known of how an example ended before its reply is judged: that is told as `unparsed`.

    For whoever counts replies and errors only; the arguments are those of `decide`.
    """
    if error is not None:
        kind: OutcomeKind = "overlength" if isinstance(error, OverlengthError) else "error"
        return _outcome(columns, repeat, kind, replies, message=str(error))
    reply = scored if scored is not None else replies[-1]
    details = {"finish_reason": reply.finish_reason, "output_tokens": reply.usage.output}
    return _outcome(columns, repeat, "unparsed", replies, message="not judged yet", details=details)


def _why_unanswered(reply: Reply, reason: str) -> tuple[OutcomeKind, str]:
    if reply.finish_reason == "length":
        return "truncated_output", f"cut by length: {reason}"
    if reply.finish_reason == "content_filter":
        return "refused", "stopped by a content filter"
    text = reply.text or ""
    if not mask_reasoning(text).strip():
        return "empty", reason
    if refusal := find_refusal(text):
        return "refused", refusal
    return "unparsed", reason


def _outcome(
    columns: Mapping[str, Any],
    repeat: int,
    kind: OutcomeKind,
    replies: Sequence[Reply],
    *,
    answer: Any = None,
    message: str | None = None,
    details: Mapping[str, Any] | None = None,
) -> Outcome:
    spent = spent_on(replies)
    of_role: dict[Role, list[Reply]] = {}
    for reply in replies:
        of_role.setdefault(reply.role, []).append(reply)
    return Outcome(
        example_id=columns["id"],
        repeat=repeat,
        kind=kind,
        answer=answer,
        message=message,
        details=details or {},
        usage=spent.usage,
        latency=spent.latency,
        cost=spent.cost,
        calls=spent.calls,
        roles={role: spent_on(own) for role, own in of_role.items()} if of_role.keys() - {"generate"} else {},
    )


def spent_on(replies: Sequence[Reply]) -> Spent:
    """Add up what some calls took."""
    if len(replies) == 1:
        # As most methods have it.
        return Spent(1, replies[0].usage, replies[0].latency, replies[0].cost)
    return sum_spent([Spent(1, reply.usage, reply.latency, reply.cost) for reply in replies])


class SpentSum:
    """Adds up what was spent, part by part; a cost that no part knows stays None, as a count of tokens does."""

    def __init__(self) -> None:
        self._calls = 0
        self._tokens: dict[str, int] = {}
        # Added up at the end, all together: so the last digit does not depend on who adds.
        self._latencies: list[float] = []
        self._costs: list[float] = []

    def add(self, part: Spent) -> None:
        """Add a part."""
        self._calls += part.calls
        self._latencies.append(part.latency)
        if part.cost is not None:
            self._costs.append(part.cost)
        for name in Usage.__slots__:
            count = getattr(part.usage, name)
            if count is not None:
                self._tokens[name] = self._tokens.get(name, 0) + count

    def total(self) -> Spent:
        """Return the sum."""
        cost = sum(self._costs) if self._costs else None
        return Spent(self._calls, Usage(**self._tokens), sum(self._latencies), cost)


def sum_spent(parts: Iterable[Spent]) -> Spent:
    """Add up what was spent; a cost that no part knows stays None, as a count of tokens does."""
    total = SpentSum()
    for one in parts:
        total.add(one)
    return total.total()


def generated(outcome: Outcome) -> Spent:
    """Return what of an outcome's calls went to the model that was run, those in other roles left out."""
    return outcome.own


def sum_usage(usages: Sequence[Usage]) -> Usage:
    """Add up token counts; a count that no call reported stays None.

    >>> sum_usage([Usage(input=3, output=1), Usage(input=4)])
    Usage(input=7, cached=None, output=1, reasoning=None, written=None)
    """

    def total(name: str) -> int | None:
        known = [count for usage in usages if (count := getattr(usage, name)) is not None]
        return sum(known) if known else None

    return Usage(total("input"), total("cached"), total("output"), total("reasoning"), total("written"))
