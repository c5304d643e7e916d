"""Tests for tables as LaTeX."""

import re

from lengthwise.evaluators.table_formats.cells import Figure, Marked, Number, count
from lengthwise.evaluators.table_formats.grid import GridTable
from lengthwise.evaluators.table_formats.latex import latex_document, latex_table


def marked(**changes) -> Marked:
    about = {"arrow": "up", "starred": True, "best": True} | changes
    return Marked.make("83.3", "[80.0, 86.0] n=100", Number(5 / 6), **about)


def table(*rows: tuple[str, ...], **changes) -> GridTable:
    head = ("variant", *(f"m_{place}" for place in range(1, len(rows[0]))))
    return GridTable("Accuracy in %", head, rows, **changes)


def is_balanced(latex: str) -> bool:
    """Whether braces and environments close in the order in which they open, comments left out."""
    text = re.sub(r"(?m)(?<!\\)%.*$", "", latex)
    text = re.sub(r"\\[{}\\%&$#_]", "", text)
    depth, opened = 0, []
    for token in re.findall(r"\\(?:begin|end)\{\w+\}|[{}]", text):
        if token.startswith("\\"):
            what, name = re.findall(r"\w+", token)
            if what == "begin":
                opened.append((name, depth))
            elif not opened or opened.pop() != (name, depth):
                return False
        else:
            depth += 1 if token == "{" else -1
    return depth == 0 and not opened


def test_a_table_is_a_float_with_rules_caption_and_label():
    latex = latex_table(table(("lex", marked())), "predicatelongbench-main")
    for part in (r"\toprule", r"\midrule", r"\bottomrule", r"\caption{Accuracy in \%}"):
        assert latex.count(part) == 1
    assert r"\label{tab:predicatelongbench-main}" in latex
    assert is_balanced(latex)


def test_the_best_is_bold_arrows_are_math_and_a_star_is_raised():
    row = latex_table(table(("lex", marked())), "t").splitlines()
    assert r"lex & \textbf{83.3} $\uparrow$\textsuperscript{*} [80.0, 86.0] n=100 \\" in row
    assert r"lex & 83.3 $=$ [80.0, 86.0] n=100 \\" in latex_table(
        table(("lex", marked(arrow="same", starred=False, best=False))), "t"
    )


def test_sections_span_the_table_with_a_rule_before_each_but_the_first():
    latex = latex_table(table(("(1)", ""), ("a", "b"), ("(2)", ""), ("c", "d"), sections=frozenset({0, 2})), "t")
    assert latex.count(r"\multicolumn{2}{l}{\textit{") == 2
    assert latex.count(r"\midrule") == 2


def test_figures_stand_right_and_words_left():
    assert r"\begin{tabular}{@{}lrl@{}}" in latex_table(table(("a", count(12), "yes")), "t")


def test_hostile_cells_titles_and_notes_leave_the_table_whole():
    evil = r"}\end{table}\input{x} & % \\ $"
    latex = latex_table(GridTable(evil, (evil, evil), ((evil, evil),), (evil,)), "t")
    assert is_balanced(latex)
    assert r"\input{x}" not in latex
    (row,) = re.findall(r"(?m)^(.*) \\\\\n\\bottomrule", latex)
    assert len(re.findall(r"(?<!\\)&", row)) == 1


def test_numbers_below_zero_have_a_minus_and_names_a_hyphen():
    cell = Figure("-0.1 [-0.2, 0.0]", Number(-0.1))
    assert r"gpt-5 & $-$0.1 [$-$0.2, 0.0] \\" in latex_table(table(("gpt-5", cell)), "t")


def test_what_stands_between_backticks_in_a_note_is_code():
    latex = latex_table(table(("a", "b"), notes=("the file `--tags` takes, `a_b`.",)), "t")
    assert r"the file \texttt{-{}-tags} takes, \texttt{a\_b}." in latex


def test_wide_tables_shrink_and_the_widest_lie_on_their_side():
    narrow, wide, widest = (latex_table(table(("a", "x" * size)), "t") for size in (10, 120, 200))
    assert [r"\resizebox" in one for one in (narrow, wide, widest)] == [False, True, True]
    assert [r"\begin{sidewaystable}" in one for one in (narrow, wide, widest)] == [False, False, True]
    assert all(map(is_balanced, (narrow, wide, widest)))


def test_a_long_table_falls_into_parts_with_labels_of_their_own_and_notes_below_the_last():
    latex = latex_table(table(*((f"row {place}", "1") for place in range(90)), notes=("known",)), "t")
    assert re.findall(r"\\label\{(.*?)\}", latex) == ["tab:t", "tab:t-2", "tab:t-3"]
    assert latex.count("known") == 1 and latex.index("known") > latex.index("row 89")
    assert len(re.findall(r"row \d+ &", latex)) == 90
    assert is_balanced(latex)


def test_chinese_labels_say_which_engine_they_need():
    assert "xelatex" in latex_table(table(("通义", "1")), "t")
    assert "xelatex" not in latex_table(table(("lex", "1")), "t")


def test_the_document_takes_in_every_table():
    document = latex_document(["a", "b"])
    assert re.findall(r"\\input\{(\w+)\}", document) == ["a", "b"]
    assert is_balanced(document)
