import asyncio
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from scripted_models import PROMPTS, ScriptedModels
from tale import tale

from lengthwise.builders.longnovel.asking import Asks, Calls, Tally
from lengthwise.builders.longnovel.records import Language, Unit
from lengthwise.builders.longnovel.roles import SLOTS, Slot, parse_roles
from lengthwise.builders.longnovel.unit_summaries import summarise_units
from lengthwise.errors import InputError


class Summarising(ScriptedModels):
    def _summary(self, slot: Slot, prompt: str, language: Language, wrong: bool) -> str:
        return "" if "New Bedford with 4 letters" in prompt else "Somebody sailed."


def run(folder: Path, asks: Asks | None, units: list[Unit]) -> tuple[list[Unit], Tally]:
    with Calls.open(folder, parse_roles(dict.fromkeys(SLOTS, "http://h/v1#org/m")), asks) as calls:
        return asyncio.run(summarise_units(units, calls, PROMPTS))


BARE = [replace(unit, summary="", summary_origin="") for unit in tale("en", 3, 4).values()]


def test_marked_as_the_models_and_those_without_stay_without(tmp_path: Path) -> None:
    units, tally = run(tmp_path, Summarising().asks, BARE)
    assert [(one.summary, one.summary_origin) for one in units] == [
        ("", ""), ("Somebody sailed.", "model:org/m"), ("Somebody sailed.", "model:org/m")
    ]  # fmt: skip
    assert (tally.kept, tally.rejected) == (2, {"the reply is empty": 1})


def test_made_again_from_what_it_made(tmp_path: Path) -> None:
    made = run(tmp_path, Summarising().asks, BARE)
    assert run(tmp_path, None, made[0]) == made


def test_other_models_summaries_stay(tmp_path: Path) -> None:
    units = [replace(BARE[0], summary="Theirs.", summary_origin="model:theirs"), *BARE[1:]]
    assert run(tmp_path, Summarising().asks, units)[0][0] == units[0]


@pytest.mark.parametrize("origin", ["human:us", "heading"])
def test_never_beside_people(tmp_path: Path, origin: str) -> None:
    units = [*BARE, replace(BARE[0], index=4, summary="Ours.", summary_origin=origin)]
    with pytest.raises(InputError, match="unit 4, has a summary by a person"):
        run(tmp_path, Summarising().asks, units)
