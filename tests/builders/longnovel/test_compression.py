import asyncio
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from scripted_models import PROMPTS, ScriptedModels
from tale import SCALE, tale, windows_of

from lengthwise.builders.longnovel.asking import Asks, Calls, Tally
from lengthwise.builders.longnovel.compression import compress, fits, join_summaries, target_words
from lengthwise.builders.longnovel.records import SUMMARY_WORDS, Language, Reference, Unit, Window
from lengthwise.builders.longnovel.roles import SLOTS, parse_roles
from lengthwise.contracts import Reply, ReplyError, Request
from lengthwise.errors import InputError

ROLES = parse_roles(dict.fromkeys(SLOTS, "openai:m"))
Units = dict[tuple[str, int], Unit]


def run(
    folder: Path, windows: list[Window], units: Units, asks: Asks | None, concurrency: int = 4
) -> tuple[list[Reference], Tally]:
    with Calls.open(folder, ROLES, asks) as calls:
        return asyncio.run(compress(windows, units, calls, PROMPTS, concurrency=concurrency))


def answers(compressor: Callable[[int], str], critic: Callable[[int], str]) -> tuple[Asks, list[str]]:
    """Asks whose n-th reply is given by a function of n, and the prompts that came."""
    prompts: list[str] = []
    counts = {"compressor": 0, "critic": 0}

    def of(slot: str, answer: Callable[[int], str]) -> Callable[[Request], object]:
        async def ask(request: Request) -> Reply:
            prompts.append(request.messages[0].content)
            counts[slot] += 1
            return Reply(answer(counts[slot]))

        return ask

    return {"compressor": of("compressor", compressor), "critic": of("critic", critic)}, prompts  # type: ignore[dict-item]


def score(value: int, **more: object) -> str:
    return json.dumps({"score": value, "reason": f"reason {value}", **more})


UNITS = tale("en", 2, 12)
WINDOWS = windows_of(UNITS)
GOOD, BAD, SHORT = "good " * 220, "bad " * 220, "short " * 100


def test_the_papers_targets() -> None:
    assert {scale: target_words(scale) for scale in SUMMARY_WORDS} == dict(SUMMARY_WORDS)


def test_longer_windows_never_have_shorter_summaries() -> None:
    targets = [target_words(f"{tokens}k") for tokens in range(4, 1000)]
    assert targets == sorted(targets)


def test_compressed_in_one_round(tmp_path: Path) -> None:
    asks, _ = answers(lambda n: GOOD, lambda n: score(4))
    [reference], tally = run(tmp_path, WINDOWS, UNITS, asks)
    assert reference == Reference(WINDOWS[0].key, GOOD.strip(), 220, 220, True, 1, 4, "reason 4", "human:us")
    assert (tally.items, tally.kept) == (1, 1)


def test_a_poor_score_has_a_second_round_with_faults_and_advice(tmp_path: Path) -> None:
    said = (score(3, deficiencies=["a fault"], suggestions=["some advice"]), score(5))
    asks, prompts = answers(lambda n: (BAD, GOOD)[n - 1], lambda n: said[n - 1])
    [reference], _ = run(tmp_path, WINDOWS, UNITS, asks)
    assert (reference.text, reference.rounds, reference.score) == (GOOD.strip(), 2, 5)
    assert "a fault" in prompts[2] and "some advice" in prompts[2] and BAD.strip() in prompts[2]


def test_the_better_of_two_rounds_is_kept_and_both_are_on_record(tmp_path: Path) -> None:
    asks, _ = answers(lambda n: (GOOD, BAD)[n - 1], lambda n: score((3, 2)[n - 1]))
    [reference], _ = run(tmp_path, WINDOWS, UNITS, asks)
    assert (reference.text, reference.rounds, reference.score) == (GOOD.strip(), 2, 3)
    assert len((tmp_path / "steps/replies.jsonl").read_text().splitlines()) == 4


def test_there_is_no_third_round(tmp_path: Path) -> None:
    asks, prompts = answers(lambda n: BAD, lambda n: score(1))
    [reference], _ = run(tmp_path, WINDOWS, UNITS, asks)
    assert (reference.rounds, reference.score, len(prompts)) == (2, 1, 4)


def test_a_length_that_is_off_is_a_fault(tmp_path: Path) -> None:
    asks, prompts = answers(lambda n: (SHORT, GOOD)[n - 1], lambda n: score(5))
    [reference], _ = run(tmp_path, WINDOWS, UNITS, asks)
    assert (reference.text, reference.rounds) == (GOOD.strip(), 2)
    assert "has 100 words; it should have about 220" in prompts[2]


def test_a_length_that_stays_off_is_rejected(tmp_path: Path) -> None:
    asks, _ = answers(lambda n: SHORT, lambda n: score(5))
    references, tally = run(tmp_path, WINDOWS, UNITS, asks)
    assert (references, tally.rejected) == ([], {"neither round has the length": 1})


def test_short_ones_are_kept_and_ask_nobody(tmp_path: Path) -> None:
    units = tale("zh", 2, 3)
    asks, prompts = answers(lambda n: "", lambda n: "")
    [reference], _ = run(tmp_path, windows_of(units), units, asks)
    joined = join_summaries(list(units.values()), "zh")
    assert (reference.text, reference.words) == (joined.text, joined.words)
    assert (reference.compressed, reference.rounds, reference.score, prompts) == (False, 0, None, [])


def test_unusable_replies_are_asked_for_again_then_rejected(tmp_path: Path) -> None:
    asks, prompts = answers(lambda n: "", lambda n: score(5))
    references, tally = run(tmp_path, WINDOWS, UNITS, asks)
    assert (references, tally.rejected, tally.refused) == (
        [], {"the reply is empty": 1}, {"compressor: the reply is empty": 3}
    )  # fmt: skip
    assert len(prompts) == 3


def test_a_second_round_that_cannot_be_used_leaves_the_first(tmp_path: Path) -> None:
    asks, _ = answers(lambda n: GOOD if n == 1 else "今" * 220, lambda n: score(2))
    [reference], tally = run(tmp_path, WINDOWS, UNITS, asks)
    assert (reference.rounds, reference.score) == (1, 2)
    assert tally.refused["second round: another language"] == 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"summary": " "}, "a unit without a summary"),
        ({"summary_origin": "model:m"}, "summaries of different origin"),
    ],
)
def test_windows_without_reference(tmp_path: Path, change: dict[str, str], reason: str) -> None:
    units = {**UNITS, ("tale", 2): replace(UNITS["tale", 2], **change)}  # type: ignore[arg-type]
    references, tally = run(tmp_path, WINDOWS, units, None)
    assert (references, tally.rejected) == ([], {reason: 1})


def test_two_annotators_are_both_human() -> None:
    units = [UNITS["tale", 1], replace(UNITS["tale", 2], summary_origin="human:b")]
    assert join_summaries(units, "en").origin == "human:b+human:us"


def test_a_missing_unit(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no unit 2 of tale"):
        run(tmp_path, WINDOWS, {("tale", 1): UNITS["tale", 1]}, None)


def test_no_reply_is_a_failure_of_that_window_alone(tmp_path: Path) -> None:
    units = tale("en", 4, 12)

    async def down(request: Request) -> Reply:
        raise ReplyError("503")

    asks, _ = answers(lambda n: GOOD, lambda n: score(5))
    good = asks["compressor"]

    async def half(request: Request) -> Reply:
        return await (down if "On day 2 " in request.messages[0].content else good)(request)

    windows = windows_of(units)
    references, tally = run(tmp_path, windows, units, {**asks, "compressor": half})
    assert [one.key for one in references] == [windows[1].key]
    assert tally.failed == {windows[0].key.id: "503"}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("errors", [0.0, 0.4])
def test_scripted(tmp_path: Path, language: Language, errors: float) -> None:
    units = tale(language, 12, 12 if language == "en" else 8)
    windows = windows_of(units)
    models = ScriptedModels(errors)
    references, tally = run(tmp_path, windows, units, models.asks)
    assert all(fits(one.words, one.target) and one.compressed for one in references)
    assert tally.items == len(windows) == tally.kept + tally.rejected.total()
    assert tally.kept == len(references) and (errors or tally.kept == 6)
    assert target_words(SCALE) == 220
    # From the records alone, in any order of completion.
    assert run(tmp_path, windows, units, None, concurrency=1) == (references, tally)
