"""Puts the page together: template, style, script, sections and the data of the reply browser."""

import base64
import hashlib
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from lengthwise import __version__
from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.report import chart_sections, sections
from lengthwise.evaluators.report.markup import Html, join, tag, text
from lengthwise.evaluators.report.payload import Replies, collect_replies, payload
from lengthwise.evaluators.results import distinguish
from lengthwise.evaluators.scoring import Scored, score_outcomes
from lengthwise.evaluators.tables import one_benchmark

_SLOT = re.compile(r"\{\{(\w+)\}\}")

# The page from top to bottom: anchor, heading, and what draws it from the scored runs (nothing drawn, no section).
Section = Callable[[Sequence[Scored]], Html]
SECTIONS: tuple[tuple[str, str, Section], ...] = (
    ("summary", "Summary", sections.summary),
    ("table", "Accuracy by axis of difficulty", sections.main_table),
    ("variants", "Accuracy by variant", chart_sections.by_variant),
    ("length", "Accuracy by length", chart_sections.by_length),
    ("outcomes", "How the examples ended", chart_sections.outcomes),
    ("errors", "How wrong answers are wrong", sections.wrong_answers),
    ("budgets", "Output budgets", sections.budgets),
)


def write_report(runs: Sequence[Path | str], out: Path | str, budgets: Sequence[int] = ()) -> Path:
    """Score some runs anew and write the page about them.

    Args:
        runs: run folders, at least one, all of one benchmark.
        out: the file to write; replaced in one step.
        budgets: output budgets in tokens to show beside the run's own.

    Returns:
        The path written.

    Raises:
        InputError: no runs, not a run folder, runs of different benchmarks, or `out` cannot be written.
    """
    path = Path(out)
    if path.is_dir():
        raise InputError(f"--out {path}: is a folder; name a file, e.g. {path / 'report.html'}")
    page = render_report([score_outcomes(run, budgets) for run in runs])
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A label can hold half a surrogate pair; it is shown as an escape.
        part.write_text(page, "utf-8", errors="backslashreplace")
        os.replace(part, path)
    except OSError as error:
        raise InputError(f"--out {path}: cannot be written ({error.strerror})") from error
    return path


def render_report(runs: Sequence[Scored], replies: Replies | None = None) -> str:
    """Return the page about some scored runs as HTML.

    Args:
        runs: at least one, all of one benchmark.
        replies: what its browser shows; by default as much as `collect_replies` keeps.

    Raises:
        InputError: no runs, or runs of different benchmarks.
    """
    benchmark = find_benchmark(one_benchmark([run.results for run in runs]))
    distinct = distinguish([run.results for run in runs])
    runs = [replace(run, results=results) for run, results in zip(runs, distinct, strict=True)]
    replies = collect_replies(runs) if replies is None else replies
    drawn = [(anchor, title, draw(runs)) for anchor, title, draw in SECTIONS]
    drawn = [*(one for one in drawn if one[2]), ("replies", "Single replies", sections.reply_browser(replies))]
    script = _resource("browser.js")
    names = list(dict.fromkeys(run.results.label for run in runs))
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return fill(
        _resource("template.html"),
        {
            "title": text(f"{benchmark.layout.name}: {shown}"),
            "style": Html(_resource("style.css")),
            "runs": sections.what_was_run(runs),
            "navigation": join(*(tag("a", title, href=f"#{anchor}") for anchor, title, _ in drawn)),
            "banner": sections.incomplete_banner(runs),
            "sections": join(*(_section(anchor, title, content) for anchor, title, content in drawn)),
            "footer": text(
                f"Made by lengthwise {__version__} from recorded replies; `lengthwise score` gives the same."
            ),
            "data": payload(replies, runs),
            "script": Html(script),
            "script_hash": Html(_hash(script)),
        },
    )


def _section(anchor: str, title: str, content: Html) -> Html:
    # Hidden until the script runs: without it the browser would be empty controls.
    return tag("section", tag("h2", title), content, id=anchor, hidden=anchor == "replies")


def _resource(name: str) -> str:
    return (files(__package__) / name).read_text("utf-8")


def _hash(script: str) -> str:
    """Return the source expression by which the page's policy allows this script and no other."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def fill(template: str, slots: Mapping[str, Html]) -> str:
    """Return a template with its slots filled; what is filled in is not looked at again.

    >>> fill("<p>{{a}}</p>", {"a": Html("{{b}}"), "b": Html("x")})
    '<p>{{b}}</p>'
    """
    return _SLOT.sub(lambda slot: slots[slot[1]], template)
