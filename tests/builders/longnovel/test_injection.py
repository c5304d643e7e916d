import asyncio
import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from scripted_models import PROMPTS, Killed, ScriptedModels
from tale import SCALE, sentence

from lengthwise.builders.longnovel.asking import Asks, Calls, Tally
from lengthwise.builders.longnovel.entities import find_entities
from lengthwise.builders.longnovel.injection import Draw, inject
from lengthwise.builders.longnovel.prompt_texts import EntityLists, subtypes
from lengthwise.builders.longnovel.records import Injected, Language, Reference, WindowKey
from lengthwise.builders.longnovel.roles import INJECTORS, SLOTS, parse_roles
from lengthwise.builders.longnovel.text import sentences
from lengthwise.contracts import Ask, Reply, Request
from lengthwise.errors import InputError
from lengthwise.metrics.fault_types import HallucinationType

ROLES = parse_roles(dict.fromkeys(SLOTS, "openai:m"))


def references(language: Language, count: int) -> list[Reference]:
    space = " " if language == "en" else ""
    made = []
    for number in range(count):
        told = [sentence(language, 10 * number + place) for place in range(8)]
        text = space.join(told[:4]) + "\n\n" + space.join(told[4:])
        made.append(
            Reference(WindowKey(SCALE, language, number + 1, number + 2), text, 9, 9, False, 0, None, "", "human:us")
        )
    return made


def run(
    folder: Path, asks: Asks | None, known: list[Reference], *, concurrency: int = 4, variants: int = 1
) -> tuple[list[Injected], Tally]:
    languages = {one.key: one.key.book for one in known}
    with Calls.open(folder, ROLES, asks) as calls:

        async def both() -> tuple[list[Injected], Tally]:
            entities, _ = await find_entities(known, languages, calls, PROMPTS, concurrency)  # type: ignore[arg-type]
            return await inject(
                known, languages, entities, calls, PROMPTS, concurrency=concurrency, variants=variants  # type: ignore[arg-type]
            )  # fmt: skip

        return asyncio.run(both())


def check(injected: Injected, reference: Reference, language: Language) -> None:
    """Take the hallucinations out again, and nothing but the reference is left."""
    text = injected.text
    kinds = [one.type for one in injected.injections]
    assert len(set(kinds)) == len(kinds) in (1, 2, 3)
    assert injected.score == (1 if len(kinds) == 3 else 2)
    places = [text.index(one.hallucinated) for one in injected.injections]
    assert places == sorted(places)
    for one in injected.injections:
        assert text.count(one.hallucinated) == 1 and one.hallucinated not in reference.text
        assert (one.original == "") == (one.type == "event-fabrication")
        if one.original:
            assert reference.text.count(one.original) == 1 and one.original not in injected.text.split(
                one.hallucinated
            )
        assert one.subtype in ("", *subtypes(HallucinationType(one.type), language))
        assert 1 <= one.attempts <= 3
        removed = f" {one.hallucinated}" if language == "en" and not one.original else one.hallucinated
        text = text.replace(removed, one.original)
    assert text == reference.text
    added = sum(not one.original for one in injected.injections)
    assert len(sentences(injected.text, language)) == len(sentences(reference.text, language)) + added


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("errors", [0.0, 0.5])
def test_every_injection_can_be_taken_out_again(tmp_path: Path, language: Language, errors: float) -> None:
    known = references(language, 12)
    injected, tally = run(tmp_path, ScriptedModels(errors).asks, known)
    by_key = {one.key: one for one in known}
    for one in injected:
        check(one, by_key[one.key], language)
    assert tally.items == 12 == tally.kept + tally.rejected.total()
    assert len(injected) == tally.kept >= 6
    assert (tally.refused.total() > 10) == bool(errors)
    # From the records alone, in any order of completion.
    assert run(tmp_path, None, known, concurrency=1) == (injected, tally)


def test_draws_are_balanced_and_the_rows_own() -> None:
    draws = [Draw.of(WindowKey("s", "b", n, n), 1, 42) for n in range(2400)]
    first = Counter(kind for draw in draws for kind in draw.types[: draw.count])
    assert len(first) == 8 and max(first.values()) / min(first.values()) < 1.2
    counts, slots = Counter(draw.count for draw in draws), Counter(draw.injector for draw in draws)
    assert set(counts) == {1, 2, 3} and set(slots) == set(INJECTORS)
    assert max(counts.values()) < 880 and max(slots.values()) < 880
    assert Draw.of(WindowKey("s", "b", 7, 7), 1, 42) == draws[7]
    assert len({Draw.of(WindowKey("s", "b", 7, 7), n, seed) for n in (1, 2) for seed in (1, 42)}) == 4


def test_one_injector_writes_all_of_a_row(tmp_path: Path) -> None:
    injected, _ = run(tmp_path, ScriptedModels().asks, references("en", 6))
    for one in injected:
        assert {each.injector for each in one.injections} == {Draw.of(one.key, 1, 42).injector}


def test_variants_are_drawn_each_for_itself(tmp_path: Path) -> None:
    injected, tally = run(tmp_path, ScriptedModels().asks, references("en", 3), variants=2)
    assert [one.key.unit_start for one in injected] == [1, 1, 2, 2, 3, 3]
    assert tally.items == 6 and len({one.text for one in injected}) == 6


def test_stopped_in_the_middle_it_goes_on(tmp_path: Path) -> None:
    known = references("en", 6)
    whole = ScriptedModels()
    wanted = run(tmp_path / "whole", whole.asks, known)
    stopped, resumed = ScriptedModels(fail=11), ScriptedModels()
    with pytest.raises(Killed):
        run(tmp_path / "cut", stopped.asks, known)
    assert run(tmp_path / "cut", resumed.asks, known) == wanted
    assert stopped.asked + resumed.asked == whole.asked


def test_a_missing_record_is_named(tmp_path: Path) -> None:
    known = references("en", 2)
    run(tmp_path, ScriptedModels().asks, known[:1])
    with pytest.raises(InputError, match=f"no reply for {known[1].key.id}/entities/extractor@openai:m"):
        run(tmp_path, None, known)


class Declining(ScriptedModels):
    """Injectors that find no place for anything."""

    def _edit(self, prompt: str, language: Language, wrong: bool, draw: int) -> str:
        return '{"is_success": "False", "reason": "no place"}'


def test_who_declines_is_not_asked_for_that_type_again(tmp_path: Path) -> None:
    known = references("en", 1)
    models = Declining()
    injected, tally = run(tmp_path, models.asks, known)
    assert (injected, tally.rejected) == ([], {"no type could be planted": 1})
    draw = Draw.of(known[0].key, 1, 42)
    assert models.asked[draw.injector] == draw.count + 2
    assert tally.refused == {f"{kind}: declined": 1 for kind in draw.types[: draw.count + 2]}


class Stubborn(ScriptedModels):
    """Injectors that change nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.prompts: list[str] = []

    def _edit(self, prompt: str, language: Language, wrong: bool, draw: int) -> str:
        self.prompts.append(prompt)
        one = sentence("en", len(self.prompts))
        return f'{{"original_sentence": "{one}", "changed_sentence": "{one}", "sentence_before": "{one}"}}'


def test_a_sentence_that_did_not_serve_is_named_in_the_next_prompt(tmp_path: Path) -> None:
    models = Stubborn()
    injected, _ = run(tmp_path, models.asks, references("en", 1))
    assert injected == []
    assert f"- {sentence('en', 1)}" not in models.prompts[0] and f"- {sentence('en', 1)}" in models.prompts[1]
    assert f"- {sentence('en', 1)}" in models.prompts[2] and f"- {sentence('en', 2)}" in models.prompts[2]


def test_a_reply_that_was_cut_is_of_no_use(tmp_path: Path) -> None:
    def cut(ask: Ask) -> Ask:
        async def ask_cut(request: Request) -> Reply:
            return replace(await ask(request), finish_reason="length")

        return ask_cut

    asks = {slot: cut(ask) if slot in INJECTORS else ask for slot, ask in ScriptedModels().asks.items()}
    injected, tally = run(tmp_path, asks, references("en", 1))
    assert injected == [] and all(reason.endswith(": cut by length") for reason in tally.refused)


def test_a_whole_summary_serves_too(tmp_path: Path) -> None:
    class Whole(ScriptedModels):
        def _edit(self, prompt: str, language: Language, wrong: bool, draw: int) -> str:
            summary = prompt.partition("\nSummary:\n")[2].partition("\n\nEntities:")[0].partition("\n\nDo not")[0]
            old = sentence("en", 3)
            new = old.replace("before night", "at dawn")
            if "sentence_before" in prompt:
                new = f"{old} Nobody sold the boat."
            return '{"hal_summary": "' + " ".join(summary.replace(old, new).split()) + '"}'

    [injected], _ = run(tmp_path, Whole().asks, references("en", 1))
    assert "at dawn" in injected.text or "Nobody sold the boat." in injected.text
    check(injected, references("en", 1)[0], "en")


@pytest.mark.parametrize(("score", "entities", "reason"), [
    (2, {}, "the reference summary is hallucinated"), (5, None, "no entities")
])  # fmt: skip
def test_rejected_before_anything_is_asked(
    tmp_path: Path, score: int, entities: EntityLists | None, reason: str
) -> None:
    reference = replace(references("en", 1)[0], score=score)
    models = ScriptedModels()
    with Calls.open(tmp_path, ROLES, models.asks) as calls:
        found = {} if entities is None else {reference.key: entities}
        injected, tally = asyncio.run(inject([reference], {reference.key: "en"}, found, calls, PROMPTS))
    assert (injected, tally.rejected, models.asked.total()) == ([], {reason: 1}, 0)


def test_no_variants(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="variants 0"):
        run(tmp_path, ScriptedModels().asks, references("en", 1), variants=0)


def test_variants_that_turn_out_alike_are_one(tmp_path: Path) -> None:
    class Stubborn(ScriptedModels):
        def answer(self, slot: str, prompt: str, time: int = 1) -> str:  # type: ignore[override]
            if slot == "extractor":
                return super().answer(slot, prompt, time)
            if "sentence_before" not in prompt:
                return '{"is_success": false}'
            before = sentences(references("en", 1)[0].text, "en")[0]
            added = "The old captain sold his second boat to a stranger."
            return json.dumps({"sentence_before": before, "added_sentence": added})

    made, tally = run(tmp_path, Stubborn().asks, references("en", 1), variants=8)
    assert len(made) == tally.kept == 1
    assert tally.rejected["the same as another summary of its window"] > 0
    assert tally.items == 8 == tally.kept + tally.rejected.total()
