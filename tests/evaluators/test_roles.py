"""Models in other roles than that of the model that is run: any method may ask a judge."""

import json
from collections import Counter
from dataclasses import replace

import pytest
from faulty_server import FaultyServer, Step, completion

from lengthwise.contracts import Message, Request, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Prediction
from lengthwise.evaluators.methods import METHODS, MethodKind, plain_request
from lengthwise.evaluators.retry import RetryPolicy
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.settings import RunSettings, settings_from

FAST = RunOptions(retries=RetryPolicy(attempts=2, base=0.001))


def judged(resources):
    async def method(example, ask):
        said = await ask(plain_request(example, resources.sampling))
        question = Message("user", f"{example.prompt}\n\nIs this right? {said.text}")
        await ask(Request((question,), resources.sampling, role="judge"))
        return Prediction(said)

    return method


@pytest.fixture
def judge():
    with FaultyServer() as running:
        running.default = lambda body: Step(body=completion("yes"))
        yield running


@pytest.fixture
def settings(data, server, judge, monkeypatch):
    kind = MethodKind("for a test", judged, 2, roles=("judge",))
    monkeypatch.setattr("lengthwise.evaluators.methods.METHODS", {**METHODS, "judged": kind})
    return RunSettings(str(data), server.spec, method="judged", roles={"judge": judge.spec})


def test_each_request_goes_to_the_model_of_its_role(settings, server, judge, tmp_path):
    run_benchmark(settings, tmp_path / "out", FAST)
    assert len(server.seen) == len(judge.seen) == 6
    assert all("Is this right?" in one.body["messages"][0]["content"] for one in judge.seen)
    scored = score_outcomes(tmp_path / "out")
    assert {one.kind for one in scored.outcomes.values()} == {"correct"}
    assert {(one.calls, one.own.calls, one.roles["judge"].calls) for one in scored.outcomes.values()} == {(2, 1, 1)}
    assert Counter({role: spent.calls for role, spent in scored.results.roles.items()}) == {"generate": 6, "judge": 6}


def test_a_judge_is_asked_for_each_example_even_the_same(settings, judge, tmp_path):
    run_benchmark(replace(settings, repeats=2), tmp_path / "out", FAST)
    assert len(judge.seen) == 12


def test_a_run_is_repeated_with_its_judge_and_its_key(settings, server, judge, tmp_path, monkeypatch):
    monkeypatch.setenv("JUDGE_KEY", "sk-planted-0123456789")
    first = replace(settings, role_key_envs={"judge": "JUDGE_KEY"})
    run_benchmark(first, tmp_path / "out", FAST)
    # The key goes to the judge, and to nobody else.
    assert {one.authorization for one in judge.seen} == {"Bearer sk-planted-0123456789"}
    assert {one.authorization for one in server.seen} == {None}
    again = settings_from(tmp_path / "out")
    assert (again.roles, again.role_key_envs) == (first.roles, first.role_key_envs)
    assert json.loads((tmp_path / "out/run.json").read_text())["roles"]["judge"]["api_key_env"] == "JUDGE_KEY"
    run_benchmark(again, tmp_path / "out", FAST)
    assert len(judge.seen) == 6


def test_a_fault_of_the_judge_is_asked_again_and_the_model_is_not(settings, server, judge, tmp_path):
    judge.script["lex-locate-4k-s0-0000"] = [Step(500, {"error": {"message": "broken"}})] * 2
    run_benchmark(settings, tmp_path / "out", FAST)
    found = score_outcomes(tmp_path / "out").outcomes
    assert found["lex-locate-4k-s0-0000", 0].kind == "error"
    run_benchmark(settings, tmp_path / "out", FAST)
    assert (len(server.seen), len(judge.seen)) == (6, 6 + 2)
    assert {one.kind for one in score_outcomes(tmp_path / "out").outcomes.values()} == {"correct"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"roles": {}}, "--method judged: asks for a judge; name a model: --judge"),
        ({"roles": {"judge": "reference:gold"}}, "--judge reference:gold: a reference model answers for a whole row"),
        ({"roles": {"judge": "http://127.0.0.1:9/v1#m"}}, r"--judge http://127\.0\.0\.1:9/v1#m: "),
        ({"roles": {"generate": "http://h/v1#m", "judge": "http://h/v1#m"}}, "'generate' has no model of its own"),
        ({"role_key_envs": {"judge": "NOT_SET"}}, "the environment variable NOT_SET is not set"),
        ({"role_key_envs": {"judge": "sk-1"}}, "--judge-key-env: takes the name of an environment variable"),
        (
            {"roles": {"judge": "openai:m"}, "role_key_envs": {"judge": "MINE"}},
            "--judge-key-env: leave it out; openai: takes its key from OPENAI_API_KEY",
        ),
        ({"roles": {"judge": "http://h/v1"}}, "--judge http://h/v1: the model's name is missing"),
        ({"sampling": Sampling(thinking_tokens=5), "roles": {"judge": "openai:m"}}, "--thinking-tokens"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_the_first_request(settings, server, judge, tmp_path, changes, said):
    with pytest.raises(InputError, match=said):
        run_benchmark(replace(settings, **changes), tmp_path / "out", FAST)
    assert not server.seen and not judge.seen and not (tmp_path / "out").exists()
