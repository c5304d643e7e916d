"""Two systems' raw replies to the same items, compared by the figures of their task."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

from .answers import parse_consistency_score, parse_sequence, parse_sequences
from .comparison import Comparison, compare_detection, compare_values
from .sequence_figures import gold_sequences
from .sequences import match_sequence, match_sequences
from .significance import holm

Compared: TypeAlias = dict[str, Comparison]


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


TASKS: Mapping[str, Callable[..., Compared]] = MappingProxyType(
    {"hallucination_detection": compare_scores, "sequence_match": compare_sequences, "values": compare_numbers}
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
