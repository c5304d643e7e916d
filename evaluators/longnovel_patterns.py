"""How replies to LongNovel go astray (section 5.2, appendix I): the four patterns of seven that rules can find.

The other three (the text not taken in, an abstraction not made, what means the same called wrong) take a person: see
`lengthwise.evaluators.longnovel_analyses.tags`. A pattern is counted among the replies that are not right:
the appendix is about failures, and every case in it ends in an incorrect judgement.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lengthwise.contracts import Reply
from lengthwise.evaluators.causes import (
    REPEATED_CHARACTERS,
    REPEATED_LINES,
    Cause,
    looped,
    looped_part,
    parts_of,
    spent_budget,
)
from lengthwise.evaluators.judging import PromptOf
from lengthwise.metrics.classification import THRESHOLD
from lengthwise.metrics.corrections import identical_corrections
from lengthwise.metrics.fault_types import hallucination_type
from lengthwise.metrics.reply_patterns import repeated_lines
from lengthwise.metrics.reported import read_report


@dataclass(frozen=True, slots=True)
class NovelTraces:
    """What a reply that is not right shows.

    Attributes:
        budget_spent: it was cut by length, or used as many tokens as the run allowed.
        repeated_line_ratio: share of the lines, reasoning and all, that repeat an earlier one, in [0, 1).
        repeated_lines: how many such lines.
        loop: characters at the end of the reasoning, or of the rest, that only repeat what stands before them; 0 if
            there are fewer than `REPEATED_CHARACTERS`.
        score: that was read; None if there is none.
        says_something: whether there is anything outside the reasoning.
        in_json: whether a JSON object holds a score, reasons or types.
        listed: types that it lists, canonical names.
        identical: what it would correct into the same, the first few.
    """

    budget_spent: bool
    repeated_line_ratio: float
    repeated_lines: int
    loop: int
    score: int | None
    says_something: bool
    in_json: bool
    listed: tuple[str, ...]
    identical: tuple[str, ...]


def _ran_on(traces: NovelTraces) -> bool:
    return looped(traces) and (traces.budget_spent or traces.score is None)


NOVEL_CAUSES: tuple[Cause, ...] = (
    Cause(
        "repetition",
        "repetition",
        f"half of the lines, and {REPEATED_LINES} or more, repeat an earlier one, or {REPEATED_CHARACTERS} characters "
        "at the end do, and the reply is cut or comes to no score (I.4)",
        _ran_on,
    ),
    Cause(
        "no_json",
        "no JSON",
        "something else than the judgement asked for, such as a summary: no JSON object holds a score, a reason or "
        "types, and the reply does not go round and round (I.5)",
        lambda traces: traces.says_something and not traces.in_json and not looped(traces),
    ),
    Cause(
        "self_contradiction",
        "self-contradiction",
        f"types of hallucination are listed under a score of {THRESHOLD} or more (I.6)",
        lambda traces: bool(traces.listed) and traces.score is not None and traces.score >= THRESHOLD,
    ),
    Cause(
        "identical_correction",
        "identical correction",
        "what is called wrong and what it should be are the same letters and digits (I.2)",
        lambda traces: bool(traces.identical),
    ),
)
_MOST_SHOWN = 3
_MOST_LETTERS = 100


def examine_novel(
    columns: Mapping[str, Any], reply: Reply, answer: Any, max_tokens: int | None, prompt_of: PromptOf
) -> NovelTraces:
    """Return the traces of a reply to LongNovel.

    Args:
        columns: the row; not needed.
        reply: the reply that was scored.
        answer: its score; None where nothing parsed.
        max_tokens: what the run allowed; None if nobody set a limit.
        prompt_of: not needed.
    """
    thought, said = parts_of(reply)
    lines = repeated_lines(f"{thought}\n{said}")
    _, loop = looped_part(thought, said)
    report = read_report(reply.text or "")
    known = (hallucination_type(name) for name in report.types)
    return NovelTraces(
        budget_spent=spent_budget(reply, max_tokens),
        repeated_line_ratio=round(lines.ratio, 6),
        repeated_lines=lines.count,
        loop=loop.repeated,
        score=answer,
        says_something=bool(said.strip()),
        in_json=report.in_json,
        listed=tuple(dict.fromkeys(one.value for one in known if one is not None)),
        identical=tuple(text[:_MOST_LETTERS] for text in identical_corrections(report.reason)[:_MOST_SHOWN]),
    )
