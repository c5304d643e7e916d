"""A judge's verdicts in a run folder: which gold faults each reply points at (appendix F, Figure 3).

`verdicts.json` names the judge; `verdicts.jsonl` is a log of its replies like that of the run, a call for each gold
fault of a row in order. A verdict counts only while the reply that it is about, and the question, are the same.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from lengthwise.contracts import Reply, Request, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.fault_question import fault_request, read_verdict, reasons_of
from lengthwise.evaluators.novel_faults import gold_faults
from lengthwise.recording import Failure, Key, read_log

JUDGE_FILE = "verdicts.json"
VERDICTS_FILE = "verdicts.jsonl"


@dataclass(frozen=True, slots=True)
class Judge:
    """The model that judged a run.

    Attributes:
        spec: as the user named it.
        name: what its provider calls it.
        sampling: of its requests.
    """

    spec: str
    name: str
    sampling: Sampling

    @staticmethod
    def read(folder: Path) -> "Judge | None":
        """Return the judge of a run; None if it has none.

        Raises:
            InputError: the file is not one of ours.
        """
        path = folder / JUDGE_FILE
        if not path.exists():
            return None
        try:
            content = json.loads(path.read_text("utf-8"))
            return Judge(content["spec"], content["name"], Sampling(**content["sampling"]))
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path}: not what `lengthwise score --judge` writes ({error!r}); delete it") from error

    def to_json(self) -> dict[str, Any]:
        """Return what the file holds."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Questions:
    """What a judge is asked about one reply: a request for each gold fault; None where the reply says nothing."""

    example: str
    repeat: int
    requests: tuple[Request, ...] | None
    n_faults: int


def questions(folder: Path, rows: Mapping[str, Mapping[str, Any]], sampling: Sampling) -> Iterator[Questions]:
    """Yield what a judge is asked about each reply to a hallucinated row of a run.

    Args:
        folder: of the run.
        rows: short columns of its examples by id.
        sampling: of the judge.
    """
    # These know the benchmarks, whose entry leads here.
    from lengthwise.evaluators.run_folder import RunFolder
    from lengthwise.evaluators.scored_replies import scored_replies

    run = RunFolder.open(folder)
    for example, repeat, reply in scored_replies(run):
        row = rows.get(example)
        if row is None or repeat >= run.repeats or not (faults := gold_faults(row)):
            continue
        reasons = reasons_of(reply.text)
        asked = tuple(fault_request(row, fault, reasons, sampling) for fault in faults) if reasons else None
        yield Questions(example, repeat, asked, len(faults))


def add_verdicts(
    folder: Path, rows: Mapping[str, Mapping[str, Any]], outcomes: Mapping[tuple[str, int], Outcome]
) -> Mapping[tuple[str, int], Outcome]:
    """Return the outcomes with what a judge decided of them, if one was asked.

    Their details have `verdicts`, one for each gold fault (None where there is none that can be read and is about
    this very reply), and `judge`, its name.

    Args:
        folder: of the run.
        rows: short columns of its examples by id.
        outcomes: by (example id, repeat).
    """
    judge = Judge.read(folder)
    if judge is None:
        return outcomes
    said: dict[tuple[str, int, int], tuple[Key, Reply | Failure]] = {}
    for record in read_log(folder / VERDICTS_FILE):
        said[record.key.example, record.key.repeat, record.key.call] = record.key, record.result
    added = dict(outcomes)
    for asked in questions(folder, rows, judge.sampling):
        outcome = outcomes.get((asked.example, asked.repeat))
        if outcome is None:
            continue
        verdicts: list[bool | None] = [False] * asked.n_faults
        for call, request in enumerate(asked.requests or ()):
            key, result = said.get((asked.example, asked.repeat, call), (None, None))
            same = key is not None and key.request == request.digest
            verdicts[call] = read_verdict(result.text) if same and isinstance(result, Reply) else None
        details = {**outcome.details, "verdicts": verdicts, "judge": judge.name}
        added[asked.example, asked.repeat] = replace(outcome, details=details)
    return added
