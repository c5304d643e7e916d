"""JSON of requests with long prompts: a prompt is put in quotes once, for its digest and for what is sent."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

# Characters from which a text is worth remembering, and how many texts are: those between their digest and their way
# to the server, which is a moment where nothing has to be waited for.
_LONG = 4096
_REMEMBERED = 8
# As `json.dumps`, which makes an encoder each time.
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
# What is escaped and can be expected in a text; the first first.
_ESCAPES = ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n"), (b"\r", b"\\r"), (b"\t", b"\\t"))
# Stands for a long text, and what that is in JSON.
_MARK, _MARK_JSON = "\0", b'"\\u0000"'


def dump_json(value: Any) -> bytes:
    """Return a value of JSON types as JSON in UTF-8, without spaces, in the order of its keys.

    >>> dump_json({"model": "m", "n": [1, None, 0.5]})
    b'{"model":"m","n":[1,null,0.5]}'
    """
    if not _has_long(value):
        return _dump(value)
    long: list[str] = []
    pieces = _dump(_marked(value, long)).split(_MARK_JSON)
    if len(pieces) != len(long) + 1:
        # A short text ends in a quotation mark and the mark.
        return _dump(value)
    whole = [pieces[0]]
    for text, piece in zip(long, pieces[1:], strict=True):
        whole += (_quoted(text), piece)
    return b"".join(whole)


def _has_long(value: Any) -> bool:
    """Return whether a value has a long text; where it is of other types than JSON is read as, it may have one."""
    kind = type(value)
    if kind is str:
        return len(value) >= _LONG
    if kind is dict:
        return any(map(_has_long, value.values()))
    if kind is list or kind is tuple:
        return any(map(_has_long, value))
    return value is not None and kind not in (int, float, bool)


def _marked(value: Any, long: list[str]) -> Any:
    """Return a value with marks in the place of long texts, which are put into `long`."""
    if isinstance(value, str):
        if len(value) < _LONG and value != _MARK:
            return value
        long.append(value)
        return _MARK
    if isinstance(value, Mapping):
        return {key: _marked(one, long) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_marked(one, long) for one in value]
    return value


def _dump(value: Any) -> bytes:
    try:
        return _encode(value).encode()
    except UnicodeEncodeError:
        # Half a surrogate pair has no place in UTF-8, but one in an escape.
        return json.dumps(value, separators=(",", ":")).encode()


@lru_cache(maxsize=_REMEMBERED)
def _quoted(text: str) -> bytes:
    """Return a long text as JSON; where it holds no rare control characters, ten times as fast as `json.dumps`."""
    import numpy as np

    try:
        quoted = text.encode()
    except UnicodeEncodeError:
        return _dump(text)
    for plain, escaped in _ESCAPES:
        quoted = quoted.replace(plain, escaped)
    return _dump(text) if np.frombuffer(quoted, np.uint8).min() < ord(" ") else b'"%b"' % quoted
