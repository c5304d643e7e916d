"""Logs of lm-eval as files: which rows are found, what is refused; no harness is needed here."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from run_helpers import make_row, write_data

from lengthwise.contracts import Reply, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.harnesses.importing import ImportOptions, import_log
from lengthwise.evaluators.harnesses.inspect_logs import read_inspect
from lengthwise.evaluators.harnesses.kept import one_call
from lengthwise.evaluators.harnesses.lm_eval_logs import read_lm_eval
from lengthwise.evaluators.run_folder import RunFolder
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.settings import settings_from

SETTINGS = {"until": [], "max_gen_toks": 16_000, "temperature": 1.0, "top_p": 1.0, "do_sample": True}
RIGHT = "<answer>a b c</answer>"
STAMP = "2026-01-02T03-04-05.678"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_data(tmp_path / "data", {"lex-locate/4k": 4, "unary-all/4k": 2})


def sample(index: int, *texts: str, config: str = "lex-locate", **changes: Any) -> dict[str, Any]:
    """Return a sample as a plain task of someone else's has it: the row with its id, and the text of each reply."""
    row = make_row(config, "4k", index)
    doc = {"id": row["id"], "prompt": row["prompt"]} | changes.pop("doc", {})
    asked = json.dumps([{"role": "user", "content": doc.get("prompt", row["prompt"])}])
    return {
        "doc_id": index,
        "doc": doc,
        "arguments": {"gen_args_0": {"arg_0": asked, "arg_1": SETTINGS}},
        "resps": [list(texts)],
        "filter": "none",
    } | changes


def write_log(folder: Path, samples: list[dict[str, Any]], task: str = "plain", **config: Any) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / f"samples_{task}_{STAMP}.jsonl").write_text("\n".join(map(json.dumps, samples)) + "\n")
    results = {
        "configs": {task: config},
        "config": {"model": "local-chat-completions", "model_args": {"model": "some-model"}},
        "lm_eval_version": "0.4.13",
    }
    (folder / f"results_{STAMP}.json").write_text(json.dumps(results))
    return folder


def kinds(folder: RunFolder) -> dict[str, str]:
    return {example: one.kind for (example, _), one in score_outcomes(folder.path).outcomes.items()}


def take(log: Path, data: Path, out: Path, **options: Any) -> tuple[RunFolder, list[str]]:
    said: list[str] = []
    return import_log(read_lm_eval([log]), str(data), out, ImportOptions(notify=said.append, **options)), said


def test_rows_are_found_by_id_and_missing_ones_are_named(data: Path, tmp_path: Path) -> None:
    """Cells of which the log has nothing are no part of the run."""
    log = write_log(tmp_path / "log", [sample(0, RIGHT), sample(1, "<answer>a b</answer>"), sample(3, "Hm.")])
    run, said = take(log, data, tmp_path / "run")
    wanted = {"0000": "correct", "0001": "wrong", "0002": "error", "0003": "unparsed"}
    assert kinds(run) == {f"lex-locate-4k-s0-{number}": kind for number, kind in wanted.items()}
    assert said[1].startswith("careful: 1 rows of the data have no reply in the log")
    assert said[1].endswith("lex-locate-4k-s0-0002")
    about = run.settings["imported"]
    assert (about["replies"], about["missing"], about["unmatched"]) == (3, 1, 0)
    assert about["files"][0]["name"].startswith("samples_plain")
    assert (run.settings["model"]["name"], run.settings["model"]["spec"]) == ("some-model", "lm-eval:some-model")
    assert (run.settings["sampling_origin"], run.settings["method"]) == ("paper", "zero-shot")


def test_ceiling_and_floor_stand_beside_it(data: Path, tmp_path: Path) -> None:
    run, _ = take(write_log(tmp_path / "log", [sample(0, RIGHT)]), data, tmp_path / "run")
    results = score_outcomes(run.path).results
    assert [one.reference for one in results.bounds] == ["solver", "random"]


def test_only_logged(data: Path, tmp_path: Path) -> None:
    log = write_log(tmp_path / "log", [sample(0, RIGHT)])
    run, said = take(log, data, tmp_path / "run", only_logged=True)
    assert kinds(run) == {"lex-locate-4k-s0-0000": "correct"}
    assert len(said) == 1


def test_rows_are_found_by_prompt(data: Path, tmp_path: Path) -> None:
    """Of a log whose ids are numbers; a prompt of nobody's is counted and named."""
    prompts = [{"id": number} for number in range(4)]
    other = sample(7, RIGHT)
    log = write_log(tmp_path / "log", [sample(n, RIGHT, doc=doc) for n, doc in enumerate(prompts)] + [other])
    run, said = take(log, data, tmp_path / "run")
    assert set(kinds(run).values()) == {"correct"} and len(kinds(run)) == 4
    assert "careful: 1 rows of the log are not in the data" in said[1]
    assert run.settings["imported"]["unmatched_rows"] == [f"lex-locate-4k-s0-0007 (samples_plain_{STAMP}.jsonl:5)"]


def test_rows_are_found_by_the_prompt_that_was_asked(data: Path, tmp_path: Path) -> None:
    one = sample(1, RIGHT)
    one["doc"] = {"question": "?"}
    run, _ = take(write_log(tmp_path / "log", [one]), data, tmp_path / "run", only_logged=True)
    assert kinds(run) == {"lex-locate-4k-s0-0001": "correct"}


def test_repeats(data: Path, tmp_path: Path) -> None:
    log = write_log(tmp_path / "log", [sample(number, RIGHT, "no") for number in range(4)])
    run, said = take(log, data, tmp_path / "run")
    assert run.repeats == 2 and len(said) == 1
    scored = score_outcomes(run.path)
    assert [one.kind for one in scored.outcomes.values()] == ["correct", "unparsed"] * 4


def test_a_sample_for_each_filter_is_one_reply(data: Path, tmp_path: Path) -> None:
    twice = [sample(0, RIGHT, filter=name) for name in ("strict", "flexible")]
    run, _ = take(write_log(tmp_path / "log", twice), data, tmp_path / "run", only_logged=True)
    assert run.settings["imported"]["replies"] == 1


def test_two_replies_to_one_row(data: Path, tmp_path: Path) -> None:
    log = write_log(tmp_path / "log", [sample(0, RIGHT), sample(0, "another")])
    with pytest.raises(InputError, match="has another reply to lex-locate-4k-s0-0000 already"):
        take(log, data, tmp_path / "run")


def test_a_system_message_is_told_of(data: Path, tmp_path: Path) -> None:
    one = sample(0, RIGHT)
    messages = [{"role": "system", "content": "Think."}, {"role": "user", "content": one["doc"]["prompt"]}]
    one["arguments"]["gen_args_0"]["arg_0"] = json.dumps(messages)
    run, said = take(write_log(tmp_path / "log", [one]), data, tmp_path / "run", only_logged=True)
    assert "1 rows were asked with more than their prompt" in said[1]
    assert run.settings["imported"]["asked_otherwise"] == 1


def test_other_sampling_is_not_the_papers(data: Path, tmp_path: Path) -> None:
    one = sample(0, RIGHT)
    one["arguments"]["gen_args_0"]["arg_1"] = {"max_gen_toks": 256, "temperature": 0}
    run, _ = take(write_log(tmp_path / "log", [one]), data, tmp_path / "run")
    assert (
        run.settings["sampling"] | {"max_tokens": 256, "temperature": 0.0, "top_p": None} == run.settings["sampling"]
    )
    assert run.settings["sampling_origin"] == "changed"


def test_another_build_by_its_prompts(data: Path, tmp_path: Path) -> None:
    log = write_log(tmp_path / "log", [sample(0, RIGHT), sample(1, RIGHT, doc={"prompt": "Words: d e f"})])
    with pytest.raises(InputError, match=r"another build: 1 of its rows have other prompts.*s0-0001"):
        take(log, data, tmp_path / "run")
    assert not (tmp_path / "run").exists()
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(("split", "here"), [("4k", "here is digest digest of"), ("8k", "here is no such cell")])
def test_another_build_by_its_digest(split: str, here: str, data: Path, tmp_path: Path) -> None:
    about = {"dataset_name": "lex-locate", "test_split": split, "dataset_kwargs": {"digest": "of another"}}
    log = write_log(tmp_path / "log", [sample(0, RIGHT)], **about)
    with pytest.raises(InputError, match=f"another build: lex-locate/{split} had digest of another there, and {here}"):
        take(log, data, tmp_path / "run")


def test_the_calls_that_our_task_kept(data: Path, tmp_path: Path) -> None:
    """They say why a reply ended, which its text does not."""
    cut = Reply("First I look at", finish_reason="length")
    calls = [one_call("digest of the request", cut, None).to_json()]
    about = {
        "dataset_name": "lex-locate",
        "test_split": "4k",
        "dataset_kwargs": {"digest": "digest of lex-locate/4k 4", "method": "reask"},
    }
    log = write_log(tmp_path / "log", [sample(0, cut.text or "", calls=calls)], **about)
    run, _ = take(log, data, tmp_path / "run")
    assert list(kinds(run).values()) == ["truncated_output", "error", "error", "error"]
    assert run.settings["method"] == "reask"
    broken = [sample(0, "", calls=[{"calls": [{"request": "x"}], "settled": 0, "error": None}])]
    with pytest.raises(InputError, match="not what a harness keeps of a row"):
        take(write_log(tmp_path / "broken", broken), data, tmp_path / "other")


def test_nothing_of_the_data(data: Path, tmp_path: Path) -> None:
    log = write_log(tmp_path / "log", [sample(8, RIGHT), sample(9, RIGHT)])
    with pytest.raises(InputError, match="none of the 2 rows of the log is in these data"):
        take(log, data, tmp_path / "run")


def test_out_holds_something(data: Path, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "mine").write_text("")
    with pytest.raises(InputError, match="choose a new folder"):
        take(write_log(tmp_path / "log", [sample(0, RIGHT)]), data, tmp_path / "run")


def test_nobody_can_be_asked_again(data: Path, tmp_path: Path) -> None:
    run, _ = take(write_log(tmp_path / "log", [sample(0, RIGHT)]), data, tmp_path / "run")
    with pytest.raises(InputError, match="nobody can be asked for more"):
        settings_from(run.path)


def test_logs_of_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no samples_"):
        read_lm_eval([tmp_path])
    (tmp_path / f"samples_x_{STAMP}.jsonl").write_text("{}\n")
    with pytest.raises(InputError, match="not a sample of lm-eval"):
        read_lm_eval([tmp_path])


def test_without_results_the_model_is_not_known(data: Path, tmp_path: Path) -> None:
    log = write_log(tmp_path / "log", [sample(0, RIGHT)])
    (log / f"results_{STAMP}.json").unlink()
    run, _ = take(log, data, tmp_path / "run", labels={"label": "My model"})
    assert run.settings["model"]["name"] == "unknown"
    assert run.settings["labels"]["label"] == "My model"


def test_two_runs_of_one_task(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log", [sample(0, RIGHT)])
    (log / "samples_plain_2026-02-02T03-04-05.678.jsonl").write_text(json.dumps(sample(0, "x")) + "\n")
    with pytest.raises(InputError, match="several runs of task plain"):
        read_lm_eval([log])


def test_logs_of_two_models(tmp_path: Path) -> None:
    logs = [write_log(tmp_path / name, [sample(0, RIGHT)], task=name) for name in ("a", "b")]
    results = json.loads((logs[1] / f"results_{STAMP}.json").read_text())
    results["config"]["model_args"] = "model=another,base_url=http://x"
    (logs[1] / f"results_{STAMP}.json").write_text(json.dumps(results))
    with pytest.raises(InputError, match=r"several models \(another, some-model\)"):
        read_lm_eval(logs)


def test_no_log_of_inspect(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"name one log of inspect .*, not none"):
        read_inspect([tmp_path])


def test_sampling_is_read(data: Path, tmp_path: Path) -> None:
    found = read_lm_eval([write_log(tmp_path / "log", [sample(0, RIGHT)])])
    assert found.sampling == Sampling(max_tokens=16_000, temperature=1.0, top_p=1.0)
    assert isinstance(found.cells, Mapping) and not found.cells
