"""Proves a row right: everything its columns claim is derived again from its prompt by the independent solver."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from . import solver
from .instance import Predicate
from .reader import read_prompt, split_lists

Conditions: TypeAlias = list[tuple[str, Mapping[str, str | int]]]


class ProofError(Exception):
    """A row claims what its prompt does not hold; the message names the row and the claim."""


def prove(row: Mapping[str, Any]) -> None:
    """Check every claim of a row.

    The prompt is the join of list and question; the question, read back, is the row's; the answer is the one window
    (or the one longest run, or exactly the set) that the solver finds; every decoy fails for the one reason it was
    made to fail; synthetic words are all different.

    Args:
        row: all columns, as plain Python types.

    Raises:
        ProofError: a claim does not hold.
    """
    shown_list = _check_join(row)
    words, starts, all_different = _words_of(shown_list)
    _expect(row, "n_words", row["n_words"], len(words))
    _expect(row, "list_starts", list(row["list_starts"]), list(starts))
    if row["source"] == "synthetic" and not all_different:
        raise ProofError(f"{row['id']}: a word occurs twice in the list")
    conditions = _check_question(row)
    _check_answers(row, words, starts, conditions)
    _check_decoy_places(row, len(words), len(starts))
    for decoy in row["decoys"]:
        if decoy["kind"] == "near-sorted":
            _check_near_sorted(row, words, decoy)
    if any(decoy["kind"] == "near-miss" for decoy in row["decoys"]):
        _check_near_misses(row, words, conditions)
    if len(starts) > 1:
        _check_boundaries(row, words, starts)


@lru_cache(maxsize=1)
def _words_of(shown_list: str) -> tuple[tuple[str, ...], tuple[int, ...], bool]:
    """Return the words, where each list begins, and whether all words are different.

    Rows that differ in the question follow each other and share their list: it is taken apart once.
    """
    words, starts = split_lists(shown_list)
    return tuple(words), tuple(starts), len(set(words)) == len(words)


def _expect(row: Mapping[str, Any], claim: str, claimed: object, found: object) -> None:
    if claimed != found:
        raise ProofError(f"{row['id']}: {claim} is {claimed!r} in the row and {found!r} in its prompt")


def _check_join(row: Mapping[str, Any]) -> str:
    prompt: str = row["prompt"]
    tail = f"\n\n{row['question']}"
    if not prompt.endswith(tail):
        raise ProofError(f"{row['id']}: the prompt does not end with an empty line and the question")
    shown_list = prompt[: -len(tail)]
    start = len("Words: ") if len(row["list_starts"]) == 1 else 0
    _expect(row, "list_span", list(row["list_span"]), [start, len(shown_list)])
    return shown_list


def _check_question(row: Mapping[str, Any]) -> Conditions:
    try:
        predicates = [Predicate.from_row(entry) for entry in row["predicates"]]
        # The words do not matter here: a short list stands in for them.
        task = read_prompt(f"Words: a\n\n{row['question']}")
    except ValueError as error:  # of JSON, or an InputError
        raise ProofError(f"{row['id']}: question or predicates cannot be read: {error}") from error
    conditions = [(predicate.kind, predicate.parameters) for predicate in predicates]
    _expect(row, "predicates", [(k, dict(p)) for k, p in conditions], [(k, dict(p)) for k, p in task.predicates])
    alone = len(predicates) == 1 and predicates[0].position < 0
    _expect(row, "positions", [p.position for p in predicates], [-1] if alone else [*range(len(predicates))])
    lines = row["question"].splitlines()
    for predicate in predicates:
        if not alone and f"- word {predicate.position + 1} {predicate.text}" not in lines:
            raise ProofError(f"{row['id']}: the question does not say {predicate.text!r}")
    _expect(row, "quantifier", row["quantifier"], task.quantifier)
    if task.k is not None:
        _expect(row, "k", row["k"], task.k)
    return conditions


def _check_answers(
    row: Mapping[str, Any],
    words: Sequence[str],
    starts: Sequence[int],
    conditions: Conditions,
) -> None:
    k = None if row["quantifier"] == "longest" else row["k"]
    found = solver.solve(words, conditions, k, row["quantifier"], starts)
    if not found or (row["quantifier"] != "all" and len(found) > 1):
        raise ProofError(f"{row['id']}: {len(found)} answers instead of one")
    answers = [list(words[start : start + length]) for start, length in found]
    _expect(row, "answers", [list(answer) for answer in row["answers"]], answers)
    _expect(row, "answer", list(row["answer"]), answers[0])
    _expect(row, "answer_text", row["answer_text"], " | ".join(map(" ".join, answers)))
    _expect(row, "target_start", row["target_start"], found[0][0])
    _expect(row, "k", row["k"], found[0][1])


def _check_decoy_places(row: Mapping[str, Any], n_words: int, lists: int) -> None:
    end = 0
    for decoy in row["decoys"]:
        fits = end <= decoy["start"] and 1 <= decoy["length"] <= n_words - decoy["start"]
        known = decoy["kind"] in ("near-sorted", "near-miss") or (decoy["kind"] == "boundary-run" and lists > 1)
        if not fits or not known:
            raise ProofError(f"{row['id']}: there can be no decoy {dict(decoy)}")
        end = decoy["start"] + decoy["length"]


def _check_near_sorted(row: Mapping[str, Any], words: Sequence[str], decoy: Mapping[str, Any]) -> None:
    start, length = decoy["start"], decoy["length"]
    here = list(words[start : start + length])
    falls = [place for place in range(1, length) if here[place - 1] >= here[place]]
    mended = sorted(here)
    swapped = [place for place in range(length) if here[place] != mended[place]]
    interior = len(falls) == 1 and swapped == [falls[0] - 1, falls[0]] and 2 <= falls[0] <= length - 2
    if length != row["k"] or not interior or len(set(here)) < length:
        raise ProofError(
            f"{row['id']}: the decoy at {start} is not a run of {row['k']} with one interior pair swapped"
        )
    before_stops = start == 0 or words[start - 1] > mended[0]
    behind_stops = start + length == len(words) or words[start + length] < mended[-1]
    if not before_stops or not behind_stops:
        raise ProofError(f"{row['id']}: a word beside the decoy at {start} extends it")


def _check_near_misses(row: Mapping[str, Any], words: Sequence[str], conditions: Conditions) -> None:
    targets = {place for place in range(row["target_start"], row["target_start"] + row["k"])}
    several = [1 << bit for bit in range(len(conditions))]
    sets = solver.satisfied_positions(words, conditions)
    one = set(several)
    for place, bits in enumerate(sets):
        if bits and bits not in one and place not in targets:
            raise ProofError(f"{row['id']}: the word at {place}, outside the target, satisfies several conditions")
    for decoy in row["decoys"]:
        if decoy["length"] != 1 or sets[decoy["start"]] not in one or decoy["start"] in targets:
            raise ProofError(f"{row['id']}: the near miss at {decoy['start']} does not satisfy exactly one condition")


def _check_boundaries(row: Mapping[str, Any], words: Sequence[str], starts: Sequence[int]) -> None:
    crossing = {
        start: length
        for start, length in solver.ascending_runs(words, at_least=row["k"])
        if any(start < bound < start + length for bound in starts)
    }
    claimed = {decoy["start"]: decoy["length"] for decoy in row["decoys"] if decoy["kind"] == "boundary-run"}
    if crossing != claimed or set(crossing.values()) != {row["k"]} or len(crossing) != len(starts) - 1:
        raise ProofError(f"{row['id']}: not every boundary between two lists carries one run of exactly {row['k']}")
