import sys

import pytest

from lengthwise.evaluators.providers.templates import template_counter

TEMPLATE = (
    "{% for one in messages %}<s>{{ one.role }} {{ one.content }}{% endfor %}"
    "{% if add_generation_prompt %}<s>{% endif %}"
)


def test_without_transformers_nothing_is_counted(monkeypatch):
    monkeypatch.setitem(sys.modules, "transformers", None)
    assert template_counter("Qwen/Qwen3-8B") is None


def test_a_model_on_this_machine_is_counted_in_its_own_template(tmp_path):
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = Tokenizer(models.WordLevel({"[UNK]": 0, "<s>": 1, "user": 2, "a": 3}, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, unk_token="[UNK]", additional_special_tokens=["<s>"]
    )
    tokenizer.save_pretrained(tmp_path / "plain")
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(tmp_path / "chat")
    count = template_counter(str(tmp_path / "chat"))
    assert count is not None
    assert count("a a a") == len(["<s>", "user", "a", "a", "a", "<s>"])
    assert template_counter(str(tmp_path / "plain")) is None


def test_a_name_that_is_not_on_this_machine_is_not_fetched():
    pytest.importorskip("transformers")
    assert template_counter("nobody/no-such-model") is None
