"""What a comparison of two runs is over: the rows that both have, which were right, and which belong together."""

from collections.abc import Mapping, Sequence

from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.budgets import apply_budget
from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.scoring import Scored


def shared_cells(first: Scored, second: Scored) -> dict[tuple[str, str], list[str]]:
    """Return the ids of the examples that both runs have, by config and split, in the order of the first run."""
    cells: dict[tuple[str, str], list[str]] = {}
    for example, row in first.rows.items():
        if example in second.rows:
            cells.setdefault((row["config"], row["split"]), []).append(example)
    return cells


def other_builds(
    first: Scored, second: Scored, cells: Mapping[tuple[str, str], Sequence[str]]
) -> dict[str, tuple[str, str]]:
    """Return, of the cells that both runs have, those that were another build in each, with the digests of both.

    Their examples share ids, not content. A run that noted no digest is taken at its word.
    """
    digests = [run.run.settings["data"].get("cells") or {} for run in (first, second)]
    found = {name: (digests[0].get(name), digests[1].get(name)) for name in map("/".join, cells)}
    return {
        name: (one, other)
        for name, (one, other) in found.items()
        if one is not None and other is not None and one != other
    }


def right_answers(run: Scored, budget: int | None = None) -> list[dict[str, int]]:
    """Return for each repeat whether each example was right.

    Args:
        run: scored.
        budget: output tokens beyond which a reply counts as wrong; None for none.
    """

    def is_right(outcome: Outcome) -> int:
        return int((outcome if budget is None else apply_budget(outcome, budget)).kind == "correct")

    repeats: dict[int, dict[str, int]] = {}
    for (example, repeat), outcome in run.outcomes.items():
        repeats.setdefault(repeat, {})[example] = is_right(outcome)
    return list(repeats.values())


def grouping_of(run: Scored, ids: Sequence[str]) -> dict[str, list[str]]:
    """Return the clusters of some examples, and their strata where each has two clusters or more to resample."""
    source = find_benchmark(run.results.benchmark).source
    strata, clusters = map(list, zip(*(source(run.rows[example]) for example in ids), strict=True))
    members: dict[str, set[str]] = {}
    for stratum, cluster in zip(strata, clusters, strict=True):
        members.setdefault(stratum, set()).add(cluster)
    alone = any(len(found) < 2 for found in members.values())
    return {"clusters": clusters} if alone else {"clusters": clusters, "strata": strata}
