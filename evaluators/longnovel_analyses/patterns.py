"""The seven failure patterns of appendix I in one table: four that rules find, three that a person tagged."""

from collections.abc import Mapping, Sequence, Set

from lengthwise.evaluators.longnovel_analyses.tags import NONE, TAGS, keys_of
from lengthwise.evaluators.longnovel_patterns import NOVEL_CAUSES
from lengthwise.evaluators.longnovel_rows import cell_name
from lengthwise.evaluators.naming import name_of
from lengthwise.evaluators.scoring import Scored
from lengthwise.evaluators.table_formats.cells import Name, count
from lengthwise.evaluators.table_formats.grid import GridTable
from lengthwise.metrics.classification import THRESHOLD

Tags = Mapping[str, Set[str]]
# What stands for their verdicts is put together by code, or an answer to another question.
_NOT_ASKED = ("vote", "minicheck")
_AND_RIGHT = "self-contradiction, but right"
_BY_PEOPLE = [name for name in TAGS if name != NONE]


def pattern_table(runs: Sequence[Scored], tags: Tags | None = None) -> GridTable | None:
    """Return how many replies that are not right show which pattern, a row a run and length; None without any.

    Args:
        runs: scored runs.
        tags: a person's, by key; see `tags.read_tags`.
    """
    # A flag is no judgement.
    given = {key: judged for key, of_reply in (tags or {}).items() if (judged := of_reply & TAGS.keys())}
    rows = []
    asked = [run for run in runs if _method(run) not in _NOT_ASKED]
    used: set[str] = set()
    # How a reference model fails is known beforehand, unless there is nothing else to see.
    for run in [one for one in asked if one.results.reference is None] or asked:
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
            by_rule = [count(cell.causes.by_cause.get(cause.name, 0)) for cause in NOVEL_CAUSES]
            by_people = [count(sum(name in one for one in own)) if own else "–" for name in _BY_PEOPLE]
            where = (name_of(run.results), cell_name((cell.config, cell.split)), count(cell.causes.replies))
            lucky = sum(
                outcome.kind == "correct" and outcome.answer >= THRESHOLD and bool(outcome.details.get("types"))
                for (example, _), outcome in run.outcomes.items()
                if cell_of[example] == (cell.config, cell.split)
            )
            rows.append((*where, *by_rule, count(lucky), count(len(own)), *by_people))
    if not rows:
        return None
    head = (
        *("Model", "length", "not right"),
        *(Name(cause.title, metric="pattern", part=f"pattern={cause.name}") for cause in NOVEL_CAUSES),
        *(_AND_RIGHT, "read"),
        *(Name(TAGS[name][0], metric="pattern", part=f"pattern={name}") for name in _BY_PEOPLE),
    )
    notes = [
        "Counts of replies over all repeats; one can show several patterns. The first four are found by rules in all "
        "replies that are not right; the last three in those that a person has read (`read`), in the reply browser of "
        "the report page, whose file `--tags` takes.",
        *(f"{cause.title}: {cause.about}" for cause in NOVEL_CAUSES),
        f"{_AND_RIGHT}: faults are reported under a score of {THRESHOLD} or more, and the summary is faithful indeed; "
        "no failure by the paper's count.",
        *(f"{TAGS[name][0]}: {TAGS[name][1]}" for name in _BY_PEOPLE),
        "Bounds: a constant or random answer shows none of the seven, and the gold replies are all right.",
    ]
    if len(asked) < len(runs):
        notes.append("Votes and MiniCheck are left out: nobody asked them for such a judgement.")
    if stray := len(given.keys() - used):
        notes.append(f"{stray:,} tagged replies are not among these, and are left out.")
    title = "The seven failure patterns (appendix I)"
    return GridTable(title, head, tuple(rows), tuple(notes), name="patterns")


def _method(run: Scored) -> str:
    return str(run.results.settings.get("method") or "").partition(":")[0]
