"""Judging one reply to LongNovel: the score's class against the gold class, and which gold faults the reply names."""

from collections.abc import Mapping
from typing import Any

from lengthwise.evaluators.judging import Judgement, PromptOf, no_prompt
from lengthwise.evaluators.novel_faults import gold_faults, gold_label
from lengthwise.metrics.answers import parse_consistency_score
from lengthwise.metrics.classification import THRESHOLD
from lengthwise.metrics.hallucinations import hits, read_points
from lengthwise.metrics.parsed import Unparsed


def judge_consistency(columns: Mapping[str, Any], text: str, prompt_of: PromptOf = no_prompt) -> Judgement:
    """Judge a reply by the class of its score: 3 to 5 is faithful, 0 to 2 hallucinated (section 4.3).

    The answer is the score. Details, JSON types:

    - `gold`: 1 for a hallucinated summary, 0 for a faithful one.
    - `types`: what the reply reports, canonical names, each once in the order of its report.
    - `hits`: for each gold fault (`novel_faults.gold_faults`) whether the reply points at it, by the offline
      matcher of `lengthwise.metrics.hallucinations` (Figure 3); empty where the row has none.

    Args:
        columns: the row, as far as `gold_faults` takes it.
        text: the reply's text, reasoning inline or not.
        prompt_of: not needed.
    """
    gold = gold_label(columns)
    points = read_points(text)
    details = {
        "gold": gold,
        "types": list(dict.fromkeys(point.type.value for point in points)),
        "hits": hits(points, gold_faults(columns)),
    }
    parsed = parse_consistency_score(text)
    if isinstance(parsed, Unparsed):
        return Judgement(parsed=False, reason=parsed.reason, details=details)
    found = int(parsed.value < THRESHOLD)
    return Judgement(parsed=True, answer=parsed.value, correct=found == gold, details=details)
