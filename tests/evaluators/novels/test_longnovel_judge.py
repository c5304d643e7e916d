"""Tests for the judge of recall by type: what is asked, recorded, replayed, and counted."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from faulty_server import FaultyServer, Step, completion, error
from novel_run_cases import novel_run, score_reply
from typer.testing import CliRunner

from lengthwise.cli import app
from lengthwise.contracts import Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.fault_question import MOST_OF_REASONS, fault_request, read_verdict, reasons_of
from lengthwise.evaluators.longnovel_figures import NovelFigures
from lengthwise.evaluators.longnovel_judge import JudgeOptions, judge_run
from lengthwise.evaluators.longnovel_verdicts import VERDICTS_FILE
from lengthwise.evaluators.retry import RetryPolicy
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.metrics.hallucinations import Fault, HallucinationType

OPTIONS = JudgeOptions(concurrency=1, retries=RetryPolicy(attempts=1))
VAGUE = score_reply(1, "the number of his children is off", "Entity")


def answers(text: str) -> Callable[[object], Step]:
    return lambda body: Step(body=completion(text))


@pytest.fixture
def judge() -> Iterator[FaultyServer]:
    with FaultyServer() as server:
        server.default = answers('{"same_error": true, "why": "same"}')
        yield server


@pytest.fixture
def run(tmp_path: Path) -> Path:
    said = {("en", 0, True): [VAGUE], ("zh", 0, True): [VAGUE], ("en", 0, False): [score_reply(5)]}
    return novel_run(tmp_path / "run", said)


def figures_of(run: Path) -> NovelFigures:
    figures = score_outcomes(run).results.figures
    assert isinstance(figures, NovelFigures)
    return figures


def test_verdicts_stand_beside_the_matcher(run: Path, judge: FaultyServer):
    assert figures_of(run).judged is None
    judged = judge_run(run, f"{judge.url}#fake", OPTIONS)
    assert (judged.replies, judged.asked, judged.failed) == (2, 2, 0)
    found = figures_of(run)
    assert found.types.by_type["numerical"].value == 0.0
    assert found.judged is not None and found.judged.by_type["numerical"].value == 1.0
    assert found.judge == "fake"


def test_rows_without_faults_are_refused_before_anyone_is_asked(tmp_path: Path, judge: FaultyServer):
    faithful = novel_run(tmp_path / "run", {("en", 0, False): [score_reply(5)]})
    run = faithful / "examples.parquet"
    rows = pq.read_table(run)
    pq.write_table(rows.filter(pc.field("hallucinated") == 0), run)
    with pytest.raises(InputError, match=r"no row of .* has faults on record .* without -prompt"):
        judge_run(faithful, f"{judge.url}#fake", OPTIONS)
    assert not judge.seen


def test_what_is_on_record_is_not_asked_again(run: Path, judge: FaultyServer):
    judge_run(run, f"{judge.url}#fake", OPTIONS)
    before = len(judge.seen)
    judge_run(run, f"{judge.url}#fake", OPTIONS)
    assert len(judge.seen) == before == 2


def test_a_kill_within_leaves_what_was_answered(run: Path, judge: FaultyServer):
    judge_run(run, f"{judge.url}#fake", OPTIONS)
    log = run / VERDICTS_FILE
    first, second = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(first + second[: len(second) // 2])
    found = figures_of(run).judged
    assert found is not None and found.unread == 1
    judge_run(run, f"{judge.url}#fake", OPTIONS)
    assert len(judge.seen) == 3
    assert figures_of(run).judged.unread == 0  # type: ignore[union-attr]


def test_a_verdict_that_failed_is_asked_for_again(run: Path, judge: FaultyServer):
    judge.default = lambda body: error(400, "no")
    assert judge_run(run, f"{judge.url}#fake", OPTIONS).failed == 2
    judge.default = answers('{"same_error": false}')
    assert judge_run(run, f"{judge.url}#fake", OPTIONS).failed == 0
    found = figures_of(run).judged
    assert found is not None and found.by_type["numerical"].value == 0.0


def test_a_verdict_on_another_reply_does_not_count(run: Path, judge: FaultyServer):
    judge_run(run, f"{judge.url}#fake", OPTIONS)
    log = run / "replies.jsonl"
    log.write_bytes(log.read_bytes().replace(b"off", b"all right"))
    found = figures_of(run).judged
    assert found is not None and found.unread == 2 and not found.by_type


def test_a_second_judge_is_refused(run: Path, judge: FaultyServer):
    judge_run(run, f"{judge.url}#fake", OPTIONS)
    with pytest.raises(InputError, match="holds verdicts of"):
        judge_run(run, f"{judge.url}#other", OPTIONS)


def test_a_reply_that_says_nothing_is_asked_nothing_about(tmp_path: Path, judge: FaultyServer):
    run = novel_run(tmp_path / "run", {("en", 0, True): ["<think>nine</think>"], ("en", 0, False): [score_reply(5)]})
    assert judge_run(run, f"{judge.url}#fake", OPTIONS).asked == 0
    found = figures_of(run).judged
    assert found is not None and found.by_type["numerical"].value == 0.0


def test_a_reference_model_is_no_judge(run: Path):
    with pytest.raises(InputError, match="judges none"):
        judge_run(run, "reference:gold", OPTIONS)


@pytest.mark.parametrize(("language", "word"), [("en", "Numerical Hallucination"), ("zh", "数值幻觉")])
def test_the_question_is_in_the_language_of_the_row(language: str, word: str):
    gold = Fault(HallucinationType.NUMERICAL, "He had {nine} sons.", "He had three sons.")
    request = fault_request({"language": language}, gold, "reasons", Sampling())
    text = request.messages[0].content
    assert request.role == "judge" and word in text and "He had {nine} sons." in text and '{"same_error"' in text


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ('{"same_error": true}', True),
        ('```json\n{"same_error": "false", "why": "true"}\n```', False),
        ("<think>no</think>Yes", True),
        ("是。", True),
        ("否", False),
        ("perhaps", None),
        ("", None),
        (None, None),
    ],
)
def test_verdicts_are_read(text: str | None, verdict: bool | None):
    assert read_verdict(text) is verdict


def test_long_reasons_keep_their_ends():
    said = reasons_of("a" * 50_000 + "end")
    assert len(said) < MOST_OF_REASONS + 20 and said.endswith("end") and said.startswith("a")


def test_the_command_line_asks_and_shows(run: Path, judge: FaultyServer):
    done = CliRunner().invoke(app, ["score", str(run), "--judge", f"{judge.url}#fake"])
    assert done.exit_code == 0, done.output
    assert "2 verdicts on 2 replies" in done.output
    row = next(line for line in done.output.splitlines() if line.startswith("toy") and " fake " in line)
    assert "100.0 (2)" in row
    kept = json.loads((run / "verdicts.json").read_text())
    assert kept["name"] == "fake" and "key" not in json.dumps(kept)
