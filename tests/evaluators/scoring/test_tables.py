from collections.abc import Callable
from pathlib import Path

import pytest

from lengthwise.contracts import Reply
from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import PREDICATELONGBENCH
from lengthwise.evaluators.main_table import TableCell, main_tables, split_order
from lengthwise.evaluators.naming import distinguish
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.scoring import score_run
from lengthwise.evaluators.tables import render_first_table, render_results

RIGHT, WRONG = "<answer>ba ca da ea za</answer>", "<answer>fa</answer>"
CELLS = {("lex-locate", "4k"): 4, ("lex-scattered", "4k"): 4}
LAYOUT = PREDICATELONGBENCH.layout


@pytest.fixture
def scored(make_run: Callable[..., Path], reply: Callable[..., Reply]) -> Callable[..., Results]:
    """Return a function that scores a run in which the first so many of every cell are right."""

    def score(name: str, *right: int, cells: dict = CELLS, spec: str | None = None, **settings) -> Results:
        calls = {}
        for count, size in zip(right, cells.values(), strict=True):
            for place in range(size):
                calls[len(calls), 0] = [reply(RIGHT if place < count else WRONG)]
        model = {"spec": spec or f"http://h#{name}", "name": name, "kind": "reference" if spec else "http"}
        return score_run(make_run(calls, cells, name=name, model=model, **settings))

    return score


def cell(runs: list[Results], config: str, column: int = 0) -> TableCell:
    rows = [row for section in main_tables(runs, LAYOUT)[0].sections for row in section.rows if row.config == config]
    found = rows[0].cells[column]
    assert found is not None
    return found


def test_sections_are_the_papers_and_empty_ones_are_left_out(scored):
    table = main_tables([scored("a", 4, 1)], LAYOUT)[0]
    assert [(section.title, [row.config for row in section.rows]) for section in table.sections] == [
        ("(1) Baselines", ["lex-locate"]),
        ("(3) Decoys", ["lex-scattered"]),
    ]


@pytest.mark.parametrize(("right", "arrow"), [(1, "down"), (2, "same"), (3, "up")])
def test_arrows_compare_with_the_reference_row(scored, right: int, arrow: str):
    runs = [scored("a", 2, right)]
    assert cell(runs, "lex-scattered").arrow == arrow
    assert cell(runs, "lex-locate").arrow is None


def test_points_of_a_sweep_stand_in_their_variants_section_with_its_reference_row(scored):
    cells = {("lex-locate", "4k"): 4, ("lex-scattered--decoys-2", "4k"): 4, ("lex-scattered--decoys-4", "4k"): 4}
    runs = [scored("a", 2, 3, 1, cells=cells)]
    section = main_tables(runs, LAYOUT)[0].sections[1]
    assert section.title == "(3) Decoys"
    assert [(row.config, row.caption.rpartition(" (")[2]) for row in section.rows] == [
        ("lex-scattered--decoys-2", "2 decoys)"),
        ("lex-scattered--decoys-4", "4 decoys)"),
    ]
    assert [cell(runs, row.config).arrow for row in section.rows] == ["up", "down"]


def test_the_best_of_a_row_is_marked_ties_included(scored):
    runs = [scored("a", 3, 1), scored("b", 2, 1)]
    assert [cell(runs, "lex-locate", column).best for column in (0, 1)] == [True, False]
    assert [cell(runs, "lex-scattered", column).best for column in (0, 1)] == [True, True]


AGAIN = {
    "run": "r",
    "created": "",
    "model": "",
    "sampling": {},
    "kinds": ["wrong"],
    "matching": 1,
    "before": {"x": ["wrong"]},
}


def test_a_run_over_chosen_rows_is_no_rival_and_has_no_arrows(scored):
    runs = [scored("a", 2, 1), scored("b", 1, 1), scored("c", 4, 3, again=AGAIN)]
    assert [cell(runs, "lex-locate", column).best for column in range(3)] == [True, False, False]
    assert [cell(runs, "lex-scattered", column).arrow for column in range(3)] == ["down", "same", None]
    assert runs[0].pairs and not runs[2].pairs
    (note,) = main_tables(runs, LAYOUT)[0].notes
    assert note.startswith("c: only rows chosen by how they ended in an earlier run")


def test_a_run_that_asks_again_is_told_apart_from_the_one_that_it_asks(scored):
    labels = {"label": "m", "group": None, "size": None}
    runs = [scored("a", 2, 1, labels=labels), scored("c", 4, 3, labels=labels, again=AGAIN)]
    assert [run.label for run in distinguish(runs)] == ["m", "m (asked again)"]
    assert [run.label for run in distinguish(runs[1:])] == ["m"]


def test_nothing_is_best_among_zeros_or_alone(scored):
    assert not cell([scored("a", 0, 0), scored("b", 0, 0)], "lex-locate").best
    assert not cell([scored("c", 3, 3)], "lex-locate").best


def test_lengths_of_one_run_do_not_compete(scored):
    cells = {("lex-locate", "4k"): 2, ("lex-locate", "8k"): 2}
    runs = [scored("a", 2, 1, cells=cells)]
    assert [column.label for column in main_tables(runs, LAYOUT)[0].columns] == ["4k", "8k"]
    assert not cell(runs, "lex-locate", 0).best


def test_reference_models_stand_last_and_are_never_best(scored):
    floor = scored("random", 0, 0, spec="reference:random")
    ceiling = scored("solver", 4, 4, spec="reference:solver")
    runs = [floor, ceiling, scored("a", 1, 1), scored("b", 2, 1)]
    table = main_tables(runs, LAYOUT)[0]
    assert [column.label for column in table.columns] == ["a", "b", "ceiling (solver)", "floor (random)"]
    assert [cell(runs, "lex-locate", column).best for column in range(4)] == [False, True, False, False]


def test_several_models_and_lengths_make_a_table_per_length(scored):
    cells = {("lex-locate", "16k"): 2, ("lex-locate", "4k"): 2, ("documents-locate", "full"): 2}
    runs = [scored("a", 2, 1, 1, cells=cells), scored("b", 2, 1, 0, cells=cells)]
    tables = main_tables(runs, LAYOUT)
    assert [table.title.rsplit(", ")[-1] for table in tables] == ["4k", "16k"]
    # Documents have no lengths: their one figure stands in every table.
    assert all(any(row.config == "documents-locate" for row in table.sections[0].rows) for table in tables)


def test_splits_are_ordered_by_length():
    assert sorted(["full", "128k", "4k", "16k"], key=split_order) == ["4k", "16k", "128k", "full"]


def test_text_shows_figure_arrow_interval_and_n(scored):
    text = render_results(scored("a", 4, 1))
    assert "25.0 ↓ [0.6, 80.6] n=4" in text
    assert "100.0 [39.8, 100.0] n=4" in text


PAIRED = {("lex-locate", "4k"): 10, ("lex-longest", "4k"): 10, ("lex-scattered", "4k"): 10}


def test_an_arrow_has_a_star_where_the_difference_is_beyond_chance(scored):
    text = render_results(scored("a", 10, 8, 1, cells=PAIRED))
    assert "10.0 ↓* [0.3, 44.5] n=10" in text
    assert "80.0 ↓ [44.4, 97.5] n=10" in text
    assert "* behind an arrow: the difference is beyond chance (p < 0.05, Holm's correction" in text


def test_the_small_table_says_what_an_arrow_rests_on(scored):
    lines = render_results(scored("a", 10, 8, 1, cells=PAIRED)).splitlines()
    start = lines.index("a: against the reference row, on shared lists")
    # Two-sided sign tests of 2 and of 9 lists: 2 / 2^2 and 2 / 2^9, the latter twice.
    assert [" ".join(line.split()) for line in lines[start + 4 : start + 6]] == [
        "lex-longest 4k lex-locate 10 80.0 100.0 -20.0 [-50.0, 0.0] 0.5000 0.5000 0 2",
        "lex-scattered 4k lex-locate 10 10.0 100.0 -90.0 [-100.0, -70.0] 0.0039 0.0078 0 9",
    ]
    assert lines[start + 7].startswith("Accuracy in %, variant minus reference in points")


def test_without_stars_nothing_explains_them(scored):
    text = render_results(scored("a", 4, 0))
    assert "0.0 ↓ [0.0, 60.2] n=4" in text
    assert "behind an arrow" not in text


def test_a_star_in_markdown_is_no_emphasis(scored):
    text = render_results([scored("a", 10, 8, 1, cells=PAIRED), scored("b", 1, 1, 0, cells=PAIRED)], "markdown")
    assert r"| **10.0** ↓\* [0.3, 44.5] n=10 |" in text
    assert r"\* behind an arrow" in text


def test_reference_models_have_arrows_without_stars(scored):
    runs = [scored("a", 10, 9, 9, cells=PAIRED), scored("odd", 10, 10, 0, cells=PAIRED, spec="reference:odd")]
    found = cell(runs, "lex-scattered", 1)
    assert (found.arrow, found.starred, found.pair) == ("down", False, None)
    assert "odd: against the reference row" not in render_results(runs)


def test_other_words_are_said_to_be_unpaired(make_run, reply):
    row = {"list_id": "lex-short-4k-s42-0000"}
    run = make_run(
        {(index, 0): [reply(RIGHT)] for index in range(3)},
        {("lex-locate", "4k"): 3, ("lex-short-words", "4k"): 1},
        changes={"lex-short-words": row},
    )
    text = render_results(score_run(run))
    assert "lex-short-words  4k     lex-locate  unpaired  0.0" in text
    assert "with Newcombe's interval and Fisher's exact test" in text


def test_lists_without_a_partner_are_counted(scored):
    text = render_results(scored("a", 2, 1, cells={("lex-locate", "4k"): 3, ("lex-longest", "4k"): 2}))
    assert "left out: 0 rows of variants, 1 of reference rows" in text


def test_with_repeats_p_is_the_bootstraps(make_run, reply):
    cells = {("lex-locate", "4k"): 1, ("lex-longest", "4k"): 1}
    text = render_results(
        score_run(make_run({(row, repeat): [reply(RIGHT)] for row in (0, 1) for repeat in (0, 1)}, cells))
    )
    assert "p with repeats: of the bootstrap." in text
    assert "McNemar" not in text


def test_markdown_is_a_table_and_escapes_names(scored):
    runs = [scored("a|b", 4, 1), scored("c_d", 3, 1)]
    text = render_results(runs, "markdown")
    assert "| variant | a\\|b | c\\_d |" in text
    assert "| lex-locate | **100.0** [39.8, 100.0] n=4 | 75.0 [19.4, 99.4] n=4 |" in text


def test_incomplete_run_is_headed_so_and_shows_the_rest(make_run, reply):
    run = score_run(make_run({(0, 0): [reply(RIGHT)]}, {("lex-locate", "4k"): 4}))
    first = render_results(run).splitlines()[0]
    assert first.startswith("INCOMPLETE toy: of 4 examples 3 not asked yet")
    assert "lex-locate 4k 100.0 % of 1" in first


def test_left_out_rows_are_said(scored):
    assert "7 of lex-locate/4k do not fit" in render_results(scored("a", 4, 1, excluded={"lex-locate/4k": 7}))


def test_label_names_the_run(scored):
    assert scored("a", 4, 1, labels={"label": "my run"}).label == "my run"


def test_effort_is_part_of_the_name(scored):
    assert scored("a", 4, 1, sampling={"reasoning_effort": "high"}).label == "a (high)"
    assert scored("b", 4, 1, sampling={"thinking_tokens": 12_000}).label == "b (12,000 thinking tokens)"


def test_a_method_other_than_the_benchmarks_own_is_in_the_label(scored):
    assert scored("a", 4, 1, method="reask").label == "a (reask)"
    assert scored("b", 4, 1, method="zero-shot").label == "b"


def test_equal_labels_are_told_apart(scored):
    runs = [scored(name, 4, 1, labels={"label": "same"}) for name in ("a", "b")]
    assert "| variant | same | same #2 |" in render_results(runs, "markdown")


def test_budgets_are_a_table_of_their_own(make_run, reply):
    run = score_run(make_run({(0, 0): [reply(RIGHT, 9_000)], (1, 0): [reply(RIGHT, None)]}), [8_000, 32_000])
    text = render_results(run)
    assert "50.0 (1 over)?" in text
    assert "100.0 (0 over)?+" in text


def test_no_runs():
    with pytest.raises(InputError, match="no runs"):
        render_results([])


def test_the_first_table_stands_alone(scored):
    runs = [scored("a", 4, 1), scored("b", 4, 2)]
    first = render_first_table(runs)
    assert first.count("PredicateLongBench: accuracy") == 1
    assert render_results(runs).startswith(first)


def test_the_best_of_a_row_has_a_mark_of_its_own(scored):
    text = render_first_table([scored("a", 4, 1), scored("b", 4, 2)])
    assert "50.0●" in text and "25.0●" not in text
    assert "● marks the best model of a row" in text
