"""What run.json says of the rope scaling behind a server."""

import json

import pytest

from lengthwise.contracts import Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.providers.base import Window
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.serving_run import check_same_rope, rope_of_run, rope_text, static_note
from lengthwise.evaluators.settings import RunSettings

YARN = {"method": "yarn", "factor": 4.0, "known": "given"}


def told(tokens):
    return Window(tokens, "the server")


def test_a_window_beyond_the_models_own_was_got_by_scaling():
    assert rope_of_run("Qwen/Qwen3-8B", told(131_072)) == {
        "method": "yarn",
        "factor": 4.0,
        "known": "inferred: the server allows 131,072, the model's own window is 40,960",
    }


@pytest.mark.parametrize("window", [told(40_960), told(None), Window(None, "a reference model")])
def test_nothing_is_inferred_where_no_scaling_is_needed_or_no_window_told(window):
    assert rope_of_run("Qwen/Qwen3-8B", window) is None


@pytest.mark.parametrize("name", ["unknown/model", "zai-org/GLM-4.6"])
def test_nothing_is_inferred_of_a_model_without_scaling(name):
    assert rope_of_run(name, told(1_000_000)) is None


def test_beyond_the_papers_factor_only_a_bound_is_known():
    rope = rope_of_run("Qwen/Qwen3-8B", told(163_840))
    assert (rope["method"], rope["factor"]) == ("yarn", None)
    assert "at least 5.00" in rope["known"]


def test_two_scalings_that_would_do_are_both_named():
    rope = rope_of_run("internlm/internlm2_5-20b-chat", told(81_920))
    assert (rope["method"], rope["factor"]) == (None, None)
    assert "dynamic 2.5" in rope["known"]
    assert "yarn 4" in rope["known"]
    assert rope_of_run("internlm/internlm2_5-20b-chat", told(131_072))["factor"] == 4.0


def test_llama_holds_its_scaling_itself():
    rope = rope_of_run("meta-llama/Llama-3.1-8B-Instruct", told(131_072))
    assert (rope["method"], rope["factor"]) == ("llama3", 8.0)
    assert "config.json" in rope["known"]


def test_what_the_user_gives_is_recorded_as_given():
    assert rope_of_run("any", told(None), 2.0) == {"method": "yarn", "factor": 2.0, "known": "given"}
    assert rope_of_run("Qwen/Qwen3-8B", told(131_072), 1)["method"] == "none"


def test_a_factor_for_no_server_is_refused():
    with pytest.raises(InputError, match="--rope-factor 4"):
        rope_of_run("solver", Window(None, "a reference model"), 4)


def test_a_run_does_not_go_on_under_another_scaling():
    check_same_rope(YARN, {**YARN, "known": "inferred"}, "runs/a")
    check_same_rope(None, None, "runs/a")
    with pytest.raises(InputError, match=r"runs/a: was begun with rope scaling yarn 4 \(given\).*none known"):
        check_same_rope(YARN, None, "runs/a")


def test_a_scaling_for_people():
    assert rope_text({"method": None, "factor": None, "known": "inferred: x"}) == "of some kind (inferred: x)"
    assert rope_text(None) == "none known"


def test_short_rows_under_a_static_factor_are_warned_of():
    note = static_note("Qwen/Qwen3-8B", YARN, [4_096, 100_000], 16_000)
    assert "1 of 2 rows would fit 40,960" in note
    assert static_note("Qwen/Qwen3-8B", YARN, [100_000], 16_000) is None
    assert static_note("Qwen/Qwen3-8B", None, [4_096], 16_000) is None


@pytest.fixture
def qwen(data, server, tmp_path):
    """Run a served Qwen3-8B with a window into tmp_path/out; return what its run.json says of the scaling."""

    def run(window, notes=None, **changes):
        server.models = [{"id": "Qwen/Qwen3-8B", "owned_by": "vllm", "max_model_len": window}]
        settings = RunSettings(str(data), f"{server.spec.partition('#')[0]}#Qwen/Qwen3-8B", **changes)
        run_benchmark(settings, tmp_path / "out", RunOptions(notify=[].append if notes is None else notes.append))
        return json.loads((tmp_path / "out" / "run.json").read_text())["model"].get("rope")

    return run


def test_a_run_notes_the_scaling_and_warns_of_short_rows(qwen):
    notes = []
    assert qwen(131_072, notes)["factor"] == 4.0
    assert any("6 of 6 rows would fit 40,960" in note for note in notes)


def test_a_run_without_scaling_says_nothing_of_it(qwen):
    assert qwen(40_960) is None


def test_a_run_notes_the_factor_that_was_given(qwen):
    assert qwen(131_072, rope_factor=2.0) == {"method": "yarn", "factor": 2.0, "known": "given"}


def test_a_run_goes_on_with_the_same_scaling_only(qwen, tmp_path):
    assert qwen(131_072) == qwen(131_072)
    # A run that has all its replies would not look at the server any more.
    (tmp_path / "out" / "replies.jsonl").unlink()
    with pytest.raises(InputError, match="was begun with rope scaling yarn 4"):
        qwen(40_960)


def test_the_refusal_of_a_run_names_the_command(qwen, data):
    with pytest.raises(
        InputError, match=f"lengthwise serve-command Qwen/Qwen3-8B {data} --split 4k --max-tokens 2000"
    ):
        qwen(2_048, splits=("4k",), sampling=Sampling(max_tokens=2_000))
