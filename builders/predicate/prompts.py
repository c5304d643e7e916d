"""The prompt: the word list first, the question behind it, so that two questions on one list share their prefix."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from string import Template

from .instance import Predicate
from .variants import VARIANTS

JOIN = "\n\n"


@lru_cache(maxsize=16)
def template(name: str) -> str:
    """Return the template of one question, from `prompts/<name>.txt`; placeholders `$k`, `$lists`, `$conditions`."""
    return files("lengthwise.builders.predicate").joinpath("prompts", f"{name}.txt").read_text("utf-8").strip()


def question(name: str, k: int, predicates: Sequence[Predicate], lists: int = 1) -> str:
    """Return the question of a row.

    Args:
        name: of the template.
        k: words asked for.
        predicates: the conditions; those with a position become one line each.
        lists: number of lists.
    """
    conditions = "\n".join(
        f"- word {predicate.position + 1} {predicate.text}" if predicate.position >= 0 else predicate.text
        for predicate in predicates
    )
    return Template(template(name)).substitute(k=k, lists=lists, conditions=conditions)


def prompts_digest() -> str:
    """Return the SHA-256 (hex) over all templates: runs whose prompts differ in wording differ in it."""
    names = sorted({variant.question for variant in VARIANTS.values()})
    return hashlib.sha256("\0".join(map(template, names)).encode()).hexdigest()


def labels(lists: int) -> list[str]:
    """Return what stands before the words of each list, with the line end that separates it from the list before."""
    return ["Words:"] if lists == 1 else ["List 1:", *(f"\nList {number}:" for number in range(2, lists + 1))]


def list_text(words: str, list_starts: Sequence[int]) -> str:
    r"""Return the list as the prompt shows it.

    Args:
        words: every word with a single space before it.
        list_starts: index of the first word of each list.

    >>> list_text(" a b c", [0])
    'Words: a b c'
    >>> list_text(" a b c", [0, 2])
    'List 1: a b\nList 2: c'
    """
    heads = labels(len(list_starts))
    if len(heads) == 1:
        return heads[0] + words
    every = words.split()
    ends = [*list_starts[1:], len(every)]
    return "".join(
        f"{head} {' '.join(every[start:end])}" for head, start, end in zip(heads, list_starts, ends, strict=True)
    )


def join(shown_list: str, question_text: str) -> str:
    """Return the prompt: the list, an empty line, the question. Anyone may reword the question and join again."""
    return shown_list + JOIN + question_text


def list_span(shown_list: str, lists: int) -> list[int]:
    """Return the character offsets of the list in the prompt: from its first word (or "List 1:") to its end."""
    return [len("Words: ") if lists == 1 else 0, len(shown_list)]
