import pytest

from lengthwise.builders.longnovel.sources.headings import couplet, find_headings


def texts(text: str) -> list[str]:
    return [heading.text for heading in find_headings(text.split("\n"))]


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("CHAPTER IV", "CHAPTER IV"),
        ("Chapter 12. In Which They Dine", "Chapter 12: In Which They Dine"),
        ("CHAPTER XX.—The Mate", "CHAPTER XX: The Mate"),
        ("BOOK THE FIRST", "BOOK THE FIRST"),
        ("Stave One: The Ghost", "Stave One: The Ghost"),
        ("EPILOGUE", "EPILOGUE"),
        ("第一回 宴桃园豪杰三结义 斩黄巾英雄首立功", "第一回 宴桃园豪杰三结义 斩黄巾英雄首立功"),
        ("　　第十二章　雨夜", "第十二章 雨夜"),
        ("第3节：归来", "第3节 归来"),
        ("第一百二十回甄士隐详说太虚情", "第一百二十回 甄士隐详说太虚情"),
        ("红楼梦 第五回", "第五回"),
        ("卷之三", "卷之三"),
        ("楔子", "楔子"),
    ],
)
def test_headings(line: str, heading: str) -> None:
    assert texts(f"Before.\n\n{line}\n\nThe text goes on here.") == [heading]


@pytest.mark.parametrize(
    "line",
    [
        "Chapter I was the longest.",
        "Book II of the work is lost, they say, and",
        "Part of the way lay by the river.",
        "Act one, scene",
        "The conclusion was plain.",
        "第一回交锋，他便输了。",
        "第二天早上，他走了出去",
        "第一节课后，老师把他叫到了办公室里，问他昨天为什么没有来上课，他说是因为下了一场很大的雨",
    ],
)
def test_prose(line: str) -> None:
    assert texts(f"Before.\n\n{line}\n\nThe text goes on here.") == []


def test_a_heading_needs_an_empty_line_above() -> None:
    assert texts("He opened the book at\nChapter IV\nand read.") == []


def test_a_title_below_the_number() -> None:
    assert texts("CHAPTER I.\n\nDown the Hole\n\nShe fell.") == ["CHAPTER I: Down the Hole"]
    assert texts("CHAPTER I.\nDown the Hole.\n\nShe fell.") == ["CHAPTER I: Down the Hole"]
    assert texts("CHAPTER I.\n\n“Stop!”\n\nShe fell.") == ["CHAPTER I"]
    assert texts("第一回\n甄士隐梦幻识通灵\n贾雨村风尘怀闺秀\n话说从前。") == [
        "第一回 甄士隐梦幻识通灵 贾雨村风尘怀闺秀"
    ]


BODY = "\n\n" + "\n".join(["Some text."] * 10) + "\n\n"


def test_mere_numbers_count_chapters() -> None:
    assert texts(f"I{BODY}II: The Inn{BODY}III{BODY}") == ["I", "II: The Inn", "III"]
    assert texts(f"1{BODY}2{BODY}1{BODY}") == ["1", "2", "1"]


def test_mere_numbers_that_count_nothing() -> None:
    assert texts(f"17{BODY}23{BODY}4{BODY}") == []
    assert texts(f"V{BODY}VI{BODY}") == []
    assert texts("1\n\nNote.\n\n2\n\nNote.\n\n3\n\nNote.") == []


def test_couplets() -> None:
    assert couplet("第九十九回 九九数完魔灭尽　三三行满道归根") == "九九数完魔灭尽　三三行满道归根"
    assert couplet("楔子") == couplet("Chapter I: Loomings") == couplet("") == ""
