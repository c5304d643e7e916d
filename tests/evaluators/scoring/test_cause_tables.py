"""The tables of causes and of what was asked again: as text, and on the page."""

import json
from collections.abc import Callable
from pathlib import Path

from lengthwise.contracts import Reply
from lengthwise.evaluators.again import Again
from lengthwise.evaluators.report import cause_section
from lengthwise.evaluators.report.payload import collect_replies
from lengthwise.evaluators.scoring import score_outcomes, score_run
from lengthwise.evaluators.tables import render_results

RIGHT = "<answer>ba ca da ea za</answer>"
LONG = "so we look and look " * 20
MakeRun = Callable[..., Path]
Said = Callable[..., Reply]


def test_a_run_that_is_all_right_has_no_table_of_causes(make_run: MakeRun, reply: Said):
    run = score_outcomes(make_run({(0, 0): [reply(RIGHT)]}))
    assert "why replies" not in render_results(run.results)
    assert not cause_section.causes([run])
    assert not cause_section.asked_again([run])


def test_only_causes_that_some_reply_shows_are_explained(make_run: MakeRun, reply: Said):
    shown = render_results(score_run(make_run({(0, 0): [reply("I", finish_reason="length")]})))
    assert "\nbudget spent: " in shown
    assert "\nlist copied: " not in shown


def test_what_was_not_looked_up_is_told(make_run: MakeRun, reply: Said, tmp_path: Path):
    run = make_run({(0, 0): [reply(LONG)]})
    (tmp_path / "run-data").rename(tmp_path / "elsewhere")
    shown = render_results(score_run(run))
    assert "0 (1 not looked up)" in shown
    assert "not looked up: the data are gone" in shown


def test_the_page_names_the_run_where_there_are_several(make_run: MakeRun, reply: Said):
    runs = [score_outcomes(make_run({(0, 0): [reply("hm")]}, name=name, labels={"label": name})) for name in "ab"]
    assert '<th scope="col">run</th>' not in cause_section.causes(runs[:1])
    assert all(f"<td>{name}</td>" in cause_section.causes(runs) for name in "ab")


def test_reference_models_are_not_asked_why(make_run: MakeRun, reply: Said):
    model = {"spec": "reference:random", "name": "random", "kind": "reference"}
    assert not cause_section.causes([score_outcomes(make_run({(0, 0): [reply("hm")]}, model=model))])


def test_replies_carry_their_causes_onto_the_page(make_run: MakeRun, reply: Said):
    calls = {(0, 0): [reply(RIGHT)], (1, 0): [reply("I", finish_reason="length")]}
    records = collect_replies([score_outcomes(make_run(calls))]).records
    assert [record["causes"] for record in records] == [[], ["budget spent"]]


def test_what_was_asked_again_is_on_the_page_and_in_the_results(make_run: MakeRun, reply: Said):
    again = Again(
        "/<old>", "then", "m", {"max_tokens": 8_000}, ("refused",), 3, {"lex-scattered-4k-s42-0000": ("refused",)}
    )
    path = make_run({(0, 0): [reply(RIGHT)]}, again=again.to_json())
    run = score_outcomes(path)
    drawn = cause_section.asked_again([run])
    assert "1 of the 3 rows that ended as refused in /&lt;old&gt;" in drawn
    assert "max tokens 8,000 then, 16,000 now" in drawn
    changes = json.loads((path / "results.json").read_text())["changes"]
    assert changes == [{"then": "refused", "now": "correct", "count": 1}]
