import zipfile
from pathlib import Path

import pytest

from lengthwise.builders.longnovel.sources.books import BookOptions, read_books
from lengthwise.builders.longnovel.sources.epub import read_epub
from lengthwise.builders.longnovel.sources.plain import Chapter
from lengthwise.errors import InputError

CONTAINER = """<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="epub/content.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>"""


def epub(path: Path, pages: dict[str, str], extra: str = "", language: str = "en-GB") -> Path:
    """Write a book whose reading order is that of the pages."""
    items = "".join(
        f'<item id="p{n}" href="{name}" media-type="application/xhtml+xml"/>' for n, name in enumerate(pages)
    )
    order = "".join(f'<itemref idref="p{n}"/>' for n in range(len(pages)))
    package = f"""<package xmlns="http://www.idpf.org/2007/opf" version="3.0">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>A Tale</dc:title><dc:language>{language}</dc:language>
<dc:rights>Public domain.</dc:rights></metadata><manifest>{items}{extra}</manifest><spine>{order}</spine></package>"""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", CONTAINER)
        archive.writestr("epub/content.opf", package)
        for name, body in pages.items():
            page = f'<html xmlns:epub="http://www.idpf.org/2007/ops"><head><title>Page</title></head>{body}</html>'
            archive.writestr(f"epub/{name.replace('%20', ' ')}", page)
    return path


def read(tmp_path: Path, *bodies: str) -> list[Chapter]:
    pages = {f"text/{n}.xhtml": f"<body>{body}</body>" for n, body in enumerate(bodies)}
    return list(read_epub(epub(tmp_path / "tale.epub", pages)).chapters)


def test_a_page_is_a_chapter(tmp_path: Path) -> None:
    found = read(tmp_path, "<h2>I</h2><p>One\n  <i>two</i>.</p><p>Three&#8212;four.</p>", "<h2>II</h2><p>Five.</p>")
    assert found == [Chapter("I", "One two.\n\nThree—four."), Chapter("II", "Five.")]


def test_number_and_name_of_a_chapter_are_one_title(tmp_path: Path) -> None:
    group = '<hgroup><h2 epub:type="ordinal">IV</h2><p epub:type="title">The <i>Inn</i></p></hgroup><p>One.</p>'
    assert read(tmp_path, group, "<h2>V</h2><h3>Night</h3><p>Two.</p>") == [
        Chapter("IV: The Inn", "One."), Chapter("V: Night", "Two.")
    ]  # fmt: skip


def test_a_page_of_several_chapters(tmp_path: Path) -> None:
    found = read(tmp_path, "<h2>I</h2><p>One.</p><h3>A letter</h3><p>Two.</p><h2>II</h2><p>Three.</p>")
    assert found == [Chapter("I", "One.\n\nA letter\n\nTwo."), Chapter("II", "Three.")]


def test_a_page_without_a_heading_goes_on(tmp_path: Path) -> None:
    assert read(tmp_path, "<h2>I</h2><p>One.</p>", "<p>Two.</p>") == [Chapter("I", "One.\n\nTwo.")]


def test_a_volumes_page_leads_the_next_title(tmp_path: Path) -> None:
    assert read(tmp_path, "<h1>Part One</h1>", "<h2>I</h2><p>One.</p>") == [Chapter("Part One, I", "One.")]


def test_verse_keeps_its_lines(tmp_path: Path) -> None:
    assert read(tmp_path, "<h2>I</h2><p><span>One,</span><br/><span>two.</span></p>") == [Chapter("I", "One,\ntwo.")]


def test_what_is_not_the_text_is_left_out(tmp_path: Path) -> None:
    apart = (
        '<h2>I</h2><p>One<a epub:type="noteref" href="#n">1</a>.</p><section class="pg-boilerplate"><p>Licence<br>'
        "<img src='x'></p></section><script>x < y</script><aside epub:type='footnotes'><p>Note.</p></aside><p>Two.</p>"
    )
    assert read(tmp_path, apart) == [Chapter("I", "One.\n\nTwo.")]


def test_covers_contents_and_navigation_are_left_out(tmp_path: Path) -> None:
    pages = {
        "text/titlepage.xhtml": "<body><h1>A Tale</h1><p>By N. N.</p></body>",
        "text/1.xhtml": '<body epub:type="imprint"><h2>Imprint</h2><p>Made.</p></body>',
        "text/chapter%201.xhtml": "<body><h2>I</h2><p>One.</p></body>",
        "toc.xhtml": "<body><nav><h2>Contents</h2><ol><li>I</li></ol></nav></body>",
    }
    found = read_epub(epub(tmp_path / "tale.epub", pages))
    assert (found.title, found.language, found.rights) == ("A Tale", "en-GB", "Public domain.")
    assert found.chapters == (Chapter("I", "One."),)


def test_an_epub_is_a_book(tmp_path: Path) -> None:
    path = epub(tmp_path / "Tale 1.epub", {"a.xhtml": "<body><h1>第一回</h1><p>话说。</p></body>"}, language="zh-CN")
    (book,) = read_books(path, BookOptions())
    assert [(unit.book, unit.index, unit.language, unit.title, unit.text) for unit in book.units] == [
        ("tale_1", 1, "zh", "第一回", "话说。")
    ]


def test_files_that_are_no_epubs(tmp_path: Path) -> None:
    path = tmp_path / "tale.epub"
    path.write_text("text")
    with pytest.raises(InputError, match=r"tale\.epub: no EPUB that can be read \(File is not a zip file\)"):
        read_epub(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("META-INF/container.xml", "<container>")
    with pytest.raises(InputError, match="no EPUB that can be read"):
        read_epub(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("META-INF/container.xml", CONTAINER)
    with pytest.raises(InputError, match="no EPUB that can be read"):
        read_epub(path)
