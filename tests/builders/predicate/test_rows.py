import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from lengthwise.builders.predicate import solver
from lengthwise.builders.predicate.reader import split_lists
from lengthwise.builders.predicate.rows import MOST_SHORT, MOST_SHORT_TOKENS, _check_budget, synthetic_rows
from lengthwise.builders.predicate.schema import AXES, SCHEMA
from lengthwise.builders.predicate.settings import Settings, Size
from lengthwise.builders.predicate.variants import VARIANTS
from lengthwise.builders.tokens import load_tokenizer
from lengthwise.errors import InputError

Row = dict[str, Any]
SYNTHETIC = [variant.name for variant in VARIANTS.values() if variant.source == "synthetic"]
FAMILIES = {family: [n for n in SYNTHETIC if VARIANTS[n].family == family] for family in ("unary", "lex")}


def made(names: Sequence[str], size: Size | int = 4096, index: int = 0, **given: Any) -> list[Row]:
    size = size if isinstance(size, Size) else Size(f"{size}", tokens=size)
    return synthetic_rows([VARIANTS[name] for name in names], size, index, Settings(**given))


def row(name: str, size: Size | int = 4096, index: int = 0, **given: Any) -> Row:
    return made([name], size, index, **given)[0]


def words_of(one: Row) -> list[str]:
    return split_lists(one["prompt"].partition("\n\n")[0])[0]


def base_of(one: Row) -> str:
    return str(one["list_id"]).split("+")[0]


@pytest.mark.parametrize("name", SYNTHETIC)
@pytest.mark.parametrize("tokens", [4096, 8192, 32768])
def test_the_budget_is_met_and_never_exceeded(name: str, tokens: int) -> None:
    tokenizer = load_tokenizer("qwen3")
    for index, seed in ((0, 42), (1, 7)):
        one = row(name, tokens, index, seed=seed)
        assert one["n_tokens"] == tokenizer.count(one["prompt"])
        assert 0 <= tokens - one["n_tokens"] <= max(MOST_SHORT * tokens, MOST_SHORT_TOKENS)


def test_the_tolerance_is_half_a_percent_or_64_tokens() -> None:
    assert (MOST_SHORT, MOST_SHORT_TOKENS) == (0.005, 64)


@pytest.mark.parametrize("tokens", [2000, 5003, 16384])
def test_any_budget_is_met(tokens: int) -> None:
    assert 0 <= tokens - row("lex-locate", tokens)["n_tokens"] <= 82


def test_the_other_qwen_vocabulary_counts_for_itself() -> None:
    one = row("lex-locate", tokenizer="qwen3.6")
    assert one["tokenizer"] == "qwen3.6"
    assert one["n_tokens"] == load_tokenizer("qwen3.6").count(one["prompt"]) <= 4096


def small_tokenizer(folder: Path, across_spaces: bool) -> str:
    """Write a byte-pair tokenizer; one that merges across spaces has no count that adds up over words."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    if not across_spaces:
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = [*map(chr, range(32, 127)), "\n", "\u0120", "\u010a"]
    trainer = trainers.BpeTrainer(vocab_size=600, initial_alphabet=alphabet, show_progress=False)
    text = " ".join(words_of(row("lex-short-words")))
    tokenizer.train_from_iterator([text] if across_spaces else text.split(), trainer)
    path = folder / "tokenizer.json"
    path.write_text(tokenizer.to_str(), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("across_spaces", [False, True])
@pytest.mark.parametrize("name", ["lex-short-words", "lex-lists", "unary-decoys", "sum-locate"])
def test_a_tokenizer_file_keeps_its_budget_exactly(tmp_path: Path, name: str, across_spaces: bool) -> None:
    path = small_tokenizer(tmp_path, across_spaces)
    tokens = 24_000
    for index in range(2):
        one = row(name, tokens, index, tokenizer=path)
        assert one["n_tokens"] == load_tokenizer(path).count(one["prompt"])
        assert 0 <= tokens - one["n_tokens"] <= 0.005 * tokens


@pytest.mark.parametrize("tokens", [2_000, 8_000])
def test_a_shorter_question_may_leave_what_it_saves(tmp_path: Path, tokens: int) -> None:
    # So few tokens in the vocabulary make the questions long, and their difference too.
    locate, all_ = made(("unary-locate", "unary-all"), tokens, tokenizer=small_tokenizer(tmp_path, False))
    assert 0 <= tokens - all_["n_tokens"] <= 64
    assert tokens - locate["n_tokens"] > 64
    assert words_of(locate) == words_of(all_)


def test_a_prompt_shorter_than_that_is_refused() -> None:
    _check_budget({"id": "one", "n_tokens": 1_900}, 2_000, 36)
    for n_tokens, saved in ((1_900, 35), (2_001, 100)):
        with pytest.raises(InputError, match="tokens where 2,000 were wanted"):
            _check_budget({"id": "one", "n_tokens": n_tokens}, 2_000, saved)


def test_rows_do_not_hang_on_what_else_is_built_with_a_tokenizer_file(tmp_path: Path) -> None:
    path = small_tokenizer(tmp_path, across_spaces=True)
    together = made(FAMILIES["lex"], tokenizer=path)
    assert [row(name, tokenizer=path) for name in FAMILIES["lex"]] == together


@pytest.mark.parametrize("family", FAMILIES)
def test_rows_do_not_hang_on_what_else_is_built(family: str) -> None:
    together = made(FAMILIES[family], index=3)
    assert [row(name, index=3) for name in FAMILIES[family]] == together


@pytest.mark.parametrize("pair", [("lex-locate", "lex-longest"), ("unary-locate", "unary-all")])
def test_a_pair_differs_in_its_question_alone(pair: tuple[str, str]) -> None:
    for index in range(3):
        one, other = made(pair, index=index)
        assert one["list_id"] == other["list_id"]
        assert words_of(one) == words_of(other)
        assert one["target_start"] == other["target_start"] and one["answers"] == other["answers"]
        assert one["question"] != other["question"]


@pytest.mark.parametrize("name", ["lex-scattered", "lex-clustered"])
def test_near_sorted_variants_keep_words_and_target_of_their_baseline(name: str) -> None:
    for index in range(3):
        base, other = made(["lex-locate", name], index=index)
        assert base_of(base) == base_of(other) == base["list_id"] != other["list_id"]
        assert sorted(words_of(base)) == sorted(words_of(other))
        assert base["answer"] == other["answer"] and base["target_start"] == other["target_start"]
        assert len(other["decoys"]) == 8 and not base["decoys"]


def test_lists_keep_the_target_and_nearly_all_words_of_their_baseline() -> None:
    base, other = made(["lex-locate", "lex-lists"])
    assert base["answer"] == other["answer"] and base_of(base) == base_of(other)
    assert len({*words_of(other)} - {*words_of(base)}) == 0
    assert len(words_of(other)) > 0.95 * len(words_of(base))


def test_near_misses_keep_the_target_and_the_conditions_of_their_baseline() -> None:
    for index in range(3):
        base, other = made(["unary-locate", "unary-decoys"], index=index)
        assert base["answer"] == other["answer"] and base["predicates"] == other["predicates"]
        edited = {words_of(other)[decoy["start"]] for decoy in other["decoys"]}
        new = {*words_of(other)} - edited - {*words_of(base)}
        assert len(new) <= max(0, other["n_words"] - base["n_words"]) < 12


@pytest.mark.parametrize("tokens", [4096, 16384])
def test_each_condition_has_its_share_of_near_misses(tokens: int) -> None:
    for index in range(4):
        one = row("unary-decoys", tokens, index)
        conditions = [(entry["kind"], json.loads(entry["parameters"])) for entry in one["predicates"]]
        sets = solver.satisfied_positions(words_of(one), conditions)
        counts = Counter(sets[decoy["start"]] for decoy in one["decoys"])
        assert counts == {1 << bit: one["n_words"] // 20 for bit in range(5)}


def test_background_words_of_unary_lists_satisfy_at_most_one_condition() -> None:
    one = row("unary-locate", 16384)
    conditions = [(entry["kind"], json.loads(entry["parameters"])) for entry in one["predicates"]]
    sets = solver.satisfied_positions(words_of(one), conditions)
    target = range(one["target_start"], one["target_start"] + 5)
    assert all(bits.bit_count() <= 1 for place, bits in enumerate(sets) if place not in target)


def test_no_word_length_is_rare_in_a_list_of_shapes() -> None:
    """A length that only the target had would give it away."""
    for index in range(4):
        counts = Counter(map(len, words_of(row("shape-locate", 8192, index))))
        assert {*counts} == {8, 9, 10, 11, 12} and min(counts.values()) > 0.15 * sum(counts.values())


@pytest.mark.parametrize(("name", "n_words"), [("lex-locate", 900), ("lex-lists", 900), ("unary-decoys", 400)])
def test_a_number_of_words_is_kept(name: str, n_words: int) -> None:
    one = row(name, Size("words", words=n_words))
    assert one["n_words"] == len(words_of(one)) == n_words


def test_short_words_of_a_budget_have_both_lengths() -> None:
    assert {*map(len, words_of(row("lex-short-words")))} == {3, 4}


@pytest.mark.parametrize("targets", [2, 3])
def test_several_targets_are_all_asked_for(targets: int) -> None:
    one = row("unary-all", targets=targets)
    assert len(one["answers"]) == targets == len({*map(tuple, one["answers"])})
    assert one["answer_text"] == " | ".join(" ".join(answer) for answer in one["answers"])
    assert one["list_id"].endswith(f"+{targets}-targets")


def test_several_targets_leave_the_baseline_as_it_is() -> None:
    assert made(["unary-locate", "unary-all"], targets=3)[0] == row("unary-locate")


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("lex-locate", {"k": 3}),
        ("lex-scattered", {"k": 4, "decoys": 3}),
        ("lex-clustered", {"k": 7, "radius": 60, "decoys": 3}),
        ("lex-lists", {"k": 4, "lists": 5}),
        ("unary-locate", {"k": 2, "kinds": ("prefix",), "string_length": 3}),
        ("unary-decoys", {"k": 3, "near_miss": 0.1}),
        ("unary-locate", {"kinds": ("vowels", "prefix")}),
        ("lex-locate", {"word_length": 5, "alphabet": "aeiorstu"}),
        ("sum-locate", {"k": 3}),
        ("shape-locate", {"k": 3}),
    ],
)
def test_parameters_are_followed(name: str, given: dict[str, Any]) -> None:
    one = row(name, **given)
    assert one["k"] == given.get("k", 5) == len(one["answer"])
    if one["decoys"] and "decoys" in given:
        assert len(one["decoys"]) == given["decoys"]
    if "lists" in given:
        assert len(one["list_starts"]) == given["lists"]
    if "kinds" in given:
        assert {entry["kind"] for entry in one["predicates"]} <= {*given["kinds"]}
    if "alphabet" in given:
        assert {*"".join(words_of(one))} == {*given["alphabet"]}


def test_clustered_decoys_lie_within_the_radius() -> None:
    one = row("lex-clustered", 16384, radius=80)
    low, high = one["target_start"] - 1 - 80, one["target_start"] + 6 + 80
    assert all(low <= decoy["start"] - 1 and decoy["start"] + 6 <= high for decoy in one["decoys"])


@pytest.mark.parametrize("name", SYNTHETIC)
def test_a_row_has_the_columns_of_the_schema_in_order(name: str) -> None:
    one = row(name)
    assert [*one] == SCHEMA.names
    assert one["axis"] in AXES or VARIANTS[name].axis == "baseline"
    assert one["id"] == f"{name}-4096-s42-0000"
    assert one["prompt"].isascii()


@pytest.mark.parametrize(
    ("name", "size", "given", "message"),
    [
        ("lex-locate", 100, {}, "100 tokens are too few for lex lists"),
        ("lex-lists", 600, {}, "are too few for lex lists"),
        ("lex-locate", Size("w", words=4), {}, "4 words are too few for lex lists"),
        ("unary-locate", Size("w", words=7), {"k": 9}, "too few for unary lists"),
        ("lex-locate", 4096, {"k": 2000}, "too few for lex lists"),
        ("lex-clustered", 4096, {"radius": 12}, "do not fit"),
        ("lex-locate", 4096, {"word_length": 2}, "too small for .* distinct words of 2 letters"),
        ("sum-locate", 4096, {"alphabet": "abc", "word_length": 5}, "too small for .* distinct words"),
        ("unary-decoys", Size("w", words=15), {}, "near-miss 0.05 of 15 words is not one word"),
    ],
)
def test_what_cannot_be_built_says_why(name: str, size: Size | int, given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        row(name, size, **given)


def test_too_few_tokens_name_how_many_would_do() -> None:
    with pytest.raises(InputError) as caught:
        row("lex-locate", 100)
    wanted = int(str(caught.value).split("about ")[1].split()[0].replace(",", ""))
    assert row("lex-locate", wanted + 20)["n_tokens"] <= wanted + 20
