"""Whole runs over loopback HTTP: a model, embeddings, kills and faults."""

import json
import os
import re
import signal
import subprocess
from collections import Counter
from dataclasses import replace

import pytest
from faulty_server import Step, error
from rag_cases import asked_about, embeddings, row, segments, write_rows
from run_helpers import command_line

from lengthwise.errors import InputError
from lengthwise.evaluators.longnovel_analyses.rag_costs import rag_cost, rag_cost_table, segment_table
from lengthwise.evaluators.longnovel_analyses.table import novel_analyses
from lengthwise.evaluators.plan import plan_run
from lengthwise.evaluators.retry import RetryPolicy
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_outcomes, score_run
from lengthwise.evaluators.settings import RunSettings, settings_from
from lengthwise.recording import read_log

FAST = RunOptions(retries=RetryPolicy(attempts=3, refusals=3, base=0.001))


def rows():
    return [row(language, 0, false) for language in ("en", "zh") for false in (False, True)]


@pytest.fixture
def novels(tmp_path):
    return write_rows(tmp_path / "novels", rows())


def settings(novels, server, **changes):
    given = {"method": "rag", "roles": {"embed": f"{server.url}#fake-m3"}}
    return RunSettings(str(novels), server.spec, **{**given, **changes})


def changed_segment(made):
    """Return the last segment of a false summary."""
    told = segments(made["language"])[3]
    return told.replace("rain", "snow").replace("雨", "雪")


def find_all(server):
    """Have the server find every changed segment, and doubt a true one by its window."""
    for made in rows():
        segment = changed_segment(made)
        server.scores |= {(segment, "local"): 2, (segment, "whole"): 1}
        server.scores[segments(made["language"])[1], "local"] = 1


def test_a_run_in_both_languages(novels, server, tmp_path):
    find_all(server)
    run_benchmark(settings(novels, server), tmp_path / "out", FAST)
    found = score_outcomes(tmp_path / "out").outcomes
    assert {one.kind for one in found.values()} == {"correct"}
    # Of four segments, one is reviewed, and in the false summary the last one too.
    assert sorted(one.answer for one in found.values()) == [1, 1, 5, 5]
    generated = {one.example_id: one.roles.get("generate") for one in found.values() if one.roles}
    assert {spent.calls for spent in generated.values()} <= {5, 6}
    assert len(server.seen) == 2 * (5 + 6)


def test_one_article_is_embedded_once_and_counted_where_it_was_asked(novels, server, tmp_path):
    run_benchmark(settings(novels, server, repeats=2), tmp_path / "out", FAST)
    # Nine blocks of each of two articles, and four segments of each of four summaries.
    assert sorted(len(texts) for texts in server.embedded) == [4, 4, 4, 4, 9, 9]
    results = score_run(tmp_path / "out")
    assert results.roles["embed"].calls == 6 and results.roles["embed"].usage.input == 7 * (2 * 9 + 4 * 4)
    assert results.roles["generate"].calls == len(server.seen)
    written = json.loads((tmp_path / "out/results.json").read_text())["roles"]
    assert written["embed"]["calls"] == 6
    outcomes = score_outcomes(tmp_path / "out").outcomes.values()
    assert sum(one.calls for one in outcomes) == 6 + len(server.seen)
    assert sum(one.usage.input for one in outcomes) == results.roles["embed"].usage.input + 100 * len(server.seen)


def test_costs_of_a_role_are_in_the_total(novels, server, tmp_path):
    prices = {
        "as_of": "2026-11-01",
        "models": {"fake": {"input": 1e6, "output": 0}, "fake-m3": {"input": 1e4, "output": 0}},
    }
    (tmp_path / "prices.json").write_text(json.dumps(prices))
    run_benchmark(settings(novels, server), tmp_path / "out", replace(FAST, prices=tmp_path / "prices.json"))
    results = score_run(tmp_path / "out")
    embed = 7 * (2 * 9 + 4 * 4) / 100
    assert results.roles["embed"].cost == pytest.approx(embed)
    assert results.cost == pytest.approx(100 * len(server.seen) + embed)


def test_run_json_names_the_models_of_roles_and_repeats_them(novels, server, tmp_path, monkeypatch):
    monkeypatch.setenv("EMBED_KEY", "sk-planted-0123456789")
    first = settings(novels, server, role_key_envs={"embed": "EMBED_KEY"}, limit=1)
    run_benchmark(first, tmp_path / "one", FAST)
    text = (tmp_path / "one/run.json").read_text()
    about = json.loads(text)["roles"]["embed"]
    assert (about["spec"], about["api_key_env"]) == (f"{server.url}#fake-m3", "EMBED_KEY")
    assert "sk-planted" not in text
    again = settings_from(tmp_path / "one")
    assert (again.roles, again.role_key_envs, again.method) == (first.roles, first.role_key_envs, "rag")


def test_another_embedder_is_another_run(novels, server, tmp_path):
    run_benchmark(settings(novels, server), tmp_path / "out", FAST)
    with pytest.raises(InputError, match=r"holds another run.*roles\.embed\.spec"):
        run_benchmark(settings(novels, server, roles={"embed": f"{server.url}#other"}), tmp_path / "out", FAST)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"roles": {}}, "--method rag: asks for embeddings; name a model: --embed sentence-transformers"),
        ({"method": "prompt-e"}, "--embed: --method prompt-e never asks for embeddings; leave it out"),
        ({"roles": {"embed": "sentence-transformers", "judge": "http://h/v1#m"}}, "--judge: --method rag never asks"),
        ({"roles": {"embed": "bge:m3"}}, "unknown kind of embedder 'bge'"),
        ({"role_key_envs": {"judge": "X"}}, "--judge-key-env: there is no model for it"),
        ({"method": "rag:0"}, "at least 1"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_the_first_request(novels, server, tmp_path, changes, said):
    with pytest.raises(InputError, match=said):
        run_benchmark(settings(novels, server, **changes), tmp_path / "out", FAST)
    assert not server.seen and not server.embedded and not (tmp_path / "out").exists()


def test_an_embedder_that_is_not_there_is_known_before_the_first_request(novels, server, tmp_path):
    roles = {"embed": "http://127.0.0.1:9/v1#m3"}
    with pytest.raises(InputError, match=r"--embed http://127\.0\.0\.1:9"):
        run_benchmark(settings(novels, server, roles=roles), tmp_path / "out", FAST)
    assert not server.seen


@pytest.mark.parametrize(("tokens", "warned"), [(8192, False), (512, True)])
def test_an_embedder_of_a_small_window_is_told_of(novels, server, tmp_path, tokens, warned):
    said = []
    sizes = {"fake": 100_000, "fake-m3": tokens}
    server.models = [{"id": name, "owned_by": "vllm", "max_model_len": size} for name, size in sizes.items()]
    run_benchmark(settings(novels, server, limit=1), tmp_path / "out", replace(FAST, notify=said.append))
    assert ["takes 512 tokens of a text" in line for line in said] == [True] * warned


def test_rows_without_a_summary_are_refused(tmp_path, server, data):
    with pytest.raises(InputError, match="it is for longnovel"):
        run_benchmark(settings(data, server), tmp_path / "out", FAST)


def test_a_passing_fault_of_the_embedder_is_asked_again(novels, server, tmp_path):
    server.embed_steps = [error(429, "slow down", Retry_After="0"), Step(reset=True)]
    run_benchmark(settings(novels, server, limit=1), tmp_path / "out", FAST)
    assert {one.kind for one in score_outcomes(tmp_path / "out").outcomes.values()} <= {"correct", "wrong"}
    assert len(server.embedded) == 4


WIDE = embeddings(["part 1"] * 4)
for entry in WIDE["data"]:
    entry["embedding"] = [1.0, 2.0, 3.0]
NAN = embeddings(["part 1"] * 9)
NAN["data"][3]["embedding"] = [0.5, float("nan")]


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([error(429, "slow down")] * 6, "HTTP 429: slow down .after 3 tries"),
        ([Step(body=NAN)], "not finite"),
        ([Step(body=embeddings(["part 1"] * 9)), Step(body=WIDE)], "vectors of 3 numbers, before of 2"),
        (
            [error(400, "This model's maximum context length is 512 tokens")],
            "--embed: a block is too long for fake-m3",
        ),
    ],
)
def test_a_lasting_fault_of_the_embedder_is_a_recorded_error(server, tmp_path, steps, said):
    data = write_rows(tmp_path / "novels", rows()[:1])
    server.embed_steps = list(steps)
    out = tmp_path / "out"
    run_benchmark(settings(data, server), out, replace(FAST, concurrency=1))
    (outcome,) = score_outcomes(out).outcomes.values()
    assert outcome.kind == "error" and not server.seen
    failures = [one for one in read_log(out / "replies.jsonl") if not hasattr(one.result, "text")]
    assert failures
    # What came is kept, what did not is asked for again, and the run is whole then.
    kept = len({one.key for one in read_log(out / "replies.jsonl")}) - len(failures)
    before = len(server.embedded)
    server.embed_steps = []
    run_benchmark(settings(data, server), out, replace(FAST, concurrency=1))
    assert len(server.embedded) == before + 2 - kept
    (outcome,) = score_outcomes(out).outcomes.values()
    assert outcome.kind == "correct"
    assert any(re.search(said, one.result.message) for one in failures)


def test_vectors_of_another_model_in_one_run_are_told_of(server, tmp_path):
    """Replies on record from before a server changed its model: nothing is asked, and the run says why it stands."""
    data = write_rows(tmp_path / "novels", rows()[:1])
    out = tmp_path / "out"
    server.embed_steps = [Step(body=embeddings(["part 1"] * 9)), error(400, "no")]
    run_benchmark(settings(data, server), out, replace(FAST, concurrency=1))
    narrow = embeddings(["part 1"] * 4)
    for entry in narrow["data"]:
        entry["embedding"] = [1.0, 2.0, 3.0]
    server.embed_steps = [Step(body=narrow)]
    run_benchmark(settings(data, server), out, replace(FAST, concurrency=1))
    (outcome,) = score_outcomes(out).outcomes.values()
    assert outcome.kind == "error" and "vectors of 2 and of 3 numbers" in outcome.message
    assert "start a run in a new folder" in outcome.message


@pytest.mark.parametrize(("at", "embedded"), [(1, 2), (3, 2), (5, 2), (8, 3)])
def test_a_run_killed_between_two_segments_asks_nothing_again(novels, server, tmp_path, lengthwise, at, embedded):
    find_all(server)
    process = []
    answer, count = server.default, 0

    def step(body):
        nonlocal count
        count += 1
        if count != at:
            return answer(body)
        return Step(before=lambda: os.kill(process[0].pid, signal.SIGKILL), reset=True)

    server.default = step
    arguments = ["run", novels, "--model", server.spec, "--method", "rag", "--embed", f"{server.url}#fake-m3"]
    arguments += ["--out", "out", "--concurrency", 1]
    process.append(
        subprocess.Popen(command_line(*arguments), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    )
    process[0].communicate(timeout=60)
    assert process[0].returncode == -signal.SIGKILL
    killed = server.seen[-1].body["messages"][0]["content"]
    assert (len(server.seen), len(server.embedded)) == (at, embedded)
    done = lengthwise(*arguments)
    assert done.returncode == 0, done.stderr
    # The one that the process died over was made twice, and no other: those of true segments are made for both
    # summaries of their article.
    prompts = Counter(one.body["messages"][0]["content"] for one in server.seen)
    expected = Counter({prompt: 2 if is_shared(prompt) else 1 for prompt in prompts})
    assert prompts == expected + Counter([killed])
    assert len(server.seen) == 2 * (5 + 6) + 1
    # Of the first row's two requests for embeddings none was made again; the others share their article.
    assert Counter(map(tuple, server.embedded)) == Counter({tuple(texts): 1 for texts in server.embedded})
    assert sorted(len(texts) for texts in server.embedded) == [4, 4, 4, 4, 9, 9]
    assert {one.kind for one in score_outcomes(tmp_path / "out").outcomes.values()} == {"correct"}


def is_shared(prompt):
    """Return whether both summaries of an article lead to a prompt: its segment is in both."""
    return asked_about(prompt)[0] in {segment for language in ("en", "zh") for segment in segments(language)[:3]}


def test_the_command_line_keeps_the_embedder_from_a_run_json(novels, server, tmp_path, lengthwise):
    options = ["--method", "rag", "--batch", 150, "--embed", f"{server.url}#fake-m3"]
    done = lengthwise("run", novels, "--model", server.spec, *options, "--out", "one", "--limit", 1)
    assert done.returncode == 0, done.stderr
    done = lengthwise("run", "--from", "one/run.json", "--out", "two")
    assert done.returncode == 0, done.stderr
    one, two = (json.loads((tmp_path / name / "run.json").read_text()) for name in ("one", "two"))
    assert one["roles"] == two["roles"] and two["method"] == "rag:150"
    refused = lengthwise("run", novels, "--model", server.spec, "--method", "rag", "--out", "three")
    assert refused.returncode != 0 and "--embed sentence-transformers" in refused.stderr


def test_asking_again_keeps_the_embedder(novels, server, tmp_path, lengthwise):
    from lengthwise.evaluators.again_selection import again_settings

    run_benchmark(settings(novels, server), tmp_path / "one", FAST)
    again = again_settings(tmp_path / "one", ["wrong"])
    assert again.roles == {"embed": f"{server.url}#fake-m3"}
    run_benchmark(again, tmp_path / "two", FAST)


def test_the_plan_is_an_upper_bound(novels, server):
    plan = plan_run(settings(novels, server, repeats=2))
    # Four segments, judged twice each.
    assert plan.calls == plan.most_calls == 4 * 8 * 2
    assert [line for line in plan.lines() if "at most" in line][:2] == [
        "calls          at most 64",
        f"input tokens   at most {plan.input_tokens:,}",
    ]
    assert plan.lines()[-1] == "not counted    requests to --embed"


def test_what_does_not_fit_is_known_by_the_whole_document(novels, server, tmp_path):
    longest = max(made["n_tokens"] for made in rows())
    server.models = [{"id": name, "owned_by": "vllm", "max_model_len": longest} for name in ("fake", "fake-m3")]
    with pytest.raises(InputError, match=r"needs .* tokens") as raised:
        run_benchmark(settings(novels, server), tmp_path / "out", FAST)
    assert "--batch" not in str(raised.value)
    assert not server.seen and not server.embedded


@pytest.mark.parametrize("reference", ["gold", "faithful", "hallucinated"])
def test_references_answer_each_segment_as_the_row(novels, server, tmp_path, reference):
    run_benchmark(replace(settings(novels, server), model=f"reference:{reference}"), tmp_path / "out", FAST)
    scored = score_outcomes(tmp_path / "out")
    found = [one.kind for one in scored.outcomes.values()]
    # Nobody counted its tokens; the embedder, which has no output, did not speak for it.
    assert scored.results.cells[0].output_tokens is None
    assert found.count("correct") == {"gold": 4}.get(reference, 2)


def test_what_a_run_took_and_the_sweep_of_sizes(novels, server, tmp_path):
    find_all(server)
    for name, method in (("a", "rag"), ("b", "rag:150"), ("c", "prompt-e")):
        changes = {"method": method, "roles": {} if method == "prompt-e" else settings(novels, server).roles}
        run_benchmark(settings(novels, server, repeats=2, **changes), tmp_path / name, FAST)
    runs = [score_outcomes(tmp_path / name) for name in "abc"]
    cost = rag_cost(runs[0], "s")
    # 5 calls for a true summary and 6 for a false one, of 100 tokens each by the server's word.
    assert (cost.summaries, cost.calls, cost.tokens_per_call, cost.tokens) == (8, 5.5, 100, 550)
    # Two articles of nine blocks and four summaries of four segments, over eight summaries.
    assert (cost.embed_calls, cost.embed_tokens) == (6 / 8, 7 * (2 * 9 + 4 * 4) / 8)
    table = rag_cost_table(runs)
    assert [row[:5] for row in table.rows] == [
        ("fake", "s", "rag", "8", "5.5"),
        ("fake", "s", "rag:150", "8", "2.2"),
        ("fake", "s", "prompt-e", "8", "1.0"),
    ]
    # Of 150 characters are two English sentences, but three Chinese ones: the changed one stands alone there only, and
    # only alone the server knows it.
    swept, ceiling, *floors = segment_table(runs).rows
    assert swept == ("fake", "s", "100.0", "75.0") and ceiling == ("ceiling (gold)", "any", "100.0", "100.0")
    assert {floor[2:] for floor in floors} == {("50.0", "50.0")} and len(floors) == 3
    titles = [table.title for table in novel_analyses(runs)]
    assert titles[-2:] == ["What RAG takes (Figure 5)", "RAG by the size of the segments (Figure 4)"]
    assert segment_table(runs[:1]) is None and rag_cost_table(runs[2:]) is None
