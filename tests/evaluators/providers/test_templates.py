import sys

import pytest

from lengthwise.evaluators.providers.templates import template_counter

TEMPLATE = (
    "{% for one in messages %}<s>{{ one.role }} {{ one.content }}{% endfor %}"
    "{% if add_generation_prompt %}<s>{% endif %}"
)


def test_without_transformers_nothing_is_counted(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "transformers", None)
    assert template_counter(str(tmp_path)) is None


@pytest.mark.parametrize(
    ("variable", "folder"), [("HF_HUB_CACHE", "."), ("HF_HOME", "hub"), ("XDG_CACHE_HOME", "huggingface/hub")]
)
def test_transformers_is_imported_for_a_model_in_the_cache_alone(monkeypatch, tmp_path, variable, folder):
    class Finder:
        """Is asked for every module that is imported, and knows none."""

        @staticmethod
        def find_spec(name, *rest):
            looked.append(name)

    for name in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "TRANSFORMERS_CACHE", "HF_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.delitem(sys.modules, "transformers", raising=False)
    looked = []
    monkeypatch.setattr(sys, "meta_path", [Finder, *sys.meta_path])
    (tmp_path / folder / "models--Qwen--Qwen3-8B").mkdir(parents=True)
    assert template_counter("Qwen/Qwen3-4B") is None and "transformers" not in looked
    template_counter("Qwen/Qwen3-8B")
    assert "transformers" in looked


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
