import asyncio
import json
import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from scripted_models import Killed, ScriptedModels, broken
from tale import tale, windows_of

from lengthwise.builders.longnovel.asking import Asks, Calls, Tally
from lengthwise.builders.longnovel.entities import _load_jieba
from lengthwise.builders.longnovel.model_steps import (
    STEPS,
    ModelStepSettings,
    make_model_steps,
    models_asked,
    spent,
    step_options,
)
from lengthwise.builders.longnovel.records import Language
from lengthwise.builders.longnovel.roles import SLOTS, Roles, parse_roles
from lengthwise.builders.longnovel.steps_files import write_units, write_windows
from lengthwise.builders.longnovel.steps_tables import read_candidates, read_injected, read_references
from lengthwise.builders.longnovel.units import SizedUnit
from lengthwise.errors import InputError

ROLES = parse_roles(dict.fromkeys(SLOTS, "http://localhost:1/v1#org/m@1"))


def write_book(folder: Path, language: Language, units: int = 6) -> Path:
    made = tale(language, units, 12 if language == "en" else 8)
    write_units(folder, [SizedUnit(unit, 2000, unit.index, unit.index) for unit in made.values()])
    write_windows(folder, windows_of(made))
    return folder


def run(folder: Path, asks: Asks | None, roles: Roles | None = ROLES, **settings: object) -> list[Tally]:
    return asyncio.run(make_model_steps(folder, roles, asks, **settings))  # type: ignore[arg-type]


def tables(folder: Path) -> list[object]:
    return [read_references(folder), read_candidates(folder), read_injected(folder)]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_all_steps_and_again_from_the_records(tmp_path: Path, language: Language) -> None:
    folder = write_book(tmp_path / "build", language)
    models = ScriptedModels(0.3)
    tallies = run(folder, models.asks)
    made = tables(folder)
    assert all(made)
    assert [one.step for one in tallies] == ["compression", "arbitration", "entities", "injection"]
    for one in tallies:
        record = json.loads((folder / "steps" / f"{one.step}.json").read_text())
        assert Tally.from_json(one.step, record) == one
    # Elsewhere, with nothing but the records: no roles, nobody to ask.
    again = write_book(tmp_path / "again", language)
    for name in ("replies.jsonl", "roles.json"):
        shutil.copy(folder / "steps" / name, again / "steps" / name)
    assert run(again, None, None, concurrency=1) == tallies
    for name in ("references", "candidates", "injected"):
        assert (again / f"steps/{name}.parquet").read_bytes() == (folder / f"steps/{name}.parquet").read_bytes()


@pytest.mark.parametrize("calls", [1, 4, 10, 40])
def test_killed_in_any_step_it_goes_on(tmp_path: Path, calls: int) -> None:
    whole = ScriptedModels(0.2)
    run(write_book(tmp_path / "whole", "en"), whole.asks)
    folder = write_book(tmp_path / "cut", "en")
    stopped, resumed = ScriptedModels(0.2, fail=calls), ScriptedModels(0.2)
    with pytest.raises(Killed):
        run(folder, stopped.asks)
    run(folder, resumed.asks)
    assert stopped.asked + resumed.asked == whole.asked
    assert tables(folder) == tables(tmp_path / "whole")


def test_failures_are_asked_again_and_nothing_else(tmp_path: Path) -> None:
    folder = write_book(tmp_path, "en")
    first = run(folder, broken(1, ScriptedModels()))
    assert first[0].failed and first[1].failed
    missing = ScriptedModels()
    second = run(folder, missing.asks)
    assert not any(one.failed for one in second)
    assert second[0].kept == 3
    assert missing.asked["critic"] == len(first[0].failed)


@pytest.mark.parametrize("until", STEPS[1:])
def test_until(tmp_path: Path, until: str) -> None:
    folder = write_book(tmp_path, "en")
    run(folder, ScriptedModels().asks, until=until)
    made = {path.stem for path in (folder / "steps").glob("*.parquet")} - {"units", "windows"}
    wanted = ["references", "candidates", "injected"][: STEPS.index(until)]  # type: ignore[arg-type]
    assert made == set(wanted)


def test_no_such_step(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unknown step 'inject': did you mean 'injection'"):
        run(write_book(tmp_path, "en"), None, until="inject")


def test_what_it_took_by_slot(tmp_path: Path) -> None:
    folder = write_book(tmp_path, "en")
    models = ScriptedModels()
    run(folder, models.asks)
    took = spent(folder)
    assert {slot: one.calls for slot, one in took.items()} == models.asked
    assert took["judge-1"].input_tokens > took["critic"].input_tokens > 0 and took["arbiter"].cost is None


def test_models_write_what_no_person_has_written(tmp_path: Path) -> None:
    made = tale("en", 2, 6)
    bare = [type(unit)(unit.book, unit.index, "en", "", unit.text) for unit in made.values()]
    write_units(tmp_path, [SizedUnit(unit, 2000, unit.index, unit.index) for unit in bare])
    write_windows(tmp_path, windows_of(made))

    class Summarising(ScriptedModels):
        def answer(self, slot: str, prompt: str, time: int = 1) -> str:  # type: ignore[override]
            if "\nText:\n" in prompt:
                return made["tale", 1 + [one.text in prompt for one in bare].index(True)].summary
            return super().answer(slot, prompt, time)  # type: ignore[arg-type]

    settings = ModelStepSettings(write_summaries=True)
    tallies = run(tmp_path, Summarising().asks, settings=settings)
    assert [one.kept for one in tallies[:2]] == [2, 1]
    assert {one.summary_origin for one in read_references(tmp_path)} == {"model:org/m@1"}
    assert run(tmp_path, None, None, settings=settings) == tallies


def test_a_tagger_that_is_missing_is_known_before_the_first_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # None in the place of a module makes its import fail.
    monkeypatch.setitem(sys.modules, "jieba", None)
    _load_jieba.cache_clear()
    models = ScriptedModels()
    roles = parse_roles(dict.fromkeys(SLOTS, "openai:m") | {"extractor": "offline"})
    with pytest.raises(InputError, match="needs jieba"):
        run(write_book(tmp_path, "zh"), models.asks, roles)
    assert models.asked.total() == 0


def test_what_is_said_of_the_models_names_no_machine(tmp_path: Path) -> None:
    assert models_asked(tmp_path) is None
    entry = {"model": "http://gpu7.internal:8000/v1#org/m", "api_key_env": "MINE", "temperature": 0.5}
    spec = {slot: entry for slot in SLOTS} | {"critic": "http://gpu7.internal:8000/v1#org/critic"}
    with Calls.open(tmp_path, parse_roles(spec)):
        found = models_asked(tmp_path)
    assert found is not None and found["arbiter"]["model"] == "org/m" and found["arbiter"]["temperature"] == 0.5
    assert "gpu7" not in str(found) and "MINE" not in str(found)


def test_the_command_that_made_the_steps(tmp_path: Path) -> None:
    write_book(tmp_path, "en")
    run(tmp_path, ScriptedModels().asks)
    assert step_options(tmp_path) == []
    run(tmp_path, ScriptedModels().asks, settings=ModelStepSettings(tolerance=0.2, article_alone=True, variants=2))
    assert step_options(tmp_path) == ["--tolerance 0.2", "--article-alone", "--variants 2"]


@pytest.mark.parametrize("wrong", [{"tolerance": 1.0}, {"tolerance": -0.1}, {"variants": 0}])
def test_settings_out_of_range(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError):
        ModelStepSettings(**wrong)  # type: ignore[arg-type]
