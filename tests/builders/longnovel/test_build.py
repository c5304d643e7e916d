"""Whole builds by scripted models: from a folder of books to rows that `validate` proves."""

import json
import shutil
import sys
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from scripted_models import Killed, ScriptedModels
from tale import tale

from lengthwise.builders.benchmarks import validate
from lengthwise.builders.hub_folder import parquet_files, read_build
from lengthwise.builders.longnovel.asking import Asks
from lengthwise.builders.longnovel.assembly import NovelBuild
from lengthwise.builders.longnovel.build import OpenAsks, SourceOptions, StepsDone, build_longnovel
from lengthwise.builders.longnovel.export import read_rows
from lengthwise.builders.longnovel.labels import label_all
from lengthwise.builders.longnovel.recipe import export_recipe, rebuild
from lengthwise.builders.longnovel.records import Language
from lengthwise.builders.longnovel.review.judgements import Judgement
from lengthwise.builders.longnovel.review.pairs import list_pairs, load_pairs
from lengthwise.builders.longnovel.review.store import ReviewLog, Sample
from lengthwise.builders.longnovel.roles import INJECTORS, SLOTS, Roles, Slot, parse_roles
from lengthwise.builders.longnovel.settings import NovelSettings
from lengthwise.builders.longnovel.steps_files import read_units, read_windows
from lengthwise.builders.longnovel.steps_tables import read_candidates, read_injected, read_references
from lengthwise.contracts import Ask, Reply, ReplyError, Request
from lengthwise.errors import InputError

ROLES = parse_roles({slot: "openai:scripted" for slot in SLOTS})
SETTINGS = NovelSettings(("4k",))
OPEN = SourceOptions(licence="CC0-1.0", redistributable=True)


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three books in either language, of four chapters of about 2,000 tokens each."""
    folder = tmp_path_factory.mktemp("books")
    for language in ("en", "zh"):
        for number in range(3):
            lines = [
                {
                    "book_id": f"{language}{number}",
                    "unit": unit.index,
                    "lang": language,
                    "heading": unit.title,
                    "text": unit.text,
                    "summary": unit.summary,
                    "summary_origin": unit.summary_origin,
                }
                for unit in told(language, number)
            ]
            text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
            (folder / f"{language}{number}.jsonl").write_text(text, "utf-8")
    return folder


def told(language: Any, number: int) -> list[Any]:
    units = list(tale(language, 3 + number, 45, f"{language}{number}").values())
    # Each book has its own days, or two would share their text.
    return [unit for unit in units if unit.index > number]


def opens(models: ScriptedModels) -> OpenAsks:
    @asynccontextmanager
    async def opened(roles: Roles) -> AsyncIterator[Asks]:
        yield models.asks

    return opened


def build(out: Path, books: Path, models: ScriptedModels | None, **options: Any) -> NovelBuild | StepsDone:
    given = {} if models is None else {"roles": ROLES, "open_asks": opens(models)}
    return build_longnovel(out, (str(books),), SETTINGS, source_options=OPEN, **given, **options)


@pytest.fixture(scope="module")
def built(books: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("whole") / "longnovel"
    build(out, books, ScriptedModels(errors=0.2))
    return out


def test_whatever_the_models_answer_every_row_is_proven_right(built: Path) -> None:
    reports = validate(built)
    assert [line for report in reports for line in report.problems] == []
    composition = read_build(built)["composition"]
    assert min(min(line["original"], line["erhg"], line["mma"]) for line in composition.values()) > 0


def test_every_labelled_summary_is_a_row(built: Path) -> None:
    languages: dict[Any, Language] = {window.key: window.language for window in read_windows(built)}
    steps = read_references(built), read_candidates(built), read_injected(built)
    labels, refused = label_all(languages, *steps)
    assert sum(line["total"] for line in read_build(built)["composition"].values()) == len(labels)
    assert refused == []


def test_build_json_says_which_model_filled_which_slot(built: Path) -> None:
    assert parse_roles(read_build(built)["models"]) == ROLES


@pytest.mark.parametrize("until", ["units", "windows"])
def test_the_first_steps_need_no_model(books: Path, tmp_path: Path, until: Any) -> None:
    done = build(tmp_path / "out", books, None, until=until)
    assert done.lines()[0] == "units: 18 of 6 books, 18 with a summary"
    assert (tmp_path / "out/steps/windows.parquet").exists() == (until == "windows")
    assert not (tmp_path / "out/build.json").exists()


def calls_on_record(folder: Path) -> int:
    return (folder / "steps/replies.jsonl").read_text("utf-8").count("\n")


def test_a_build_that_is_killed_anywhere_goes_on_and_asks_nothing_twice(
    books: Path, built: Path, tmp_path: Path
) -> None:
    asked = 0
    for kill in (1, calls_on_record(built) // 4, calls_on_record(built) // 3):
        models = ScriptedModels(errors=0.2, fail=kill)
        with pytest.raises(Killed):
            build(tmp_path / "out", books, models, concurrency=1)
        asked += models.asked.total()
    last = ScriptedModels(errors=0.2)
    build(tmp_path / "out", books, last, concurrency=1)
    assert asked + last.asked.total() == calls_on_record(tmp_path / "out")
    assert [line for report in validate(tmp_path / "out") for line in report.problems] == []


def test_from_the_records_the_same_rows_are_built_and_nobody_is_asked(
    books: Path, built: Path, tmp_path: Path
) -> None:
    again = build(tmp_path / "again", books, None, records=built)
    assert isinstance(again, NovelBuild)
    assert again.digest == read_build(built)["digest"]


def filtered(models: ScriptedModels, slots: Collection[str], words: Collection[str]) -> OpenAsks:
    """Open models of which some never answer a prompt that holds some words, as a provider's filter has it."""

    def of(slot: Slot, ask: Ask) -> Ask:
        async def ask_or_fail(request: Request) -> Reply:
            if slot in slots and any(word in request.messages[-1].content for word in words):
                raise ReplyError("HTTP 400: http://gpu7.internal:8000/v1 filtered the content (after 2 tries)")
            return await ask(request)

        return ask_or_fail

    @asynccontextmanager
    async def opened(roles: Roles) -> AsyncIterator[Asks]:
        yield {slot: of(slot, ask) for slot, ask in models.asks.items()}

    return opened


def test_what_is_never_answered_can_be_left_out_and_comes_later(books: Path, built: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    window = read_windows(built)[0].key
    words = [one.unit.text[:60] for one in read_units(built, window.book) if one.unit.index == window.unit_start]
    asked = {"open_asks": filtered(ScriptedModels(0.2), ("judge-2", "generator-1"), words), "roles": ROLES}
    stopped = build(out, books, None, **asked)
    assert isinstance(stopped, StepsDone) and stopped.failed == 3 and "--leave-out-unanswered" in stopped.lines()[-1]
    assert not (out / "build.json").exists()
    gaps = build(out, books, None, **asked, leave_out_unanswered=True)
    assert isinstance(gaps, NovelBuild)
    names = [f"{window.id}/generator-{number}" for number in (1, 2, 3)]
    assert any(line.endswith(f"3 left out, no reply came: {', '.join(names)}") for line in gaps.lines())
    assert read_build(out)["plan"]["left_out"] == [
        {"step": "arbitration", "items": names, "reasons": {"HTTP 400: a server filtered the content": 3}}
    ]
    assert sorted(json.loads((out / "steps/arbitration.json").read_text())["failed"]) == names
    card = (out / "README.md").read_text("utf-8")
    assert "- arbitration: 3 (HTTP 400: a server filtered the content: 3)" in card
    assert "--leave-out-unanswered" in card and "gpu7" not in card
    assert [line for report in validate(out) for line in report.problems] == []
    # From the records, gaps and all.
    again = build(tmp_path / "again", books, None, records=out, leave_out_unanswered=True)
    assert isinstance(again, NovelBuild) and again.digest == gaps.digest
    whole = build(out, books, ScriptedModels(0.2), leave_out_unanswered=True)
    assert isinstance(whole, NovelBuild) and whole.digest == read_build(built)["digest"] != gaps.digest
    assert read_build(out)["plan"] == read_build(built)["plan"]


@pytest.mark.parametrize(
    ("step", "slots"),
    [("compression", ["compressor"]), ("entities", ["extractor"]), ("injection", list(INJECTORS))],
)
def test_any_step_can_be_gone_on_without(
    books: Path, built: Path, tmp_path: Path, step: str, slots: list[str]
) -> None:
    words = [next(read_units(built, "en0")).unit.summary[:60]]
    asked = {"open_asks": filtered(ScriptedModels(), slots, words), "roles": ROLES}
    made = build(tmp_path / "out", books, None, **asked, leave_out_unanswered=True)
    assert isinstance(made, NovelBuild)
    (found,) = read_build(tmp_path / "out")["plan"]["left_out"]
    assert found["step"] == step and found["items"]
    assert [line for report in validate(tmp_path / "out") for line in report.problems] == []


def test_a_step_alone_then_the_rest(books: Path, built: Path, tmp_path: Path) -> None:
    models = ScriptedModels(errors=0.2)
    done = build(tmp_path / "out", books, models, until="compression")
    assert isinstance(done, StepsDone) and "compression: " in done.steps[-1]
    assert set(models.asked) <= {"compressor", "critic"}
    whole = build(tmp_path / "out", books, ScriptedModels(errors=0.2))
    assert isinstance(whole, NovelBuild) and whole.digest == read_build(built)["digest"]


def test_other_settings_do_not_mix_with_steps_that_are_there(books: Path, built: Path) -> None:
    with pytest.raises(InputError, match=r"steps of another build \(scales differ\)"):
        build_longnovel(built, (str(books),), NovelSettings(("8k",)), source_options=OPEN)


def test_a_source_that_was_misspelt_can_be_named_again(books: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        build(tmp_path / "out", tmp_path / "boks", None, until="units")
    assert build(tmp_path / "out", books, None, until="units").lines()


def test_a_tokenizer_that_is_not_to_be_had_is_known_before_the_first_call(books: Path, tmp_path: Path) -> None:
    models = ScriptedModels()
    with pytest.raises(InputError, match="nowhere"):
        build(tmp_path / "out", books, models, tokenizers=["./nowhere.json"])
    assert models.asked.total() == 0 and not (tmp_path / "out").exists()


def test_without_models_and_records_there_is_nothing_to_build_from(books: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"roles\.toml"):
        build(tmp_path / "out", books, None)


def test_a_recipe_of_a_whole_build_is_rebuilt_from_its_units(built: Path, tmp_path: Path) -> None:
    export_recipe(built, tmp_path / "recipe")
    digest = rebuild(tmp_path / "recipe", (one.unit for one in read_units(built)), tmp_path / "again")
    assert digest == read_build(built)["digest"] == validate(tmp_path / "again")[-1].digest


def test_models_are_asked_with_prompts_of_ones_own(books: Path, built: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    (own / "en").mkdir(parents=True)
    (own / "en/generate.txt").write_text("Tell the story in $words words.")
    seen: list[str] = []

    class Noted(ScriptedModels):
        def answer(self, slot: Slot, prompt: str, time: int = 1) -> str:
            seen.extend([prompt] if slot == "generator-2" else [])
            return super().answer(slot, prompt, time)

    out = tmp_path / "out"
    build(out, books, None, until="windows")
    made = build(out, books, Noted(0.2), prompts=own)
    assert isinstance(made, NovelBuild)
    assert any(prompt.startswith("Tell the story in 220 words.") for prompt in seen)
    assert read_build(out)["plan"]["own_prompts"] == ["en/generate.txt"]
    assert [line for report in validate(out) for line in report.problems] == []
    # The same command without them goes on with those that are there, and so does another build from the records.
    for folder, records in ((out, None), (tmp_path / "again", out)):
        again = build(folder, books, None, records=records)
        assert isinstance(again, NovelBuild) and again.digest == made.digest
    with pytest.raises(InputError, match="asked with other prompts"):
        build(built, books, None, prompts=own)


def test_what_people_decided_comes_into_the_rows(books: Path, built: Path, tmp_path: Path) -> None:
    folder = tmp_path / "reviewed"
    shutil.copytree(built, folder)
    key = list_pairs(folder)[0]
    pair = load_pairs(folder, [key.id])[key.id]
    with ReviewLog(folder) as log:
        log.begin(Sample(1, 42, "test", {key.id: pair.digest}))
        found = [
            Judgement(True, (0,), ("entity",), "he") if side.hallucinated else Judgement(False) for side in pair.sides
        ]
        log.label(pair, "lin", found)
        log.label(pair, "maya", found)
        log.decide(pair, "lin", found)
    build(folder, books, None)
    rows = [row for row in read_rows(parquet_files(folder, ("4k", "test"))) if row["review"]]
    assert {row["id"] for row in rows} == {side.id for side in pair.sides}
    assert {row["review"] for row in rows if not row["hallucinated"]} == {"confirmed"}
    assert [line for report in validate(folder) for line in report.problems] == []
    before = read_build(folder)["digest"]
    # Killed while the rows were made anew, and once more without any change.
    (folder / "build.json").unlink()
    again = build(folder, books, None)
    assert isinstance(again, NovelBuild) and again.digest == before
