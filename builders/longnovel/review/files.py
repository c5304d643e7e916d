"""Reviews read and written as whole files: the tables, units with their summaries, and Label Studio's JSON."""

import json
from collections import Counter
from pathlib import Path

from lengthwise.errors import InputError

from ...hub_folder import write_text
from ..steps_files import read_units
from .agreement import TextTable, review_column, tables
from .desk import open_pairs, pairs_of
from .label_studio import Imported, export_tasks, import_tasks, labelling_config
from .revisions import final_origin, history, read_versions, unit_state
from .store import ReviewLog, read_reviewed


def summarise(folder: Path) -> list[TextTable]:
    """Return the tables of a build's review so far; a server may be open.

    Raises:
        InputError: there is no review, or its pairs are no longer those of the build.
    """
    reviewed = read_reviewed(folder)
    assert reviewed.sample is not None
    return tables(pairs_of(folder, reviewed.sample), reviewed)


def summarise_summaries(folder: Path) -> list[TextTable]:
    """Return how far the units' summaries are, and who saved how many versions.

    Raises:
        InputError: the build has no units.
    """
    saved = read_versions(folder)
    states = Counter(
        unit_state(history(made.unit, saved.get((made.unit.book, made.unit.index), []))) for made in read_units(folder)
    )
    authors = Counter(one.author for versions in saved.values() for one in versions)
    units = [[one, str(states[one])] for one in ("new", "drafted", "finished")]
    found = [TextTable("Units", ["state", "units"], units)]
    if authors:
        rows = [[who, str(count)] for who, count in authors.items()]
        found.append(TextTable("Versions saved", ["author", "versions"], rows))
    return found


def export_summaries(folder: Path, out: Path) -> tuple[int, int]:
    """Write all units with the last version of their summaries as JSON Lines, which `build longnovel` takes as source.

    Returns:
        How many units, and how many of them are finished.

    Raises:
        InputError: the build has no units.
    """
    saved = read_versions(folder)
    lines = []
    finished = 0
    for unit in (made.unit for made in read_units(folder)):
        own = saved.get((unit.book, unit.index), [])
        versions = history(unit, own)
        finished += unit_state(versions) == "finished"
        row = {"book_id": unit.book, "unit": unit.index, "lang": unit.language, "heading": unit.title,
               "text": unit.text}  # fmt: skip
        if versions:
            row |= {"summary": versions[-1].text, "summary_origin": final_origin(unit, own)}
        lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    out.parent.mkdir(parents=True, exist_ok=True)
    write_text(out, "".join(lines))
    return len(lines), finished


def read_review_column(folder: Path) -> dict[str, str]:
    """Return row id -> the column `review`, for rows that people have decided; see `agreement.review_column`.

    `assemble(..., reviews=...)` takes it.

    Raises:
        InputError: there is no review, or its pairs are no longer those of the build.
    """
    reviewed = read_reviewed(folder)
    assert reviewed.sample is not None
    return review_column(pairs_of(folder, reviewed.sample), reviewed)


def export_label_studio(
    folder: Path, out: Path, size: int | None = None, seed: int | None = None, split: str | None = None
) -> tuple[int, Path]:
    """Write a review's pairs and labels as Label Studio tasks, and the labelling interface beside them as XML.

    Args:
        folder: of the build; a review that was not begun is begun, so that what comes back finds its pairs.
        out: the file.
        size: as `open_pairs` takes it.
        seed: as `open_pairs` takes it.
        split: as `open_pairs` takes it.

    Returns:
        How many tasks, and where the interface is.

    Raises:
        InputError: as `open_pairs`, or a server is open.
    """
    with ReviewLog(folder) as log:
        tasks = export_tasks(open_pairs(folder, log, size, seed, split), log.reviewed)
    interface = out.with_suffix(".xml")
    out.parent.mkdir(parents=True, exist_ok=True)
    write_text(out, json.dumps(tasks, indent=1, ensure_ascii=False) + "\n")
    write_text(interface, labelling_config())
    return len(tasks), interface


def import_label_studio(folder: Path, source: Path) -> Imported:
    """Take the annotations of a Label Studio export (JSON) into a review.

    Args:
        folder: of the build.
        source: the export.

    Raises:
        InputError: as `open_pairs` and `import_tasks`, the file cannot be read, or a server is open.
    """
    try:
        tasks = json.loads(source.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{source}: cannot be read as JSON ({error})") from error
    with ReviewLog(folder) as log:
        return import_tasks(tasks, open_pairs(folder, log), log)
