"""Tests for the analyses of LongNovel runs: the seven patterns with a person's tags, and the evidence."""

from dataclasses import replace
from pathlib import Path

import pytest
from novel_run_cases import novel_run, score_reply
from typer.testing import CliRunner

from lengthwise.cli import app
from lengthwise.errors import InputError
from lengthwise.evaluators.longnovel_analyses.evidence import (
    PlacedFault,
    all_judged,
    bin_of,
    evidence_table,
    placed_faults,
    shares,
)
from lengthwise.evaluators.longnovel_analyses.patterns import pattern_table
from lengthwise.evaluators.longnovel_analyses.table import novel_analyses
from lengthwise.evaluators.longnovel_analyses.tags import keys_of, read_tags, reply_key
from lengthwise.evaluators.longnovel_figures import novel_figures
from lengthwise.evaluators.scoring import Scored, score_outcomes
from lengthwise.evaluators.table_formats.grid import GridTable

MISSED = score_reply(5, "fine")
FLAGGED = score_reply(1, "Event: “他摔倒了”应为“他摔倒了”", "Event")


@pytest.fixture
def run(tmp_path: Path) -> Scored:
    said = {
        ("en", 0, True): ["This novel tells a story."],
        ("en", 0, False): [score_reply(5)],
        ("zh", 0, True): [score_reply(4, "x", "事件幻觉")],
        ("zh", 0, False): [FLAGGED],
        ("zh", 1, True): [MISSED],
    }
    return score_outcomes(novel_run(tmp_path / "run", said))


def row(table: GridTable | None) -> dict[str, str]:
    assert table is not None and len(table.rows) == 1
    return dict(zip(table.head, table.rows[0], strict=True))


def test_four_patterns_are_counted_by_rules(run: Scored):
    said = row(pattern_table([run]))
    counted = [said[name] for name in ("not right", "repetition", "no JSON", "self-contradiction")]
    assert counted == ["4", "0", "1", "1"]
    assert (said["identical correction"], said["read"], said["over-correction"]) == ("1", "0", "–")


def test_a_contradiction_that_happens_to_be_right_is_counted_apart(tmp_path: Path):
    said = {("en", 0, False): [score_reply(4, "x", "Event")], ("en", 0, True): [score_reply(4, "x", "Event")]}
    counted = row(pattern_table([score_outcomes(novel_run(tmp_path / "run", said))]))
    assert (counted["not right"], counted["self-contradiction"]) == ("1", "1")
    assert counted["self-contradiction, but right"] == "1"


def test_who_was_not_asked_for_a_judgement_shows_no_pattern(run: Scored, tmp_path: Path):
    said = {("en", 0, True): ["There is no majority among the votes."]}
    voted = score_outcomes(novel_run(tmp_path / "vote", said, method="vote"))
    assert pattern_table([voted]) is None
    table = pattern_table([run, voted])
    assert table is not None and len(table.rows) == 1 and "Votes and MiniCheck are left out" in table.notes[-1]


def test_three_patterns_are_counted_from_a_persons_tags(run: Scored):
    flagged, missed, *_ = sorted(keys_of(run), key=lambda key: "original" not in keys_of(run)[key][0])
    tags = {
        flagged: frozenset({"over_correction", "reasoning_failure"}),
        missed: frozenset({"none"}),
        "r-0000000000000000": frozenset({"none"}),
    }
    table = pattern_table([run], tags)
    said = row(table)
    counted = [said[name] for name in ("read", "over-correction", "reasoning or abstraction failure")]
    assert counted == ["2", "1", "1"] and said["incomplete comprehension"] == "0"
    assert table is not None and table.notes[-1].startswith("1 tagged replies are not among these")


def test_a_key_is_of_this_very_reply(run: Scored):
    assert keys_of(run)[reply_key(*next(iter(keys_of(run).values())), "This novel tells a story.")]
    assert reply_key("a", 0, "x") != reply_key("a", 1, "x") != reply_key("a", 1, "y")


@pytest.mark.parametrize("text", ["key,tag,example\nr-1,none,a\nr-2,,b\n", "\ufeffkey;tag\nr-1;none\n"])
def test_tags_are_read(tmp_path: Path, text: str):
    (tmp_path / "tags.csv").write_text(text, "utf-8")
    assert read_tags(tmp_path / "tags.csv") == {"r-1": {"none"}}


def test_a_file_that_is_no_list_of_tags_is_refused(tmp_path: Path):
    (tmp_path / "tags.csv").write_text("key,what\n")
    with pytest.raises(InputError, match="no columns key and tag"):
        read_tags(tmp_path / "tags.csv")
    (tmp_path / "tags.csv").write_text("key,tag\nr-1,over_corection\n")
    with pytest.raises(InputError, match="over_correction"):
        read_tags(tmp_path / "tags.csv")


def test_people_novels_have_no_evidence(run: Scored):
    assert evidence_table([run]) is None and len(novel_analyses([run])) == 1


FAULTS = [
    PlacedFault(0.0, 0.1, 100, 1.0, 1.0),
    PlacedFault(0.19, 1.0, 20_000, 0.0, None),
    PlacedFault(0.2, 0.2, 0, 0.5, 0.0),
    PlacedFault(None, None, 999, None, 1.0),
]


def evidence_run(folder: Path, name: str, *, judged: bool) -> Scored:
    """A run that misses its one fault, whose evidence lies far apart; a judge sees it named all the same."""
    evidence = [{"units": [1, 2], "starts": [0, 90], "ends": [9, 99], "distance": 3_000}]
    path = novel_run(folder / name, {("en", 0, True): [MISSED]}, changes={"evidence": evidence})
    run = score_outcomes(path)
    if not judged:
        return run
    key, outcome = next(iter(run.outcomes.items()))
    outcomes = {key: replace(outcome, details={**outcome.details, "verdicts": [True], "judge": "j"})}
    results = replace(run.results, figures=novel_figures(run.rows, outcomes))
    return replace(run, outcomes=outcomes, results=results)


def test_a_judge_counts_only_where_all_runs_have_one(tmp_path: Path):
    one, other = (evidence_run(tmp_path, name, judged=name == "a") for name in "ab")
    assert all_judged([one]) and not all_judged([one, other])
    assert [fault.named for fault in placed_faults(one, judged=True)] == [1.0]
    alone, both = evidence_table([one]), evidence_table([one, other])
    assert alone is not None and alone.rows[0][2:4] == ("1k–4k", "100.0 [20.7, 100.0] (1)")
    assert both is not None and both.rows[0][3] == "0.0 [0.0, 79.3] (1)"


def test_places_in_texts_that_are_gone_are_not_known(tmp_path: Path):
    table = evidence_table([evidence_run(tmp_path, "a", judged=False)])
    assert table is not None and table.notes[-1].startswith("The data of a run are gone")
    assert [row[1] for row in table.rows[:-4]] == ["tokens from its first passage to its last"]


def test_bins_of_place_and_distance():
    assert [bin_of(one, "first") for one in FAULTS] == [0, 0, 1, None]
    assert [bin_of(one, "last") for one in FAULTS] == [0, 4, 1, None]
    assert [bin_of(one, "distance") for one in FAULTS] == [0, 4, 0, 1]


def test_shares_have_wilson_intervals_over_faults():
    first, second, *rest = shares(FAULTS, "first", "named")
    assert first is not None and (first.value, first.n) == (0.5, 2)
    assert (first.low, first.high) == pytest.approx((0.0945, 0.9055), abs=1e-4)
    assert second is not None and second.value == 0.5 and rest == [None] * 3
    called = shares(FAULTS, "distance", "called")
    assert [one and (one.value, one.n) for one in called] == [(0.5, 2), (1.0, 1), None, None, None, None]


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("story") / "data"
    done = CliRunner().invoke(
        app, ["build", "longnovel", "4k", "--source", "storyworld", "--out", str(folder), "--examples", "8"]
    )
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture(scope="module")
def gold(story: Path) -> Path:
    done = CliRunner().invoke(
        app, ["run", str(story), "--model", "reference:gold", "--out", str(story.parent / "gold"), "--quiet"]
    )
    assert done.exit_code == 0, done.output
    return story.parent / "gold"


def test_the_evidence_of_generated_novels_lies_in_the_text_and_gold_replies_name_all(gold: Path):
    scored = score_outcomes(gold)
    faults = placed_faults(scored)
    assert faults and all(one.named == 1.0 for one in faults)
    for one in faults:
        assert one.first is not None and one.last is not None and 0 <= one.first < one.last <= 1
    table = evidence_table([scored])
    assert table is not None and table.rows[-1][0] == "floor (hallucinated)"


def test_the_command_line_prints_analyses(gold: Path):
    said = CliRunner().invoke(app, ["score", str(gold), "--analyses"]).output
    assert "Recall by place and distance of the evidence" in said
    assert "Recall by place" not in CliRunner().invoke(app, ["score", str(gold)]).output
