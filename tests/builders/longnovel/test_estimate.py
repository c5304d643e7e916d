import asyncio
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from scripted_models import PROMPTS, ScriptedModels
from tale import tale, windows_of

from lengthwise.builders.longnovel.arbitration import arbitrate
from lengthwise.builders.longnovel.asking import Calls
from lengthwise.builders.longnovel.compression import compress, units_of
from lengthwise.builders.longnovel.entities import find_entities
from lengthwise.builders.longnovel.estimate import Amount, Estimate, estimate
from lengthwise.builders.longnovel.injection import inject
from lengthwise.builders.longnovel.records import Language
from lengthwise.builders.longnovel.roles import SLOTS, parse_roles
from lengthwise.builders.longnovel.rows import article_text
from lengthwise.builders.tokens import load_tokenizer
from lengthwise.contracts import Ask, Reply, Request

TOKENIZER = load_tokenizer("qwen3")


def spent(language: Language, errors: float, folder: Path) -> tuple[list[Estimate], dict[str, Amount]]:
    """The estimate of a small build, and what it took in the end."""
    units = tale(language, 8, 12)
    windows = [
        replace(one, n_tokens=TOKENIZER.count(article_text(units_of(one.key, units)))) for one in windows_of(units)
    ]
    models = ScriptedModels(errors)
    took: dict[str, Amount] = {}

    def counting(slot: str, ask: Ask) -> Ask:
        async def counted(request: Request) -> Reply:
            reply = await ask(request)
            call = Amount(1, TOKENIZER.count(request.messages[0].content), TOKENIZER.count(reply.text or ""))
            took[slot] = took.get(slot, Amount()) + call
            return reply

        return counted

    async def build(calls: Calls) -> None:
        languages = {one.key: one.language for one in windows}
        references, _ = await compress(windows, units, calls, PROMPTS)
        await arbitrate(windows, units, {one.key: one for one in references}, calls, PROMPTS)
        entities, _ = await find_entities(references, languages, calls, PROMPTS)
        await inject(references, languages, entities, calls, PROMPTS)

    asks = {slot: counting(slot, ask) for slot, ask in models.asks.items()}
    with Calls.open(folder, parse_roles(dict.fromkeys(SLOTS, "openai:m")), asks) as calls:
        asyncio.run(build(calls))
    return estimate(windows, units, PROMPTS, TOKENIZER), took


@pytest.mark.parametrize("language", ["en", "zh"])
def test_near_to_what_it_takes(tmp_path: Path, language: Language) -> None:
    lines, took = spent(language, 0.0, tmp_path)
    for line in lines:
        real = took[line.slot]
        # A scripted injector declines now and then.
        assert real.calls == line.least.calls or (line.step == "injection" and line.least.calls <= real.calls), line
        assert line.least.input == pytest.approx(real.input * line.least.calls / real.calls, rel=0.35), line
    assert {line.slot for line in lines} == set(took)


def test_never_more_than_said(tmp_path: Path) -> None:
    lines, took = spent("en", 0.6, tmp_path)
    for line in lines:
        assert took.get(line.slot, Amount()).calls <= line.most.calls


def test_kept_summaries_ask_no_compressor() -> None:
    units = tale("zh", 2, 3)
    lines = estimate(windows_of(units), units, PROMPTS, TOKENIZER)
    assert {line.step for line in lines} == {"arbitration", "entities", "injection"}


def test_without_summaries_there_is_nothing_but_the_article() -> None:
    units = {place: type(unit)(unit.book, unit.index, "en", "", unit.text) for place, unit in tale("en", 2, 9).items()}
    assert estimate(windows_of(units), units, PROMPTS, TOKENIZER) == []
    lines = estimate(windows_of(units), units, PROMPTS, TOKENIZER, article_alone=True)
    assert {line.step for line in lines} == {"arbitration"}
    assert sum(line.least.calls for line in lines) == 3 + 2 * 3 + 3


@pytest.mark.parametrize("language", ["en", "zh"])
def test_summaries_that_are_to_be_written_are_counted_with_what_follows_from_them(language: Language) -> None:
    told = tale(language, 2, 40)
    units = {place: replace(unit, summary="", summary_origin="") for place, unit in told.items()}
    lines = estimate(windows_of(units), units, PROMPTS, TOKENIZER, write_summaries=True)
    assert {line.step for line in lines} >= {"summaries", "arbitration", "entities", "injection"}
    first = lines[0]
    assert (first.step, first.slot, first.least.calls, first.most.calls) == ("summaries", "compressor", 2, 6)
    texts = sum(TOKENIZER.count(unit.text) for unit in units.values())
    assert texts < first.least.input < texts + 1000 and 0 < first.least.output < texts / 3
    # What is there already is not written again.
    lines = estimate(windows_of(told), told, PROMPTS, TOKENIZER, write_summaries=True)
    assert "summaries" not in {line.step for line in lines}


def test_some_steps_only() -> None:
    units = tale("en", 2, 12)
    lines = estimate(windows_of(units), units, PROMPTS, TOKENIZER, steps=("compression",))
    assert [line.slot for line in lines] == ["compressor", "critic"]
