"""The page of multi-instance runs: its sections, and the omissions with what a person made of them."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from chromium import Chromium
from instance_cases import Asked, instance_run, series
from typer.testing import CliRunner

from lengthwise.builders.multi_instance.build import build_multi_instance
from lengthwise.builders.multi_instance.settings import InstanceSettings
from lengthwise.cli import app
from lengthwise.contracts import Reply
from lengthwise.evaluators.instance_analyses.omissions import find_omissions, read_omissions
from lengthwise.evaluators.report import render_report, sections
from lengthwise.evaluators.runner import run_benchmark
from lengthwise.evaluators.scoring import Scored
from lengthwise.evaluators.settings import RunSettings
from lengthwise.evaluators.table_formats.grid import GridTable
from lengthwise.recording import Key, Record

LEFT_OUT = {"omission": True, "missing": 4, "missing_at": "2-5", "stated_limit": None}


@pytest.fixture
def run(tmp_path: Path) -> Scored:
    asked = [
        *series("parity", {2: "11", 5: "00"}, tokens=100, cost=0.5),
        Asked("parity-instances", 5, kind="wrong", failure="key", details=LEFT_OUT),
        Asked("parity-instances", 2),
    ]
    said = "<script>alert(1)</script> I stop here"
    (tmp_path / "replies.jsonl").write_bytes(
        b"".join(Record(Key(one.row["id"], 0, 0, "q"), Reply(said)).to_line() for one in asked)
    )
    return instance_run(asked, path=tmp_path)


def test_of_many_runs_the_tables_of_each_stand_behind_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [instance_run(series("parity", {2: "10"}), f"m-{number}") for number in range(5)]
    made = [GridTable(f"{one.results.label}: failures", ("n",), (("1",),), run=one.results.label) for one in runs]
    shown = [GridTable("All runs", ("n",), (("5",),)), *made]
    monkeypatch.setattr(sections, "find_benchmark", lambda name: SimpleNamespace(tables=lambda results: shown))

    def titles(count: int) -> list[str]:
        return re.findall(r"<summary><strong>([^<]+)", sections.own_tables(runs[:count]))

    assert titles(4) == []
    assert titles(5) == [one.title for one in made]


def test_means_and_figures_come_before_the_cells(run: Scored) -> None:
    anchors = re.findall(r'<section id="([\w-]+)"', render_report([run]))
    wanted = ["summary", "sizes", "failures", "halving", "analyses", "omissions", "table", "outcomes", "replies"]
    assert [anchor for anchor in anchors if anchor in wanted] == wanted


def test_an_omission_has_a_choice_with_its_key(run: Scored) -> None:
    (found,) = find_omissions([run])
    page = render_report([run])
    assert f'data-key="{found.key}"' in page
    assert re.search(r'<option value=""[^>]* selected>not read', page)


def test_what_a_reply_says_stays_text(run: Scored) -> None:
    page = render_report([run])
    section = page[page.index('<section id="omissions"') :]
    section = section[: section.index("</section>")]
    assert "&lt;script&gt;alert(1)&lt;/script&gt; I stop here" in section
    assert "<script>alert" not in section


def test_judgements_made_before_are_chosen_and_counted(run: Scored) -> None:
    (found,) = find_omissions([run])
    page = render_report([run], ticks={found.key: "yes"})
    assert re.search(r'<option value="yes"[^>]* selected>yes', page)
    data = json.loads(re.search(r'id="omissions-data">(.*?)</script>', page)[1])  # type: ignore[index]
    assert f"\n{found.key},yes,toy," in data["csv"]


def test_other_benchmarks_have_no_such_sections(run: Scored) -> None:
    page = render_report([instance_run([Asked("parity", 2)])])
    assert 'id="omissions-data"' not in page


@pytest.fixture(scope="module")
def random_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a reference model that gives each instance a random class."""
    folder = tmp_path_factory.mktemp("mip")
    settings = InstanceSettings(sizes=(2, 5), seeds=(1, 2))
    build_multi_instance(folder / "data", ("parity", "parity-instances"), settings=settings, progress=False)
    run_benchmark(RunSettings(str(folder / "data"), "reference:random"), folder / "run")
    return folder / "run"


def test_the_command_line_prints_the_analyses(random_run: Path) -> None:
    plain = CliRunner().invoke(app, ["score", str(random_run)])
    more = CliRunner().invoke(app, ["score", str(random_run), "--analyses"])
    assert (plain.exit_code, more.exit_code) == (0, 0)
    assert "Instances left out" not in plain.output
    assert "Instances left out, and whether the model says so" in more.output


def test_the_command_line_lists_omissions_and_takes_them_back(random_run: Path, tmp_path: Path) -> None:
    out = tmp_path / "list.csv"
    listed = CliRunner().invoke(app, ["omissions", str(random_run), "--out", str(out)])
    assert (listed.exit_code, listed.output.splitlines()[0]) == (0, f"0 omissions: {out}")
    page = tmp_path / "page.html"
    told = CliRunner().invoke(
        app, ["report", str(random_run), "--out", str(page), "--no-figures", "--omissions", str(out)]
    )
    assert told.exit_code == 0 and page.exists()
    counted = CliRunner().invoke(app, ["score", str(random_run), "--omissions", str(out)])
    assert "confirmed: batches" in counted.output


@pytest.mark.browser
def test_in_a_browser_choices_are_counted_and_saved_as_the_file(run: Scored, tmp_path: Path) -> None:
    (found,) = find_omissions([run])
    out = tmp_path / "page.html"
    out.write_text(render_report([run]), "utf-8", errors="backslashreplace")
    with Chromium(tmp_path / "profile") as browser:
        browser.open(out)
        browser.keep_downloads()
        browser.choose("select[data-key]", "no")
        assert browser.text("#read-omissions") == "1 of 1 read, 0 suggest batches"
        browser.click("#save-omissions")
        saved = tmp_path / "saved.csv"
        saved.write_text(browser.saved(), "utf-8")
    assert read_omissions(saved) == {found.key: "no"}
