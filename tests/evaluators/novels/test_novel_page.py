"""The page of LongNovel runs: sections, figures, and tags given in the reply browser."""

import base64
import hashlib
import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from novel_run_cases import novel_run, score_reply, toy_results

from lengthwise.evaluators.figures.novels import balanced_by_length, recall_by_type
from lengthwise.evaluators.longnovel_analyses.tags import keys_of, read_tags
from lengthwise.evaluators.report import render_report, write_report
from lengthwise.evaluators.run_folder import RunFolder
from lengthwise.evaluators.scoring import Scored, score_outcomes

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


def test_only_replies_that_are_not_right_can_be_tagged(run: Scored):
    data = data_of_page(render_report([run]))
    records: list[dict[str, str]] = data["records"]  # type: ignore[assignment]
    assert {record["id"] for record in records if "key" in record} == {example for example, _ in keys_of(run).values()}
    assert len(keys_of(run)) == 2


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


# Opens a reply that is not right, ticks two boxes and then "none of these", ticks one on the other reply, and saves.
PROBE = """
(async () => {
  let blob;
  URL.createObjectURL = (made) => { blob = made; return "about:blank"; };
  HTMLAnchorElement.prototype.click = () => {};
  const tick = (box) => { box.checked = true; box.dispatchEvent(new Event("change", { bubbles: true })); };
  for (const reply of document.querySelectorAll("details.reply")) {
    reply.open = true;
    reply.dispatchEvent(new Event("toggle"));
  }
  const [first, second] = document.querySelectorAll("fieldset.tags");
  tick(first.querySelector("[value=over_correction]"));
  tick(first.querySelector("[value=reasoning_failure]"));
  tick(first.querySelector("[value=none]"));
  tick(second.querySelector("[value=incomplete_comprehension]"));
  document.getElementById("save-tags").dispatchEvent(new Event("click"));
  const saved = document.createElement("pre");
  saved.id = "saved";
  saved.textContent = await blob.text();
  document.body.append(saved);
})();
"""


@pytest.mark.browser
def test_in_a_browser_tags_are_counted_and_saved_as_the_file(run: Scored, tmp_path: Path):
    chromium = next((path for name in ("chromium", "google-chrome") if (path := shutil.which(name))), None)
    if chromium is None:
        pytest.skip("no chromium on the path")
    digest = base64.b64encode(hashlib.sha256(PROBE.encode()).digest()).decode()
    # The page's policy, with the probe let in.
    page = render_report([run]).replace("script-src '", f"script-src 'sha256-{digest}' '")
    out = tmp_path / "page.html"
    out.write_text(page.replace("</body>", f"<script>{PROBE}</script></body>"), "utf-8")
    flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        f"--user-data-dir={tmp_path / 'profile'}",
    ]
    done = subprocess.run(
        [chromium, *flags, "--virtual-time-budget=3000", "--dump-dom", out.as_uri()],
        capture_output=True,
        timeout=120,
        check=True,
    )
    dom = done.stdout.decode("utf-8", "replace")
    assert "2 of 2 read" in dom
    found = re.search(r'id="saved">(.*?)</pre>', dom, re.DOTALL)
    assert found is not None
    saved = tmp_path / "saved.csv"
    saved.write_text(html.unescape(found[1]), "utf-8")
    first, second = (reply for reply in data_of_page(page)["records"] if "key" in reply)  # type: ignore[attr-defined]
    assert read_tags(saved) == {first["key"]: {"none"}, second["key"]: {"incomplete_comprehension"}}
    assert "toy" in saved.read_text("utf-8")
