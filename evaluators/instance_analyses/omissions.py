"""Replies that leave instances out, and whether they say so (section 5.2: "self-awareness of limitations").

A rule flags what likely suggests batches or owns to a limit (`lengthwise.metrics.stated_limits`); what counts is what
a person says after reading. The list is a CSV file with a column for that, `suggests_batches`, to be filled in with
yes or no: in a spreadsheet, or on the report page, which saves the same file. Every omission has a key that its reply
is part of, so that a judgement cannot be taken for one of another reply.
"""

import csv
import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from io import StringIO
from pathlib import Path
from typing import Literal, TypeAlias

from lengthwise.contracts import Reply
from lengthwise.errors import InputError
from lengthwise.evaluators.deciding import final_calls
from lengthwise.evaluators.instance_analyses.trials import Trial, direct, grouped, plain, trials_of
from lengthwise.evaluators.scoring import Scored
from lengthwise.evaluators.table_formats.cells import Figure, Number, count
from lengthwise.evaluators.table_formats.grid import GridTable
from lengthwise.evaluators.ticked_lists import ticked_lines
from lengthwise.metrics.reasoning import mask_reasoning

Tick: TypeAlias = Literal["yes", "no"]
COLUMN = "suggests_batches"
_EXCERPT = 400
# An instance answer of a table, whatever its value.
_ANSWER = re.compile(r"""["']?\d+["']?\s*:\s*(?:"[^"\n]{0,80}"|[-+\w.]{1,80})\s*,?\s*""")


@dataclass(frozen=True, slots=True)
class Omission:
    """A reply that leaves instances out; also a line of the CSV file, but for the person's column.

    Attributes:
        key: of the judgement about it: "o-" and 16 hex digits over row, repeat and reply. (The letter is for
            spreadsheets, to which bare digits are a number.)
        model: the model.
        task: the task.
        n_instances: asked for.
        missing: left out.
        missing_at: which, as text ("51–200, 340"; a hyphen would make dates of some in a spreadsheet).
        flagged: what the rule takes it to say ("batches", "first-only", ...), "" for nothing.
        excerpt: the words that it flagged; else the end of what the reply says beside its instance answers.
        example: id of the row.
        repeat: 0-based.
    """

    key: str
    model: str
    task: str
    n_instances: int
    missing: int
    missing_at: str
    flagged: str
    excerpt: str
    example: str
    repeat: int


def find_omissions(runs: Sequence[Scored]) -> tuple[Omission, ...]:
    """Return every omission among the default samples of the instance-level setting, by model, task and size."""
    found = [one for one in _asked(runs) if one.outcome.details.get("omission")]
    texts = _texts(runs, found)
    made = [_omission(one, texts.get((one.run, one.outcome.example_id, one.outcome.repeat), "")) for one in found]
    return tuple(sorted(made, key=lambda one: (one.model, one.task, one.n_instances, one.example, one.repeat)))


def _asked(runs: Sequence[Scored]) -> list[Trial]:
    return plain(direct(trials_of(runs)), "instances")


def _texts(runs: Sequence[Scored], found: Sequence[Trial]) -> dict[tuple[int, str, int], str]:
    """Return the texts of the replies that were scored, by run, example and repeat."""
    wanted = {(one.run, one.outcome.example_id, one.outcome.repeat) for one in found}
    texts = {}
    for run in sorted({place for place, *_ in wanted}):
        settled = runs[run].run.predictions() or {}
        for example, repeat, calls in final_calls(runs[run].run):
            if (run, example, repeat) in wanted:
                last = next((call for call in reversed(calls) if isinstance(call, Reply)), None)
                reply = settled.get((example, repeat), last)
                texts[run, example, repeat] = (reply and reply.text) or ""
    return texts


def _omission(one: Trial, text: str) -> Omission:
    details = one.outcome.details
    limit = details.get("stated_limit") or {}
    parts = (one.outcome.example_id, str(one.outcome.repeat), text)
    return Omission(
        key="o-" + hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16],
        model=one.model,
        task=one.task,
        n_instances=one.size,
        missing=int(details["missing"]),
        missing_at=str(details.get("missing_at") or "").replace("-", "–"),
        flagged=str(limit.get("kind", "")),
        excerpt=_clean(str(limit.get("text") or _words(text))),
        example=one.outcome.example_id,
        repeat=one.outcome.repeat,
    )


def _words(text: str) -> str:
    """Return the end of what a reply says without its instance answers."""
    shown = " ".join(_ANSWER.sub("", mask_reasoning(text)).split())
    return shown if len(shown) <= _EXCERPT else f"… {shown[-_EXCERPT:]}"


def _clean(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode().replace("\x00", "")


def omissions_csv(omissions: Sequence[Omission], ticks: Mapping[str, Tick] | None = None) -> str:
    """Return the list as CSV, with the judgements there are."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [field.name for field in fields(Omission)]
    writer.writerow([names[0], COLUMN, *names[1:]])
    for one in omissions:
        values = [_safe(value) for value in astuple(one)]
        writer.writerow([values[0], (ticks or {}).get(one.key, ""), *values[1:]])
    return out.getvalue()


def _safe(value: object) -> object:
    """Return a value that a spreadsheet does not take for a formula: a reply can begin with anything."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def write_omissions(omissions: Sequence[Omission], out: Path | str, ticks: Mapping[str, Tick] | None = None) -> Path:
    """Write the list as CSV; judgements that the file already holds are kept.

    Args:
        omissions: of `find_omissions`.
        out: the file.
        ticks: judgements to write; None takes those of the file, if it is there.

    Raises:
        InputError: the file is there and is no such list, or cannot be written.
    """
    path = Path(out)
    kept = read_omissions(path) if ticks is None and path.exists() else ticks
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # With a mark of its encoding, without which some spreadsheets read it as something else.
        part.write_text(omissions_csv(omissions, kept), "utf-8-sig")
        os.replace(part, path)
    except OSError as error:
        raise InputError(f"--out {path}: cannot be written ({error.strerror})") from error
    return path


def read_omissions(path: Path | str) -> dict[str, Tick]:
    """Return the judgements that a filled-in list holds, by key; lines without one are left out.

    Raises:
        InputError: the file cannot be read, lacks a column, or a judgement is neither yes nor no.
    """
    ticks: dict[str, Tick] = {}
    for row in ticked_lines("--omissions", path, ("key", COLUMN), "`lengthwise omissions` writes it"):
        said = row[COLUMN].strip().casefold()
        if said in ("yes", "y", "x", "1", "true"):
            ticks[row["key"]] = "yes"
        elif said in ("no", "n", "0", "false"):
            ticks[row["key"]] = "no"
        elif said:
            raise InputError(
                f"--omissions {path}: {row[COLUMN]!r} in the line of {row['key']}; write yes, no, or nothing"
            )
    return ticks


def omission_table(
    runs: Sequence[Scored], omissions: Sequence[Omission], ticks: Mapping[str, Tick] | None = None
) -> GridTable | None:
    """Return how many replies leave instances out and how many of these suggest batches, a row a model.

    Args:
        runs: scored runs.
        omissions: of `find_omissions` on them.
        ticks: a person's judgements by key.
    """
    asked = grouped(_asked(runs), lambda one: one.model)
    if not asked:
        return None
    judged = ticks or {}
    rows = []
    for model in [*asked, None]:
        own = [one for one in omissions if model in (None, one.model)]
        n = sum(len(of_model) for name, of_model in asked.items() if model in (None, name))
        read = [judged[one.key] for one in own if one.key in judged]
        confirmed = read.count("yes")
        said = [
            "all models" if model is None else model,
            count(n),
            count(len(own)),
            count(sum(one.flagged == "batches" for one in own)),
            count(sum(one.flagged not in ("", "batches") for one in own)),
            count(len(read)),
            Figure(f"{confirmed:,}" + " so far" * (len(read) < len(own)), Number(confirmed, n=len(read))),
        ]
        if model is not None or len(asked) > 1:
            rows.append(tuple(said))
    notes = [
        "An omission is a readable table in which instances are missing. The rule flags wording that likely suggests "
        "batches, or owns to some other limit; what counts is what a person says after reading "
        "(`lengthwise omissions`, or the list on the report page).",
    ]
    if stray := len(judged.keys() - {one.key for one in omissions}):
        notes.append(f"{stray:,} judgements are of replies that are not among these, and are left out.")
    head = ("model", "experiments", "omissions", "flagged: batches", "flagged: other", "read", "confirmed: batches")
    title = "Instances left out, and whether the model says so"
    return GridTable(title, head, tuple(rows), tuple(notes), name="omissions")
