import asyncio
import builtins
import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from scripted_models import PROMPTS, ScriptedModels, request
from tale import SCALE

from lengthwise.builders.longnovel.asking import Asks, Calls, Tally
from lengthwise.builders.longnovel.entities import _load_jieba, _load_spacy, find_entities, tagger
from lengthwise.builders.longnovel.prompt_texts import EntityLists
from lengthwise.builders.longnovel.records import Language, Reference, WindowKey
from lengthwise.builders.longnovel.roles import SLOTS, parse_roles
from lengthwise.errors import InputError

ZH = "林黛玉自苏州来到荣国府，见了贾宝玉。三月里，他带了三十名军士到北京大学去。"
EN = "Captain Ahab took three ships from Nantucket to London on 5 March."


def reference(language: Language, text: str) -> Reference:
    return Reference(WindowKey(SCALE, language, 1, 2), text, 9, 9, False, 0, None, "", "human:us")


def run(
    folder: Path, asks: Asks | None, known: list[Reference], extractor: str = "openai:m"
) -> tuple[dict[WindowKey, EntityLists], Tally]:
    roles = parse_roles({**dict.fromkeys(SLOTS, "openai:m"), "extractor": extractor})
    languages: dict[WindowKey, Any] = {one.key: one.key.book for one in known}
    with Calls.open(folder, roles, asks) as calls:
        return asyncio.run(find_entities(known, languages, calls, PROMPTS))


def test_by_a_model_and_only_what_stands_in_the_summary(tmp_path: Path) -> None:
    one = reference("en", EN)
    found, tally = run(tmp_path, ScriptedModels().asks, [one])
    assert found == {one.key: {"people": ("Captain", "Ahab", "Nantucket", "London", "March")}}
    assert tally.kept == 1


def test_unreadable_lists_are_rejected(tmp_path: Path) -> None:
    class Mute(ScriptedModels):
        def answer(self, *_: object) -> str:
            return "..."

    found, tally = run(tmp_path, Mute().asks, [reference("en", EN)])
    assert (found, tally.rejected.total(), tally.refused.total()) == ({}, 1, 3)


def test_offline_in_chinese_and_again_without_the_tagger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("jieba")
    one = reference("zh", ZH)
    found, tally = run(tmp_path, {}, [one], "offline")
    lists = found[one.key]
    assert {"林黛玉", "贾宝玉"} <= set(lists["people"]) and "苏州" in lists["places"]
    assert "北京大学" in lists["organisations"] and lists["numbers"]
    [line] = (tmp_path / "steps/replies.jsonl").read_text().splitlines()
    assert json.loads(line)["reply"]["model"].startswith("jieba.posseg 0.")
    _without(monkeypatch, "jieba")
    assert run(tmp_path, None, [one], "offline") == (found, tally)


def test_offline_in_english(tmp_path: Path) -> None:
    pytest.importorskip("spacy")
    one = reference("en", EN)
    found, _ = run(tmp_path, {}, [one], "offline")
    lists = found[one.key]
    assert "Ahab" in lists["people"][0] and {"Nantucket", "London"} <= set(lists["places"])
    assert lists["times"] == ("5 March",) and lists["numbers"] == ("three",)


@pytest.mark.parametrize(("language", "package"), [("zh", "jieba"), ("en", "spacy")])
def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, language: Language, package: str) -> None:
    _without(monkeypatch, package)
    with pytest.raises(InputError, match=rf"needs {package}.*lengthwise\[entities\]"):
        asyncio.run(tagger(language)(request(EN)))


def _without(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    _load_jieba.cache_clear()
    _load_spacy.cache_clear()
    load = builtins.__import__

    def refusing(name: str, *arguments: Any, **named: Any) -> Any:
        if name.partition(".")[0] == package:
            raise ImportError(name)
        return load(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", refusing)
