"""Tests for text as LaTeX, by a reader of LaTeX that knows nothing of how it was written."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.evaluators.table_formats.latex_text import escape, needs_unicode

# What LaTeX shows for a command, as its manual says.
SHOWN = {
    r"\textbackslash": "\\",
    r"\textasciitilde": "~",
    r"\textasciicircum": "^",
    r"\textless": "<",
    r"\textgreater": ">",
    r"\textbar": "|",
    r"\textasciigrave": "`",
    r"\textendash": "–",
    r"\textemdash": "—",
    r"\textquoteleft": "‘",
    r"\textquoteright": "’",
    r"\textquotedblleft": "“",
    r"\textquotedblright": "”",
    r"\dots": "…",
    r"\S": "§",
    r"\texteuro": "€",
}
MATH = {
    r"\uparrow": "↑", r"\downarrow": "↓", r"\rightarrow": "→", r"\leftarrow": "←", r"\bullet": "●", r"\circ": "○",
    r"\cdot": "·", r"\pm": "±", r"\times": "×", "-": "−", r"\leq": "≤", r"\geq": "≥", r"\approx": "≈", r"\infty": "∞",
}  # fmt: skip
TOKEN = re.compile(r"\\symbol\{(\d+)\}|\$([^$]+)\$|(\\[A-Za-z]+)\{\}|\\([{}$&#_%])|(\{\})|([^\\{}$&#%_^~])", re.DOTALL)
LIGATURES = re.compile(r"--|''|``|,,|<<|>>|[?!]`")
SIGNS = "\\{}$&#_%~^<>|\"'`-,?!–—‘’“”…§€↑↓→←●○·±×−≤≥≈∞[]* ab"


def shown(latex: str) -> str:
    """Return the text that LaTeX typesets; an assertion fails where it would take a character for a command."""
    found, place = [], 0
    while place < len(latex):
        token = TOKEN.match(latex, place)
        assert token, f"{latex[place : place + 20]!r} is no text"
        code, math, command, sign, empty, char = token.groups()
        found.append(
            chr(int(code)) if code else MATH[math] if math else SHOWN[command] if command else sign or char or ""
        )
        assert not empty or not found[-1]
        place = token.end()
    return "".join(found)


def plain(text: str) -> str:
    unseen = ("Cc", "Cf", "Cs", "Co", "Cn")
    return "".join("?" if unicodedata.category(char) in unseen else char for char in " ".join(text.split()))


@given(st.one_of(st.text(), st.text(SIGNS)))
def test_any_text_is_shown_as_it_is(text: str):
    latex = escape(text)
    assert shown(latex) == plain(text)
    assert not LIGATURES.search(latex)
    assert not latex.startswith(("[", "*"))


@pytest.mark.parametrize("text", [r"\input{/etc/passwd}", "100% of $x_1^2$ & #2 ~{a}", "a--b ?` ``c''", "[1] first"])
def test_hostile_labels_are_text(text: str):
    assert shown(escape(text)) == text


def test_a_label_of_several_lines_stands_on_one():
    assert escape("a\nb\tc\r\n") == "a b c"


def test_controls_and_halves_of_characters_are_question_marks():
    assert escape("a\x00b\ud83dc\x1b") == "a?b?c?"


def test_chinese_needs_another_engine_and_our_signs_do_not():
    assert needs_unicode("通义千问 3")
    assert not needs_unicode("Łódź é ± ↑ ● –")
