"""How every example of a run ended, worked out from its log, with prompts read back only where they are needed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from lengthwise.contracts import OverlengthError, Reply, ReplyError
from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import Benchmark
from lengthwise.evaluators.causes import described
from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.examples import Cell, Data, open_data
from lengthwise.evaluators.judging import PromptOf, no_prompt
from lengthwise.evaluators.outcomes import decide
from lengthwise.evaluators.run_folder import RunFolder
from lengthwise.recording import Failure

# Replies that wait for their prompts together: at 64K tokens each has about 0.3 MB.
MOST_WAITING = 128


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
    def key(self) -> tuple[str, int]:
        """Example id and repeat."""
        return self.row["id"], self.repeat

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
    run: RunFolder, benchmark: Benchmark, rows: Mapping[str, Mapping[str, Any]], *, causes: bool = True
) -> dict[tuple[str, int], Outcome]:
    """Return one outcome for every example and repeat that a run has come to.

    Prompts are read back from the data only for the replies whose judging or whose causes ask for them, and only
    while the data folder still holds what the run used. `MOST_WAITING` replies are held at a time.

    Args:
        run: the run.
        benchmark: whose judge decides.
        rows: short columns of the run's examples by id.
        causes: look for the causes of replies that are not right (see `lengthwise.evaluators.causes`).
    """
    decider = _Decider(benchmark, run.settings.get("sampling", {}).get("max_tokens"), causes)
    data = data_of(run)
    found: dict[tuple[str, int], Outcome] = {}
    waiting: list[_Asked] = []
    for asked in _all_asked(run, rows):
        wanted: list[None] = []
        # Answers None, and leaves a trace of having been asked.
        outcome = decider.decided(asked, partial(wanted.append, None))
        reply = decider.to_explain(asked, outcome)
        if data is not None and (wanted or (reply is not None and benchmark.wants_prompt(reply))):
            waiting.append(asked)
            if len(waiting) == MOST_WAITING:
                found.update(_with_prompts(decider, data, waiting))
                waiting = []
        else:
            found[asked.key] = decider.explained(asked, outcome, no_prompt)
    if data is not None and waiting:
        found.update(_with_prompts(decider, data, waiting))
    return found


def _with_prompts(decider: _Decider, data: Data, waiting: Sequence[_Asked]) -> dict[tuple[str, int], Outcome]:
    """Return the outcomes of what waits for its prompts, streaming these from the data."""
    of_example: dict[str, list[_Asked]] = {}
    cells: dict[Cell, set[str]] = {}
    for asked in waiting:
        of_example.setdefault(asked.row["id"], []).append(asked)
        cells.setdefault(Cell(asked.row["config"], asked.row["split"]), set()).add(asked.row["id"])
    found: dict[tuple[str, int], Outcome] = {}
    for example in data.stream({cell: frozenset(ids) for cell, ids in cells.items()}):
        prompt_of = partial(str, example.prompt)
        for asked in of_example.pop(example.id):
            found[asked.key] = decider.explained(asked, decider.decided(asked, prompt_of), prompt_of)
    # Data without digests may have lost rows unnoticed.
    for asked in (one for left in of_example.values() for one in left):
        found[asked.key] = decider.explained(asked, decider.decided(asked, no_prompt), no_prompt)
    return found


def _all_asked(run: RunFolder, rows: Mapping[str, Mapping[str, Any]]) -> Iterator[_Asked]:
    """Yield what the run has recorded of each of its examples and repeats."""
    settled, failed = run.predictions(), run.method_errors()
    seen: set[tuple[str, int]] = set()
    for example, repeat, calls in final_calls(run):
        seen.add((example, repeat))
        if example not in rows or repeat >= run.repeats:
            continue
        # Of calls that were under way together, the first that failed is what the method ended with.
        error = next((error for call in calls if (error := _error(call)) is not None), None)
        prediction = settled.get((example, repeat)) if settled is not None else None
        if settled is not None and prediction is None and error is None:
            # What the method itself could not do anything with, if that is noted.
            error = failed.get((example, repeat)) or ReplyError(
                "the run was stopped before the method was done with this example"
            )
        replies = [call for call in calls if isinstance(call, Reply)]
        yield _Asked(rows[example], repeat, replies, prediction, error)
    # A method may come to a prediction, or to none, without any call: a vote asks nobody.
    for example, repeat in dict.fromkeys((*(settled or ()), *failed)):
        if (example, repeat) not in seen and example in rows and repeat < run.repeats:
            reply = (settled or {}).get((example, repeat))
            yield _Asked(rows[example], repeat, (), reply, failed.get((example, repeat)) if reply is None else None)


def final_calls(run: RunFolder) -> Iterator[tuple[str, int, list[Reply | Failure]]]:
    """Yield (example id, repeat, how its calls ended, in order) for all that a run has recorded.

    The log is read twice, so that no more than the open groups of calls are held: a run's texts can be large.
    """
    last: dict[tuple[str, int], dict[int, int]] = {}
    for line, record in enumerate(run.replies()):
        last.setdefault((record.key.example, record.key.repeat), {})[record.key.call] = line
    open_groups: dict[tuple[str, int], dict[int, Reply | Failure]] = {}
    for line, record in enumerate(run.replies()):
        group = (record.key.example, record.key.repeat)
        # A log that grows while it is read has later lines; they belong to the next scoring.
        if group not in last or last[group].get(record.key.call) != line:
            continue
        calls = open_groups.setdefault(group, {})
        calls[record.key.call] = record.result
        if len(calls) == len(last[group]):
            del open_groups[group]
            yield (*group, [calls[call] for call in sorted(calls)])


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
