"""Bytes to text: UTF-8, GB18030 and their neighbours told apart by what they decode to."""

import codecs

# Among the commonest characters of novels, old and new, in both scripts: a wrong guess hardly yields any of them.
_COMMON = frozenset("的一不了是我人在有他这這道来來说說个個大上你着著到也子去又那里裡之曰见見")
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_CHINESE = ("gb18030", "big5")


def decode(data: bytes) -> tuple[str, str]:
    """Return the text of a file and the name of its encoding; line ends become LF, what is undecodable U+FFFD.

    Without a mark at its beginning, a file is UTF-8 if it is valid UTF-8. Else it is Western (windows-1252) if most of
    its bytes are ASCII, and of the two Chinese encodings the one in which it has more of the commonest characters.
    UTF-8 with a few damaged bytes stays UTF-8.

    >>> decode("第一回".encode("gb18030")), decode("第一回".encode())
    (('第一回', 'gb18030'), ('第一回', 'utf-8'))
    """
    encoding = _encoding(data)
    text = data.decode(encoding, errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n"), encoding


def _encoding(data: bytes) -> str:
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name
    text = data.decode("utf-8", errors="replace")
    beyond_ascii = sum(byte > 127 for byte in data)
    # Another encoding read as UTF-8 is damaged at nearly every character that is not ASCII.
    if text.count("\ufffd") <= beyond_ascii // 10:
        return "utf-8"
    if beyond_ascii < len(data) // 5:
        return "cp1252"
    return max(_CHINESE, key=lambda name: _commonness(data, name))


def _commonness(data: bytes, encoding: str) -> int:
    text = data.decode(encoding, errors="replace")
    return sum(character in _COMMON for character in text) - text.count("\ufffd")
