"""The folder of a run: all it takes to repeat it, every reply, and the short columns of its examples."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lengthwise.contracts import Reply, ReplyError
from lengthwise.durable import one_at_a_time, replace_durably
from lengthwise.errors import InputError
from lengthwise.evaluators.arrow_tables import column_names, read_table
from lengthwise.recording import Failure, Record, ReplyLog, read_log

if TYPE_CHECKING:
    import pyarrow as pa

RUN_FILE = "run.json"
REPLIES_FILE = "replies.jsonl"
PREDICTIONS_FILE = "predictions.jsonl"
BOUNDS_FILE = "bounds.jsonl"
EXAMPLES_FILE = "examples.parquet"
# Rows of that file that are encoded together.
_GROUP = 10_000

# What makes two runs the same run, so that the second goes on with the first; dots lead into nested objects.
# Labels, concurrency, time-outs and versions of libraries may differ.
IDENTITY = (
    "benchmark",
    "data.cells",
    "data.configs",
    "data.splits",
    "model.spec",
    "method",
    "roles.embed.spec",
    "roles.judge.spec",
    "sampling",
    "repeats",
    "limit",
    "seed",
    "only_fitting",
    "again.created",
    "again.kinds",
    "again.before",
    "shard",
)


@dataclass(frozen=True, slots=True)
class RunFolder:
    """A run on disk.

    Attributes:
        path: the folder.
        settings: the content of run.json.
    """

    path: Path
    settings: Mapping[str, Any]

    @staticmethod
    def create(path: Path, settings: Mapping[str, Any], examples: "pa.Table") -> "RunFolder":
        """Make the folder of a new run, or open it if it holds this very run.

        `run.json` comes last: a folder that has one is whole.

        Args:
            path: the folder; missing, empty, or the folder of the same run.
            settings: what goes into run.json; JSON types only.
            examples: the short columns of the examples, with `config` and `split`.

        Raises:
            InputError: the folder holds another run (the message names each setting that differs) or other files.
        """
        check_is_folder(path)
        path.mkdir(parents=True, exist_ok=True)
        # Two runs that begin at the same instant must not write over each other.
        with one_at_a_time(path):
            if (path / RUN_FILE).exists():
                run = RunFolder.open(path)
                run.check_same(settings)
                return run
            check_free(path)
            import pyarrow.parquet as pq

            pq.write_table(examples, path / (EXAMPLES_FILE + ".part"), compression="zstd", row_group_size=_GROUP)
            replace_durably(path / (EXAMPLES_FILE + ".part"), path / EXAMPLES_FILE)
            write_json(path / RUN_FILE, settings)
            return RunFolder(path, settings)

    @staticmethod
    def open(path: Path) -> "RunFolder":
        """Open the folder of a run.

        Raises:
            InputError: there is no run.json in it, or it cannot be read.
        """
        return RunFolder(path, read_settings(path / RUN_FILE))

    def check_same(self, settings: Mapping[str, Any]) -> None:
        """Raise InputError unless `settings` describe this run; see `IDENTITY`."""
        settings = json.loads(json.dumps(settings))
        differing = [
            f"{name}: {_short(old)} there, {_short(new)} now"
            for name in IDENTITY
            if not _alike(name, old := _dig(self.settings, name), new := _dig(settings, name))
        ]
        if differing:
            raise InputError(
                f"--out {self.path}: holds another run ({'; '.join(differing)}). Choose a new folder, or go on with "
                f"that run: lengthwise run --from {self.path / RUN_FILE} --out {self.path}"
            )

    @property
    def repeats(self) -> int:
        """How often each example is asked."""
        return int(self.settings.get("repeats") or 1)

    def log(self, known: Callable[[Reply], None] = lambda _: None) -> ReplyLog:
        """Open the reply log for writing; see `ReplyLog`."""
        return ReplyLog(self.path / REPLIES_FILE, known)

    def predictions_log(self) -> ReplyLog:
        """Open the log of what a method of several calls settled on, a line for each example and repeat.

        A failure there is the method's own: all its calls were answered, and it could do nothing with the answers.
        """
        return ReplyLog(self.path / PREDICTIONS_FILE)

    def predictions(self) -> dict[tuple[str, int], Reply] | None:
        """Return what the run's method settled on, by (example id, repeat); what it was not done with is not there.

        None for a method of one call: its prediction is that call's reply, and no such log is kept.
        """
        settled = self._settled()
        return None if settled is None else {key: one for key, one in settled.items() if isinstance(one, Reply)}

    def method_errors(self) -> dict[tuple[str, int], ReplyError]:
        """Return what a method of several calls ended with although all of them were answered, likewise by key."""
        settled = self._settled() or {}
        return {key: ReplyError(one.message) for key, one in settled.items() if isinstance(one, Failure)}

    def _settled(self) -> dict[tuple[str, int], Reply | Failure] | None:
        path = self.path / PREDICTIONS_FILE
        if not path.exists():
            return None
        return {(record.key.example, record.key.repeat): record.result for record in read_log(path)}

    def replies(self) -> Iterator[Record]:
        """Yield the recorded calls in the order of writing; for a key that comes twice the last one counts."""
        return read_log(self.path / REPLIES_FILE)

    def examples(self, columns: Sequence[str] | None = None) -> "pa.Table":
        """Return the short columns of the run's examples, with `config` and `split`; or those of them that are named.

        Names that the run does not have are passed over.
        """
        path = self.path / EXAMPLES_FILE
        if columns is not None:
            there = set(column_names(path))
            columns = [name for name in columns if name in there]
        return read_table(path, columns)

    def relabel(self, labels: Mapping[str, str | None]) -> "RunFolder":
        """Change the labels that tables show for this run; a None leaves the one that is there."""
        old: Mapping[str, str | None] = self.settings.get("labels", {})
        merged = {**old, **{name: label for name, label in labels.items() if label is not None}}
        if merged == old:
            return self
        settings = {**self.settings, "labels": merged}
        write_json(self.path / RUN_FILE, settings)
        return RunFolder(self.path, settings)


def check_is_folder(path: Path) -> None:
    """Raise InputError if a path is there and is no folder."""
    if path.exists() and not path.is_dir():
        raise InputError(f"--out {path}: a file of that name exists; choose another folder")


def check_free(path: Path) -> None:
    """Raise InputError if a new run cannot go into this folder: it is a file, or holds files of something else."""
    check_is_folder(path)
    entries = path.iterdir() if path.exists() else ()
    # A run that was killed before its run.json was there may have left these.
    foreign = {entry.name.removesuffix(".part") for entry in entries} - {RUN_FILE, EXAMPLES_FILE}
    if foreign:
        raise InputError(f"--out {path}: holds other files ({', '.join(sorted(foreign)[:3])}); choose a new folder")


def read_settings(path: Path) -> dict[str, Any]:
    """Read a run.json.

    Raises:
        InputError: the file is missing or not one.
    """
    try:
        settings = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InputError(f"{path}: no such file; a run folder is what `lengthwise run --out` made") from error
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read as a run.json ({error})") from error
    if not isinstance(settings, dict) or not {"benchmark", "data", "model"} <= settings.keys():
        raise InputError(f"{path}: not a run.json of `lengthwise run`")
    return settings


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a JSON file in one step: readers see the old content or the new, never half of it."""
    part = path.with_name(path.name + ".part")
    # An argument that was no UTF-8 holds half a surrogate pair; it is shown as an escape.
    part.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", "utf-8", errors="backslashreplace")
    replace_durably(part, path)


def _dig(settings: Mapping[str, Any], name: str) -> Any:
    value: Any = settings
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _alike(name: str, old: Any, new: Any) -> bool:
    """Return whether a setting is the same; of several servers of one model some may have come and gone."""
    if old == new or name != "model.spec" or not (isinstance(old, str) and isinstance(new, str)):
        return bool(old == new)
    (urls, _, model), (other_urls, _, other_model) = old.partition("#"), new.partition("#")
    shared = {url.strip().rstrip("/") for url in urls.split(",")} & {
        url.strip().rstrip("/") for url in other_urls.split(",")
    }
    return model == other_model != "" and bool(shared) and urls.startswith(("http://", "https://"))


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else text[:117] + "..."
