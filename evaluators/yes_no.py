"""Whether a reply says yes or no, and how probable a yes was, in English and Chinese."""

import math
import re

from lengthwise.contracts import Reply
from lengthwise.metrics.reasoning import mask_reasoning

# What single tokens say.
_YES = frozenset({"yes", "是", "是的", "能"})
_NO = frozenset({"no", "否", "不", "不是", "不能"})
# What begins a line and says it: "Not" and "是否" are others, and a Chinese yes is a word by itself.
_FIRST = re.compile(
    r"""[\W_]*(?:(?:(?:the\ )?(?:final\ )?answer(?:\ is)?|答案是?|回答是?)[\W_]*)?
    (?:(?P<yes>yes(?![a-z])|(?:是的?|对|可以|能(?:证实)?)(?!\w))|no(?![a-z])|否(?!则)|不[是能对]|不可以|无法证实|不(?!\w))""",
    re.IGNORECASE | re.VERBOSE,
)


def says_yes(text: str) -> bool | None:
    """Return whether a reply says yes; None where it says neither.

    Its first words count, behind any reasoning; else those of its last line.

    >>> says_yes("Yes, it does."), says_yes("**否**"), says_yes("Nothing speaks against it.")
    (True, False, None)
    """
    lines = mask_reasoning(text).strip().splitlines()
    for line in dict.fromkeys((lines[0], lines[-1])) if lines else ():
        found = _FIRST.match(line)
        if found is not None:
            return found["yes"] is not None
    return None


def probability_of_yes(reply: Reply) -> float | None:
    """Return how probable a yes was, in [0, 1]; None where the reply says neither yes nor no.

    Where the reply brings log-probabilities, and what it began with is a yes or a no, that is the summed probability
    of all tokens there that say yes, in any spelling; else 1 for a yes and 0 for a no.
    """
    if reply.alternatives and _word(reply.alternatives[0][0]) in _YES | _NO:
        return min(1.0, sum(math.exp(value) for token, value in reply.alternatives if _word(token) in _YES))
    said = says_yes(reply.text or "")
    return None if said is None else float(said)


def _word(token: str) -> str:
    return token.strip(" \t\r\n▁Ġ*\"'“”").casefold()
