"""One page about runs of several benchmarks."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from chromium import Chromium
from novel_run_cases import novel_run, score_reply
from typer.testing import CliRunner

from lengthwise.cli import app
from lengthwise.contracts import Reply
from lengthwise.evaluators.figures.files import can_write_figures
from lengthwise.evaluators.longnovel_analyses.tags import keys_of
from lengthwise.evaluators.report import render_report, write_report
from lengthwise.evaluators.scoring import score_outcomes

MakeRun = Callable[..., Path]
Said = Callable[..., Reply]
RIGHT, WRONG = "<answer>ba ca da ea za</answer>", "<answer>fa ha ga ia ya</answer>"
HOSTILE = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">&amp;' {{data}}"
NOVELS = {
    ("en", 0, True): [score_reply(1, "Numerical: The captain had nine sons", "Numerical")],
    ("en", 0, False): [score_reply(1, "no", "Event")],
    ("zh", 2, True): [score_reply(5)],
    ("zh", 2, False): [score_reply(5)],
}


@pytest.fixture
def runs(make_run: MakeRun, reply: Said, tmp_path: Path) -> list[Path]:
    """A run of three benchmarks each, by one model, the story world before LongNovel."""
    cells = {("lex-locate", "4k"): 2, ("lex-locate", "8k"): 2}
    calls = {(row, 0): [reply(RIGHT if row else WRONG)] for row in range(4)}
    story = novel_run(tmp_path / "story", NOVELS, benchmark="longnovel-storyworld")
    return [story, novel_run(tmp_path / "novel", NOVELS), make_run(calls, cells)]


def page_of(runs: list[Path], **options: object) -> str:
    return render_report([score_outcomes(run) for run in runs], **options)  # type: ignore[arg-type]


def rows_of(page: str) -> list[str]:
    """The rows of the summary's table, tags left out."""
    table = page[page.index('<section id="summary"') :]
    body = table[table.index("<tbody>") : table.index("</tbody>")]
    return [re.sub(r"<[^>]+>", "|", row) for row in body.split("</tr>")[:-1]]


def test_the_summary_is_first_and_has_every_run_under_its_benchmark(runs: list[Path]):
    page = page_of(runs)
    assert re.findall(r'<(?:section|article) id="([\w-]+)"', page)[:2] == ["summary", "predicatelongbench"]
    names = [next(part for part in row.split("|") if part) for row in rows_of(page)]
    assert names == ["PredicateLongBench", "toy", "LongNovel", "toy", "Story world", "toy"]


def test_figures_of_the_summary_are_those_of_each_benchmark(runs: list[Path]):
    lists, novels = rows_of(page_of(runs))[1:4:2]
    # 1 of 2 at 4k, 2 of 2 at 8k; one of both classes each found, on books of two rows.
    assert "|75.0|" in lists
    assert "|50.0|" in novels


def test_anchors_are_unique_and_links_lead_to_them(runs: list[Path]):
    page = page_of(runs)
    anchors = re.findall(r' id="([^"]+)"', page)
    assert len(anchors) == len(set(anchors))
    first, *_ = navigations = re.findall(r"<nav.*?</nav>", page)
    own = re.findall(r'href="#([^"]+)"', first)
    # Those of each benchmark stand under its name, or they would push the summary off the screen.
    assert own == ["summary", "predicatelongbench", "longnovel", "longnovel-storyworld", "replies"]
    links = re.findall(r'href="#([^"]+)"', "".join(navigations))
    assert {"longnovel-tables", "longnovel-storyworld-tables"} <= set(links)
    # Figures and their files are called the same.
    assert {"longnovel-types", "longnovel-storyworld-types"} <= set(links)
    assert set(links) <= set(anchors)


def test_many_incomplete_runs_leave_the_summary_in_sight(make_run: MakeRun, reply: Said, tmp_path: Path):
    runs = [make_run({(0, 0): [reply(RIGHT)]}, {("lex-locate", "4k"): 2}, name=f"run{number}") for number in range(3)]
    page = page_of([*runs, novel_run(tmp_path / "novel", NOVELS)])
    assert "<summary>INCOMPLETE: 3 of 4 runs; what they lack counts as wrong.</summary>" in page
    assert sum("incomplete" in row for row in rows_of(page)) == 3
    assert "<details><summary>INCOMPLETE" not in page_of(runs[:2])


def test_a_page_on_one_benchmark_keeps_its_anchors(runs: list[Path]):
    anchors = re.findall(r'<(?:section|article) id="([\w-]+)"', page_of(runs[2:]))
    assert anchors[:2] == ["summary", "table"] and anchors[-1] == "replies"


def test_the_story_world_never_stands_under_longnovel(runs: list[Path]):
    page = page_of(runs)
    article = page[page.index('<article id="longnovel-storyworld"') :]
    article = article[: article.index("</article>")]
    assert "Story world: accuracy by length" in article
    assert "LongNovel: accuracy" not in article


def test_runs_of_one_label_are_told_apart_within_a_benchmark_alone(runs: list[Path]):
    page = page_of(runs)
    assert "toy #2" not in page
    data = json.loads(re.search(r'id="data">(.*?)</script>', page)[1])  # type: ignore[index]
    assert sorted(data["runs"]) == ["toy · LongNovel", "toy · PredicateLongBench", "toy · Story world"]
    assert {record["run"] for record in data["records"]} == {0, 1, 2}


def test_tags_of_one_benchmark_are_no_strangers_to_the_other(runs: list[Path]):
    scored = [score_outcomes(run) for run in runs]
    here = {key: {"none"} for run in scored[:2] for key in keys_of(run)}
    assert "are not among these" not in render_report(scored, tags=here)
    assert "1 tagged replies are not among these" in render_report(scored, tags={**here, "r-1": {"none"}})


def test_hostile_labels_of_several_benchmarks_are_text(make_run: MakeRun, reply: Said, tmp_path: Path):
    labels = {"label": HOSTILE, "group": HOSTILE}
    runs = [
        novel_run(tmp_path / "novel", NOVELS, labels=labels),
        make_run({(0, 0): [reply(RIGHT)]}, labels=labels, model={"spec": HOSTILE, "name": HOSTILE}),
    ]
    for language in ("en", "zh"):
        page = page_of(runs, language=language)
        assert "<img" not in page
        assert "<script>document" not in page
        assert "&lt;script&gt;document.title=" in page


def test_score_prints_one_table_over_all_and_then_each_benchmark(runs: list[Path]):
    done = CliRunner().invoke(app, ["score", *map(str, runs)])
    lines = done.stdout.splitlines()
    assert done.exit_code == 0
    assert lines[0] == "All runs"
    assert [line.split()[0] for line in lines[4:7]] == ["toy"] * 3
    headings = [lines[place - 1] for place, line in enumerate(lines) if line and set(line) == {"="}]
    assert headings == ["PredicateLongBench", "LongNovel", "Story world"]


def test_score_of_one_benchmark_begins_with_its_table(runs: list[Path]):
    done = CliRunner().invoke(app, ["score", str(runs[2])])
    assert done.stdout.startswith("PredicateLongBench: accuracy")


@pytest.mark.skipif(not can_write_figures(), reason="needs the extra `plots`")
def test_files_of_figures_begin_with_their_benchmark(runs: list[Path], tmp_path: Path):
    write_report(runs[:2], tmp_path / "page.html", figures=tmp_path / "figures")
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    assert {"longnovel-types.svg", "longnovel-storyworld-types.svg"} <= names


# How wide the page is and the screen, how far the summary can be scrolled, and where its names stand then.
PROBE = """(() => {
  const table = document.querySelector("#summary .scroll");
  table.scrollLeft = 1000;
  const name = table.querySelector("tbody th:not([colspan])").getBoundingClientRect();
  return [document.documentElement.scrollWidth, innerWidth, table.scrollLeft, name.left];
})()"""


@pytest.mark.browser
@pytest.mark.parametrize(("language", "dark"), [("en", False), ("zh", True)])
def test_in_a_browser_a_phone_shows_thirty_runs(
    runs: list[Path], make_run: MakeRun, reply: Said, tmp_path: Path, language: str, dark: bool
):
    label = "a-model-of-a-very-long-name-without-a-space-"
    many = [make_run({(0, 0): [reply(RIGHT)]}, name=f"r{n}", labels={"label": f"{label}{n}"}) for n in range(28)]
    page = write_report([*runs[:2], *many], tmp_path / "page.html", language=language)
    with Chromium(tmp_path / "profile", 390, 844, dark=dark, phone=True) as browser:
        browser.open(page)
        width, screen, scrolled, name = browser.evaluate(PROBE)
        assert browser.errors == []
    assert (width, screen) == (390, 390)
    assert scrolled > 0
    assert 0 <= name < 40
