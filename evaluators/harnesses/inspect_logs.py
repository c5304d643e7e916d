"""Reading a log of inspect_ai, `.eval` or `.json`, by inspect's own reader."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lengthwise.contracts import Reply, ReplyError, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.examples import Cell
from lengthwise.evaluators.harnesses.kept import KEPT
from lengthwise.evaluators.harnesses.logged import HarnessLog, LoggedRow, read_kept, read_messages

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample


def read_inspect(logs: Sequence[Path]) -> HarnessLog:
    """Open a log of inspect.

    Args:
        logs: one file, or a folder that holds one.

    Raises:
        InputError: inspect_ai is not installed, there is not one log, or it cannot be read.
    """
    (path,) = _one_file(logs)
    log = _read(path, header_only=True)
    about = log.eval.metadata or {}
    cells = about.get("cells") if about.get("lengthwise") else None
    return HarnessLog(
        harness="inspect",
        version=(log.eval.packages or {}).get("inspect_ai"),
        files=(path,),
        model=str(log.eval.model),
        created=str(log.eval.created),
        cells={Cell(*name.split("/", 1)): digest for name, digest in (cells or {}).items()},
        method=about.get("method"),
        sampling=_sampling(log),
        rows=(_row(sample) for sample in _samples(path)),
    )


def _one_file(logs: Sequence[Path]) -> list[Path]:
    files = [
        file
        for log in logs
        for file in (sorted((*log.glob("*.eval"), *log.glob("*.json"))) if log.is_dir() else [log])
        if file.name != "logs.json"
    ]
    if len(files) != 1 or not files[0].is_file():
        found = ", ".join(file.name for file in files) or "none"
        raise InputError(f"{', '.join(map(str, logs))}: name one log of inspect (*.eval or *.json), not {found}")
    return files


def _read(path: Path, *, header_only: bool) -> "EvalLog":
    try:
        from inspect_ai.log import read_eval_log
    except ImportError as error:
        raise InputError(
            f"import inspect: its logs are read by inspect_ai, which is not installed ({error}); "
            "pip install 'lengthwise[inspect]'"
        ) from error
    try:
        return read_eval_log(str(path), header_only=header_only, resolve_attachments=not header_only)
    # A zip file without its end, JSON of something else, a format of tomorrow: inspect has no error of its own.
    except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
        raise InputError(f"{path}: cannot be read as a log of inspect ({error})") from error


def _samples(path: Path) -> Iterable["EvalSample"]:
    from inspect_ai.log import read_eval_log_samples

    if path.suffix == ".json":
        # The reader of single samples would read the whole file for each.
        return _read(path, header_only=False).samples or []
    samples: Iterable[EvalSample] = read_eval_log_samples(
        str(path), all_samples_required=False, resolve_attachments=True
    )
    return samples


def _row(sample: "EvalSample") -> LoggedRow:
    from lengthwise.evaluators.harnesses.inspect_outputs import read_output

    prompt, alone = _prompt(sample.input)
    place = f"sample {sample.id}, epoch {sample.epoch}"
    kept = read_kept(sample.store[KEPT], place) if KEPT in sample.store else None
    reply: Reply | None = None
    error: ReplyError | None = None
    if kept is None and sample.error is not None:
        error = ReplyError(sample.error.message)
    elif kept is None:
        try:
            reply = read_output(sample.output)
        except ReplyError as ended:
            error = ended
    asked = sum(message.role in ("user", "system") for message in sample.messages)
    return LoggedRow(
        place=place,
        row_id=sample.id if isinstance(sample.id, str) else None,
        prompt=prompt,
        plain=kept is not None or (alone and asked <= 1),
        repeat=sample.epoch - 1,
        kept=kept,
        reply=reply,
        error=error,
    )


def _prompt(given: Any) -> tuple[str | None, bool]:
    if isinstance(given, str):
        return given, True
    return read_messages([{"role": one.role, "content": one.text} for one in given])


def _sampling(log: "EvalLog") -> Sampling:
    """Return the settings: those of the task, and over them those of the command."""
    merged: dict[str, Any] = {}
    for config in (log.plan.config, log.eval.model_generate_config):
        merged |= config.model_dump(exclude_none=True)
    effort = merged.get("reasoning_effort")
    return Sampling(
        max_tokens=merged.get("max_tokens"),
        temperature=merged.get("temperature"),
        top_p=merged.get("top_p"),
        reasoning_effort=str(effort) if effort else None,
        thinking_tokens=merged.get("reasoning_tokens"),
    )
