"""Checks a built site: every link and anchor within it leads somewhere, and no page loads anything from elsewhere."""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a browser loads by itself. An `<a>` leads away only if someone follows it.
LOADED = {"img": "src", "script": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src"}
# Of `<link rel=...>`: hints and data that are loaded too.
RELATIONS = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "dns-prefetch", "modulepreload"}
IN_STYLE = re.compile(r"(?:@import\s+|url\()\s*[\"']?(?:https?:)?//")


class Page(HTMLParser):
    """The anchors of a page, where it links to, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take note of one tag."""
        values = {name: value or "" for name, value in attrs}
        self.anchors.update(values[name] for name in ("id", "name") if name in values)
        if tag in LOADED:
            self.loaded.append(values.get(LOADED[tag], ""))
        if tag == "link" and RELATIONS & {*values.get("rel", "").split()}:
            self.loaded.append(values["href"])
        if tag == "a" and "href" in values:
            self.links.append(values["href"])


def faults(site: Path) -> list[str]:
    """Return what is wrong with a site, a line each."""
    pages = {path: Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        name = path.relative_to(site)
        for target in (*page.links, *page.loaded):
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                if target in page.loaded and parts.scheme != "data":
                    found.append(f"{name}: loads {target}")
                continue
            file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            file = file / "index.html" if file.is_dir() else file
            if not file.exists():
                found.append(f"{name}: no {target}")
            elif parts.fragment and file in pages and unquote(parts.fragment) not in pages[file].anchors:
                found.append(f"{name}: no anchor {target}")
    for path in site.rglob("*.css"):
        if IN_STYLE.search(path.read_text("utf-8")):
            found.append(f"{path.relative_to(site)}: loads from elsewhere")
    return found if pages else [f"{site}: no pages"]


if __name__ == "__main__":
    wrong = faults(Path(sys.argv[1]).resolve())
    print("\n".join(wrong) or "all links and anchors lead somewhere, and nothing is loaded from elsewhere")
    sys.exit(bool(wrong))
