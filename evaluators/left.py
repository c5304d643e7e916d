"""What a run has left to do, read off its logs; no model and no data are needed for that."""

from dataclasses import dataclass
from pathlib import Path

from lengthwise.evaluators.run_folder import PREDICTIONS_FILE, REPLIES_FILE, RunFolder
from lengthwise.recording import Failure, Key, read_log


@dataclass(frozen=True, slots=True)
class Left:
    """What a run has left to do.

    Attributes:
        unended: examples and repeats that have no end on record yet; an error is one.
        errors: calls that ended in an error, which a run that goes on asks again.
    """

    unended: int
    errors: int


def left_of(run: RunFolder) -> Left:
    """Return what a run has left to do, read off its logs."""
    ended: set[tuple[str, int]] = set()
    failed: dict[Key, Failure] = {}
    settled = run.path / PREDICTIONS_FILE
    several = settled.exists()
    for record in run.replies():
        if not several:
            ended.add((record.key.example, record.key.repeat))
        if isinstance(record.result, Failure):
            failed[record.key] = record.result
        else:
            # A later try may have brought a reply, and been killed before its method was done.
            failed.pop(record.key, None)
    if several:
        ended.update((record.key.example, record.key.repeat) for record in read_log(settled))
        ended.update((key.example, key.repeat) for key in failed)
    ids = run.examples(("id",))["id"].to_pylist()
    keys = ((example, repeat) for example in ids for repeat in range(run.repeats))
    return Left(sum(key not in ended for key in keys), sum(one.kind == "error" for one in failed.values()))


def has_ended(run: RunFolder) -> bool:
    """Return whether a run has nothing left to do, so that its model need not be there; quick where much is left."""
    # Every row that has ended has left a line at least.
    lines = sum(_lines(run.path / name) for name in (REPLIES_FILE, PREDICTIONS_FILE))
    return lines >= int(run.settings["n_examples"]) * run.repeats and left_of(run) == Left(0, 0)


def _lines(path: Path) -> int:
    if not path.exists():
        return 0
    with path.open("rb") as file:
        return sum(piece.count(b"\n") for piece in iter(lambda: file.read(1 << 20), b""))
