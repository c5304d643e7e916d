"""The model steps over real HTTP: a scripted server, faults of the network, a kill in the middle."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "builders/longnovel"))
from faulty_server import FaultyServer, Step, completion, error
from scripted_models import ScriptedModels
from tale import tale, windows_of

from lengthwise.builders.hub_folder import read_build
from lengthwise.builders.longnovel.asking import Asks, Tally
from lengthwise.builders.longnovel.assembly import NovelBuild
from lengthwise.builders.longnovel.build import StepsDone, build_longnovel
from lengthwise.builders.longnovel.model_steps import make_model_steps, spent
from lengthwise.builders.longnovel.records import Language
from lengthwise.builders.longnovel.roles import SLOTS, Roles, Slot, parse_roles
from lengthwise.builders.longnovel.settings import NovelSettings
from lengthwise.builders.longnovel.steps_files import write_units, write_windows
from lengthwise.builders.longnovel.steps_tables import read_candidates, read_injected, read_references
from lengthwise.builders.longnovel.units import SizedUnit
from lengthwise.errors import InputError
from lengthwise.evaluators.retry import RetryPolicy
from lengthwise.evaluators.slot_models import open_slots

QUICK = RetryPolicy(attempts=3, base=0.001)


def write_book(folder: Path, language: Language = "en") -> Path:
    units = tale(language, 6, 12 if language == "en" else 8)
    write_units(folder, [SizedUnit(unit, 2000, unit.index, unit.index) for unit in units.values()])
    write_windows(folder, windows_of(units))
    return folder


def serve(server: FaultyServer, errors: float = 0.2, delay: float = 0.0) -> Roles:
    """Have the server answer as the scripted models do, each slot under a name of its own."""
    models = ScriptedModels(errors)
    server.models = [{"id": slot, "owned_by": "vllm", "max_model_len": 100_000} for slot in SLOTS]

    def answer(body: dict[str, Any]) -> Step:
        slot: Slot = body["model"]
        return Step(body=completion(models.answer(slot, body["messages"][-1]["content"])), delay=delay)

    server.default = answer
    return parse_roles({slot: f"{server.url}#{slot}" for slot in SLOTS})


async def build(folder: Path, roles: Roles) -> list[Tally]:
    async with open_slots(roles, retries=QUICK) as asks:
        return await make_model_steps(folder, roles, asks)


def tables(folder: Path) -> list[object]:
    return [read_references(folder), read_candidates(folder), read_injected(folder)]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_over_http_and_again_offline(tmp_path: Path, server: FaultyServer, language: Language) -> None:
    folder = write_book(tmp_path, language)
    tallies = asyncio.run(build(folder, serve(server)))
    made = tables(folder)
    assert all(made) and sum(one.refused.total() for one in tallies) > 0
    asked = len(server.seen)
    assert sum(one.calls for one in spent(folder).values()) == asked
    assert asyncio.run(make_model_steps(folder)) == tallies
    assert (tables(folder), len(server.seen)) == (made, asked)


def test_passing_faults_change_nothing(tmp_path: Path, server: FaultyServer) -> None:
    roles = serve(server)
    asyncio.run(build(write_book(tmp_path / "smooth"), roles))
    answer, known = server.default, set()

    def sometimes(body: dict[str, Any]) -> Step:
        # Every question is refused when it is asked for the first time.
        question = (body["model"], body["messages"][-1]["content"])
        if question in known:
            return answer(body)
        known.add(question)
        return error(503, "overloaded")

    server.default = sometimes
    tallies = asyncio.run(build(write_book(tmp_path / "rough"), roles))
    assert not any(one.failed for one in tallies)
    assert tables(tmp_path / "rough") == tables(tmp_path / "smooth")


def test_lasting_faults_are_counted_and_asked_again(tmp_path: Path, server: FaultyServer) -> None:
    roles = serve(server)
    answer = server.default
    server.default = lambda body: error(500, "broken") if body["model"] == "judge-2" else answer(body)
    tallies = {one.step: one for one in asyncio.run(build(write_book(tmp_path), roles))}
    assert tallies["arbitration"].failed and tallies["injection"].kept
    server.default = answer
    before = len(server.seen)
    tallies = {one.step: one for one in asyncio.run(build(tmp_path, roles))}
    assert not tallies["arbitration"].failed
    assert {one.body["model"] for one in server.seen[before:]} == {"judge-2", "arbiter"}


def test_what_a_provider_never_answers_is_left_out_of_the_rows(tmp_path: Path, server: FaultyServer) -> None:
    books, out = tmp_path / "books", tmp_path / "out"
    books.mkdir()
    units = list(tale("en", 4, 45).values())
    lines = [
        {"unit": one.index, "text": one.text, "summary": one.summary, "summary_origin": "human:us"} for one in units
    ]
    (books / "tale.jsonl").write_text("\n".join(map(json.dumps, lines)))
    roles = serve(server, 0.0)
    answer = server.default
    refused = error(400, "refused by our safety system", "invalid_prompt")
    server.default = lambda body: (
        refused
        if body["model"].startswith("generator") and units[-1].text[:80] in body["messages"][-1]["content"]
        else answer(body)
    )

    def opens(roles: Roles) -> AbstractAsyncContextManager[Asks]:
        return open_slots(roles, retries=QUICK)

    def build_rows(**options: Any) -> NovelBuild | StepsDone:
        scales = NovelSettings(("4k",))
        return build_longnovel(out, (str(books),), scales, roles=roles, open_asks=opens, **options)

    stopped = build_rows()
    assert isinstance(stopped, StepsDone) and stopped.failed > 0
    before = len(server.seen)
    made = build_rows(leave_out_unanswered=True)
    assert isinstance(made, NovelBuild)
    # They were asked again, each once, as it might have passed.
    assert len(server.seen) - before == stopped.failed
    (found,) = read_build(out)["plan"]["left_out"]
    assert found["step"] == "arbitration" and len(found["items"]) == stopped.failed
    assert found["reasons"] == {"HTTP 400: refused by our safety system": stopped.failed}
    server.default = answer
    whole = build_rows()
    assert isinstance(whole, NovelBuild) and whole.digest != made.digest
    assert read_build(out)["plan"]["left_out"] == []


_BUILD = """
import asyncio, sys
from pathlib import Path
from lengthwise.builders.longnovel.model_steps import make_model_steps
from lengthwise.builders.longnovel.roles import read_roles
from lengthwise.evaluators.slot_models import open_slots

async def build():
    roles = read_roles(Path(sys.argv[2]))
    async with open_slots(roles) as asks:
        await make_model_steps(Path(sys.argv[1]), roles, asks, concurrency=2)

asyncio.run(build())
"""


def test_killed_in_the_middle_nothing_answered_is_asked_twice(tmp_path: Path, server: FaultyServer) -> None:
    roles = serve(server, delay=0.02)
    asyncio.run(build(write_book(tmp_path / "whole"), roles))
    folder = write_book(tmp_path / "cut")
    file = tmp_path / "roles.toml"
    file.write_text("".join(f'{slot} = "{roles[slot].model}"\n' for slot in SLOTS))
    before = len(server.seen)
    process = subprocess.Popen([sys.executable, "-c", _BUILD, str(folder), str(file)])
    until = time.monotonic() + 60
    while len(server.seen) < before + 15 and time.monotonic() < until:
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not (folder / "steps/injected.parquet").exists()
    asyncio.run(build(folder, roles))
    assert tables(folder) == tables(tmp_path / "whole")
    # At most the calls that were under way are asked again.
    assert len(server.seen) - before <= before + 2


def test_what_does_not_fit_is_rejected_and_not_asked_again(tmp_path: Path, server: FaultyServer) -> None:
    roles = serve(server, 0.0)
    answer = server.default
    too_long = error(400, "This model's maximum context length is 99 tokens", "context_length_exceeded")
    server.default = lambda body: too_long if body["model"] == "generator-3" else answer(body)
    tallies = asyncio.run(build(write_book(tmp_path), roles))
    assert tallies[1].rejected == {"does not fit the model's window": 3} and not tallies[1].failed
    before = len(server.seen)
    assert asyncio.run(build(tmp_path, roles)) == tallies
    assert len(server.seen) == before


def test_a_model_that_is_not_there(tmp_path: Path, server: FaultyServer) -> None:
    roles = serve(server)
    assert server.models is not None
    server.models = [one for one in server.models if one["id"] != "critic"]
    with pytest.raises(InputError, match="critic"):
        asyncio.run(build(write_book(tmp_path), roles))
    assert not server.seen
