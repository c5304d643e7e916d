"""All analyses of some runs, as tables and as text."""

from dataclasses import replace

from instance_cases import Asked, instance_run, series

from lengthwise.evaluators.instance_analyses.table import ANALYSES, make_analyses, render_analyses

RUN = instance_run([*series("parity", {2: "11", 8: "00"}, tokens=100, cost=0.5), Asked("parity-instances", 2)])


def test_only_analyses_with_something_to_show_are_made() -> None:
    assert [table.title for table in make_analyses([RUN])] == [
        "Number of instances at which success halves",
        "Cost per task",
    ]
    assert len(ANALYSES) == 7


def test_other_benchmarks_have_none() -> None:
    other = replace(RUN, results=replace(RUN.results, benchmark="predicatelongbench"))
    assert make_analyses([other]) == ()
    assert render_analyses([other]) == ""
    assert make_analyses([]) == ()


def test_the_text_ends_with_what_was_left_out() -> None:
    text = render_analyses([RUN])
    assert text.index("success halves") < text.index("Cost per task") < text.index("Instances left out")


def test_the_text_can_be_markdown() -> None:
    assert "### Cost per task" in render_analyses([RUN], format="markdown")
