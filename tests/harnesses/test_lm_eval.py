"""`lm_eval` with our task files against the scripted model: the outcomes, scores and requests of our runner."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from harness_runs import Call, OurRun, Serve, write_plain_task
from scripted_server import CASES, ScriptedServer

pytestmark = pytest.mark.harness

TASK = "lengthwise_predicate"
LOCATE = "lengthwise_predicate_lex_locate_4k"


class Evaluated:
    """What lm-eval left behind, and who was asked."""

    def __init__(self, done: "subprocess.CompletedProcess[str]", server: ScriptedServer, folder: Path) -> None:
        self.done, self.server = done, server
        self.said = done.stdout + done.stderr
        files = list((folder / "out").rglob("results_*.json"))
        self.results = json.loads(files[0].read_text())["results"] if files else {}
        lines = [line for file in (folder / "out").rglob("samples_*.jsonl") for line in file.read_text().splitlines()]
        self.samples = [json.loads(line) for line in lines]

    def metric(self, name: str, task: str = TASK) -> float:
        return float(self.results[task][f"{name},none"])

    def kinds(self) -> dict[str, str]:
        """Return the outcome of every row, by id; one that its repeats do not share is an error here."""
        found: dict[str, str] = {}
        for sample in self.samples:
            (metric,) = (name for name in sample["metrics"] if sample[name] == 1)
            found[sample["doc"]["id"]] = "correct" if metric == "accuracy" else metric
        return found


Evaluate = Callable[..., Evaluated]


def evaluate_tasks(call: Call, folder: Path, **arguments: Any) -> "subprocess.CompletedProcess[str]":
    """Call `simple_evaluate` in a process of its own."""
    script = Path(__file__).parent / "evaluate_tasks.py"
    return call("python", script, json.dumps(arguments, default=str), cwd=folder)


@pytest.fixture(scope="module")
def evaluate(
    needs: Callable[..., None], call: Call, serve: Serve, plb: Path, tmp_path_factory: pytest.TempPathFactory
) -> Evaluate:
    needs("lm_eval", "tenacity")

    def run(
        *,
        task: str = TASK,
        repeats: int = 1,
        command: bool = False,
        template: bool = True,
        model: str = "local-chat-completions",
        path: str = "chat/completions",
        data: Path = plb,
        change: Callable[[Path], object] = lambda data: None,
        cases: Any = CASES,
        settings: dict[str, Any] | None = None,
        **model_arguments: Any,
    ) -> Evaluated:
        server, folder = serve(cases), tmp_path_factory.mktemp("lm_eval")
        wrote = call("lengthwise", "harness", "lm-eval", data, "--repeats", repeats, "--out", "tasks", cwd=folder)
        assert wrote.returncode == 0, wrote.stderr
        change(data)
        named = {"base_url": f"{server.url}/{path}", "model": "scripted", **model_arguments}
        if command:
            done = call(
                "lm_eval", "--include_path", "tasks", "--tasks", task, "--model", model, "--apply_chat_template",
                "--model_args", ",".join(f"{name}={value}" for name, value in named.items()),
                "--log_samples", "--output_path", "out",
                cwd=folder,
            )  # fmt: skip
        else:
            asked = {"tasks": [task], "model": model, "model_args": named, "apply_chat_template": template}
            done = evaluate_tasks(call, folder, **asked, **(settings or {}))
        return Evaluated(done, server, folder)

    return run


@pytest.fixture(scope="module")
def whole(evaluate: Evaluate) -> Evaluated:
    """An evaluation of all rows by the command, several requests at a time."""
    return evaluate(command=True, num_concurrent=4)


def test_every_row_has_the_outcome_of_our_runner(whole: Evaluated, ours: OurRun) -> None:
    assert whole.done.returncode == 0, whole.said
    assert whole.kinds() == ours.kinds


def test_accuracy_and_outcomes_are_those_of_our_runner(whole: Evaluated, ours: OurRun) -> None:
    kinds = list(ours.kinds.values())
    assert whole.metric("accuracy") == pytest.approx(ours.accuracy)
    for kind in ("wrong", "unparsed", "refused", "empty", "truncated_output", "overlength", "error"):
        assert whole.metric(kind) == pytest.approx(kinds.count(kind) / len(kinds))


def test_requests_are_those_of_our_runner(whole: Evaluated, ours: OurRun) -> None:
    """The same message and settings, no seed and no stop words, and each row once, refused or not."""
    assert whole.server.bodies == ours.server.bodies
    assert whole.server.prompts == []


def test_one_request_at_a_time_and_repeats(evaluate: Evaluate, ours: OurRun) -> None:
    """Another code path in lm-eval; every repeat is asked and scored."""
    done = evaluate(task=LOCATE, repeats=2, num_concurrent=1)
    wanted = {row_id: kind for row_id, kind in ours.kinds.items() if row_id.startswith("lex-locate-")}
    assert done.kinds() == wanted
    assert {row_id: len(done.server.bodies[row_id]) for row_id in wanted} == dict.fromkeys(wanted, 2)
    assert done.metric("accuracy", LOCATE) == list(wanted.values()).count("correct") / len(wanted)


def test_a_seed_and_examples(evaluate: Evaluate, ours: OurRun) -> None:
    """A seed that was asked for is sent; solved rows are not, whatever lm-eval is told."""
    done = evaluate(task=LOCATE, settings={"gen_kwargs": "seed=5", "num_fewshot": 1})
    wanted = {row_id: bodies for row_id, bodies in ours.server.bodies.items() if row_id.startswith("lex-locate-")}
    assert {row_id: done.server.bodies[row_id] for row_id in wanted} == {
        row_id: [body | {"seed": 5} for body in bodies] for row_id, bodies in wanted.items()
    }


def test_a_cache_of_replies(evaluate: Evaluate, ours: OurRun, tmp_path: Path) -> None:
    """Why they ended comes out of it again, and nobody is asked twice."""
    cached = {"use_cache": str(tmp_path / "cache")}
    first, second = (evaluate(settings=cached) for _ in range(2))
    assert first.kinds() == second.kinds() == ours.kinds
    assert not any(second.server.bodies.values())


def test_repeats_do_not_come_out_of_a_cache(evaluate: Evaluate, tmp_path: Path) -> None:
    cached = {"use_cache": str(tmp_path / "cache")}
    done = [evaluate(task=LOCATE, repeats=2, settings=cached) for _ in range(2)]
    assert [sum(map(len, one.server.bodies.values())) for one in done] == [16, 16]


def test_a_cache_of_prompts(evaluate: Evaluate) -> None:
    done = evaluate(task=LOCATE, settings={"cache_requests": True})
    assert "--cache_requests: finds prompts by the name of the task" in done.said
    assert not any(done.server.bodies.values())


def test_a_server_that_fails_ends_the_run(evaluate: Evaluate) -> None:
    """It is no outcome of any row, and nothing is reported."""
    broken = {"broken": lambda row: (401, {"error": {"message": "no key", "code": "invalid_api_key"}})}
    done = evaluate(task=LOCATE, cases=broken, max_retries=1)
    assert done.done.returncode != 0
    assert done.results == {}


@pytest.fixture(scope="module")
def tokenizer(needs: Callable[..., None], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tokenizer of letters with a chat template, for models to which lm-eval sends tokens."""
    needs("lm_eval", "transformers", "tokenizers", "jinja2")
    from tokenizers import Tokenizer, models, pre_tokenizers

    folder = tmp_path_factory.mktemp("tokenizer")
    vocabulary = {chr(code): code for code in range(128)} | {"<unk>": 128, "<eos>": 129}
    letters = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    letters.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    letters.save(str(folder / "tokenizer.json"))
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "unk_token": "<unk>",
        "eos_token": "<eos>",
        "chat_template": "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}assistant:",
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    return folder


def completions(tokenizer: Path, max_length: int) -> dict[str, Any]:
    return {
        "model": "local-completions",
        "path": "completions",
        "tokenizer": tokenizer,
        "tokenizer_backend": "huggingface",
        "max_length": max_length,
    }


def test_prompts_that_lm_eval_would_cut_are_refused(evaluate: Evaluate, tokenizer: Path) -> None:
    done = evaluate(task=LOCATE, **completions(tokenizer, 24_000))
    assert done.done.returncode != 0
    assert f"{LOCATE}: 8 of 8 rows do not fit" in done.said
    assert "this model's max_length is 23,999" in done.said
    assert done.server.prompts == []


def test_lm_eval_still_cuts_without_a_word(
    call: Call, serve: Serve, plb: Path, tokenizer: Path, tmp_path: Path
) -> None:
    """Rows of the same data in a plain task: where this fails, our check may no longer be needed."""
    server = serve()
    write_plain_task(plb, tmp_path, generation_kwargs={"until": [], "max_gen_toks": 16000})
    named = {"base_url": f"{server.url}/completions", "tokenizer": tokenizer, "tokenizer_backend": "huggingface"}
    named |= {"model": "m", "max_length": 24_000, "max_retries": 1}
    done = evaluate_tasks(
        call, tmp_path, tasks=["plain"], model="local-completions", model_args=named, apply_chat_template=True, limit=1
    )
    ((asked,),) = server.prompts
    (tokens,) = asked["content"]
    assert len(tokens) == 23_999 - 16_000
    assert "truncat" not in done.stderr


def test_without_the_chat_template(evaluate: Evaluate) -> None:
    done = evaluate(task=LOCATE, template=False)
    assert "add --apply_chat_template" in done.said
    assert done.results == {}


def test_other_data_under_the_same_name(evaluate: Evaluate, plb: Path, tmp_path: Path) -> None:
    """lm-eval would ask these rows and report them under the other build's name."""
    mine = shutil.copytree(plb, tmp_path / "plb")

    def rebuild(data: Path) -> None:
        text = (data / "build.json").read_text()
        build = json.loads(text)
        build["configs"]["lex-locate"]["4k"]["digest"] = "of other rows"
        (data / "build.json").write_text(json.dumps(build))

    done = evaluate(task=LOCATE, data=mine, change=rebuild)
    assert "holds other data than this task was written for" in done.said
