import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from lengthwise.builders.hub_folder import parquet_files
from lengthwise.builders.longnovel.assembly import assemble
from lengthwise.builders.longnovel.export import read_rows
from lengthwise.builders.longnovel.prompt_texts import load_prompts
from lengthwise.builders.longnovel.settings import NovelSettings
from lengthwise.builders.longnovel.sft import export_sft, messages
from lengthwise.errors import InputError

from .conftest import lay_down, make


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build with rows for every stage (their lengths are no matter here)."""
    scales = ("4k", "s", "m")
    folder = lay_down(make(3, 1, scales), tmp_path_factory.mktemp("sft") / "build")
    assemble(folder, NovelSettings(scales))
    return folder


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def test_every_stage_has_its_data(three: Path, tmp_path: Path) -> None:
    files = export_sft(three, tmp_path / "sft")
    assert [one.name for one in files] == [
        f"longnovel_{stage}_{split}" for stage in ("2k", "16k", "32k") for split in ("train", "validation")
    ]
    info = json.loads((tmp_path / "sft" / "dataset_info.json").read_text())
    for one in files:
        assert len(lines(tmp_path / "sft" / info[one.name]["file_name"])) == one.rows > 0


def test_a_chat_is_the_prompt_of_inference_and_the_gold_reply(three: Path) -> None:
    row = next(read_rows(parquet_files(three, ("4k", "test"))))
    prompt = next(read_rows(parquet_files(three, ("4k-prompt", "test"))))
    assert messages(row, load_prompts(row["language"])) == [
        {"role": "user", "content": prompt["prompt"]},
        {"role": "assistant", "content": row["answer_text"]},
    ]


def test_the_instruction_may_be_a_system_message(three: Path) -> None:
    row = next(read_rows(parquet_files(three, ("4k", "test"))))
    system, user, _ = messages(row, load_prompts(row["language"]), system=True)
    assert system == {"role": "system", "content": row["question"]}
    assert user["content"].endswith(row["summary"]) and row["question"] not in user["content"]


def test_the_names_of_roles_are_those_of_dataset_info(three: Path, tmp_path: Path) -> None:
    export_sft(three, tmp_path / "sft", ["2k"], system=True)
    entry = json.loads((tmp_path / "sft" / "dataset_info.json").read_text())["longnovel_2k_train"]
    tags = entry["tags"]
    chat = lines(tmp_path / "sft" / entry["file_name"])[0][entry["columns"]["messages"]]
    assert [one[tags["role_tag"]] for one in chat] == [tags["system_tag"], tags["user_tag"], tags["assistant_tag"]]


def test_only_models_own_summaries_for_the_ablation(three: Path, tmp_path: Path) -> None:
    export_sft(three, tmp_path / "all", ["2k"])
    export_sft(three, tmp_path / "mma", ["2k"], origins="mma")
    rows = list(read_rows(parquet_files(three, ("4k", "train"))))
    own = [row["answer_text"] for row in rows if row["origin"] == "mma"]
    assert len(lines(tmp_path / "all" / "longnovel_2k_train.jsonl")) == len(rows) > len(own)
    kept = lines(tmp_path / "mma" / "longnovel_2k_train.jsonl")
    assert [one["messages"][-1]["content"] for one in kept] == own


def test_the_papers_hyper_parameters(three: Path, tmp_path: Path) -> None:
    export_sft(three, tmp_path / "sft")
    configs = {path.stem: yaml.safe_load(path.read_text()) for path in (tmp_path / "sft").glob("*.yaml")}
    assert sorted(configs) == ["train_16k_1", "train_16k_2", "train_32k_1", "train_32k_2"]
    for config in configs.values():
        assert (config["finetuning_type"], config["flash_attn"], config["seed"]) == ("full", "fa2", 42)
        assert (config["learning_rate"], config["lr_scheduler_type"], config["warmup_ratio"]) == (5e-6, "cosine", 0.0)
        assert config["sequence_parallel_size"] == 8
        zero = json.loads((tmp_path / "sft" / config["deepspeed"]).read_text())["zero_optimization"]
        assert (zero["stage"], zero["offload_optimizer"]["device"], zero["offload_param"]["device"]) == (
            3,
            "cpu",
            "cpu",
        )
    for stage, before in (("16k", "2k"), ("32k", "16k")):
        first, second = configs[f"train_{stage}_1"], configs[f"train_{stage}_2"]
        assert (first["dataset"], first["max_steps"]) == (f"longnovel_{before}_train", 100)
        assert (second["dataset"], second["num_train_epochs"]) == (f"longnovel_{stage}_train", 2.0)
        assert second["model_name_or_path"] == first["output_dir"]
        assert second["eval_dataset"] == f"longnovel_{stage}_validation"
        assert "max_steps" not in second


def test_no_example_is_cut(three: Path, tmp_path: Path) -> None:
    files = export_sft(three, tmp_path / "sft", ["16k"])
    config = yaml.safe_load((tmp_path / "sft" / "train_16k_2.yaml").read_text())
    assert config["cutoff_len"] > max(one.most_tokens for one in files)
    assert config["cutoff_len"] % 1024 == 0


def test_without_data_for_a_warm_up_a_stage_begins_with_the_model_itself(three: Path, tmp_path: Path) -> None:
    export_sft(three, tmp_path / "sft", ["16k"], model="some/model", template="llama3")
    assert not (tmp_path / "sft" / "train_16k_1.yaml").exists()
    config = yaml.safe_load((tmp_path / "sft" / "train_16k_2.yaml").read_text())
    assert (config["model_name_or_path"], config["template"]) == ("some/model", "llama3")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"stages": ["8k"]}, "unknown stage '8k'"),
        ({"stages": ["16k"]}, "no training rows of s"),
        ({"origins": "erhg"}, "unknown --origins"),
    ],
)
def test_what_cannot_be_exported(finished: Path, tmp_path: Path, options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        export_sft(finished, tmp_path / "sft", **options)
