"""What becomes of a row in someone else's harness, in a form that its log can keep: all calls of a method, by name.

`follow` runs one of our methods on one row, whoever answers its calls; `ended` decides how the row ended, as the
runner does. A `Kept` is written into the harness's log, and `lengthwise import` makes a run folder of it again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lengthwise.contracts import Ask, OverlengthError, Reply, ReplyError, Request
from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import Benchmark
from lengthwise.evaluators.contracts import Example, Method, Outcome
from lengthwise.evaluators.judging import PromptOf
from lengthwise.evaluators.method_parts import MethodKind
from lengthwise.evaluators.outcomes import decide
from lengthwise.recording import Failure

# Where a sample of inspect's keeps it: a key of its store.
KEPT = "lengthwise"


@dataclass(frozen=True, slots=True)
class Kept:
    """The calls of one row in one repeat, and what came of them.

    Attributes:
        calls: the digest of each request and how it ended, in the order in which they ended.
        settled: the reply that is scored; None where an error ended the row.
        error: that error.
    """

    calls: tuple[tuple[str, Reply | Failure], ...]
    settled: Reply | None
    error: Failure | None

    @property
    def replies(self) -> list[Reply]:
        """All replies, in order."""
        return [result for _, result in self.calls if isinstance(result, Reply)]

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON types; a settled reply that is one of the calls' stands there alone."""
        place = next((place for place, (_, one) in enumerate(self.calls) if one is self.settled), None)
        settled: Any = place if place is not None or self.settled is None else self.settled.to_json()
        return {
            "calls": [{"request": digest, **_result_json(result)} for digest, result in self.calls],
            "settled": settled,
            "error": _failure_json(self.error),
        }

    @staticmethod
    def from_json(record: Mapping[str, Any]) -> "Kept":
        """Rebuild what `to_json` gave.

        Raises:
            ValueError: it is something else.
        """
        try:
            calls = tuple((str(one["request"]), _result(one)) for one in record["calls"])
            settled = record["settled"]
            if isinstance(settled, int):
                of_call = calls[settled][1]
                return Kept(calls, of_call if isinstance(of_call, Reply) else None, None)
            reply = Reply.from_json(settled) if settled is not None else None
            return Kept(calls, reply, _failure(record["error"]) if record["error"] else None)
        except (KeyError, TypeError, IndexError, AttributeError) as error:
            raise ValueError(f"not what a harness keeps of a row: {error!r}") from error


async def follow(method: Method, example: Example, ask: Ask) -> Kept:
    """Run a method on a row and keep all its calls; an `ask` raises `ReplyError` where no reply can come."""
    calls: list[tuple[str, Reply | Failure]] = []

    async def noting_ask(request: Request) -> Reply:
        try:
            reply = await ask(request)
        except ReplyError as error:
            calls.append((request.digest, as_failure(error)))
            raise
        calls.append((request.digest, reply))
        return reply

    try:
        settled = (await method(example, noting_ask)).reply
    except ReplyError as error:
        return Kept(tuple(calls), None, as_failure(error))
    return Kept(tuple(calls), settled, None)


def one_call(request: str, reply: Reply | None, error: ReplyError | None) -> Kept:
    """Return what is kept of a row that was asked for once."""
    if reply is not None:
        return Kept(((request, reply),), reply, None)
    failure = as_failure(error or ReplyError("no reply came"))
    return Kept(((request, failure),), None, failure)


def ended(benchmark: Benchmark, columns: Mapping[str, Any], kept: Kept, repeat: int, prompt_of: PromptOf) -> Outcome:
    """Decide how a row ended; see `decide`."""
    error = None if kept.error is None else as_error(kept.error)
    return decide(benchmark, columns, kept.replies, error, scored=kept.settled, repeat=repeat, prompt_of=prompt_of)


def check_method(name: str, kind: MethodKind, harness: str) -> None:
    """Raise InputError for a method that asks other models too: a harness has one."""
    if kind.roles:
        raise InputError(
            f"method {name!r} asks other models too ({', '.join(kind.roles)}), and {harness} knows one; "
            f"use `lengthwise run --method {name}`"
        )


def as_failure(error: ReplyError) -> Failure:
    """Return an error in the form of a log."""
    return Failure("overlength" if isinstance(error, OverlengthError) else "error", str(error))


def as_error(failure: Failure) -> ReplyError:
    """Return the error that a log holds."""
    return OverlengthError(failure.message) if failure.kind == "overlength" else ReplyError(failure.message)


def _result_json(result: Reply | Failure) -> dict[str, Any]:
    return {"reply": result.to_json()} if isinstance(result, Reply) else {"error": _failure_json(result)}


def _failure_json(failure: Failure | None) -> dict[str, str] | None:
    return None if failure is None else {"kind": failure.kind, "message": failure.message}


def _result(record: Mapping[str, Any]) -> Reply | Failure:
    return Reply.from_json(record["reply"]) if "reply" in record else _failure(record["error"])


def _failure(record: Mapping[str, Any]) -> Failure:
    return Failure("overlength" if record["kind"] == "overlength" else "error", str(record["message"]))
