"""Joins the shards of a run into one run folder, as if it had been run in one piece."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lengthwise.errors import InputError
from lengthwise.evaluators.left import left_of
from lengthwise.evaluators.longnovel_verdicts import VERDICTS_FILE, Judge
from lengthwise.evaluators.merge_files import check_target, write_merged
from lengthwise.evaluators.run_folder import RUN_FILE, RunFolder
from lengthwise.evaluators.sharding import PLACE, Part

if TYPE_CHECKING:
    import pyarrow as pa

Notify = Callable[[str], None]

# What tells of one shard alone, or of the machine that it ran on; dots lead into nested objects.
_OWN = frozenset(
    {
        "created",
        "command",
        "versions",
        "labels",
        "merged",
        "n_examples",
        "excluded",
        "shard.numbers",
        "data.source",
        "data.folder",
        "again.run",
    }
)


@dataclass(frozen=True, slots=True)
class _Shards:
    """A run folder, and what part of the run it holds."""

    run: RunFolder
    part: Part


def merge_runs(
    runs: Sequence[Path | str],
    out: Path | str,
    *,
    partial: bool = False,
    first: bool = False,
    labels: Mapping[str, str | None] | None = None,
    notify: Notify = lambda _: None,
    command: Sequence[str] = (),
) -> RunFolder:
    """Join the shards of a run into one run folder; no model is asked.

    All that is worked out of it is what a run in one piece would have given, and it goes on like one: examples that
    ended in `error` are asked again by `lengthwise run --from`. Joining into the same folder again takes what the
    shards have got since.

    Args:
        runs: folders of finished shards, in any order; what was joined with `partial` can be joined further.
        out: the run folder; missing, empty, or of an earlier merge of the same shards.
        partial: join what is there, though shards are missing or not finished. Where some are missing, the result is
            a part of the run as well, and says so.
        first: of a shard that is there twice, take the folder that is named first.
        labels: `label`, `group` and `size` for tables; None leaves those of the shards.
        notify: told what the user should know.
        command: the command line, for run.json.

    Returns:
        The folder; `lengthwise.evaluators.scoring.score_run` makes the figures.

    Raises:
        InputError: a folder that holds no shard, shards of different runs (the message names each setting that
            differs), shards that are missing, doubled or not finished (the message says which, and how to go on), or
            an `out` that holds something else.
    """
    found = [_open(Path(run)) for run in runs]
    if not found:
        raise InputError("SHARD: name the folders of the shards")
    for other in found[1:]:
        _check_same(found[0].run, other.run)
    found = sorted(_once(found, first), key=lambda one: one.part.numbers)
    _check_all(found, partial)
    _check_ended(found, partial, notify)
    whole = found[0].part
    check_target(Path(out), (whole.rows, whole.digest))
    examples = _examples(found)
    numbers = tuple(sorted(number for one in found for number in one.part.numbers))
    left = len(numbers) < whole.count
    settings = {
        **found[0].run.settings,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "shard": replace(whole, numbers=numbers).to_json() if left else None,
        "labels": _labels(found, labels or {}, notify),
        "n_examples": len(examples),
        "excluded": _excluded(found),
        "command": list(command),
        "merged": {
            "runs": [str(one.run.path.resolve()) for one in found],
            "created": [one.run.settings.get("created") for one in found],
            "rows": whole.rows,
            "digest": whole.digest,
        },
    }
    _tell_versions(found, notify)
    skip = () if _same_judge(found, notify) else (VERDICTS_FILE,)
    table = examples if left else examples.drop_columns([PLACE])
    return write_merged(Path(out), [one.run for one in found], settings, table, skip)


def _open(path: Path) -> _Shards:
    run = RunFolder.open(path)
    part = Part.of(run.settings)
    if part is None:
        raise InputError(f"{path}: holds a whole run; `lengthwise merge` joins what `lengthwise run --shard I/N` made")
    return _Shards(run, part)


def _check_same(first: RunFolder, other: RunFolder) -> None:
    differing = [
        f"{name}: {_short(old)} there, {_short(new)} here"
        for name, old, new in _differences(first.settings, other.settings)
    ]
    if differing:
        raise InputError(
            f"{other.path}: is a shard of another run than {first.path} ({'; '.join(differing)}); shards have to "
            "differ in nothing but their number"
        )


def _differences(old: Any, new: Any, name: str = "") -> Iterator[tuple[str, Any, Any]]:
    if name in _OWN:
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys((*old, *new)):
            yield from _differences(old.get(key), new.get(key), f"{name}.{key}" if name else key)
    elif old != new:
        yield name, old, new


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


def _once(found: Sequence[_Shards], first: bool) -> list[_Shards]:
    """Return the folders with every shard in one of them alone."""
    holder: dict[int, _Shards] = {}
    kept: list[_Shards] = []
    for one in found:
        again = [number for number in one.part.numbers if number in holder]
        if not again:
            kept.append(one)
            holder.update(dict.fromkeys(one.part.numbers, one))
        elif not first or len(again) < len(one.part.numbers):
            raise InputError(
                f"shard {again[0]} of {one.part.count} is in {holder[again[0]].run.path} and in {one.run.path}; "
                "name one of them, or take the one named first by --first"
            )
    return kept


def _check_all(found: Sequence[_Shards], partial: bool) -> None:
    count = found[0].part.count
    there = {number for one in found for number in one.part.numbers}
    missing = [number for number in range(1, count + 1) if number not in there]
    if missing and not partial:
        shown = ", ".join(map(str, missing[:20])) + (f" and {len(missing) - 20} more" if len(missing) > 20 else "")
        raise InputError(
            f"SHARD: missing of {count}: {shown}; name their folders too, or run them: lengthwise run --from "
            f"{found[0].run.path / RUN_FILE} --shard {missing[0]}/{count} --out NEW. --partial joins what is there"
        )


def _check_ended(found: Sequence[_Shards], partial: bool, notify: Notify) -> None:
    lacking = {one.run.path: count for one in found if (count := left_of(one.run).unended)}
    if not lacking:
        return
    ways = "; ".join(
        f"{path}: {count:,} left, to go on: lengthwise run --from {path / RUN_FILE} --out {path}"
        for path, count in lacking.items()
    )
    if not partial:
        raise InputError(f"SHARD: not finished. {ways}. --partial joins what is there")
    notify(f"not finished: {ways}")


def _examples(found: Sequence[_Shards]) -> "pa.Table":
    """Return the rows of all shards in the order of the whole run."""
    import pyarrow as pa

    table = pa.concat_tables([one.run.examples() for one in found]).sort_by(PLACE)
    places = table[PLACE].to_pylist()
    if len(set(places)) != len(places):
        raise InputError("SHARD: two of them hold the same rows; they were cut by different versions of lengthwise")
    return table


def _excluded(found: Sequence[_Shards]) -> dict[str, int]:
    """Return how many rows fit no window, in the order of the cells."""
    counts: dict[str, int] = {}
    for one in found:
        for cell, count in one.run.settings["excluded"].items():
            counts[cell] = counts.get(cell, 0) + count
    return {cell: counts[cell] for cell in found[0].run.settings["data"]["cells"] if cell in counts}


def _labels(found: Sequence[_Shards], given: Mapping[str, str | None], notify: Notify) -> dict[str, str | None]:
    labels: dict[str, str | None] = {}
    for name in dict.fromkeys(key for one in found for key in one.run.settings["labels"]):
        said = list(dict.fromkeys(one.run.settings["labels"].get(name) for one in found))
        if len(said) > 1:
            notify(f"--{name}: the shards have {', '.join(map(repr, said))}; the first is taken")
        labels[name] = said[0]
    return {**labels, **{name: label for name, label in given.items() if label is not None}}


def _tell_versions(found: Sequence[_Shards], notify: Notify) -> None:
    names = dict.fromkeys(name for one in found for name in one.run.settings["versions"])
    for name in names:
        versions = list(dict.fromkeys(str(one.run.settings["versions"].get(name)) for one in found))
        if len(versions) > 1:
            notify(f"careful: the shards ran with {name} {', '.join(versions)}")


def _same_judge(found: Sequence[_Shards], notify: Notify) -> bool:
    """Return whether all shards that have a judge's verdicts have them of the same judge, and all have some."""
    judges = [Judge.read(one.run.path) for one in found]
    if len(set(judges)) > 1:
        notify("the shards were not all judged by the same judge; judge the joined run: lengthwise score --judge")
        return False
    return True
