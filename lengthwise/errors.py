"""The one error for bad input.

Every message names the argument, says what was wrong, and gives the fix; the command line prints it and exits with
code 2. Anything else that escapes is a defect of ours.
"""

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """Something the caller gave cannot be used; the message says what, why, and what to do instead."""


def unknown_name(what: str, name: str, known: Iterable[str]) -> InputError:
    """Return the error for a name that is not in a table, with the nearest known one.

    Args:
        what: the kind of thing, as the user calls it ("config", "model kind").
        name: what was given.
        known: all names that would have been understood.

    >>> print(unknown_name("config", "lex-locat", ["lex-locate", "unary-all"]))
    unknown config 'lex-locat': did you mean 'lex-locate'? Known: lex-locate, unary-all
    """
    known = list(known)
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"did you mean {close[0]!r}? " if close else ""
    return InputError(f"unknown {what} {name!r}: {hint}Known: {', '.join(known)}")
