"""A summary that a model wrote, or why it cannot be used."""

import re
from collections.abc import Callable

from lengthwise.contracts import Reply

from .asking import RefusedError, readable
from .records import Language
from .summary_replies import read_summary

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]")


def is_in(text: str, language: Language) -> bool:
    """Return whether a text is in a language, by its letters: names of the other one may stand in it.

    >>> is_in("Ahab went to sea.", "en"), is_in("亚哈（Ahab）出海。", "zh"), is_in("亚哈（Ahab）出海。", "en")
    (True, True, False)
    """
    chinese, latin = len(_CHINESE.findall(text)), len(_LATIN.findall(text))
    # A Chinese character stands for about two letters.
    return 2 * chinese >= latin if language == "zh" else 10 * chinese <= latin


def summary_reader(
    language: Language, *, most: int | None = None, words: Callable[[str], int] = len
) -> Callable[[Reply], str]:
    """Return a reader of written summaries, as `Line.usable` takes it.

    Args:
        language: that they are to be in.
        most: words that one may have at most; None for any number.
        words: counts them.
    """
    read = readable(read_summary)

    def read_written(reply: Reply) -> str:
        if reply.finish_reason == "length":
            raise RefusedError("cut by length")
        summary = read(reply)
        if not is_in(summary, language):
            raise RefusedError("another language")
        if most is not None and words(summary) > most:
            raise RefusedError("much too long")
        return summary

    return read_written
