"""A model that is far too small: all it says ends in counted rejections, never in a crash or a wrong label."""

import asyncio
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "builders/longnovel"))
from tale import tale, windows_of

from lengthwise.builders.longnovel.model_steps import make_model_steps, spent
from lengthwise.builders.longnovel.roles import parse_roles
from lengthwise.builders.longnovel.steps_files import write_units, write_windows
from lengthwise.builders.longnovel.steps_tables import read_candidates, read_injected, read_references
from lengthwise.builders.longnovel.units import SizedUnit
from lengthwise.evaluators.slot_models import open_slots

pytestmark = [pytest.mark.local, pytest.mark.slow]


def test_whatever_a_small_model_says(tmp_path: Path) -> None:
    units = {**tale("en", 2, 3), **tale("zh", 2, 1, "zh")}
    write_units(tmp_path, [SizedUnit(unit, 99, unit.index, unit.index) for _, unit in sorted(units.items())])
    write_windows(tmp_path, windows_of(units))
    # Enough for half an answer, so that replies are cut, too.
    roles = parse_roles({"defaults": {"model": "local:smollm2-135m", "max_tokens": 60, "temperature": 0.0}})

    async def build() -> list[object]:
        async with open_slots(roles) as asks:
            return [one.to_json() for one in await make_model_steps(tmp_path, roles, asks)]

    made = asyncio.run(build())
    references = {one.key: one for one in read_references(tmp_path)}
    # All these are short enough to stand as they are.
    assert len(references) == 2
    for one in read_candidates(tmp_path):
        assert (one.score < 3) == bool(one.types)
    for injected in read_injected(tmp_path):
        text = injected.text
        for each in injected.injections:
            assert text.count(each.hallucinated) == 1
            assert not each.original or references[injected.key].text.count(each.original) == 1
    assert sum(one.calls for one in spent(tmp_path).values()) > 6
    for record in made:
        assert isinstance(record, dict)
        assert record["items"] == record["kept"] + sum(record["rejected"].values()) and not record["failed"]
    # And from the records alone, without the model.
    assert [one.to_json() for one in asyncio.run(make_model_steps(tmp_path))] == made
