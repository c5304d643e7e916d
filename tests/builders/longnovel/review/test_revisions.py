from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lengthwise.builders.longnovel.records import Unit
from lengthwise.builders.longnovel.review.files import export_summaries
from lengthwise.builders.longnovel.review.revisions import (
    SUMMARIES_FILE,
    StaleError,
    SummaryDesk,
    Version,
    final_origin,
    read_versions,
)
from lengthwise.builders.longnovel.sources.reading import read_source
from lengthwise.builders.longnovel.steps_files import read_units
from lengthwise.errors import InputError


@pytest.fixture
def summaries(build: Path) -> Iterator[SummaryDesk]:
    with SummaryDesk(build, ("lin", "maya", "tom"), lambda: datetime(2026, 1, 2, tzinfo=UTC)) as desk:
        yield desk


def test_the_sources_summary_is_the_first_version(summaries: SummaryDesk):
    shown = summaries.show("en0/1", "lin")
    assert [(one["author"], one["text"]) for one in shown["versions"]] == [("human:us", "He counts boats.")]
    assert shown["left"] == 2


def test_one_drafts_two_revise_and_all_versions_are_kept(summaries: SummaryDesk, build: Path):
    states = []
    for base, (who, text) in enumerate([("lin", "One."), ("lin", "Two."), ("maya", "Two.")], 1):
        summaries.save("en0/1", who, text, base)
        states.append(next(one["state"] for one in summaries.listing("tom") if one["id"] == "en0/1"))
    assert states == ["drafted", "drafted", "finished"]
    assert [one.text for one in read_versions(build)["en0", 1]] == ["One.", "Two.", "Two."]
    assert summaries.show("en0/1", "tom")["summary"] == "Two."


def test_nobody_overwrites_what_they_have_not_seen(summaries: SummaryDesk):
    summaries.save("en0/1", "lin", "One.", 1)
    with pytest.raises(StaleError, match="lin has saved another version"):
        summaries.save("en0/1", "maya", "Else.", 1)


def test_versions_survive_a_torn_line(build: Path):
    with SummaryDesk(build, ("lin",)) as desk:
        desk.save("zh0/2", "lin", "一。", 1)
    path = build / SUMMARIES_FILE
    path.write_bytes(path.read_bytes() + b'{"book": "zh0"')
    with SummaryDesk(build, ("lin",)) as desk:
        assert desk.show("zh0/2", "lin")["summary"] == "一。"
        desk.save("zh0/2", "lin", "二。", 2)
    assert [one.text for one in read_versions(build)["zh0", 2]] == ["一。", "二。"]


@pytest.mark.parametrize("text", ["", "  ", None, "x" * 50_001])
def test_no_summary_is_no_version(summaries: SummaryDesk, text: str | None):
    with pytest.raises(InputError, match="1 to 50,000"):
        summaries.save("en0/1", "lin", text, 1)


def test_other_units_and_strangers_are_refused(summaries: SummaryDesk):
    with pytest.raises(InputError, match="not in this build"):
        summaries.show("en0/99", "lin")
    with pytest.raises(InputError, match="unknown annotator"):
        summaries.save("en0/1", "eve", "x", 1)


def test_a_draft_is_ones_own_until_a_version_takes_its_place(build: Path):
    with SummaryDesk(build, ("lin", "maya")) as desk:
        desk.draft("en0/1", "lin", "Half a sen")
        assert desk.show("en0/1", "maya")["draft"] is None
    with SummaryDesk(build, ("lin", "maya")) as desk:
        assert desk.show("en0/1", "lin")["draft"] == "Half a sen"
        assert read_versions(build) == {}
        desk.save("en0/1", "lin", "Half a sentence.", 1)
        assert desk.show("en0/1", "lin")["draft"] is None


UNIT = Unit("b", 1, "en", "", "text", "Old.", "human:us")


@pytest.mark.parametrize(
    ("origin", "saved", "expected"),
    [
        ("human:us", [], "human:us"),
        ("human:us", [("lin", "Old.")], "human:us"),
        ("heading", [("lin", "New."), ("maya", "New."), ("tom", "Newer.")], "human:lin, tom"),
        ("model:m", [("lin", "New.")], "model:m, revised by lin"),
    ],
)
def test_whose_a_summary_is_in_the_end(origin: str, saved: list[tuple[str, str]], expected: str):
    versions = [Version(who, "2026", text) for who, text in saved]
    assert final_origin(replace(UNIT, summary_origin=origin), versions) == expected


def test_units_without_a_summary_are_whoever_wrote_its():
    assert final_origin(replace(UNIT, summary="", summary_origin=""), [Version("lin", "2026", "New.")]) == "human:lin"


def test_exported_units_are_a_source(build: Path, tmp_path: Path, summaries: SummaryDesk):
    summaries.save("zh0/1", "lin", "老船长数船。", 1)
    assert export_summaries(build, tmp_path / "units.jsonl") == (24, 0)
    source = read_source(str(tmp_path / "units.jsonl"), licence="CC0-1.0", redistributable=True)
    found = {(unit.book, unit.index): unit for unit in source.units}
    assert (found["zh0", 1].summary, found["zh0", 1].summary_origin) == ("老船长数船。", "human:lin")
    assert (found["en0", 1].summary, found["en0", 1].summary_origin) == ("He counts boats.", "human:us")
    assert {key: unit.text for key, unit in found.items()} == {
        (made.unit.book, made.unit.index): made.unit.text.strip("\n") for made in read_units(build)
    }
