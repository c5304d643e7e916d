import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lengthwise.cli import app
from lengthwise.contracts import Reply
from lengthwise.errors import InputError
from lengthwise.evaluators.figures.files import can_write_figures
from lengthwise.evaluators.figures.model import COLOURS, ENDINGS, HEAT, HEAT_TURNS, Figure, Panel, Place, Point, Series
from lengthwise.evaluators.report import chart_sections, render_report, write_report
from lengthwise.evaluators.report.charts import bar_chart, legend, line_panel, series_class
from lengthwise.evaluators.report.heat import heat_panel
from lengthwise.evaluators.scoring import score_outcomes

MakeRun = Callable[..., Path]
Said = Callable[..., Reply]
RIGHT, WRONG = "<answer>ba ca da ea za</answer>", "<answer>fa ha ga ia ya</answer>"
CELLS = {("lex-locate", "4k"): 2, ("lex-locate", "8k"): 2, ("lex-scattered", "4k"): 2, ("lex-scattered", "8k"): 2}
STYLE = Path(__file__).parents[3] / "evaluators" / "report" / "style.css"

needs_matplotlib = pytest.mark.skipif(not can_write_figures(), reason="needs the extra `plots`")


@pytest.fixture
def run(make_run: MakeRun, reply: Said) -> Path:
    calls = {(row, 0): [reply(RIGHT if row < 5 else WRONG, output=5_000 * (1 + row % 2))] for row in range(8)}
    return make_run(calls, CELLS, name="one")


def panel(kind: str = "lines", series: int = 1) -> Panel:
    point = Point(0.5, 0.25, 0.75, 12)
    drawn = tuple(Series(f"s{number}", (point, None, point), number) for number in range(series))
    return Panel("title", kind, "axis", (Place("a" * 30), Place("b" * 30), Place("c")), drawn)


def test_figures_of_the_page_and_their_order(run: Path):
    page = render_report([score_outcomes(run, [8_000, 16_000])])
    anchors = re.findall(r'<section id="([\w-]+)"', page)
    wanted = ["table", "variants-picture", "variants", "decoy-drop", "budget", "length", "outcomes"]
    assert [anchor for anchor in anchors if anchor in wanted] == wanted
    assert all(f'href="#{anchor}"' in page for anchor in wanted)


def test_the_numbers_of_a_figure_are_a_table(run: Path):
    page = render_report([score_outcomes(run)])
    section = page[page.index('<section id="decoy-drop"') :]
    section = section[: section.index("</section>")]
    # At 8k: the baseline 2 of 2, with decoys 0 of 2.
    table = section[section.index("<table>") :]
    assert "100.0<small>15.8–100.0 · n=2</small>" in table
    assert "0.0<small>0.0–84.2 · n=2</small>" in table


def test_budgets_by_default_are_those_that_the_run_allowed(run: Path, tmp_path: Path):
    page = write_report([run], tmp_path / "report.html").read_text("utf-8")
    section = page[page.index('<section id="budget"') :]
    assert re.findall(r">(8K|16K|32K)</text>", section[: section.index("</section>")]) == ["8K", "16K"]


def test_labels_that_would_touch_stand_on_two_lines():
    heights = re.findall(r'y="(\d+)" text-anchor="middle">', line_panel(panel()))
    # Three labels, and the axis below them.
    assert heights == ["184", "195", "184", "212"]


def test_lines_stand_beside_each_other():
    at = re.findall(r'<circle cx="([\d.]+)"', line_panel(panel(series=2)))
    assert [float(right) - float(left) for left, right in zip(at[:2], at[2:], strict=True)] == pytest.approx(
        [2.5] * 2, abs=0.11
    )


def test_bars_leave_out_what_is_not_there():
    assert bar_chart(panel("bars", series=2)).count("<title>") == 4


def test_colours_begin_again_with_another_dash():
    assert [series_class(Series("", (), colour)) for colour in (0, 7, 8, 16)] == ["s0", "s7", "s0 d1", "s0 d2"]


def test_a_legend_of_lines_shows_their_dash():
    assert 'class="line s0 d1"' in legend([("s0 d1", "a")], lines=True)
    assert '<rect width="12" height="12" class="s0"/>' in legend([("s0", "a")])


def test_the_page_and_the_files_have_the_same_colours():
    light = STYLE.read_text("utf-8").partition("@media")[0]
    assert tuple(re.findall(r"--s\d: (#\w+);", light)) == COLOURS


@needs_matplotlib
def test_files_go_beside_the_page(run: Path, tmp_path: Path):
    out = tmp_path / "page.html"
    done = CliRunner().invoke(app, ["report", str(run), "--out", str(out)])
    assert (done.exit_code, done.stdout.splitlines()[-1].endswith("page-figures")) == (0, True)
    names = {path.name for path in (tmp_path / "page-figures").iterdir()}
    assert {"decoy-drop.png", "decoy-drop.svg", "variants-picture.png", "length.svg"} <= names


def test_the_page_alone(run: Path, tmp_path: Path):
    done = CliRunner().invoke(app, ["report", str(run), "--out", str(tmp_path / "page.html"), "--no-figures"])
    assert done.exit_code == 0
    assert not (tmp_path / "page-figures").exists()


def without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lengthwise.evaluators.figures.files.find_spec", lambda name: None)


def test_without_matplotlib_the_page_is_written_and_the_way_out_named(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    without_matplotlib(monkeypatch)
    done = CliRunner().invoke(app, ["report", str(run), "--out", str(tmp_path / "page.html")])
    assert done.exit_code == 0
    assert "pip install 'lengthwise[plots]'" in done.stdout
    assert (tmp_path / "page.html").exists()


def test_files_asked_for_without_matplotlib(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    without_matplotlib(monkeypatch)
    with pytest.raises(InputError, match="need matplotlib"):
        write_report([run], tmp_path / "page.html", figures=tmp_path / "figures")
    assert not (tmp_path / "page.html").exists()


@pytest.mark.browser
@pytest.mark.parametrize(("scheme", "page_colour"), [(1, (255, 255, 255)), (0, (18, 21, 26))])
def test_in_a_browser_figures_are_drawn_in_both_schemes(
    run: Path, tmp_path: Path, scheme: int, page_colour: tuple[int, int, int]
):
    chromium = next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
    )
    if chromium is None:
        pytest.skip("no chromium on the path")
    image_of = pytest.importorskip("PIL.Image")
    page = write_report([run], tmp_path / "report.html").read_text("utf-8")
    # Only the picture of the variants, so that it is on the first screen.
    figure = page[page.index('<section id="variants-picture"') :]
    figure = figure[: figure.index("</section>")]
    head = page[: page.index("<header>")]
    (tmp_path / "one.html").write_text(f"{head}<main>{figure}</section></main></body></html>", "utf-8")
    shot = tmp_path / "shot.png"
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
    flags += ["--hide-scrollbars", f"--user-data-dir={tmp_path / 'profile'}", "--window-size=500,600"]
    flags += [f"--blink-settings=preferredColorScheme={scheme}", f"--screenshot={shot}"]
    url = (tmp_path / "one.html").as_uri()
    subprocess.run([chromium, *flags, url], capture_output=True, timeout=120, check=True)
    with image_of.open(shot) as image:
        found = {colour for _, colour in image.convert("RGB").getcolors(1 << 24)}
    style = STYLE.read_text("utf-8")
    colours = re.findall(r"--w-(?:word|answer|decoy): #(\w+);", style)
    light, dark = colours[:3], colours[3:]
    drawn = {tuple(bytes.fromhex(colour)) for colour in (light if scheme else dark)}
    assert {page_colour, *drawn} <= found


def heat() -> Panel:
    rows = (
        Series("one", (Point(0.0, 0.0, 0.3, 9), None), 0),
        Series("two", (Point(0.66, 0.6, 0.7, 9), Point(1.0, 0.9, 1.0, 8)), 0),
    )
    return Panel("title", "heat", "model", (Place("a"), Place("b")), rows, rows="variant")


def test_cells_of_a_heat_map_have_steps_of_colour_and_their_numbers():
    cells = re.findall(r'<td class="(\w+)" title="([^"]*)">([^<]*)</td>', heat_panel(heat()))
    assert cells == [
        ("h0", "one, a: 0.0 % [0.0–30.0], n = 9", "0"),
        ("none", "one, b: nothing there", "·"),
        ("h7", "two, a: 66.0 % [60.0–70.0], n = 9", "66"),
        ("h10", "two, b: 100.0 % [90.0–100.0], n = 8", "100"),
    ]


def test_the_numbers_of_a_heat_map_are_laid_out_as_it_is():
    page = chart_sections.figure(Figure("x", "X", "Caption.", (heat(),)))
    numbers = page[page.index("<table>") :]
    assert re.findall(r"<th[^>]*>(\w+)</th>", numbers) == ["variant", "a", "b", "one", "two"]
    assert "<td>0.0<small>0.0–30.0 · n=9</small></td><td>–</td>" in numbers


def luminance(colour: str) -> float:
    """Of sRGB, as WCAG 2 has it."""
    parts = [part / 255 for part in bytes.fromhex(colour.removeprefix("#"))]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_numbers_can_be_read_on_every_step_in_both_schemes():
    style = STYLE.read_text("utf-8")
    steps = re.findall(r"--h\d+: (#\w+);", style)
    assert tuple(steps[: len(HEAT)]) == HEAT
    for ramp, inks in zip((steps[:11], steps[11:]), re.findall(r"--low: (#\w+); --high: (#\w+);", style), strict=True):
        shades = [luminance(colour) for colour in ramp]
        assert len(ramp) == len(HEAT)
        assert shades in (sorted(shades), sorted(shades, reverse=True))
        for step, shade in enumerate(shades):
            darker, lighter = sorted((shade, luminance(inks[step >= HEAT_TURNS])))
            assert (lighter + 0.05) / (darker + 0.05) >= 4.5


def test_endings_have_the_pages_colours():
    light = STYLE.read_text("utf-8").partition("@media")[0]
    named = {kind.removeprefix("k-").partition("_")[0]: colour for kind, (_, colour) in ENDINGS.items()}
    assert dict(re.findall(r"--([a-z]+): (#\w+);", light)).items() >= named.items()


def scatter(points: int) -> Panel:
    series = tuple(
        Series(f"run {number}", (Point(0.5, 0.4, 0.6, 9, at=number / 40, at_text=f"${number}"),), number)
        for number in range(points)
    )
    return Panel("", "scatter", "US$", (Place(""),), series, ticks=((0.5, "$1"),))


def test_points_of_a_scatter_have_their_names_beside_them():
    drawn = chart_sections.figure(Figure("x", "X", "Caption.", (scatter(3),)))
    assert re.findall(r'class="name"[^>]*>([^<]*)<', drawn) == ["run 0", "run 1", "run 2"]
    assert 'class="legend"' not in drawn
    assert re.findall(r"<tr><th[^>]*>([^<]*)</th><td>([^<]*)</td>", drawn) == [
        ("run 0", "$0"),
        ("run 1", "$1"),
        ("run 2", "$2"),
    ]


def test_many_points_have_numbers_that_the_legend_explains():
    drawn = chart_sections.figure(Figure("x", "X", "Caption.", (scatter(14),)))
    assert re.findall(r'class="name"[^>]*>([^<]*)<', drawn) == [str(number) for number in range(1, 15)]
    assert "14 run 13</li>" in drawn
