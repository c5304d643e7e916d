"""Any text as LaTeX that shows it as it is: nothing in a label or a note can become a command."""

import unicodedata
from types import MappingProxyType

# With the braces that end a command's name, so that the letter behind it stays one.
_SPECIAL = MappingProxyType(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "_": r"\_",
        "%": r"\%",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        # In the old encoding these are other characters, and doubled they are ligatures.
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\symbol{34}",
        "`": r"\textasciigrave{}",
        "'": r"'{}",
        "-": r"-{}",
        ",": r",{}",
        "?": r"?{}",
        "!": r"!{}",
        "–": r"\textendash{}",
        "—": r"\textemdash{}",
        "‘": r"\textquoteleft{}",
        "’": r"\textquoteright{}",
        "“": r"\textquotedblleft{}",
        "”": r"\textquotedblright{}",
        "…": r"\dots{}",
        "§": r"\S{}",
        "€": r"\texteuro{}",
        "\u00a0": "~",
        "\u202f": r"\,",
        "↑": r"$\uparrow$",
        "↓": r"$\downarrow$",
        "→": r"$\rightarrow$",
        "←": r"$\leftarrow$",
        "●": r"$\bullet$",
        "○": r"$\circ$",
        "·": r"$\cdot$",
        "±": r"$\pm$",
        "×": r"$\times$",
        "−": "$-$",
        "≤": r"$\leq$",
        "≥": r"$\geq$",
        "≈": r"$\approx$",
        "∞": r"$\infty$",
    }
)
# Two of these are a ligature; alone they stand as they are.
_LIGATURES = frozenset("'-,?!")
# The last character that pdflatex has a glyph for without further packages, in the encoding T1.
_LAST = 0x17F


def escape(text: str) -> str:
    r"""Return text as LaTeX for a cell, a caption or a note, on one line.

    Needs nothing but LaTeX itself for what is in Latin-1 and Latin Extended-A and for the signs of our tables; other
    letters are left as they are, see `needs_unicode`. Control characters and halves of characters are shown as `?`.

    >>> escape("50% of $x_1$ & more")
    '50\\% of \\$x\\_1\\$ \\& more'
    >>> escape("a--b")
    'a-{}-b'
    """
    text = " ".join(text.split())
    parts = []
    for place, char in enumerate(text):
        if char in _LIGATURES and text[place + 1 : place + 2] not in (char, "`"):
            parts.append(char)
        else:
            parts.append(_SPECIAL.get(char) or (char if _is_plain(char) else "?"))
    said = "".join(parts)
    # Behind the end of a row these would be read as its options.
    return f"{{}}{said}" if said[:1] in ("[", "*") else said


def _is_plain(char: str) -> bool:
    return unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn")


def needs_unicode(text: str) -> bool:
    """Return whether a text has letters for which pdflatex has no glyph (Chinese, for one): xelatex or lualatex has.

    >>> needs_unicode("Université ±"), needs_unicode("模型")
    (False, True)
    """
    return any(ord(char) > _LAST and char not in _SPECIAL and _is_plain(char) for char in text)
