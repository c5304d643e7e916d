"""The chapters of an EPUB, in reading order.

No library is used: the well-kept ones are under the AGPL, and the permissive ones are unmaintained or turn a whole
book into one Markdown text. An EPUB is a zip of XHTML files and an order to read them in, which the standard library
reads.
"""

import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

from lengthwise.errors import InputError

from .plain import Chapter

_CONTAINER = "META-INF/container.xml"
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCKS = frozenset({"p", "div", "section", "article", "blockquote", "li", "tr", "header", "footer", "hr", "pre", "dd",
                     "dt", "figure", "figcaption", "td", "body"})  # fmt: skip
_SKIPPED = frozenset({"script", "style", "head", "nav", "svg", "math", "rt", "rp"})
_VOID = frozenset({"br", "hr", "img", "meta", "link", "input", "col", "wbr", "source", "image", "area", "base"})
# What a book has before and behind its text, as the EPUB vocabulary calls it, or file names do that say no more.
_APART = re.compile(
    r"\b(?:cover|titlepage|halftitlepage|imprint|copyright-page|colophon|toc|landmarks|loi|endnotes|footnotes|index|"
    r"dedication|noteref|pagebreak|pg-boilerplate|other-credits)\b"
)
_APART_FILE = re.compile(
    r"(?:^|[-_/\d])(?:cover|title-?page|half-?title|imprint|copyright|colophon|uncopyright|toc|contents|nav|endnotes)"
    r"(?:[-_.\d]|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Epub:
    """What an EPUB says of itself ("" where it says nothing), and its chapters."""

    title: str
    language: str
    rights: str
    chapters: tuple[Chapter, ...]


def read_epub(path: Path) -> Epub:
    """Return the text of an EPUB.

    A file of the reading order is a chapter; one with several headings of its highest rank is one for each. A file
    without a heading goes on with the chapter before it. Covers, title pages, tables of contents, notes and licences
    are left out.

    Raises:
        InputError: the file is no EPUB, or is encrypted.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return _read(archive)
    except (zipfile.BadZipFile, KeyError, ElementTree.ParseError, UnicodeDecodeError) as error:
        raise InputError(f"{path.name}: no EPUB that can be read ({error}); convert it to plain text") from error
    except RuntimeError as error:
        raise InputError(f"{path.name}: {error}; give a file without protection") from error


def _read(archive: zipfile.ZipFile) -> Epub:
    root = ElementTree.fromstring(archive.read(_CONTAINER)).find(".//{*}rootfile")
    name = unquote(root.get("full-path", "")) if root is not None else ""
    package = ElementTree.fromstring(archive.read(name))
    files = {item.get("id"): item for item in package.iterfind("{*}manifest/{*}item")}
    chapters: list[Chapter] = []
    for reference in package.iterfind("{*}spine/{*}itemref"):
        item = files.get(reference.get("idref"))
        if item is None or reference.get("linear") == "no" or "nav" in (item.get("properties") or "").split():
            continue
        href = unquote(item.get("href", "").partition("#")[0])
        if _APART_FILE.search(href):
            continue
        page = archive.read(posixpath.normpath(posixpath.join(posixpath.dirname(name), href)))
        for chapter in _chapters(page.decode("utf-8-sig")):
            if chapter.title or not chapters:
                chapters.append(chapter)
            else:
                chapters[-1] = Chapter(chapters[-1].title, f"{chapters[-1].text}\n\n{chapter.text}".strip())
    kept = tuple(chapter for chapter in _with_volumes(chapters) if chapter.text)
    said = {key: package.findtext(f"{{*}}metadata/{{*}}{key}") or "" for key in ("title", "language", "rights")}
    return Epub(said["title"].strip(), said["language"].strip(), said["rights"].strip(), kept)


def _with_volumes(chapters: list[Chapter]) -> Iterator[Chapter]:
    """Let a volume's page, a heading and no text, lead the title of the chapter behind it."""
    leading: list[str] = []
    for chapter in chapters:
        if not chapter.text:
            leading.append(chapter.title)
            continue
        yield Chapter(", ".join(part for part in (*leading, chapter.title) if part), chapter.text)
        leading = []


def _chapters(page: str) -> Iterator[Chapter]:
    reader = _Page()
    reader.feed(page)
    reader.close()
    reader.end_block()
    ranks = [rank for rank, _ in reader.blocks if rank]
    top = min(ranks, default="")
    title, began = "", False
    text: list[str] = []
    for rank, block in reader.blocks:
        if not rank:
            text.append(block)
            began = True
        elif rank == top and (began or not title):
            if began:
                yield Chapter(title, "\n\n".join(text))
            title, text, began = block, [], False
        elif began:
            text.append(block)
        else:
            # What stands right below the heading is its second part: a number and a name, say.
            title = f"{title}: {block}" if title else block
    if title or text:
        yield Chapter(title, "\n\n".join(text))


class _Page(HTMLParser):
    """Takes a page apart into blocks of text: (rank of the heading, "" for none; text)."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[tuple[str, str]] = []
        self._text: list[str] = []
        self._rank = ""
        # Within an <hgroup>: its heading and the paragraphs around it are one title.
        self._grouped = False
        # Open elements since the one that is left out; empty outside such.
        self._skipped: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._skipped:
            if tag not in _VOID:
                self._skipped.append(tag)
            return
        said = " ".join(value or "" for name, value in attrs if name in ("epub:type", "class", "role"))
        if tag in _SKIPPED or (tag != "html" and tag not in _VOID and _APART.search(said)):
            self._skipped.append(tag)
        elif tag == "br":
            self._text.append("\n")
        elif tag == "hgroup":
            self.end_block()
            self._grouped = True
        elif tag in _HEADINGS:
            if not self._grouped:
                self.end_block()
            self._rank = self._rank or tag
        elif tag in _BLOCKS and not self._rank and not self._grouped:
            self.end_block()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._skipped:
            # A page that closes what it never opened ends what is left out no earlier.
            if tag in self._skipped:
                del self._skipped[len(self._skipped) - 1 - self._skipped[::-1].index(tag) :]
            return
        if tag == "hgroup" or (tag == self._rank and not self._grouped):
            self.end_block()
            self._rank, self._grouped = "", False
        elif self._grouped and (tag in _HEADINGS or tag in _BLOCKS):
            self._text.append("\n")
        elif tag in _BLOCKS:
            if self._rank:
                self._text.append(" ")
            else:
                self.end_block()

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            # Line ends of the file are spaces; those of the text are <br>.
            self._text.append(re.sub(r"[ \t\r\n]+", " ", data))

    def end_block(self) -> None:
        """End the paragraph or heading that is being read."""
        lines = (re.sub(r"[ \t]+", " ", line).strip() for line in "".join(self._text).split("\n"))
        between = ": " if self._grouped else " " if self._rank else "\n"
        text = between.join(line for line in lines if line)
        # Joiners that editions put into words and abbreviations are no characters of the text.
        text = re.sub("[\u2060\ufeff\u00ad]", "", text)
        self._text = []
        if text:
            self.blocks.append((self._rank, text))
