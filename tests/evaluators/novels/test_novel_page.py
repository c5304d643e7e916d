"""The page of LongNovel runs: sections, figures, and tags given in the reply browser."""

import json
import re
from pathlib import Path

import pytest
from chromium import Chromium
from novel_run_cases import novel_run, score_reply, toy_results

from lengthwise.evaluators.figures.novels import balanced_by_length, recall_by_type
from lengthwise.evaluators.longnovel_analyses.tags import keys_of, read_tags
from lengthwise.evaluators.report import render_report, write_report
from lengthwise.evaluators.run_folder import RunFolder
from lengthwise.evaluators.scoring import Scored, score_outcomes

# The last of these stands alone.
BOTH_THEN_NONE = ("over_correction", "reasoning_failure", "none")
HIT = score_reply(1, "Numerical: The captain had nine sons", "Numerical")


@pytest.fixture
def run(tmp_path: Path) -> Scored:
    said = {
        ("en", 0, True): [HIT],
        ("en", 0, False): [score_reply(1, "<script>alert(1)</script>", "Event")],
        ("zh", 0, True): [score_reply(5)],
        ("zh", 0, False): [score_reply(5)],
    }
    return score_outcomes(novel_run(tmp_path / "run", said))


def data_of_page(page: str) -> dict[str, object]:
    found = re.search(r'id="data">(.*?)</script>', page)
    assert found is not None
    return dict(json.loads(found[1]))


def test_the_papers_tables_come_first_and_the_patterns_stand_for_the_causes(run: Scored):
    anchors = re.findall(r'<section id="([\w-]+)"', render_report([run]))
    assert anchors == ["summary", "tables", "verdicts", "scores", "types", "analyses", "table", "outcomes", "replies"]


def test_the_first_figures_are_the_papers(run: Scored):
    page = render_report([run])
    assert page.index("balanced accuracy") < page.index("mean accuracy")


def test_the_story_world_is_never_called_by_the_papers_name(tmp_path: Path):
    said = {("en", 0, True): [HIT], ("en", 0, False): [score_reply(5)]}
    scored = score_outcomes(novel_run(tmp_path / "run", said, benchmark="longnovel-storyworld"))
    page = render_report([scored])
    assert "<h1>Story world: " in page and "<h1>LongNovel" not in page


def test_the_page_knows_replies_by_the_keys_of_the_commands(run: Scored):
    data = data_of_page(render_report([run]))
    records: list[dict[str, str]] = data["records"]  # type: ignore[assignment]
    wrong = {record["key"]: (record["id"], record["repeat"]) for record in records if record["kind"] != "correct"}
    assert (wrong, data["tagged"]) == (keys_of(run), [True])
    assert len(wrong) == 2


def test_tags_of_a_file_are_counted_and_kept(run: Scored, tmp_path: Path):
    key = next(iter(keys_of(run)))
    (tmp_path / "tags.csv").write_text(f"key,tag\n{key},over_correction\nr-1,none\n")
    page = write_report([run.run.path], tmp_path / "page.html", tags=tmp_path / "tags.csv").read_text("utf-8")
    assert data_of_page(page)["tags"]["given"] == {key: ["over_correction"], "r-1": ["none"]}  # type: ignore[index]
    assert "1 tagged replies are not among these" in page


def test_balanced_accuracy_has_a_line_over_the_lengths_with_bands_by_book():
    results = toy_results({"s": [(10, 9, 8)], "xl": [(10, 6, 5)]})
    figure = balanced_by_length([Scored(RunFolder(Path(), {}), {}, {}, results)])
    assert figure is not None
    line, *_bounds = figure.panels[0].series
    assert [point and point.value for point in line.points] == pytest.approx([0.85, 0.55])
    assert [place.name for place in figure.panels[0].places] == ["S (16k)", "XL (100k)"]
    assert results.figures.cells[0].figures["balanced_accuracy"].by_book == (line.points[0].low, line.points[0].high)  # type: ignore[union-attr]


def test_recall_by_type_has_bars(run: Scored):
    figure = recall_by_type([run])
    assert figure is not None
    (panel,) = figure.panels
    assert [(place.name, place.caption) for place in panel.places] == [("Num", "numerical")]
    assert panel.series[0].points[0].value == 0.5  # type: ignore[union-attr]


@pytest.mark.browser
def test_in_a_browser_tags_are_counted_and_saved_as_the_file(run: Scored, tmp_path: Path):
    page = render_report([run])
    out = tmp_path / "page.html"
    out.write_text(page, "utf-8")
    first, second = (reply for reply in data_of_page(page)["records"] if reply["kind"] != "correct")  # type: ignore[attr-defined]
    with Chromium(tmp_path / "profile") as browser:
        browser.open(out)
        browser.keep_downloads()
        for record, ticked in ((first, BOTH_THEN_NONE), (second, ("incomplete_comprehension", "flag"))):
            browser.evaluate(f"location.hash = {record['id']!r}")
            browser.wait("document.getElementById('reader').dataset.state === 'ready'")
            for tag in ticked:
                browser.click(f"fieldset.tags [value={tag}]")
            browser.press("Escape")
        assert browser.text("#save-tags + span") == "2 of 2 read; 1 flagged"
        browser.click("#save-tags")
        saved = tmp_path / "saved.csv"
        saved.write_text(browser.saved(), "utf-8")
    assert read_tags(saved) == {first["key"]: {"none"}, second["key"]: {"incomplete_comprehension", "flag"}}
    assert "toy" in saved.read_text("utf-8")
