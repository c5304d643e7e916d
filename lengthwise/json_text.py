"""JSON of requests with long prompts: a prompt is put in quotes once, for its digest and for what is sent."""

import json
from collections.abc import Mapping
from functools import lru_cache
from json.encoder import encode_basestring
from typing import Any

# Characters from which a text is worth remembering, and how many texts are: those between their digest and their way
# to the server, which is a moment where nothing has to be waited for.
_LONG = 4096
_REMEMBERED = 8


def dump_json(value: Any) -> bytes:
    """Return a value of JSON types as JSON in UTF-8, without spaces, in the order of its keys.

    >>> dump_json({"model": "m", "n": [1, None, 0.5]})
    b'{"model":"m","n":[1,null,0.5]}'
    """
    pieces: list[bytes] = []
    _add(value, pieces)
    return b"".join(pieces)


def _add(value: Any, pieces: list[bytes]) -> None:
    if isinstance(value, str):
        pieces.append(_quoted(value) if len(value) < _LONG else _quoted_long(value))
    elif isinstance(value, Mapping):
        comma = b"{"
        for key, one in value.items():
            pieces += (comma, _quoted(str(key)), b":")
            _add(one, pieces)
            comma = b","
        pieces.append(b"}" if comma == b"," else b"{}")
    elif isinstance(value, list | tuple):
        comma = b"["
        for one in value:
            pieces.append(comma)
            _add(one, pieces)
            comma = b","
        pieces.append(b"]" if comma == b"," else b"[]")
    else:
        pieces.append(json.dumps(value).encode())


def _quoted(text: str) -> bytes:
    try:
        return encode_basestring(text).encode()
    except UnicodeEncodeError:
        # Half a surrogate pair has no place in UTF-8, but one in an escape.
        return json.dumps(text).encode()


@lru_cache(maxsize=_REMEMBERED)
def _quoted_long(text: str) -> bytes:
    return _quoted(text)
