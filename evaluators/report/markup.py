"""HTML by composition: text is escaped unless it is already HTML, so that nothing a model said can become markup."""

import html
from typing import TypeAlias


class Html(str):
    """A string that is HTML already."""

    __slots__ = ()


Child: TypeAlias = str | int | float | None
Attribute: TypeAlias = str | int | float | bool | None

_VOID = frozenset({"br", "line", "rect", "circle", "path", "polyline", "polygon"})


def text(child: Child) -> Html:
    """Return a child as HTML: `Html` as it is, anything else escaped, None as nothing."""
    if isinstance(child, Html):
        return child
    return Html("" if child is None else html.escape(str(child)))


def join(*children: Child) -> Html:
    """Return the children one behind the other."""
    return Html("".join(map(text, children)))


def tag(name: str, *children: Child, **attributes: Attribute) -> Html:
    """Return an element.

    Args:
        name: of the element; from our code, never from data.
        children: its content.
        attributes: a trailing underscore is dropped and others become hyphens (`class_`, `aria_label`); True is an
            attribute without a value, False and None leave it out.

    >>> tag("p", "1 < 2", class_="x", hidden=True)
    '<p class="x" hidden>1 &lt; 2</p>'
    """
    parts = [name]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        key = key.rstrip("_").replace("_", "-")
        parts.append(key if value is True else f'{key}="{html.escape(str(value))}"')
    content = join(*children)
    head = " ".join(parts)
    return Html(f"<{head}/>" if name in _VOID and not content else f"<{head}>{content}</{name}>")


def table(head: list[Child], rows: list[list[Child]], caption: str, **attributes: Attribute) -> Html:
    """Return a table whose first column heads its rows, in a frame that scrolls sideways on a narrow screen."""
    header = tag("tr", *(tag("th", cell, scope="col") for cell in head))
    body = [tag("tr", tag("th", row[0], scope="row"), *(tag("td", cell) for cell in row[1:])) for row in rows]
    content = join(tag("caption", caption), tag("thead", header), tag("tbody", *body))
    return tag("div", tag("table", content, **attributes), class_="scroll", tabindex=0)


# Rows of a table that is shown without being asked for.
MOST_ROWS = 40


def long_table(head: list[Child], rows: list[list[Child]], caption: str) -> Html:
    """Return a table as `table` does; one of more than `MOST_ROWS` rows stands behind a line."""
    drawn = table(head, rows, caption)
    return drawn if len(rows) <= MOST_ROWS else tag("details", tag("summary", f"{len(rows):,} rows"), drawn)
