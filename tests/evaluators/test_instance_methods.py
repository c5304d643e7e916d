import asyncio
import json
from collections import Counter
from dataclasses import replace

import pytest
from faulty_server import Step, completion, error

from lengthwise.builders.multi_instance.build import build_multi_instance
from lengthwise.builders.multi_instance.configs import parse_config
from lengthwise.builders.multi_instance.noise import NOISE
from lengthwise.builders.multi_instance.pools.pool import Instance, Pool
from lengthwise.builders.multi_instance.prompts import Prompts, load_prompts
from lengthwise.builders.multi_instance.rows import Selection, make_row
from lengthwise.builders.multi_instance.settings import InstanceSettings
from lengthwise.builders.multi_instance.solver import solve_prompt
from lengthwise.builders.tokens import load_tokenizer
from lengthwise.contracts import OverlengthError, Reply, ReplyError, Sampling, Usage
from lengthwise.errors import InputError
from lengthwise.evaluators.asking import run_example
from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.instance_methods import NO_ANSWER
from lengthwise.evaluators.method_parts import Resources
from lengthwise.evaluators.methods import METHODS, method_kind, method_name
from lengthwise.evaluators.plan import plan_run
from lengthwise.evaluators.retry import RetryPolicy
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.settings import RunSettings, prepare
from lengthwise.metrics.answers import parse_aggregate, parse_instances
from lengthwise.recording import ReplyLog

BENCHMARK = find_benchmark("multi-instance")
NUMBERS = ["11", "22", "33", "44", "55", "66", "77"]
FAST = RunOptions(retries=RetryPolicy(attempts=1), bounds=False)


def example(config="parity", texts=NUMBERS, labels=None, prompts=None):
    """Return a row over these instances as the builder makes it."""
    known = parse_config(config)
    labels = labels or ["odd" if int(text) % 2 else "even" for text in texts]
    pool = Pool(
        known.task.name, "folder", "tiny", "CC0", True, [Instance(*one) for one in zip(texts, labels, strict=True)]
    )
    selection = Selection("all", len(texts), 1, tuple(range(len(texts))))
    row = make_row(known, selection, pool, prompts or load_prompts(), "qwen3") | {"config": config, "split": "n7"}
    return Example(row["id"], row.pop("prompt"), row)


def solve(prompt, attempt):
    return solve_prompt(prompt)


def ask_with(answer, prompts):
    """Return an `ask` that answers prompts by `answer(prompt, attempt)`, a text or a Reply, and notes them."""
    attempts = Counter()

    async def ask(request):
        prompt = request.messages[0].content
        prompts.append(prompt)
        attempts[prompt] += 1
        given = answer(prompt, attempts[prompt])
        if isinstance(given, Exception):
            raise given
        return given if isinstance(given, Reply) else Reply(given, usage=Usage(input=10, output=5), cost=0.5)

    return ask


def outcome_of(name, row, answer, log):
    """Return (outcome, prompts sent) of one row run with a method."""
    prompts = []
    method = method_kind(name).make(Resources(Sampling(), lambda *_: True))
    with ReplyLog(log) as opened, ReplyLog(log.with_name("settled")) as settled:
        outcome = asyncio.run(run_example(method, BENCHMARK, row, 0, ask_with(answer, prompts), opened, settled))
    return outcome, prompts


@pytest.fixture
def run(tmp_path):
    return lambda name, row, answer=solve: outcome_of(name, row, answer, tmp_path / "log")


@pytest.fixture
def settled(tmp_path):
    return lambda: json.loads((tmp_path / "settled").read_text().splitlines()[-1])["reply"]


def test_batches_are_whole_prompts_with_the_same_question_numbered_from_1(run):
    row = example()
    outcome, prompts = run("batched:3", row)
    assert outcome.kind == "correct" and outcome.calls == 3
    assert [prompt.count("\nNumber ") for prompt in prompts] == [3, 3, 1]
    assert all(prompt.startswith(row.columns["question"] + "\n\n\n=== Here are") for prompt in prompts)
    assert prompts[1].endswith("Number 1: 44\n\nNumber 2: 55\n\nNumber 3: 66\n\n=== End of numbers ===")


def test_one_batch_is_the_prompt_itself(run):
    row = example()
    assert run("batched:7", row)[1] == [row.prompt]
    assert run("batched:2000", row)[1] == []  # the same request, and on record


@pytest.mark.parametrize("config", ["parity", "parity-instances", "arithmetic", "arithmetic-instances", "word"])
@pytest.mark.parametrize("method", ["batched:1", "batched:2", "decomposed", "decomposed:3"])
def test_what_is_solved_rightly_is_right_as_a_whole(run, config, method):
    instances = {
        "parity": (NUMBERS, None),
        "arithmetic": (
            ["0.1+0.2", "What is 3 less than 1?", "1000000000000+0.001"],
            ["0.3", "-2", "1000000000000.001"],
        ),
        "word": (["Women and women", "men", "womenfolk"], ["2", "0", "1"]),
    }[config.partition("-")[0]]
    outcome, _ = run(method, example(config, *instances))
    assert outcome.kind == "correct", outcome


def test_answers_are_renumbered_and_the_summary_is_worked_out_from_them(run, settled):
    tables = ['{"1": 1, "2": 0, "odd": 9, "even": 9}', '{"2": 0, "1": 1}', '{"1": 1, "2": 1}', '{"1": 1}']
    outcome, _ = run("batched:2", example("parity-instances"), lambda prompt, _: tables.pop(0))
    text = json.loads(settled()["text"])
    assert [text[str(number)] for number in range(1, 8)] == [1, 0, 1, 0, 1, 1, 1]
    assert (text["odd"], text["even"]) == (5, 2)
    # 66 is even: an honest sum of a wrong part.
    assert (outcome.kind, outcome.details["failure"], outcome.details["wrong"]) == ("wrong", "individual", 1)


def test_exact_decimals_stay_exact_in_a_table(run, settled):
    row = example("arithmetic-instances", ["0.1+0.2", "1+1"], ["0.3", "2"])
    outcome, _ = run("batched:1", row, lambda prompt, _: '{"1": 0.30}' if "0.2" in prompt else '{"1": "2"}')
    assert (outcome.kind, json.loads(settled()["text"])["sum"]) == ("correct", "2.3")


def test_missing_and_extra_keys_of_a_batch_stay_so_in_the_whole(run):
    tables = ['{"1": 1, "2": 0, "3": 1}', '{"1": 1}', '{"1": 1, "2": 0}', '{"1": 1}']
    outcome, _ = run("batched:2", example("parity-instances"), lambda prompt, _: tables.pop(0))
    figures = {name: outcome.details[name] for name in ("failure", "missing", "missing_at", "extra")}
    assert figures == {"failure": "key", "missing": 1, "missing_at": "4", "extra": 1}


def test_noise_is_kept_where_it_is_shown(run):
    row = example("word-noise-random", ["all women here", "men and women", "no one at all"], ["1", "1", "0"])
    outcome, prompts = run("batched:2", row)
    texts = [line.partition(": ")[2] for prompt in [row.prompt] for line in prompt.split("\n\n") if "Tweet " in line]
    sent = [line.partition(": ")[2] for prompt in prompts for line in prompt.split("\n\n") if "Tweet " in line]
    assert (outcome.kind, sent) == ("correct", texts)
    assert sum(NOISE in text for text in sent) == 3


def test_templates_of_ones_own_are_asked(run):
    own = Prompts({**load_prompts().texts, ("parity", "aggregate"): "Odd ones, please: how many?"})
    outcome, prompts = run("batched:4", example(prompts=own))
    assert outcome.kind == "correct"
    assert all(prompt.startswith("Odd ones, please: how many?\n") for prompt in prompts)


def test_a_batch_without_an_answer_is_asked_again_alone(run):
    row = example()
    outcome, prompts = run(
        "batched:3", row, lambda prompt, n: "hm" if n == 1 and "Number 1: 44" in prompt else solve(prompt, n)
    )
    assert (outcome.kind, outcome.calls) == ("correct", 4)
    assert Counter(prompts).most_common(1)[0] == (prompts[1], 2)
    assert (outcome.usage.output, outcome.cost) == (20, 2.0)


@pytest.mark.parametrize(
    ("last", "kind"),
    [
        (Reply("Let me see."), "unparsed"),
        (Reply('{"reasoning": "first'), "unparsed"),
        (Reply("I cannot help with that request."), "refused"),
        (Reply(None), "empty"),
        (Reply('{"1": 1, "2"', finish_reason="length"), "truncated_output"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.parametrize("config", ["parity", "parity-instances"])
@pytest.mark.parametrize("method", ["batched:3", "decomposed:3"])
def test_a_batch_that_stays_without_an_answer_leaves_the_whole_without_one(run, settled, config, method, last, kind):
    outcome, _ = run(method, example(config), lambda prompt, n: last if "Number 1: 44" in prompt else solve(prompt, n))
    assert (outcome.kind, outcome.answer, outcome.calls) == (kind, None, 5)
    assert settled()["reasoning"].startswith("batch 2 of 3 (instances 4 to 6) has no answer after 3 attempts: ")


def test_an_omission_does_not_count_as_nought(run, settled):
    row = example("word", ["women", "women", "men"], ["1", "1", "0"])
    outcome, prompts = run("decomposed", row, lambda prompt, _: '{"1": 1, "2": 1, "total": 2}')
    assert (outcome.kind, len(prompts)) == ("unparsed", 3)
    assert settled()["text"] == NO_ANSWER
    assert "no answer for 3" in settled()["reasoning"]


def test_an_answer_that_is_no_number_is_not_added_up(run):
    row = example("word", ["women", "men"], ["1", "0"])
    assert run("decomposed", row, lambda prompt, _: '{"1": "one", "2": 0, "total": 1}')[0].kind == "unparsed"


@pytest.mark.parametrize("kind", ["integer", "decimal"])
def test_the_text_for_no_answer_holds_none(kind):
    assert parse_aggregate(NO_ANSWER, kind).value is None
    assert parse_instances(NO_ANSWER, ["1", "odd"]).value is None


def test_decomposed_asks_for_instances_and_reads_no_total(run, settled):
    row = example()
    outcome, prompts = run("decomposed", row, lambda prompt, n: solve(prompt, n).replace('"odd": 4', '"odd": 99'))
    assert prompts[0].startswith(load_prompts().texts["parity", "instances"])
    assert (outcome.kind, json.loads(settled()["text"])["answer"]) == ("correct", 4)


def test_decomposed_in_the_instance_level_setting_asks_what_a_plain_run_asks(run):
    row = example("parity-instances")
    outcome, prompts = run("decomposed", row, lambda prompt, n: solve(prompt, n).replace('"odd": 4', '"odd": 3'))
    assert (outcome.kind, prompts) == ("correct", [row.prompt])


def test_calls_are_numbered_alike_whichever_reply_comes_first(tmp_path):
    row = example()
    method = method_kind("batched:1").make(Resources(Sampling(), lambda *_: True))

    def records(name, delays):
        asked = []

        async def ask(request):
            prompt = request.messages[0].content
            asked.append(prompt)
            await asyncio.sleep(delays[len(asked) % len(delays)])
            return Reply(
                "hm" if asked.count(prompt) < 2 and ("11\n" in prompt or "55\n" in prompt) else solve(prompt, 0)
            )

        with ReplyLog(tmp_path / name) as log:
            asyncio.run(run_example(method, BENCHMARK, row, 0, ask, log))
        lines = map(json.loads, (tmp_path / name).read_text().splitlines())
        return sorted((line["call"], line["request"]) for line in lines)

    first = records("a", [0.0, 0.02, 0.01])
    assert len(first) == 9
    assert first == records("b", [0.03, 0.0, 0.0, 0.01])


def test_a_run_killed_between_batches_asks_for_no_reply_again_that_it_has(tmp_path):
    row = example()

    class Killed(BaseException):
        pass

    def dying(prompt, _):
        if "Number 1: 77" in prompt:
            raise Killed
        return "hm" if "Number 1: 44" in prompt else solve(prompt, 0)

    with pytest.raises(Killed):
        outcome_of("batched:3", row, dying, tmp_path / "log")
    outcome, prompts = outcome_of("batched:3", row, solve, tmp_path / "log")
    # The last batch, and the second once more: its first reply is on record and holds no answer.
    assert [prompt.rpartition("Number 1: ")[2][:2] for prompt in prompts] == ["77", "44"]
    assert outcome.kind == "correct"


def test_a_failed_batch_alone_is_asked_again_on_resume(tmp_path):
    row = example()
    first, _ = outcome_of(
        "batched:3", row, lambda p, n: ReplyError("down") if "Number 1: 11" in p else solve(p, n), tmp_path / "log"
    )
    assert (first.kind, first.message, first.calls) == ("error", "down", 2)
    second, prompts = outcome_of("batched:3", row, solve, tmp_path / "log")
    assert (second.kind, len(prompts)) == ("correct", 1)


def test_a_batch_that_does_not_fit_makes_the_row_overlong(run):
    outcome, _ = run("batched:3", example(), lambda p, n: OverlengthError("too long") if "11\n" in p else solve(p, n))
    assert outcome.kind == "overlength"


def test_a_prompt_without_the_frame_is_told(run):
    row = example()
    with pytest.raises(InputError, match="does not show 7 numbers between the lines"):
        run("batched:3", replace(row, prompt=row.prompt.replace("Number 3", "No. 3")))


@pytest.fixture(scope="module")
def mip(tmp_path_factory):
    """A data folder with two small configs."""
    folder = tmp_path_factory.mktemp("mip")
    settings = InstanceSettings(sizes=(5, 20), seeds=(1, 2))
    build_multi_instance(folder, ("parity", "word-instances", "word-noise-random"), settings=settings)
    return folder


@pytest.mark.parametrize("name", ["batched:6", "decomposed", "decomposed:6"])
def test_the_plan_counts_what_is_sent(mip, server, name):
    counted = load_tokenizer("qwen3").count
    plan = plan_run(RunSettings(str(mip), server.spec, method=name))
    server.default = lambda body: Step(body=completion(solve_prompt(body["messages"][0]["content"])))
    run_benchmark(RunSettings(str(mip), server.spec, method=name), mip.parent / f"run-{name[:12]}", FAST)
    sent = [seen.body["messages"][0]["content"] for seen in server.seen]
    assert (plan.calls, plan.most_calls) == (len(sent), 3 * len(sent))
    assert plan.input_tokens == sum(counted(prompt) + 64 for prompt in sent)


def test_only_the_batches_must_fit_the_window(mip, server, tmp_path):
    longest = max(prepare(RunSettings(str(mip), server.spec)).examples["n_tokens"].to_pylist())
    server.models[0]["max_model_len"] = longest + 1000 - 100
    server.default = lambda body: Step(body=completion(solve_prompt(body["messages"][0]["content"])))
    settings = RunSettings(str(mip), server.spec, sampling=Sampling(max_tokens=1000))
    with pytest.raises(InputError, match="needs"):
        run_benchmark(settings, tmp_path / "a", FAST)
    run_benchmark(replace(settings, method="batched:5"), tmp_path / "b", FAST)
    assert {one.kind for one in score_outcomes(tmp_path / "b").outcomes.values()} == {"correct"}
    server.models[0]["max_model_len"] = 1200
    with pytest.raises(InputError, match=r"Ways out: a smaller --batch"):
        run_benchmark(replace(settings, method="batched:5"), tmp_path / "c", FAST)


def test_scoring_a_run_again_finds_what_the_run_found(mip, server, tmp_path):
    def default(body):
        prompt = body["messages"][0]["content"]
        if "Number 1: " in prompt and prompt.count("\nNumber ") == 2:
            return error(400, "maximum context length is 5 tokens", "context_length_exceeded")
        return Step(body=completion(solve_prompt(prompt)))

    server.default = default
    settings = RunSettings(str(mip), server.spec, configs=("parity",), method="batched:6")
    run_benchmark(settings, tmp_path / "run", FAST)
    kinds = {example: one.kind for (example, _), one in score_outcomes(tmp_path / "run").outcomes.items()}
    assert Counter(kinds.values()) == {"correct": 2, "overlength": 2}


def test_the_size_of_batches_is_part_of_what_a_run_is(mip, tmp_path):
    settings = RunSettings(str(mip), "reference:solver", configs=("parity",), method="batched:6")
    folder = run_benchmark(settings, tmp_path / "run", FAST)
    assert folder.settings["method"] == "batched:6"
    with pytest.raises(InputError, match='method: "batched:6" there, "batched:7" now'):
        run_benchmark(replace(settings, method="batched:7"), tmp_path / "run", FAST)


def test_rows_without_instances_are_refused(data):
    with pytest.raises(InputError, match="it is for the multi-instance benchmark"):
        prepare(RunSettings(str(data), "reference:solver", method="batched:5"))


def test_a_reference_that_does_not_read_its_prompt_is_refused(mip):
    with pytest.raises(InputError, match="take reference:solver"):
        prepare(RunSettings(str(mip), "reference:gold", method="decomposed"))


def test_rows_of_other_templates_are_not_decomposed_with_ours(mip, tmp_path):
    own = tmp_path / "own"
    own.mkdir()
    (own / "parity.txt").write_text("Odd ones?")
    settings = InstanceSettings(sizes=(5,), seeds=(1,), prompts=own)
    build_multi_instance(tmp_path / "data", ("parity", "parity-instances"), settings=settings)
    with pytest.raises(InputError, match="run it on the -instances configs"):
        prepare(RunSettings(str(tmp_path / "data"), "reference:solver", method="decomposed"))
    assert prepare(RunSettings(str(tmp_path / "data"), "reference:solver", method="batched:2"))
    prepare(RunSettings(str(tmp_path / "data"), "reference:solver", ("parity-instances",), method="decomposed"))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("batched", "needs a number, e.g. --method batched --batch 20"),
        ("batched:0", "at least 1"),
        ("batched:-3", "at least 1"),
        ("batched:x", "whole number"),
        ("reask:3", "takes no number"),
        ("batch:3", "did you mean 'batched'"),
    ],
)
def test_names_that_mean_nothing(name, message):
    with pytest.raises(InputError, match=message):
        method_kind(name)


def test_a_batch_size_needs_a_method():
    with pytest.raises(InputError, match="--batch 20: is for a method that splits"):
        method_name(None, 20)
    assert method_name("decomposed", None) == "decomposed"
    assert {"batched", "decomposed"} <= set(METHODS)
