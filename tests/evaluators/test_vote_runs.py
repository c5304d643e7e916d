import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from faulty_server import FaultyServer, Step, completion, error
from novel_cases import row_of, write_novels

from lengthwise.errors import InputError
from lengthwise.evaluators.benchmark_longnovel import LONGNOVEL
from lengthwise.evaluators.card_figures import command_of
from lengthwise.evaluators.comparing import compare_runs
from lengthwise.evaluators.report.payload import collect_replies
from lengthwise.evaluators.run_folder import RunFolder
from lengthwise.evaluators.runner import RetryPolicy, RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_outcomes, score_run
from lengthwise.evaluators.settings import RunSettings
from lengthwise.evaluators.tables import render_results
from lengthwise.evaluators.vote_runs import vote_runs

# One after the other: a server may then count how often it was asked about a row.
ONE_BY_ONE = RunOptions(concurrency=1, retries=RetryPolicy(attempts=1, base=0.001))
# What a model says of a row: its score, or any text, or a step of the server.
Says = Callable[[str], int | str | Step]
FAULT = '{"reason": "Numerical Hallucination: he has nine sons, not three. 船长有九个儿子。", "score": %d}'


@pytest.fixture
def novels(tmp_path: Path) -> Path:
    return write_novels(tmp_path / "novels")


@pytest.fixture
def run(novels: Path, tmp_path: Path, server: FaultyServer) -> Callable[..., Path]:
    """Run a model that says what it is told to; return the folder."""

    def made(name: str, says: Says, **settings: Any) -> Path:
        def answer(body: dict[str, Any]) -> Step:
            said = says(row_of(body))
            if isinstance(said, int):
                said = FAULT % said if said < 3 else f'{{"reason": "", "score": {said}}}'
            return said if isinstance(said, Step) else Step(body=completion(said))

        server.models = [{"id": name, "owned_by": "vllm", "max_model_len": 40_960}]
        server.default = answer
        options = {"data": str(novels), **settings}
        run_benchmark(RunSettings(model=f"{server.url}#{name}", **options), tmp_path / name, ONE_BY_ONE)
        return tmp_path / name

    return made


def right(row: str) -> int:
    return 1 if row.endswith("erhg") else 5


def wrong(row: str) -> int:
    return 6 - right(row)


def kinds(path: Path) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for outcome in score_outcomes(path).outcomes.values():
        found[outcome.kind] = found.get(outcome.kind, 0) + 1
    return found


def test_a_vote_of_three_runs_is_a_run(run: Callable[..., Path], tmp_path: Path, server: FaultyServer) -> None:
    voters = [run("a", right), run("b", right), run("c", wrong)]
    asked = len(server.seen)
    folder = vote_runs(voters, tmp_path / "vote")
    assert len(server.seen) == asked
    results = score_run(folder.path)
    assert kinds(folder.path) == {"correct": 8} and results.complete
    assert results.label == "a + b + c (vote)"
    assert [bound.reference for bound in results.bounds] == ["gold", "random", "faithful", "hallucinated"]
    assert "a + b + c" in render_results(results)
    outcomes = score_outcomes(folder.path).outcomes.values()
    assert {outcome.calls for outcome in outcomes} == {0}
    assert all(outcome.details["hits"] == [True] for outcome in outcomes if outcome.details["gold"])
    compared = compare_runs(folder.path, voters[2], n_resamples=200)
    assert "c" in str(compared.to_dict())


def test_the_folder_says_which_runs_voted(run: Callable[..., Path], tmp_path: Path) -> None:
    voters = [run("a", right), run("b", right, method="prompt-b")]
    folder = vote_runs(voters, tmp_path / "vote")
    about = folder.settings
    # Where they are may not go on a card.
    assert about["model"]["spec"].startswith("vote:a,b@") and str(tmp_path) not in about["model"]["spec"]
    command = command_of(score_run(folder.path), "ORG/novels", LONGNOVEL, [("s", "test")])
    assert command == "lengthwise vote a b --out RUN"
    assert [(one["run"], one["method"]) for one in about["model"]["runs"]] == [
        (str(voters[0]), "prompt-e"),
        (str(voters[1]), "prompt-b"),
    ]


def test_the_browser_shows_the_majority(run: Callable[..., Path], tmp_path: Path) -> None:
    folder = vote_runs([run("a", right), run("b", right), run("c", wrong)], tmp_path / "vote")
    shown = collect_replies([score_outcomes(folder.path)])
    assert shown.total == 8
    assert all('"score"' in one["text"] and "of 3 call it" in one["reasoning"] for one in shown.records)


def test_without_a_majority_the_row_is_invalid(run: Callable[..., Path], tmp_path: Path) -> None:
    voters = [run("a", right), run("b", wrong), run("c", lambda row: "I would rather tell a story.")]
    assert kinds(vote_runs(voters, tmp_path / "vote").path) == {"unparsed": 8}


def test_repeats_are_paired_by_their_number(run: Callable[..., Path], tmp_path: Path) -> None:
    turns: dict[str, int] = {}

    def turning(row: str) -> int:
        # Right in the first repeat, wrong in the second.
        turns[row] = turns.get(row, 0) + 1
        return right(row) if turns[row] == 1 else wrong(row)

    voters = []
    for name in ("a", "b"):
        turns.clear()
        voters.append(run(name, turning, repeats=2))
    voters.append(run("c", right, repeats=3))
    notes: list[str] = []
    folder = vote_runs(voters, tmp_path / "vote", notify=notes.append)
    assert folder.repeats == 2 and "the first 2 of each" in notes[0]
    outcomes = score_outcomes(folder.path).outcomes
    assert {(repeat, outcome.kind) for (_, repeat), outcome in outcomes.items()} == {(0, "correct"), (1, "wrong")}
    once = vote_runs(voters, tmp_path / "once", repeats=1)
    assert kinds(once.path) == {"correct": 8}
    with pytest.raises(InputError, match="--repeats 3: must be from 1 to 2"):
        vote_runs(voters, tmp_path / "thrice", repeats=3)


def test_a_reply_that_came_later_is_counted_by_voting_again(run: Callable[..., Path], tmp_path: Path) -> None:
    voters = [run("a", right), run("b", wrong), run("c", lambda row: error(400, "broken"))]
    folder = vote_runs(voters, tmp_path / "vote")
    assert kinds(folder.path) == {"error": 8} and not score_run(folder.path).complete
    run("c", right)
    again = vote_runs(voters, tmp_path / "vote")
    assert kinds(again.path) == {"correct": 8}
    assert again.settings["model"]["runs"][2]["replies"] != folder.settings["model"]["runs"][2]["replies"]
    before = (again.path / "predictions.jsonl").read_bytes()
    assert (vote_runs(voters, tmp_path / "vote").path / "predictions.jsonl").read_bytes() == before


def test_a_vote_may_vote(run: Callable[..., Path], tmp_path: Path) -> None:
    a, b, c = run("a", right), run("b", wrong), run("c", right)
    inner = vote_runs([a, b, c], tmp_path / "inner")
    outer = vote_runs([inner.path, a, b], tmp_path / "outer")
    assert kinds(outer.path) == {"correct": 8}
    details = [one.details for one in score_outcomes(outer.path).outcomes.values() if one.details["gold"]]
    assert all(one["hits"] == [True] for one in details)


def change(path: Path, **changes: Any) -> None:
    settings = json.loads((path / "run.json").read_text())
    settings["data"] |= changes
    (path / "run.json").write_text(json.dumps(settings))


def test_what_cannot_vote(run: Callable[..., Path], tmp_path: Path, data: Path) -> None:
    a, b = run("a", right), run("b", right)
    out = tmp_path / "vote"
    with pytest.raises(InputError, match="needs two runs"):
        vote_runs([a], out)
    with pytest.raises(InputError, match="twice"):
        vote_runs([a, tmp_path / "b" / ".." / "a"], out)
    few = run("few", right, limit=4)
    with pytest.raises(InputError, match="few: 4 rows of s/test are not both"):
        vote_runs([a, few], out)
    unfinished = tmp_path / "unfinished"
    shutil.copytree(b, unfinished)
    lines = (unfinished / "replies.jsonl").read_text().splitlines(keepends=True)
    (unfinished / "replies.jsonl").write_text("".join(lines[:5]))
    with pytest.raises(InputError, match="is not finished, 3 of 8 replies are missing; to go on: lengthwise run"):
        vote_runs([a, unfinished], out)
    change(b, cells={"s/test": "another digest"})
    with pytest.raises(InputError, match="b: its s/test is another build"):
        vote_runs([a, b], out)
    predicate = run_benchmark(RunSettings(str(data), "reference:solver"), tmp_path / "predicate", ONE_BY_ONE)
    with pytest.raises(InputError, match="predicatelongbench; only replies of longnovel"):
        vote_runs([a, predicate.path], out)
    assert not out.exists()


def test_another_vote_is_not_overwritten(run: Callable[..., Path], tmp_path: Path) -> None:
    a, b, c = run("a", right), run("b", right), run("c", right)
    vote_runs([a, b], tmp_path / "vote")
    with pytest.raises(InputError, match="holds another run"):
        vote_runs([a, c], tmp_path / "vote")
    with pytest.raises(InputError, match="lengthwise vote RUN RUN RUN"):
        run_benchmark(RunSettings(str(tmp_path / "novels"), "reference:gold", method="vote"), tmp_path / "x")


def test_the_command(run: Callable[..., Path], tmp_path: Path, lengthwise: Callable[..., Any]) -> None:
    a, b = run("a", right), run("b", right)
    done = lengthwise("vote", a, b, "--out", "vote", "--label", "both")
    assert done.returncode == 0 and "both" in done.stdout, done.stderr
    assert RunFolder.open(tmp_path / "vote").settings["labels"]["label"] == "both"
    failed = lengthwise("vote", a, "--out", "vote")
    assert failed.returncode == 2 and "needs two runs" in failed.stderr
