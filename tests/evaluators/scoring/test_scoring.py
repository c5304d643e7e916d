import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from lengthwise.contracts import Reply
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import OUTCOME_KINDS
from lengthwise.evaluators.scoring import score_outcomes, score_run
from lengthwise.recording import Failure, Key, Record

RIGHT = "<answer>ba ca da ea za</answer>"
DECOY = "<answer>fa ha ga ia ya</answer>"
MakeRun = Callable[..., Path]
Said = Callable[..., Reply]


def test_nothing_leaves_the_denominator(make_run: MakeRun, reply: Said):
    calls = {(0, 0): [reply(RIGHT)], (1, 0): [reply("")], (2, 0): [Failure("overlength", "x")], (3, 0): [reply("hm")]}
    results = score_run(make_run(calls))
    cell = results.cells[0]
    assert (cell.n, cell.accuracy.value, results.complete) == (4, 0.25, True)
    assert cell.outcomes["empty"] == cell.outcomes["overlength"] == cell.outcomes["unparsed"] == 1


def test_errors_and_missing_make_a_run_incomplete(make_run: MakeRun, reply: Said):
    run = make_run({(0, 0): [reply(RIGHT)], (1, 0): [Failure("error", "HTTP 500")]}, {("lex-locate", "4k"): 4})
    results = score_run(run)
    assert (results.complete, results.n_expected, results.n_error, results.n_missing) == (False, 4, 3, 2)
    cell = results.cells[0]
    assert (cell.accuracy.value, cell.accuracy_rest.value, cell.accuracy_rest.n) == (0.25, 1.0, 1)


def test_an_error_that_was_asked_again_is_none(make_run: MakeRun, reply: Said):
    run = make_run({(0, 0): [Failure("error", "HTTP 500")]})
    with (run / "replies.jsonl").open("ab") as log:
        log.write(Record(Key("lex-scattered-4k-s42-0000", 0, 0, "request"), reply(RIGHT)).to_line())
    assert score_run(run).cells[0].accuracy.value == 1.0


def test_a_torn_last_line_is_no_reply(make_run: MakeRun, reply: Said):
    run = make_run({(0, 0): [reply(RIGHT)], (1, 0): [reply(RIGHT)]})
    log = (run / "replies.jsonl").read_bytes()
    (run / "replies.jsonl").write_bytes(log[:-20])
    assert score_run(run).n_missing == 1


def test_the_last_call_of_a_method_is_scored(make_run: MakeRun, reply: Said):
    results = score_run(make_run({(0, 0): [reply("?"), reply(RIGHT)]}))
    assert results.cells[0].outcomes["correct"] == 1


def test_decoys_are_looked_up_in_the_data(make_run: MakeRun, reply: Said):
    cell = score_run(make_run({(0, 0): [reply(DECOY)], (1, 0): [reply(RIGHT)]})).cells[0]
    assert (dict(cell.decoy_hits), cell.decoys_unknown) == ({"near-sorted": 1}, 0)


def test_gone_data_leave_decoys_unknown_and_scores_as_they_are(make_run: MakeRun, reply: Said, tmp_path: Path):
    run = make_run({(0, 0): [reply(DECOY)], (1, 0): [reply(RIGHT)]})
    (tmp_path / "run-data").rename(tmp_path / "elsewhere")
    cell = score_run(run).cells[0]
    assert (dict(cell.decoy_hits), cell.decoys_unknown, cell.accuracy.value) == ({}, 1, 0.5)


def test_changed_data_are_not_used(make_run: MakeRun, reply: Said, tmp_path: Path):
    run = make_run({(0, 0): [reply(DECOY)]})
    path = tmp_path / "run-data" / "build.json"
    path.write_text(path.read_text().replace("digest of", "another digest of"))
    assert score_run(run).cells[0].decoys_unknown == 1


def test_first_word_is_over_parsed_wrong_answers(make_run: MakeRun, reply: Said):
    calls = {
        (0, 0): [reply(RIGHT)],
        (1, 0): [reply("<answer>ba xa</answer>")],
        (2, 0): [reply(DECOY)],
        (3, 0): [reply("")],
    }
    cell = score_run(make_run(calls)).cells[0]
    assert (cell.first_word, cell.parsed_wrong) == (0.5, 2)


def test_repeats_are_averaged_run_by_run(make_run: MakeRun, reply: Said):
    wrong, first = reply(DECOY), reply("<answer>ba xa</answer>")
    calls = {(0, 0): [first], (1, 0): [reply(RIGHT)], (0, 1): [first], (1, 1): [wrong]}
    cell = score_run(make_run(calls)).cells[0]
    # Pooled, the first word would be right in 2 of 3.
    assert (cell.n, cell.repeats, cell.accuracy.value, cell.first_word) == (2, 2, 0.25, 0.75)


def test_repeats_do_not_narrow_the_interval(make_run: MakeRun, reply: Said):
    once = score_run(make_run({(0, 0): [reply(RIGHT)], (1, 0): [reply(DECOY)]}, name="once")).cells[0].accuracy
    twice = {(row, repeat): [reply(RIGHT if row else DECOY)] for row in (0, 1) for repeat in (0, 1)}
    both = score_run(make_run(twice, name="twice")).cells[0].accuracy
    assert (both.low, both.high) == (once.low, once.high)


def test_budgets_from_one_run(make_run: MakeRun, reply: Said):
    calls = {(0, 0): [reply(RIGHT, 8_000)], (1, 0): [reply(RIGHT, 15_000)], (2, 0): [reply(RIGHT, None)]}
    results = score_run(make_run(calls), [8_000, 16_000, 32_000])
    assert [(one.tokens, one.accuracy.correct, one.over, one.unknown, one.beyond_run) for one in results.budgets] == [
        (8_000, pytest.approx(2), 1, 1, False),
        (16_000, pytest.approx(3), 0, 1, False),
        (32_000, pytest.approx(3), 0, 1, True),
    ]


def test_budget_must_be_positive(make_run: MakeRun, reply: Said):
    with pytest.raises(InputError, match="--budget-tokens 0"):
        score_run(make_run({(0, 0): [reply(RIGHT)]}), [0])


def test_no_run_folder(tmp_path: Path):
    with pytest.raises(InputError, match=r"run\.json"):
        score_run(tmp_path)


def test_what_is_written_says_what_is_returned(make_run: MakeRun, reply: Said):
    run = make_run({(0, 0): [reply(RIGHT)], (1, 0): [reply("\udc00 no")]})
    scored = score_outcomes(run, [8_000])
    assert json.loads((run / "results.json").read_text()) == json.loads(json.dumps(scored.results.to_json()))
    table = pq.read_table(run / "outcomes.parquet").to_pylist()
    assert [row["kind"] for row in table] == [outcome.kind for outcome in scored.outcomes.values()]
    assert json.loads(table[0]["answer"]) == ["ba", "ca", "da", "ea", "za"]


def test_scoring_again_gives_the_same_bytes(make_run: MakeRun, reply: Said):
    run = make_run({(0, 0): [reply(RIGHT)], (1, 0): [reply(DECOY)]})
    score_run(run)
    first = [(run / name).read_bytes() for name in ("results.json", "outcomes.parquet")]
    score_run(run)
    assert first == [(run / name).read_bytes() for name in ("results.json", "outcomes.parquet")]


def test_every_outcome_is_counted_once(make_run: MakeRun, reply: Said):
    calls: dict[tuple[int, int], list[Any]] = {(0, 0): [reply(RIGHT)], (1, 0): [reply("I cannot assist with that.")]}
    cell = score_run(make_run(calls)).cells[0]
    assert set(cell.outcomes) == set(OUTCOME_KINDS)
    assert (sum(cell.outcomes.values()), cell.refusals) == (2, 1)


LONG = "so we look and look " * 20


def test_each_wrong_reply_is_looked_up_in_its_own_prompt(make_run: MakeRun, reply: Said):
    wrong = reply(LONG + DECOY)
    calls = {(row, repeat): [wrong] for row in range(3) for repeat in range(2)} | {(3, 0): [reply(RIGHT)]}
    scored = score_outcomes(make_run(calls))
    traces = [outcome.details["traces"] for outcome in scored.outcomes.values() if outcome.kind == "wrong"]
    assert [trace["copied"] for trace in traces] == [5] * 6
    assert scored.results.cells[0].decoy_hits == {"near-sorted": 6}


def test_gone_data_leave_a_copied_list_unknown(make_run: MakeRun, reply: Said, tmp_path: Path):
    run = make_run({(0, 0): [reply(LONG + DECOY)], (1, 0): [reply(DECOY)]})
    (tmp_path / "run-data").rename(tmp_path / "elsewhere")
    causes = score_run(run).cells[0].causes
    assert (causes.replies, dict(causes.not_looked_up)) == (2, {"copied": 1})


def test_right_replies_and_short_ones_read_no_prompt(make_run: MakeRun, reply: Said, monkeypatch: pytest.MonkeyPatch):
    run = make_run({(0, 0): [reply(LONG + RIGHT)], (1, 0): [reply("hm")]})
    monkeypatch.delattr("lengthwise.evaluators.row_reader.RowReader.read")
    assert score_run(run).cells[0].causes.replies == 1


def test_what_never_came_has_no_cause(make_run: MakeRun):
    run = make_run({(0, 0): [Failure("error", "HTTP 500")], (1, 0): [Failure("overlength", "x")]})
    assert score_run(run).cells[0].causes.replies == 0
