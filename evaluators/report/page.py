"""Puts the page together: template, style, script, sections and the data of the reply browser."""

import base64
import hashlib
import os
import re
from collections.abc import Mapping, Sequence, Set
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType

from lengthwise import __version__
from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import find_benchmark
from lengthwise.evaluators.figures import make_figures, write_figures
from lengthwise.evaluators.figures.files import check_can_write
from lengthwise.evaluators.instance_analyses.omissions import Tick, read_omissions
from lengthwise.evaluators.longnovel_analyses.tags import read_tags
from lengthwise.evaluators.naming import distinct
from lengthwise.evaluators.report import novel_section, sections
from lengthwise.evaluators.report.contents import contents
from lengthwise.evaluators.report.markup import Html, join, tag, text
from lengthwise.evaluators.report.payload import Replies, collect_replies, payload
from lengthwise.evaluators.report.reply_browser import reply_browser
from lengthwise.evaluators.run_folder import RunFolder
from lengthwise.evaluators.scoring import Scored, score_outcomes
from lengthwise.evaluators.tables import one_benchmark

_SLOT = re.compile(r"\{\{(\w+)\}\}")

# Output budgets of a paper's figure: PredicateLongBench's Figure 10.
BUDGETS: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {"predicatelongbench": (8_000, 16_000, 32_000, 64_000, 128_000)}
)


def write_report(
    runs: Sequence[Path | str],
    out: Path | str,
    budgets: Sequence[int] | None = None,
    figures: Path | str | None = None,
    omissions: Path | str | None = None,
    tags: Path | str | None = None,
) -> Path:
    """Score some runs anew and write the page about them.

    Args:
        runs: run folders, at least one, all of one benchmark.
        out: the file to write; replaced in one step.
        budgets: output budgets in tokens to score under as well; None takes those of `BUDGETS` that a run allowed.
        figures: folder for each figure of the page as PNG and SVG; None writes none. See `figures.write_figures`.
        omissions: a person's judgements of replies that leave instances out, as `lengthwise omissions` or the page
            itself wrote them.
        tags: a person's tags of LongNovel's replies, as the page itself saved them.

    Returns:
        The path written.

    Raises:
        InputError: no runs, not a run folder, runs of different benchmarks, `out` or `figures` cannot be written,
            figures are wanted and matplotlib is not installed, or `omissions` or `tags` is no such file.
    """
    path = Path(out)
    if path.is_dir():
        raise InputError(f"--out {path}: is a folder; name a file, e.g. {path / 'report.html'}")
    if figures is not None:
        # Before the work, not after it.
        check_can_write()
    ticks = None if omissions is None else read_omissions(omissions)
    given = None if tags is None else read_tags(tags)
    scored = [score_outcomes(run, _own_budgets(run) if budgets is None else budgets) for run in runs]
    page = render_report(scored, ticks=ticks, tags=given)
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A label can hold half a surrogate pair; it is shown as an escape.
        part.write_text(page, "utf-8", errors="backslashreplace")
        os.replace(part, path)
    except OSError as error:
        raise InputError(f"--out {path}: cannot be written ({error.strerror})") from error
    if figures is not None:
        write_figures(make_figures(distinct(scored)), figures)
    return path


def _own_budgets(run: Path | str) -> list[int]:
    """Return the budgets of `BUDGETS` that a run itself allowed: more could not show."""
    settings = RunFolder.open(Path(run)).settings
    allowed = (settings.get("sampling") or {}).get("max_tokens")
    known = BUDGETS.get(settings["benchmark"], ())
    return [tokens for tokens in known if allowed is None or tokens <= allowed]


def render_report(
    runs: Sequence[Scored],
    replies: Replies | None = None,
    ticks: Mapping[str, Tick] | None = None,
    tags: Mapping[str, Set[str]] | None = None,
) -> str:
    """Return the page about some scored runs as HTML.

    Args:
        runs: at least one, all of one benchmark.
        replies: what its browser shows; by default as much as `collect_replies` keeps.
        ticks: a person's judgements of omissions, by key.
        tags: a person's tags of LongNovel's replies, by key.

    Raises:
        InputError: no runs, or runs of different benchmarks.
    """
    benchmark = find_benchmark(one_benchmark([run.results for run in runs]))
    runs = distinct(runs)
    replies = collect_replies(runs) if replies is None else replies
    sections_of_page = contents(benchmark, make_figures(runs), ticks or {}, tags or {})
    drawn = [one for one in ((anchor, title, draw(runs)) for anchor, title, draw in sections_of_page) if one[2]]
    browser = join(novel_section.tag_controls(runs), reply_browser(replies))
    drawn.append(("replies", "Single replies", browser))
    script = _resource("tags.js") + _resource("browser.js") + _resource("omissions.js")
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
            "data": payload(replies, runs, novel_section.tag_data(runs, tags or {})),
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
