"""The exported training data do what they are for: they load, a chat template renders them, and a model learns."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lengthwise.builders.longnovel.assembly import assemble
from lengthwise.builders.longnovel.settings import NovelSettings
from lengthwise.builders.longnovel.sft import export_sft

from .conftest import lay_down, make

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

CHATML = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
NEEDS = "needs transformers and torch (a CPU build does), to train a tiny model for a few steps"


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Training data of the shortest stage, from a build in both languages."""
    folder = lay_down(make(3, 1), tmp_path_factory.mktemp("sft") / "build")
    assemble(folder, NovelSettings(("4k",)))
    export_sft(folder, folder.parent / "sft", ["2k"])
    return folder.parent / "sft"


def chats(exported: Path) -> list[list[dict[str, str]]]:
    """All chats of the training split, as `datasets` reads them."""
    import datasets

    name = "longnovel_2k_train"
    info = json.loads((exported / "dataset_info.json").read_text("utf-8"))[name]
    file, cache = str(exported / info["file_name"]), str(exported / "cache")
    data = datasets.load_dataset("json", data_files={"train": file}, split="train", cache_dir=cache)
    return list(data[info["columns"]["messages"]])


def test_the_data_load_in_datasets(exported: Path) -> None:
    lines = (exported / "longnovel_2k_train.jsonl").read_text("utf-8").splitlines()
    found = chats(exported)
    assert found == [json.loads(line)["messages"] for line in lines] and found
    assert {tuple(message["role"] for message in chat) for chat in found} == {("user", "assistant")}


@pytest.fixture
def tokenizer(exported: Path, tmp_path: Path) -> "PreTrainedTokenizerFast":
    """A tokenizer read from files: a small byte-level vocabulary of the data's own words, and ChatML."""
    transformers = pytest.importorskip("transformers", reason=NEEDS)
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    own = Tokenizer(models.BPE())
    own.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    own.decoder = decoders.ByteLevel()
    special = ["<|im_start|>", "<|im_end|>", "<|endoftext|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=1000, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    own.train_from_iterator((message["content"] for chat in chats(exported) for message in chat), trainer)
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=own, eos_token="<|im_end|>", pad_token="<|endoftext|>", chat_template=CHATML
    )
    fast.save_pretrained(tmp_path / "tokenizer")
    return transformers.AutoTokenizer.from_pretrained(tmp_path / "tokenizer")


def test_a_chat_template_renders_them(exported: Path, tokenizer: "PreTrainedTokenizerFast") -> None:
    for chat in chats(exported):
        text = tokenizer.apply_chat_template(chat, tokenize=False)
        asked = tokenizer.apply_chat_template(chat[:-1], tokenize=False, add_generation_prompt=True)
        # What inference sends is the beginning of what was trained on, and the reply is all that is left.
        assert text == asked + chat[-1]["content"] + "<|im_end|>\n"
        assert tokenizer.decode(tokenizer(text)["input_ids"]) == text


def reply_batch(tokenizer: Any, chat: list[dict[str, str]]) -> dict[str, Any]:
    """A chat as a batch of one, with a loss on its reply alone."""
    import torch

    asked = tokenizer.apply_chat_template(chat[:-1], tokenize=False, add_generation_prompt=True)
    whole = tokenizer(tokenizer.apply_chat_template(chat, tokenize=False))["input_ids"]
    prompt = len(tokenizer(asked)["input_ids"])
    ids = torch.tensor([whole])
    labels = ids.clone()
    labels[:, :prompt] = -100
    return {"input_ids": ids, "labels": labels}


@pytest.mark.slow
def test_a_few_steps_of_training_lower_the_loss(exported: Path, tokenizer: "PreTrainedTokenizerFast") -> None:
    torch = pytest.importorskip("torch", reason=NEEDS)
    transformers = pytest.importorskip("transformers", reason=NEEDS)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with torch.random.fork_rng():
        torch.manual_seed(42)
        config = transformers.Qwen3Config(
            vocab_size=len(tokenizer),
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=2,
            num_key_value_heads=1,
            head_dim=16,
            max_position_embeddings=16_384,
            tie_word_embeddings=True,
            attn_implementation="sdpa",
        )
        model = transformers.Qwen3ForCausalLM(config).train()
        batches = [reply_batch(tokenizer, chat) for chat in chats(exported)[:4]]
        optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
        losses = []
        for step in range(12):
            loss = model(**batches[step % len(batches)]).loss
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(float(loss.detach()))
    torch.set_num_threads(threads)
    # From about the logarithm of the vocabulary's size, downwards, on every one of the examples.
    first, last = losses[:4], losses[-4:]
    assert all(after < before - 0.5 for before, after in zip(first, last, strict=True)), losses
