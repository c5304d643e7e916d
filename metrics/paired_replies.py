"""Two systems' raw replies to the same items, compared by the figures of their task."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

from .answers import parse_consistency_score, parse_sequence, parse_sequences
from .classification import cells_of
from .comparison import Comparison, compare_detection, compare_values
from .instance_replies import diagnose_reply
from .module_inputs import (
    Check,
    gold_answer,
    gold_words,
    label,
    number,
    per_row,
    reply,
    reply_or_answer,
    reply_or_score,
)
from .pairs import pair_accuracy_of_scores
from .sequence_figures import gold_sequences
from .sequences import match_sequence, match_sequences
from .significance import holm

Compared: TypeAlias = dict[str, Comparison]

# Cells of `classification.cells_of` that are right answers, of hallucinated and of other items.
RIGHT = (0, 3)


def compare_scores(first: Sequence[str], second: Sequence[str], references: Sequence[int], **options: Any) -> Compared:
    """Compare two detectors of hallucinations by balanced accuracy, MCC, recalls and accuracy.

    Args:
        first: the first system's replies.
        second: the second's.
        references: gold labels, 1 for hallucinated and 0 for not.
        options: of `compare_detection`.
    """
    scores = [[parse_consistency_score(text).value for text in replies] for replies in (first, second)]
    return compare_detection(scores[0], scores[1], references, **options)


def compare_sequences(
    first: Sequence[str], second: Sequence[str], references: Sequence[str], **options: Any
) -> Compared:
    """Compare two systems that answer with sequences of words, by exact match and set match.

    Args:
        first: the first system's replies.
        second: the second's.
        references: gold sequences as `gold_sequences` reads them.
        options: of `compare_values`.
    """
    golds = [gold_sequences(text) for text in references]
    figures = {"exact_match": _exact, "set_match": _set}
    return {
        name: compare_values(
            *([right(text, gold) for text, gold in zip(replies, golds, strict=True)] for replies in (first, second)),
            figure=name,
            **options,
        )
        for name, right in figures.items()
    }


def compare_experiments(
    first: Sequence[str],
    second: Sequence[str],
    references: Sequence[str],
    *,
    aggregation: Any = None,
    answer_type: str | Sequence[str] = "integer",
    **options: Any,
) -> Compared:
    """Compare two systems on prompts over many instances: success, and the share of right instances of tables.

    Args:
        first: the first system's replies.
        second: the second's.
        references: gold aggregates or tables as `diagnose_reply` takes them.
        aggregation: as for `diagnose_reply`, one for all or one for each.
        answer_type: likewise.
        options: of `compare_values`.
    """
    n = len(references)
    how = list(zip(per_row(aggregation, n, "aggregation"), per_row(answer_type, n, "answer_type"), strict=True))
    sides = [
        [
            diagnose_reply(text, gold, aggregation=aggregation, answer_type=kind)
            for text, gold, (aggregation, kind) in zip(replies, references, how, strict=True)
        ]
        for replies in (first, second)
    ]
    values = {"success_rate": [[float(one.failure is None) for one in side] for side in sides]}
    if n and all(one.n_instances for one in sides[0]):
        values["per_instance_accuracy"] = [[one.share_right for one in side] for side in sides]
    return {name: compare_values(one, other, figure=name, **options) for name, (one, other) in values.items()}


def compare_pairs(
    first: Sequence[str],
    second: Sequence[str],
    references: Sequence[int],
    *,
    pairs: Sequence[Hashable],
    strata: Sequence[Hashable] | None = None,
    clusters: Sequence[Hashable] | None = None,
    **options: Any,
) -> Compared:
    """Compare two detectors of hallucinations by the share of minimal pairs of which both items are right.

    Args:
        first: the first system's replies.
        second: the second's.
        references: gold labels, 1 for hallucinated and 0 for not.
        pairs: the name of each item's pair.
        strata: the stratum of each item; that of a pair is its first item's.
        clusters: the source of each item; likewise.
        options: of `compare_values`.
    """
    places: dict[Hashable, list[int]] = {}
    for place, pair in enumerate(pairs):
        places.setdefault(pair, []).append(place)
    values = []
    for replies in (first, second):
        scores = [parse_consistency_score(text).value for text in replies]
        # Refuses pairs that are none.
        pair_accuracy_of_scores(scores, references, pairs)
        right = [cell in RIGHT for cell in cells_of(scores, references)]
        values.append([float(all(right[place] for place in two)) for two in places.values()])
    per_pair: dict[str, Any] = {
        name: None if labels is None else [labels[two[0]] for two in places.values()]
        for name, labels in (("strata", strata), ("clusters", clusters))
    }
    return {"pair_accuracy": compare_values(values[0], values[1], figure="pair_accuracy", **per_pair, **options)}


def compare_numbers(
    first: Sequence[float], second: Sequence[float], references: Sequence[Any] | None = None, **options: Any
) -> Compared:
    """Compare two systems by the mean of any number per item: a success, an error, a share.

    Args:
        first: the first system's numbers.
        second: the second's.
        references: not used.
        options: of `compare_values`.
    """
    return {"mean": compare_values(first, second, figure="mean", **options)}


def _exact(reply: str, gold: list[list[str]]) -> int:
    answer = parse_sequence(reply).value
    return int(answer is not None and len(gold) < 2 and match_sequence(answer, gold[0] if gold else []).exact)


def _set(reply: str, gold: list[list[str]]) -> int:
    answers = parse_sequences(reply).value
    return int(answers is not None and match_sequences(answers, gold).exact)


@dataclass(frozen=True, slots=True)
class Task:
    """What two systems can be compared in.

    Attributes:
        compare: takes both systems' replies, the references (None where the task has none), and options.
        checks: of the inputs `predictions1`, `predictions2` and, where the task has them, `references`.
    """

    compare: Callable[..., Compared]
    checks: Mapping[str, Check]


def _checks(prediction: Check, reference: Check | None) -> Mapping[str, Check]:
    both = {"predictions1": prediction, "predictions2": prediction}
    return MappingProxyType(both if reference is None else {**both, "references": reference})


TASKS: Mapping[str, Task] = MappingProxyType(
    {
        "hallucination_detection": Task(compare_scores, _checks(reply_or_score, label)),
        "pair_accuracy": Task(compare_pairs, _checks(reply_or_score, label)),
        "sequence_match": Task(compare_sequences, _checks(reply, gold_words)),
        "multi_instance": Task(compare_experiments, _checks(reply_or_answer, gold_answer)),
        "values": Task(compare_numbers, _checks(number, None)),
    }
)


def to_figures(compared: Compared) -> dict[str, dict[str, Any]]:
    """Return comparisons as dicts of JSON types, with `p_value_holm`: adjusted for the number of figures."""
    adjusted = holm([one.difference.p_value for one in compared.values()])
    figures = {}
    for (name, one), p in zip(compared.items(), adjusted, strict=True):
        figures[name] = {**one.to_dict(), "p_value_holm": p}
        # It is the key already.
        del figures[name]["figure"]
    return figures
