"""Judging one reply to PredicateLongBench: what it answers, whether that is right, and how it is wrong if not."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lengthwise.evaluators.judging import Judgement, PromptOf, no_prompt
from lengthwise.metrics.answers import Unparsed, parse_sequence, parse_sequences
from lengthwise.metrics.sequences import match_sequence, match_sequences

_LIST_LABEL = re.compile(r"\b(?:Words|List \d+):")


def judge_predicate(columns: Mapping[str, Any], text: str, prompt_of: PromptOf = no_prompt) -> Judgement:
    """Judge a reply by exact sequence, or by exact set where the question asks for all sequences.

    Details (paper sections 4.3 and 4.7): `first_word_right`, `length_error` (words answered minus words of the gold),
    `precision` and `longest_common_run` (not for "all"), `extra` and `missing` sequences (only for "all"), and for a
    wrong answer `decoy_hit` (see `find_decoy`) and `decoy_looked_up`, False where the prompt is not to be had.

    Args:
        columns: the row: `quantifier`, `answer`, `answers`, `decoys`, `list_span`, `n_words`.
        text: the reply's text, reasoning inline or not.
        prompt_of: gives the prompt of the row, which alone holds the decoys' words.
    """
    every = columns["quantifier"] == "all"
    found = parse_sequences(text) if every else parse_sequence(text)
    if isinstance(found, Unparsed):
        return Judgement(parsed=False, reason=found.reason)
    details: dict[str, Any]
    if every:
        answered: list[list[str]] = list(found.value)  # type: ignore[arg-type]
        group = match_sequences(answered, columns["answers"])
        correct = group.exact
        details = {
            "first_word_right": group.first_word_right,
            "length_error": group.length_error,
            "extra": group.extra,
            "missing": group.missing,
        }
    else:
        words: list[str] = list(found.value)  # type: ignore[arg-type]
        match = match_sequence(words, columns["answer"])
        correct, answered = match.exact, [words]
        details = {
            "first_word_right": match.first_word_right,
            "length_error": match.length_error,
            "precision": round(match.precision, 6),
            "longest_common_run": match.longest_common_run,
        }
    if not correct:
        words_of_list = _words_if_needed(columns, answered, prompt_of)
        details["decoy_hit"] = find_decoy(columns["decoys"], answered, words_of_list) if words_of_list else None
        details["decoy_looked_up"] = words_of_list is not None
    return Judgement(parsed=True, answer=found.value, correct=correct, details=details)


def _words_if_needed(
    columns: Mapping[str, Any], answered: Iterable[Sequence[str]], prompt_of: PromptOf
) -> list[str] | None:
    """Return the row's word list, `[]` where nothing can have been hit, None where the words are not to be had."""
    if not columns["decoys"] or not any(answered):
        return []
    prompt = prompt_of()
    return None if prompt is None else list_words(columns, prompt)


def find_decoy(
    decoys: Sequence[Mapping[str, Any]], answered: Iterable[Sequence[str]], words: Sequence[str]
) -> dict[str, Any] | None:
    """Return the decoy that a wrong answer fell for: its `index` in `decoys`, its `kind`, and `words` of it answered.

    A decoy that is a run is hit if its words were answered, all and no others, in whatever order: a model that
    overlooks a swapped pair often mends it while copying. A decoy of one word (a near-miss) is hit if it was answered;
    the first such is named and `words` counts all.

    Args:
        decoys: the row's: `start` and `length` in the flat word list, and `kind`.
        answered: the sequences answered.
        words: the row's flat word list.
    """
    sets = {frozenset(sequence) for sequence in answered if sequence}
    given = frozenset[str]().union(*sets)
    singles = [
        (index, decoy) for index, decoy in enumerate(decoys) if decoy["length"] == 1 and words[decoy["start"]] in given
    ]
    if singles:
        index, decoy = singles[0]
        return {"index": index, "kind": decoy["kind"], "words": len({words[one["start"]] for _, one in singles})}
    for index, decoy in enumerate(decoys):
        run = words[decoy["start"] : decoy["start"] + decoy["length"]]
        if len(run) > 1 and frozenset(run) in sets:
            return {"index": index, "kind": decoy["kind"], "words": len(run)}
    return None


def list_words(columns: Mapping[str, Any], prompt: str) -> list[str] | None:
    """Return the flat word list of a row, read back from its prompt; None if it is not the row's prompt.

    Args:
        columns: the row: `list_span` (character offsets of the words in the prompt) and `n_words`.
        prompt: the row's prompt.
    """
    start, end = columns["list_span"]
    words = _LIST_LABEL.sub(" ", prompt[start:end]).split()
    return words if len(words) == columns["n_words"] else None
