"""The seven failure patterns of appendix I in one table: four that rules find, three that a person tagged."""

from collections.abc import Mapping, Sequence, Set

from lengthwise.evaluators.benchmark_types import GridTable
from lengthwise.evaluators.longnovel_analyses.tags import NONE, TAGS, keys_of
from lengthwise.evaluators.longnovel_patterns import NOVEL_CAUSES
from lengthwise.evaluators.naming import name_of
from lengthwise.evaluators.scoring import Scored

Tags = Mapping[str, Set[str]]
_BY_PEOPLE = [name for name in TAGS if name != NONE]


def pattern_table(runs: Sequence[Scored], tags: Tags | None = None) -> GridTable | None:
    """Return how many replies that are not right show which pattern, a row a run and length; None without any.

    Args:
        runs: scored runs.
        tags: a person's, by key; see `tags.read_tags`.
    """
    given = tags or {}
    rows = []
    used: set[str] = set()
    # How a reference model fails is known beforehand, unless there is nothing else to see.
    for run in [one for one in runs if one.results.reference is None] or runs:
        places = keys_of(run) if given else {}
        cell_of = {example: (row["config"], row["split"]) for example, row in run.rows.items()}
        used |= places.keys() & given.keys()
        for cell in run.results.cells:
            if not cell.causes.replies:
                continue
            own = [
                given[key]
                for key, (example, _) in places.items()
                if key in given and cell_of[example] == (cell.config, cell.split)
            ]
            by_rule = [f"{cell.causes.by_cause.get(cause.name, 0):,}" for cause in NOVEL_CAUSES]
            by_people = [f"{sum(name in one for one in own):,}" if own else "–" for name in _BY_PEOPLE]
            where = [name_of(run.results), f"{cell.config} {cell.split}", f"{cell.causes.replies:,}"]
            rows.append((*where, *by_rule, f"{len(own):,}", *by_people))
    if not rows:
        return None
    head = (
        *("Model", "length", "not right", *(cause.title for cause in NOVEL_CAUSES), "read"),
        *(TAGS[name][0] for name in _BY_PEOPLE),
    )
    notes = [
        "Counts of replies over all repeats; one can show several patterns. The first four are found by rules in all "
        "replies that are not right; the last three in those that a person has read (`read`), in the reply browser of "
        "the report page, whose file `--tags` takes.",
        *(f"{cause.title}: {cause.about}" for cause in NOVEL_CAUSES),
        *(f"{TAGS[name][0]}: {TAGS[name][1]}" for name in _BY_PEOPLE),
        "Bounds: a constant or random answer shows none of the seven, and the gold replies are all right.",
    ]
    if stray := len(given.keys() - used):
        notes.append(f"{stray:,} tagged replies are not among these, and are left out.")
    return GridTable("The seven failure patterns (appendix I)", head, tuple(rows), tuple(notes))
