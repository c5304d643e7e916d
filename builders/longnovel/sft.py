"""The training data of the paper's curriculum, for LLaMA-Factory and its fork for long sequences (E.2).

Texts grow from stage to stage: 2k (single units: the windows of config `4k`), 16k (`s`) and 32k (`m`). The prompt is
the one of inference and the answer the gold reply, as chat messages; the configurations train all parameters with
sequence parallelism over ring attention and ZeRO-3 offload, with the paper's hyper-parameters.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

from lengthwise.errors import InputError, unknown_name

from ..hub_folder import parquet_files, read_build, write_text
from .export import read_rows
from .own_prompts import prompts_of
from .prompt_texts import Prompts
from .rows import detection_prompt
from .settings import BENCHMARK
from .storyworld.settings import BENCHMARK as STORYWORLD

ORIGINS = ("all", "mma")
# Stage -> the config whose rows it trains on.
STAGES: Mapping[str, str] = MappingProxyType({"2k": "4k", "16k": "s", "32k": "m"})
# Stage -> the one before it, whose data warms the model up for 100 steps.
_WARM_UP = {"16k": "2k", "32k": "16k"}
_WARM_UP_STEPS = 100
_SPLITS = ("train", "validation")
# Tokens of a chat template and of the reply's end, and a multiple that ring attention can share out.
_TEMPLATE, _MULTIPLE = 64, 1024
_DEEPSPEED = "ds_z3_offload.json"


@dataclass(frozen=True)
class SftFile:
    """One file of training data.

    Attributes:
        name: of the data set in `dataset_info.json`.
        rows: examples in it.
        most_tokens: of its longest example, prompt and reply.
    """

    name: str
    rows: int
    most_tokens: int


def export_sft(
    build: Path,
    out: Path,
    stages: Sequence[str] = (),
    *,
    origins: str = "all",
    system: bool = False,
    model: str = "Qwen/Qwen3-8B",
    template: str = "qwen3",
) -> list[SftFile]:
    """Write training and validation data of each stage, `dataset_info.json`, and the configurations.

    Args:
        build: a finished build.
        out: folder; new or empty.
        stages: names of `STAGES`; all that the build has rows for by default.
        origins: "mma" keeps models' own summaries alone (the ablation of Table 6).
        system: put the instruction into a system message, as the authors do for Llama.
        model: that is trained.
        template: its chat template's name in LLaMA-Factory.

    Raises:
        InputError: there is no such build or stage, a stage that was named has no rows, or `out` holds something.
    """
    about = read_build(build)
    if about.get("benchmark") not in (BENCHMARK, STORYWORLD):
        raise InputError(
            f"{str(build)!r} is a build of {about.get('benchmark')!r}; training data is written from "
            f"{BENCHMARK} and {STORYWORLD} alone"
        )
    if origins not in ORIGINS:
        raise unknown_name("--origins", origins, ORIGINS)
    for stage in stages:
        if stage not in STAGES:
            raise unknown_name("stage", stage, STAGES)
    there = [stage for stage in STAGES if "train" in about["configs"].get(STAGES[stage], {})]
    missing = [stage for stage in stages if stage not in there]
    if missing:
        raise InputError(
            f"stage {missing[0]}: the build has no training rows of {STAGES[missing[0]]}; build that config too"
        )
    chosen = [stage for stage in there if stage in (stages or there)]
    if not chosen:
        raise InputError(f"{str(build)!r} has training rows for no stage; build {', '.join(STAGES.values())}")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"out {str(out)!r} is not an empty folder: choose another")
    out.mkdir(parents=True, exist_ok=True)
    files = {
        (stage, split): _write_data(build, out, stage, split, origins, system)
        for stage in chosen
        for split in _SPLITS
        if split in about["configs"][STAGES[stage]]
    }
    files = {cell: one for cell, one in files.items() if one.rows}
    if not any(split == "train" for _, split in files):
        raise InputError(f"--origins {origins}: no training row is left")
    info = {one.name: _dataset_entry(one.name) for one in files.values()}
    write_text(out / "dataset_info.json", json.dumps(info, indent=2) + "\n")
    write_text(out / _DEEPSPEED, json.dumps(dict(_ZERO_3), indent=2) + "\n")
    for name, config in training_configs(files, model, template).items():
        head = f"# {_HEADS[config['num_train_epochs'] == 2.0]}\n" + _NOTES
        write_text(out / f"{name}.yaml", head + yaml.safe_dump(config, sort_keys=False))
    return list(files.values())


def _write_data(build: Path, out: Path, stage: str, split: str, origins: str, system: bool) -> SftFile:
    from ..tokens import load_tokenizer

    about = read_build(build)
    name = f"{about['benchmark'].replace('-', '_')}_{stage}_{split}"
    count = load_tokenizer(about["tokenizer"]).count
    prompts = prompts_of(build)
    rows = most = 0
    with (out / f"{name}.jsonl").open("w", encoding="utf-8") as file:
        for row in read_rows(parquet_files(build, (STAGES[stage], split))):
            if origins == "all" or row["origin"] == "mma":
                file.write(
                    json.dumps({"messages": messages(row, prompts[row["language"]], system)}, ensure_ascii=False)
                    + "\n"
                )
                rows += 1
                most = max(most, row["n_tokens"] + count(row["answer_text"]))
    if not rows:
        (out / f"{name}.jsonl").unlink()
    return SftFile(name, rows, most)


def messages(row: Mapping[str, Any], prompts: Prompts, system: bool = False) -> list[dict[str, str]]:
    """Return a row as a chat: the prompt of inference, and the gold reply."""
    prompt, question = detection_prompt(row, prompts), row["question"]
    reply = {"role": "assistant", "content": row["answer_text"]}
    if not system:
        return [{"role": "user", "content": prompt}, reply]
    rest = prompt.removeprefix(question).lstrip("\n")
    return [{"role": "system", "content": question}, {"role": "user", "content": rest}, reply]


def _dataset_entry(name: str) -> dict[str, Any]:
    return {
        "file_name": f"{name}.jsonl",
        "formatting": "sharegpt",
        "columns": {"messages": "messages"},
        "tags": {
            "role_tag": "role",
            "content_tag": "content",
            "user_tag": "user",
            "assistant_tag": "assistant",
            "system_tag": "system",
        },
    }


def training_configs(files: Mapping[tuple[str, str], SftFile], model: str, template: str) -> dict[str, dict[str, Any]]:
    """Return the configurations of each stage by file name: a warm-up on shorter texts, then the stage itself.

    The stage that begins with the warm-up's model is named behind it: `train_16k_1`, `train_16k_2`.

    Args:
        files: (stage, split) -> its data.
        model: that is trained.
        template: name of its chat template.
    """
    found: dict[str, dict[str, Any]] = {}
    for stage, before in _WARM_UP.items():
        if (stage, "train") not in files:
            continue
        start = model
        if (before, "train") in files:
            start = f"saves/train_{stage}_1"
            found[f"train_{stage}_1"] = _config(files, before, model, template, start, _WARM_UP_STEPS)
        found[f"train_{stage}_2"] = _config(files, stage, start, template, f"saves/train_{stage}_2", None)
    return found


def _config(
    files: Mapping[tuple[str, str], SftFile], stage: str, model: str, template: str, out: str, steps: int | None
) -> dict[str, Any]:
    train, validation = files[stage, "train"], files.get((stage, "validation"))
    most = max(one.most_tokens for one in (train, validation) if one is not None)
    config: dict[str, Any] = {
        "model_name_or_path": model,
        "stage": "sft",
        "do_train": True,
        "finetuning_type": "full",
        "deepspeed": _DEEPSPEED,
        "flash_attn": "fa2",
        "sequence_parallel_size": 8,
        "sequence_parallel_mode": "zigzag-ring",
        "dataset_dir": ".",
        "dataset": train.name,
        "template": template,
        "cutoff_len": -(-(most + _TEMPLATE) // _MULTIPLE) * _MULTIPLE,
        "preprocessing_num_workers": 8,
        "output_dir": out,
        "logging_steps": 1,
        "bf16": True,
        "ddp_timeout": 180_000_000,
        "per_device_train_batch_size": 1,
        "gradient_accumulation_steps": 8,
        "learning_rate": 5.0e-6,
        "lr_scheduler_type": "cosine",
        "warmup_ratio": 0.0,
        "seed": 42,
    }
    if steps is not None:
        return {**config, "max_steps": steps, "num_train_epochs": 1.0, "save_strategy": "no"}
    config["num_train_epochs"] = 2.0
    if validation is None:
        return {**config, "save_strategy": "epoch", "save_only_model": True}
    return {
        **config,
        "eval_dataset": validation.name,
        "per_device_eval_batch_size": 1,
        "eval_strategy": "steps",
        "eval_steps": 50,
        "save_strategy": "steps",
        "save_steps": 50,
        "save_total_limit": 2,
        "load_best_model_at_end": True,
        "metric_for_best_model": "eval_loss",
        "greater_is_better": False,
    }


_HEADS = {
    False: f"The warm-up: {_WARM_UP_STEPS} steps on shorter texts; the configuration with _2 goes on with its model.",
    True: "The stage itself: two epochs; of its checkpoints the one that is best on the validation data is kept.",
}
_NOTES = (
    "# For 360-LLaMA-Factory on 8 GPUs of 96 GB, in this folder: llamafactory-cli train <this file>\n"
    "# The paper gives: all parameters, ring attention, FlashAttention-2, ZeRO-3 offload, learning rate, schedule,\n"
    "# warm-up of the rate, seed, epochs and steps. The rest is ours: batch size, precision, how often is evaluated.\n"
)
_ZERO_3: Mapping[str, Any] = MappingProxyType(
    {
        "train_batch_size": "auto",
        "train_micro_batch_size_per_gpu": "auto",
        "gradient_accumulation_steps": "auto",
        "gradient_clipping": "auto",
        "zero_allow_untested_optimizer": True,
        "bf16": {"enabled": "auto"},
        "zero_optimization": {
            "stage": 3,
            "offload_optimizer": {"device": "cpu", "pin_memory": True},
            "offload_param": {"device": "cpu", "pin_memory": True},
            "overlap_comm": False,
            "contiguous_gradients": True,
            "reduce_bucket_size": "auto",
            "stage3_prefetch_bucket_size": "auto",
            "stage3_param_persistence_threshold": "auto",
            "stage3_gather_16bit_weights_on_model_save": True,
        },
    }
)
