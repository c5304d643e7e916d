"""Reading what lm-evaluation-harness wrote with `--log_samples --output_path`: samples_*.jsonl and results_*.json."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lengthwise.contracts import Reply, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.examples import Cell
from lengthwise.evaluators.harnesses.kept import Kept
from lengthwise.evaluators.harnesses.lm_eval_files import CALLS
from lengthwise.evaluators.harnesses.logged import HarnessLog, LoggedRow, read_kept, read_messages

_BUDGETS = ("max_gen_toks", "max_new_tokens", "max_tokens", "max_completion_tokens")


@dataclass(frozen=True, slots=True)
class _Samples:
    """A file of samples, and what the results file beside it says of their task."""

    path: Path
    task: str
    results: Mapping[str, Any]

    @property
    def config(self) -> Mapping[str, Any]:
        found = (self.results.get("configs") or {}).get(self.task)
        return found if isinstance(found, Mapping) else {}

    @property
    def kwargs(self) -> Mapping[str, Any]:
        found = self.config.get("dataset_kwargs")
        return found if isinstance(found, Mapping) else {}

    @property
    def model(self) -> str | None:
        """The model: its own name among its arguments, else what lm-eval calls its kind."""
        config = self.results.get("config") or {}
        arguments = config.get("model_args")
        if isinstance(arguments, str):
            arguments = dict(part.split("=", 1) for part in arguments.split(",") if "=" in part)
        named = arguments if isinstance(arguments, Mapping) else {}
        found = named.get("model") or named.get("pretrained") or self.results.get("model_name") or config.get("model")
        return str(found) if found else None


def read_lm_eval(logs: Sequence[Path]) -> HarnessLog:
    """Open logs of lm-eval.

    Args:
        logs: files samples_*.jsonl, or folders that hold such files.

    Raises:
        InputError: there are none, several of one task, or of several models.
    """
    samples = [_open(path) for path in _files(logs)]
    for one in samples:
        again = [other.path.name for other in samples if other.task == one.task]
        if len(again) > 1:
            raise InputError(f"{', '.join(again)}: several runs of task {one.task}; name the files of one of them")
    models = {model for one in samples if (model := one.model) is not None}
    if len(models) > 1:
        raise InputError(f"the logs are of several models ({', '.join(sorted(models))}); import each by itself")
    cells = {
        Cell(str(one.config["dataset_name"]), str(one.config["test_split"])): one.kwargs["digest"]
        for one in samples
        if "digest" in one.kwargs
    }
    if len(cells) not in (0, len(samples)):
        raise InputError("some of these tasks are ours and some are not; import them into runs of their own")
    methods = {method for one in samples if (method := one.kwargs.get("method"))}
    if len(methods) > 1:
        raise InputError(f"the logs are of several methods ({', '.join(sorted(methods))}); import each by itself")
    results = samples[0].results
    return HarnessLog(
        harness="lm-eval",
        version=results.get("lm_eval_version"),
        files=tuple(one.path for one in samples),
        model=next(iter(models), "unknown"),
        created=str(results["date"]) if results.get("date") else None,
        cells=cells,
        method=next(iter(methods), None),
        sampling=_sampling(samples[0].path),
        rows=(row for one in samples for row in _rows(one.path)),
    )


def _files(logs: Sequence[Path]) -> list[Path]:
    found: list[Path] = []
    for log in logs:
        files = sorted(log.rglob("samples_*.jsonl")) if log.is_dir() else [log]
        if not files or not files[0].is_file():
            raise InputError(
                f"{log}: no samples_*.jsonl of lm-eval; it writes them with --log_samples --output_path DIR"
            )
        found += files
    return list(dict.fromkeys(found))


def _open(path: Path) -> _Samples:
    """Return a file with its task and results; both names end in the time of the run."""
    task, _, stamp = path.stem.removeprefix("samples_").rpartition("_")
    try:
        results = json.loads(path.with_name(f"results_{stamp}.json").read_text("utf-8"))
    except (OSError, ValueError):
        results = {}
    return _Samples(path, task or path.stem, results if isinstance(results, Mapping) else {})


def _lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            place = f"{path.name}:{number}"
            try:
                record = json.loads(line)
                if not isinstance(record["doc"], dict) or not isinstance(record["resps"], list):
                    raise TypeError("doc and resps")
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(f"{path}:{number}: not a sample of lm-eval ({error!r})") from error
            yield place, record


def _rows(path: Path) -> Iterator[LoggedRow]:
    for place, record in _lines(path):
        doc = record["doc"]
        row_id = doc.get("id")
        asked, alone = _asked(record)
        prompt = doc.get("prompt")
        own = prompt if isinstance(prompt, str) else asked
        for repeat, (kept, text) in enumerate(_said(record, place)):
            yield LoggedRow(
                place=place,
                row_id=row_id if isinstance(row_id, str) else None,
                prompt=own,
                plain=kept is not None or (alone and own is not None and asked is not None and own in asked),
                repeat=repeat,
                kept=kept,
                # lm-eval says no more than the text.
                reply=None if kept is not None else Reply(text, finish_reason="other"),
            )


def _said(record: Mapping[str, Any], place: str) -> list[tuple[Kept | None, str]]:
    """Return what came in each repeat."""
    calls = record.get(CALLS)
    if isinstance(calls, list) and calls and all(isinstance(one, Mapping) and "calls" in one for one in calls):
        return [(read_kept(one, place), "") for one in calls]
    replies = record["resps"][0] if record["resps"] else []
    return [(None, str(text)) for text in (replies if isinstance(replies, list) else [replies])]


def _asked(record: Mapping[str, Any]) -> tuple[str | None, bool]:
    """Return the text that was asked, chat template included for a local model, and whether nothing else was."""
    text = _argument(record, 0)
    if not isinstance(text, str):
        return read_messages(text)
    try:
        messages = json.loads(text)
    except ValueError:
        return text, True
    return read_messages(messages) if isinstance(messages, list) else (text, True)


def _argument(record: Mapping[str, Any], place: int) -> Any:
    arguments = record.get("arguments")
    first = arguments.get("gen_args_0") if isinstance(arguments, Mapping) else None
    return first.get(f"arg_{place}") if isinstance(first, Mapping) else None


def _sampling(path: Path) -> Sampling:
    _, record = next(_lines(path), ("", {}))
    settings = _argument(record, 1)
    if not isinstance(settings, Mapping):
        return Sampling()
    budgets = [int(settings[name]) for name in _BUDGETS if settings.get(name)]
    temperature, top_p = settings.get("temperature"), settings.get("top_p")
    return Sampling(
        max_tokens=max(budgets) if budgets else None,
        temperature=None if temperature is None else float(temperature),
        top_p=None if top_p is None else float(top_p),
    )
