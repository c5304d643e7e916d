import pytest

from lengthwise.builders.longnovel.sources.encoding import decode

CHINESE = "却说那日，老残来到山上，见了他的朋友，说了不少的话。\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_chinese_is_told_apart(encoding: str) -> None:
    assert decode(CHINESE.encode(encoding)) == (CHINESE, encoding)


def test_traditional_text_in_big5() -> None:
    text = "卻說那日，老殘來到山上，見了他的朋友，說了不少的話。"
    assert decode(text.encode("big5")) == (text, "big5")
    assert decode(text.encode("gb18030")) == (text, "gb18030")


def test_western_quotes_are_no_chinese() -> None:
    text = "“Stop!” he cried. “You’ll fall,” said the old man’s daughter, and she was right.\n"
    assert decode(text.encode("cp1252")) == (text, "cp1252")


def test_a_few_damaged_bytes_leave_utf_8() -> None:
    data = (CHINESE * 20).encode()
    text, encoding = decode(data[:31] + b"\xff" + data[32:])
    assert encoding == "utf-8" and 1 <= text.count("\ufffd") <= 3


def test_damaged_gb18030_is_marked() -> None:
    data = (CHINESE * 20).encode("gb18030")
    text, encoding = decode(data[:-1])
    assert encoding == "gb18030" and text.startswith(CHINESE)


def test_line_ends_become_one_sign() -> None:
    assert decode(b"one\r\ntwo\rthree\n") == ("one\ntwo\nthree\n", "utf-8")
