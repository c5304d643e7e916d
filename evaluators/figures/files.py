"""Writes figures as PNG and SVG with matplotlib (extra `plots`), which is imported here and nowhere else.

The files are for papers and slides: light, opaque, with text as outlines, so that they look the same everywhere. The
same figures with the same version of matplotlib give the same bytes.
"""

import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from lengthwise.errors import InputError
from lengthwise.evaluators.figures.model import Figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

INSTALL = "pip install 'lengthwise[plots]'"
_DOTS_PER_INCH = 200


@dataclass(frozen=True, slots=True)
class FigureFiles:
    """What was written.

    Attributes:
        folder: where.
        written: names of the files, two per figure.
    """

    folder: Path
    written: tuple[str, ...]


def can_write_figures() -> bool:
    """Return whether matplotlib is installed, without importing it."""
    return find_spec("matplotlib") is not None


def check_can_write() -> None:
    """Raise InputError with the way out if matplotlib is not installed."""
    if not can_write_figures():
        raise InputError(f"figures as files need matplotlib, which is not installed: {INSTALL}")


def write_figures(figures: Sequence[Figure], folder: Path | str) -> FigureFiles:
    """Write each figure as `<id>.png` and `<id>.svg`.

    Args:
        figures: what to draw.
        folder: made if it is missing; files of the same names are replaced, others are left alone.

    Raises:
        InputError: matplotlib is not installed, or the folder cannot be written.
    """
    check_can_write()
    from lengthwise.evaluators.figures.drawing import draw

    path = Path(folder)
    written = []
    try:
        path.mkdir(parents=True, exist_ok=True)
        with _style():
            for figure in figures:
                canvas = draw(figure)
                for kind in ("png", "svg"):
                    _save(canvas, figure, path / f"{figure.id}.{kind}", kind)
                    written.append(f"{figure.id}.{kind}")
                    # Laid out once: working that out takes most of the time.
                    canvas.set_layout_engine("none")
    except OSError as error:
        raise InputError(f"--figures {path}: cannot be written ({error.strerror or error})") from error
    return FigureFiles(path, tuple(written))


def _save(canvas: "Canvas", figure: Figure, path: Path, kind: str) -> None:
    part = path.with_name(path.name + ".part")
    about = {"Title": figure.title, "Description": figure.caption}
    # A date would make every writing differ.
    metadata: dict[str, str | None] = {**about, "Date": None} if kind == "svg" else {**about, "Software": None}
    # Cut to what is drawn: no label can stand outside the picture.
    canvas.savefig(part, format=kind, dpi=_DOTS_PER_INCH, bbox_inches="tight", pad_inches=0.12, metadata=metadata)
    os.replace(part, path)


@contextmanager
def _style() -> Iterator[None]:
    """Draw by matplotlib's defaults and ours, whatever the user's own style is; that one is put back."""
    import matplotlib
    from matplotlib import font_manager

    known = {font.name for font in font_manager.fontManager.ttflist}
    cjk = ("Noto Sans CJK SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei", "WenQuanYi Zen Hei", "SimHei")
    with matplotlib.rc_context(), warnings.catch_warnings():
        # A label in a script that no font here has is drawn as boxes; that is no reason to fail, or to warn of it.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {
                "font.family": ["DejaVu Sans", *(name for name in cjk if name in known)],
                "font.size": 8,
                "text.parse_math": False,
                "svg.fonttype": "path",
                "svg.hashsalt": "lengthwise",
                "axes.spines.top": False,
                "axes.spines.right": False,
                "axes.edgecolor": "#8b949e",
                "axes.linewidth": 0.8,
                "axes.titlesize": 8.5,
                "axes.labelsize": 8,
                "axes.labelcolor": "#57606a",
                "xtick.color": "#57606a",
                "ytick.color": "#57606a",
                "grid.color": "#e3e7eb",
                "grid.linewidth": 0.8,
                "legend.frameon": False,
                "legend.fontsize": 8,
            }
        )
        yield
