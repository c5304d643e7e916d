"""A chat model small enough to make in a test: the layout of Qwen3, random weights, a tokenizer trained on the spot.

All weights are random but for four rows of the output layer. They make the model go from the end of the chat template
to `<answer>`, to a word, to `</answer>` and to the end of the turn, whatever the prompt was: so a whole reply can be
told from one that was cut, and a run of it ends in outcomes that are known beforehand.
"""

import itertools
import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from tokenizers import Tokenizer

REPLY = "<answer>q</answer>"
# With the end of the turn.
REPLY_TOKENS = 4
# What the chat template puts around one user message.
TEMPLATE_TOKENS = 13

HIDDEN = 64
HEAD = 32
HEADS = 2
KEY_VALUE_HEADS = 1
MIDDLE = 128
LAYERS = 2

# Without English, a question would take several times the tokens that it takes of a real model.
ENGLISH = (
    "the of and to a in is it you that he was for on are with as I his they be at one have this from or had by not "
    "but some what there we can out other were all your when up use word how said an each she which do their time "
    "if will way about many then them would write like so these her long make thing see him two has look more day "
    "could go come did my sound no most number who over know water than call first people may down side been now "
    "find any new work part take get place made where after back little only round man year came show every good "
    "me give our under "
    "words list lists exactly consecutive alphabetical order answer letters letter begin begins end ends contains "
    "strictly before next another sequence line final between tags length vowels same several separated spaces"
)

PAD, START, END = "<|endoftext|>", "<|im_start|>", "<|im_end|>"
CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def make_model(folder: Path, window: int, seed: int = 7) -> Path:
    """Write a model that `transformers` and vLLM can load, and return its folder.

    Args:
        folder: made here.
        window: positions that the model's configuration allows.
        seed: of the tokenizer's training text and of the weights.
    """
    from safetensors.numpy import save_file

    folder.mkdir(parents=True)
    tokenizer = _train_tokenizer(seed)
    tokenizer.save(str(folder / "tokenizer.json"))
    # A multiple of 64, as kernels like it.
    rows = -(-tokenizer.get_vocab_size() // 64) * 64
    end = tokenizer.token_to_id(END)
    config = {
        "architectures": ["Qwen3ForCausalLM"],
        "model_type": "qwen3",
        "vocab_size": rows,
        "hidden_size": HIDDEN,
        "intermediate_size": MIDDLE,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "num_key_value_heads": KEY_VALUE_HEADS,
        "head_dim": HEAD,
        "hidden_act": "silu",
        "max_position_embeddings": window,
        "rms_norm_eps": 1e-6,
        "rope_parameters": {"rope_type": "default", "rope_theta": 1_000_000.0},
        "tie_word_embeddings": False,
        "attention_bias": False,
        "dtype": "float32",
        "bos_token_id": None,
        "eos_token_id": end,
        "pad_token_id": tokenizer.token_to_id(PAD),
    }
    about = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": END,
        "pad_token": PAD,
        "model_max_length": window,
        "clean_up_tokenization_spaces": False,
        "chat_template": CHAT_TEMPLATE,
    }
    _write(folder / "config.json", config)
    _write(folder / "generation_config.json", {"eos_token_id": end, "pad_token_id": config["pad_token_id"]})
    _write(folder / "tokenizer_config.json", about)
    save_file(_weights(rows, _steps(tokenizer), seed), folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def _write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2), "utf-8")


def _train_tokenizer(seed: int) -> "Tokenizer":
    """Train a byte-pair encoding on common English words and made-up ones: random letters take a token each or two."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

    draw = random.Random(seed)
    syllables = [first + second for first in "bcdfghklmnprstvw" for second in ("a", "e", "i", "o", "u", "an", "er")]
    made_up = ["".join(draw.choices(syllables, k=draw.randint(1, 4))) for _ in range(2_000)]
    words = draw.sample(made_up + draw.choices(ENGLISH.split(), k=6_000), 8_000)
    lines = [" ".join(words[start : start + 10]) + "." for start in range(0, len(words), 10)]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=1_000,
        special_tokens=[PAD, START, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(lines, trainer)
    tokenizer.add_tokens([AddedToken(tag, normalized=False) for tag in ("<answer>", "</answer>")])
    return tokenizer


def _steps(tokenizer: "Tokenizer") -> list[tuple[int, int]]:
    """Return (token, next token) for every step of the one reply; the template ends with a line end."""
    ids = [tokenizer.token_to_id(token) for token in ("Ċ", "<answer>", "q", "</answer>", END)]
    assert None not in ids
    return list(itertools.pairwise(ids))


def _weights(rows: int, steps: list[tuple[int, int]], seed: int) -> dict[str, np.ndarray]:
    draw = np.random.default_rng(seed)

    def normal(*shape: int, scale: float = 0.02) -> np.ndarray:
        return (draw.standard_normal(shape) * scale).astype(np.float32)

    def ones(size: int) -> np.ndarray:
        return np.ones(size, dtype=np.float32)

    # Entries of size 1: what the layers add to them is small beside it.
    embedding = normal(rows, HIDDEN, scale=1.0)
    output = normal(rows, HIDDEN)
    for token, following in steps:
        output[following] = embedding[token]
    weights = {"model.embed_tokens.weight": embedding, "lm_head.weight": output, "model.norm.weight": ones(HIDDEN)}
    for layer in range(LAYERS):
        shapes = {
            "self_attn.q_proj": (HEADS * HEAD, HIDDEN),
            "self_attn.k_proj": (KEY_VALUE_HEADS * HEAD, HIDDEN),
            "self_attn.v_proj": (KEY_VALUE_HEADS * HEAD, HIDDEN),
            "self_attn.o_proj": (HIDDEN, HEADS * HEAD),
            "mlp.gate_proj": (MIDDLE, HIDDEN),
            "mlp.up_proj": (MIDDLE, HIDDEN),
            "mlp.down_proj": (HIDDEN, MIDDLE),
        }
        norms = {
            "input_layernorm": HIDDEN,
            "post_attention_layernorm": HIDDEN,
            "self_attn.q_norm": HEAD,
            "self_attn.k_norm": HEAD,
        }
        weights |= {f"model.layers.{layer}.{name}.weight": normal(*shape) for name, shape in shapes.items()}
        weights |= {f"model.layers.{layer}.{name}.weight": ones(size) for name, size in norms.items()}
    return weights
