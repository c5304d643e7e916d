"""How every example of a run ended, worked out from its log, with prompts read back only where they are needed."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from lengthwise.contracts import OverlengthError, Reply, ReplyError
from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import Benchmark
from lengthwise.evaluators.call_index import CallIndex
from lengthwise.evaluators.causes import described
from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.examples import Data, open_data
from lengthwise.evaluators.judging import PromptOf, no_prompt
from lengthwise.evaluators.outcomes import decide
from lengthwise.evaluators.row_reader import RowReader
from lengthwise.evaluators.row_table import RowTable
from lengthwise.evaluators.run_folder import PREDICTIONS_FILE, REPLIES_FILE, RunFolder
from lengthwise.recording import Failure

_NOT_DONE = "the run was stopped before the method was done with this example"


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a run recorded of one example in one repeat.

    Attributes:
        row: its short columns.
        repeat: 0-based.
        replies: to all calls, in order.
        settled: the reply that the method settled on, where that is recorded.
        error: what ended the example instead of a further reply.
    """

    row: Mapping[str, Any]
    repeat: int
    replies: Sequence[Reply]
    settled: Reply | None
    error: ReplyError | None

    @property
    def scored(self) -> Reply | None:
        """The reply that is scored; None where an error ended the example."""
        if self.error is not None:
            return None
        return self.settled if self.settled is not None else self.replies[-1]


@dataclass(frozen=True, slots=True)
class _Decider:
    """Decides how examples ended, and why those ended so that are not right.

    Attributes:
        benchmark: whose judge decides.
        max_tokens: what the run allowed; None if nobody set a limit.
        causes: whether to look for causes.
    """

    benchmark: Benchmark
    max_tokens: int | None
    causes: bool

    def decided(self, asked: _Asked, prompt_of: PromptOf) -> Outcome:
        return decide(
            self.benchmark,
            asked.row,
            asked.replies,
            asked.error,
            scored=asked.settled,
            repeat=asked.repeat,
            prompt_of=prompt_of,
        )

    def to_explain(self, asked: _Asked, outcome: Outcome) -> Reply | None:
        """Return the reply whose causes are wanted, if any are."""
        if not self.causes or self.benchmark.examine is None or outcome.kind == "correct":
            return None
        return asked.scored

    def explained(self, asked: _Asked, outcome: Outcome, prompt_of: PromptOf) -> Outcome:
        reply = self.to_explain(asked, outcome)
        if reply is None or self.benchmark.examine is None:
            return outcome
        traces = self.benchmark.examine(asked.row, reply, outcome.answer, self.max_tokens, prompt_of)
        return replace(outcome, details={**outcome.details, **described(traces, self.benchmark.causes)})


def decide_all(
    run: RunFolder, benchmark: Benchmark, rows: RowTable, *, causes: bool = True
) -> Iterator[tuple[Outcome, bool]]:
    """Yield the outcome of every example and repeat, in the order of the rows, and whether the run has come to it.

    Prompts are read back from the data only for the replies whose judging or whose causes ask for them, one at a time,
    and only while the data folder still holds what the run used.

    Args:
        run: the run.
        benchmark: whose judge decides.
        rows: short columns of the run's examples.
        causes: look for the causes of replies that are not right (see `lengthwise.evaluators.causes`).
    """
    decider = _Decider(benchmark, run.settings.get("sampling", {}).get("max_tokens"), causes)
    data = data_of(run)
    with ExitStack() as stack:
        reader = None if data is None else stack.enter_context(RowReader(data, rows.table))
        records = stack.enter_context(_Records(run, rows.numbers))
        for number in range(len(rows)):
            row, prompt_of = rows.row(number), no_prompt if reader is None else _prompt_of(reader, number)
            for repeat in range(run.repeats):
                asked = records.of(row, number, repeat)
                if asked is None:
                    yield decide(benchmark, row, [], repeat=repeat), False
                else:
                    yield decider.explained(asked, decider.decided(asked, prompt_of), prompt_of), True


def _prompt_of(reader: RowReader, number: int) -> PromptOf:
    """Return what gives the prompt of a row, which is read once; None of a row that is gone."""

    @cache
    def prompt_of() -> str | None:
        try:
            return reader.read(number).prompt
        except InputError:
            # Data without digests may have lost rows unnoticed.
            return None

    return prompt_of


class _Records:
    """What a run has recorded, by example and repeat.

    Args:
        run: the run.
        numbers: the numbers of its examples by their ids.
    """

    def __init__(self, run: RunFolder, numbers: Mapping[str, int]) -> None:
        self._calls = CallIndex(run.path / REPLIES_FILE, numbers, run.repeats)
        self._settled: CallIndex | None = None
        if (run.path / PREDICTIONS_FILE).exists():
            self._settled = CallIndex(run.path / PREDICTIONS_FILE, numbers, run.repeats)

    def of(self, row: Mapping[str, Any], number: int, repeat: int) -> _Asked | None:
        """Return what there is of an example in one repeat; None where the run has not come to it."""
        calls = self._calls.calls(number, repeat)
        noted = self._settled.calls(number, repeat) if self._settled is not None else []
        # A method may come to a prediction, or to none, without any call: a vote asks nobody.
        if not calls and not noted:
            return None
        settled = noted[0] if noted else None
        prediction = settled if isinstance(settled, Reply) else None
        # Of calls that were under way together, the first that failed is what the method ended with.
        error = next((error for call in calls if (error := _error(call)) is not None), None)
        if self._settled is not None and prediction is None and error is None:
            # What the method itself could not do anything with, if that is noted.
            said = settled.message if isinstance(settled, Failure) else _NOT_DONE
            error = ReplyError(said)
        return _Asked(row, repeat, [call for call in calls if isinstance(call, Reply)], prediction, error)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._calls.__exit__(kind, error, trace)
        if self._settled is not None:
            self._settled.__exit__(kind, error, trace)


def final_calls(run: RunFolder) -> Iterator[tuple[str, int, list[Reply | Failure]]]:
    """Yield (example id, repeat, how its calls ended, in order) for all that a run has recorded, as it came to them.

    The log is read twice, so that no more than the calls of one example are held: a run's texts can be large.
    """
    with CallIndex(run.path / REPLIES_FILE) as calls:
        yield from calls.in_order_of_log()


def _error(call: Reply | Failure) -> ReplyError | None:
    if isinstance(call, Reply):
        return None
    return OverlengthError(call.message) if call.kind == "overlength" else ReplyError(call.message)


def data_of(run: RunFolder) -> Data | None:
    """Return the data of a run if they are a folder on this machine and unchanged since."""
    about: Mapping[str, Any] = run.settings["data"]
    folder = str(about.get("folder") or about.get("source") or "")
    if not folder or not Path(folder).expanduser().is_dir():
        return None
    try:
        data, _ = open_data(folder)
    except InputError:
        return None
    digests = {str(cell): digest for cell, digest in data.cells.items()}
    return data if about.get("cells", {}).items() <= digests.items() else None
