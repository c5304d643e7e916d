import asyncio
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from scripted_models import PROMPTS, Killed, ScriptedModels
from tale import tale, windows_of

from lengthwise.builders.longnovel.arbitration import arbitrate, read_verdict
from lengthwise.builders.longnovel.asking import Asks, Calls, RefusedError, Tally
from lengthwise.builders.longnovel.compression import join_summaries
from lengthwise.builders.longnovel.records import Candidate, Language, Reference, WindowKey
from lengthwise.builders.longnovel.roles import GENERATORS, SLOTS, Slot, parse_roles
from lengthwise.contracts import Ask, Reply, Request

ROLES = parse_roles(dict.fromkeys(SLOTS, "openai:m"))
UNITS = tale("en", 4, 6)
WINDOWS = windows_of(UNITS)


def references(score: int | None = None) -> dict[WindowKey, Reference]:
    made = {}
    for window in WINDOWS:
        units = [UNITS[window.key.book, index] for index in range(window.key.unit_start, window.key.unit_end + 1)]
        joined = join_summaries(units, window.language)
        made[window.key] = Reference(window.key, joined.text, joined.words, 220, False, 0, score, "", joined.origin)
    return made


def run(
    folder: Path, asks: Asks | None, known: dict[WindowKey, Reference] | None = None, **settings: object
) -> tuple[list[Candidate], Tally]:
    known = references() if known is None else known
    with Calls.open(folder, ROLES, asks) as calls:
        return asyncio.run(arbitrate(WINDOWS, UNITS, known, calls, PROMPTS, **settings))  # type: ignore[arg-type]


class Seen:
    """Asks that note the prompts each slot was given."""

    def __init__(self, models: ScriptedModels) -> None:
        self.prompts: dict[str, list[str]] = {slot: [] for slot in SLOTS}
        self.asks = {slot: self._noting(slot, ask) for slot, ask in models.asks.items()}

    def _noting(self, slot: str, ask: Ask) -> Ask:
        async def noting(request: Request) -> Reply:
            self.prompts[slot].append(request.messages[0].content)
            return await ask(request)

        return noting


def test_three_summaries_of_every_window(tmp_path: Path) -> None:
    candidates, tally = run(tmp_path, ScriptedModels().asks)
    assert [(one.key, one.generator) for one in candidates] == [
        (window.key, generator) for window in WINDOWS for generator in GENERATORS
    ]
    assert all([said.judge for said in one.verdicts] == ["judge-1", "judge-2"] for one in candidates)
    assert tally.kept == tally.items == 6


def test_what_each_of_them_sees(tmp_path: Path) -> None:
    seen = Seen(ScriptedModels())
    candidates, _ = run(tmp_path, seen.asks)
    article, reference = UNITS["tale", 1].text, references()[WINDOWS[0].key].text
    generator, judge, arbiter = (seen.prompts[slot][0] for slot in ("generator-1", "judge-1", "arbiter"))
    assert article in generator and reference not in generator
    assert article in judge and reference in judge and candidates[0].text in judge
    assert article in arbiter and reference in arbiter and "Judge 2 gives a score of" in arbiter
    # The second judge does not know what the first one said.
    assert seen.prompts["judge-1"] == seen.prompts["judge-2"]


def test_the_article_alone(tmp_path: Path) -> None:
    seen = Seen(ScriptedModels())
    _, tally = run(tmp_path, seen.asks, {}, article_alone=True)
    assert tally.kept == 6
    assert references()[WINDOWS[0].key].text not in "".join(seen.prompts["judge-1"] + seen.prompts["arbiter"])


def test_the_arbiters_word_is_the_label(tmp_path: Path) -> None:
    replies = {
        "judge": '{"score": 5, "reason": "all right"}',
        "arbiter": '{"reason": "Event: he fled", "score": 1, "hallucination_types": ["时间线乱序"]}',
    }

    class Fixed(ScriptedModels):
        def answer(self, slot: str, prompt: str, time: int = 1) -> str:  # type: ignore[override]
            return replies.get(slot.partition("-")[0]) or super().answer(slot, prompt, time)  # type: ignore[arg-type]

    candidates, _ = run(tmp_path, Fixed().asks)
    assert {(one.score, one.types) for one in candidates} == {(1, ("event", "temporal"))}
    assert {said.score for one in candidates for said in one.verdicts} == {5}


@pytest.mark.parametrize(
    ("known", "reason"),
    [({}, "no reference summary"), (references(2), "the reference summary is hallucinated")],
)
def test_windows_that_cannot_be_judged(tmp_path: Path, known: dict[WindowKey, Reference], reason: str) -> None:
    models = ScriptedModels()
    candidates, tally = run(tmp_path, models.asks, known)
    assert (candidates, tally.rejected, models.asked.total()) == ([], {reason: 6}, 0)


def test_a_copy_of_the_text_is_no_summary(tmp_path: Path) -> None:
    class Copying(ScriptedModels):
        def _summary(self, slot: Slot, prompt: str, language: Language, wrong: bool) -> str:
            return "all of it " * 300

    candidates, tally = run(tmp_path, Copying().asks)
    assert (candidates, tally.rejected) == ([], {"much too long": 6})


def test_one_summary_in_two_slots_is_one_row(tmp_path: Path) -> None:
    class Alike(ScriptedModels):
        def _summary(self, slot: Slot, prompt: str, language: Language, wrong: bool) -> str:
            return super()._summary("generator-1" if slot == "generator-2" else slot, prompt, language, wrong)

    candidates, tally = run(tmp_path, Alike().asks)
    assert [one.generator for one in candidates] == ["generator-1", "generator-3"] * 2
    assert (tally.items, tally.kept) == (6, 4)
    assert tally.rejected == {"the same as another summary of its window": 2}


def test_the_reference_said_again_is_no_summary(tmp_path: Path) -> None:
    class Parrot(ScriptedModels):
        def _summary(self, slot: Slot, prompt: str, language: Language, wrong: bool) -> str:
            return references()[WINDOWS[0].key].text.replace("\n\n", "\n")

    candidates, tally = run(tmp_path, Parrot().asks)
    assert [one.key for one in candidates] == [WINDOWS[1].key]
    assert tally.kept == 1 and tally.rejected.total() == 5


@pytest.mark.parametrize("reply", ["", "no idea", '{"score": 7}', '{"score": 5, "hallucination_types": ["Event"]}',
                                   '{"score": 1, "reason": "bad"}'])  # fmt: skip
def test_verdicts_that_are_none(reply: str) -> None:
    with pytest.raises(RefusedError):
        read_verdict(Reply(reply))


def test_errors_are_counted_and_a_rebuild_is_exact(tmp_path: Path) -> None:
    candidates, tally = run(tmp_path, ScriptedModels(0.5).asks, concurrency=5)
    assert tally.kept == len(candidates) < tally.items == tally.kept + tally.rejected.total()
    assert tally.refused.total() >= 3 * tally.rejected.total() > 0
    assert run(tmp_path, None, concurrency=1) == (candidates, tally)


def test_stopped_in_the_middle_it_goes_on(tmp_path: Path) -> None:
    whole = ScriptedModels()
    wanted = run(tmp_path / "whole", whole.asks)
    stopped, resumed = ScriptedModels(fail=9), ScriptedModels()
    with pytest.raises(Killed):
        run(tmp_path / "cut", stopped.asks)
    assert run(tmp_path / "cut", resumed.asks) == wanted
    assert stopped.asked.total() == 9
    assert stopped.asked + resumed.asked == whole.asked


def test_replaced_references_are_asked_about_anew(tmp_path: Path) -> None:
    run(tmp_path, ScriptedModels().asks)
    other = {key: replace(one, text=one.text + " He slept.") for key, one in references().items()}
    models = ScriptedModels()
    run(tmp_path, models.asks, other)
    assert models.asked["generator-1"] == 0 < models.asked["judge-1"]
