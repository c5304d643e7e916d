import importlib.util
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lengthwise.errors import InputError
from lengthwise.evaluators.figures import Figure, write_figures
from lengthwise.evaluators.figures.files import can_write_figures
from lengthwise.evaluators.figures.model import Panel, Place, Point, Series, Strip, Word

if TYPE_CHECKING:
    from PIL.Image import Image

needs_matplotlib = pytest.mark.skipif(not can_write_figures(), reason="needs the extra `plots`")

HOSTILE = "$\\frac{1 \ud800\n\x00</svg><script>x</script>& 模型 " + "long " * 20


def bars(name: str = "a model", places: Sequence[str] = ("lex-locate", "lex-lists")) -> Panel:
    points = tuple(Point(0.5, 0.2, 0.8, 10) for _ in places)
    return Panel("8k", "bars", "variant", tuple(Place(place) for place in places), (Series(name, points, 0),))


def lines(name: str = "a model") -> Panel:
    points = (Point(1.0, 0.7, 1.0, 10), None, Point(0.0, 0.0, 0.3, 10))
    series = (Series(name, points, 0), Series("solver (reference)", points, 0, True), Series("far", points, 9))
    return Panel("lex-locate", "lines", "tokens", (Place("4k"), Place("8k"), Place("16k")), series)


def heat(name: str = "a model") -> Panel:
    rows = (
        Series("lex-locate", (Point(0.0, 0.0, 0.3, 10), None), 0),
        Series(name, (Point(1.0, 0.7, 1.0, 10),) * 2, 0),
    )
    return Panel("8k", "heat", "model", (Place(name), Place("b")), rows, rows="variant")


def scatter(name: str = "a model", points: int = 2) -> Panel:
    series = tuple(
        Series(f"{name} {number}", (Point(0.5, 0.2, 0.8, 10, at=0.1 + 0.8 * number / points),), number)
        for number in range(points)
    )
    return Panel("", "scatter", "US$", (Place(""),), series, ticks=((0.1, "$1"), (0.9, "$10")))


def picture() -> Figure:
    words = (Word(0.5), Word(0.2, "answer"), Word(0.6, "answer"), Word(0.3, "decoy", opens=True))
    return Figure("picture", "Lists", "Caption.", strips=(Strip("lex-lists", "What it holds. " * 20, words),))


def opened(path: Path) -> "Image":
    from PIL import Image

    with Image.open(path) as image:
        return image.convert("RGB")


@needs_matplotlib
def test_each_figure_as_png_and_svg(tmp_path: Path):
    figures = [
        Figure("bars", "Bars", "Caption.", (bars(),)),
        Figure("lines", "Lines", "Caption.", (lines(),)),
        picture(),
    ]
    done = write_figures(figures, tmp_path / "new" / "figures")
    names = ["bars.png", "bars.svg", "lines.png", "lines.svg", "picture.png", "picture.svg"]
    assert list(done.written) == names
    assert sorted(path.name for path in done.folder.iterdir()) == names
    for path in done.folder.glob("*.png"):
        image = opened(path)
        assert image.width > 600
        assert image.height > 200
        assert len(image.getcolors(1 << 20) or []) > 10
    for path in done.folder.glob("*.svg"):
        root = ET.parse(path).getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert float(root.attrib["viewBox"].split()[2]) > 200


@needs_matplotlib
@pytest.mark.parametrize("panel", [bars(HOSTILE, (HOSTILE,) * 7), lines(HOSTILE), heat(HOSTILE), scatter(HOSTILE)])
def test_labels_are_drawn_whatever_they_are(panel: Panel, tmp_path: Path):
    write_figures([Figure("x", HOSTILE.replace("\ud800", "").replace("\x00", ""), "", (panel,))], tmp_path)
    root = ET.parse(tmp_path / "x.svg").getroot()
    assert [one for one in root.iter() if one.tag.endswith("script")] == []


@needs_matplotlib
@pytest.mark.parametrize(
    "panels",
    [
        (bars("m" * 60, ("p" * 60,) * 9),),
        (lines("m" * 60),) * 4,
        (bars("m" * 60),) * 3,
        (heat("m" * 60),) * 2,
        (scatter("m" * 60, 4),) * 3,
        (scatter("m" * 60, 20),),
    ],
)
def test_nothing_is_cut_off(panels: tuple[Panel, ...], tmp_path: Path):
    write_figures([Figure("x", "A title " * 12, "", panels)], tmp_path)
    image = opened(tmp_path / "x.png")
    assert [image.crop(edge).getextrema() for edge in edges(image)] == [((255, 255),) * 3] * 4


def edges(image: "Image") -> list[tuple[int, int, int, int]]:
    """The four margins of a picture."""
    width, height = image.size
    return [(0, 0, width, 8), (0, height - 8, width, height), (0, 0, 8, height), (width - 8, 0, width, height)]


@needs_matplotlib
def test_the_same_figure_gives_the_same_bytes(tmp_path: Path):
    panels = {"lines": lines(), "heat": heat(), "scatter": scatter(points=5)}
    figures = [Figure(name, "Title", "Caption.", (panel,)) for name, panel in panels.items()]
    write_figures(figures, tmp_path / "a")
    write_figures(figures, tmp_path / "b")
    for name in (f"{panel}.{kind}" for panel in panels for kind in ("png", "svg")):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


@needs_matplotlib
def test_the_users_style_is_put_back(tmp_path: Path):
    import matplotlib

    before = dict(matplotlib.rcParams)
    write_figures([picture()], tmp_path)
    with warnings.catch_warnings(action="ignore"):
        assert dict(matplotlib.rcParams) == before


@needs_matplotlib
def test_a_folder_that_cannot_be_made(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"--figures .*file/x: cannot be written"):
        write_figures([picture()], tmp_path / "file" / "x")


def test_without_matplotlib_the_way_out_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "lengthwise.evaluators.figures.files.find_spec",
        lambda name: None if name == "matplotlib" else found(name),
    )
    with pytest.raises(InputError, match=r"pip install 'lengthwise\[plots\]'"):
        write_figures([picture()], tmp_path)
