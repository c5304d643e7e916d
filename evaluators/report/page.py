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
from lengthwise.evaluators.figures import write_figures
from lengthwise.evaluators.figures.files import check_can_write
from lengthwise.evaluators.instance_analyses.omissions import Tick, read_omissions
from lengthwise.evaluators.longnovel_analyses.tags import read_tags
from lengthwise.evaluators.naming import by_benchmark, distinct
from lengthwise.evaluators.report import header
from lengthwise.evaluators.report.language import LANGUAGE_TAGS, Translator, find_catalogue
from lengthwise.evaluators.report.markup import Html, tag, text
from lengthwise.evaluators.report.parts import (
    Drawn,
    Part,
    draw_parts,
    figures_across,
    figures_of,
    make_parts,
    named_runs,
    names_of,
    navigation,
)
from lengthwise.evaluators.report.payload import Replies, collect_replies, packed, payload
from lengthwise.evaluators.report.reply_browser import SCRIPTS, reply_browser, tag_data
from lengthwise.evaluators.run_folder import RunFolder
from lengthwise.evaluators.scoring import Scored, score_outcomes
from lengthwise.evaluators.table_files import write_tables

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
    tables: Path | str | None = None,
    omissions: Path | str | None = None,
    tags: Path | str | None = None,
    language: str = "en",
) -> Path:
    """Score some runs anew and write the page about them.

    Args:
        runs: run folders, at least one, of any benchmarks.
        out: the file to write; replaced in one step.
        budgets: output budgets in tokens to score under as well; None takes those of `BUDGETS` that a run allowed.
        figures: folder for each figure of the page as PNG and SVG; None writes none. See `figures.write_figures`.
        tables: folder for each table as Markdown, LaTeX and CSV; None writes none. See `table_files.write_tables`.
        omissions: a person's judgements of replies that leave instances out, as `lengthwise omissions` or the page
            itself wrote them.
        tags: a person's tags of LongNovel's replies, as the page itself saved them.
        language: of the page's own texts, key of `language.LANGUAGE_TAGS`; figures as files are in English.

    Returns:
        The path written.

    Raises:
        InputError: no runs, not a run folder, `out`, `figures` or `tables` cannot be written,
            figures are wanted and matplotlib is not installed, `omissions` or `tags` is no such file, or there is no
            such language.
    """
    path = Path(out)
    if path.is_dir():
        raise InputError(f"--out {path}: is a folder; name a file, e.g. {path / 'report.html'}")
    if figures is not None:
        # Before the work, not after it.
        check_can_write()
    find_catalogue(language)
    ticks = None if omissions is None else read_omissions(omissions)
    given = None if tags is None else read_tags(tags)
    scored = [score_outcomes(run, _own_budgets(run) if budgets is None else budgets) for run in runs]
    page = render_report(scored, ticks=ticks, tags=given, language=language)
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A label can hold half a surrogate pair; it is shown as an escape.
        part.write_text(page, "utf-8", errors="backslashreplace")
        os.replace(part, path)
    except OSError as error:
        raise InputError(f"--out {path}: cannot be written ({error.strerror})") from error
    if figures is not None:
        groups = by_benchmark(distinct(scored))
        drawn = [figure for benchmark, _ in groups for figure in figures_of(groups, benchmark.name)]
        write_figures([*figures_across(groups), *drawn], figures)
    if tables is not None:
        write_tables(scored, tables, ticks, given)
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
    language: str = "en",
) -> str:
    """Return the page about some scored runs as HTML.

    Args:
        runs: at least one, of any benchmarks.
        replies: what its browser shows; by default as much as `collect_replies` keeps.
        ticks: a person's judgements of omissions, by key.
        tags: a person's tags of LongNovel's replies, by key.
        language: of the page's own texts, key of `language.LANGUAGE_TAGS`.

    Raises:
        InputError: no runs, or no such language.
    """
    catalogue = find_catalogue(language)
    groups = by_benchmark(distinct(runs))
    named = named_runs(groups)
    replies = collect_replies(named) if replies is None else replies
    browser = reply_browser(replies, named)
    # Hidden until the script runs: without it the browser would be empty controls.
    single = Part("", "", (Drawn("replies", "Single replies", browser, hidden=True),))
    parts = [*make_parts(groups, ticks or {}, tags or {}), single]
    script = "".join(map(_resource, SCRIPTS))
    said = Translator(catalogue, names_of(groups)).html
    footer = f"Made by lengthwise {__version__} from recorded replies; `lengthwise score` gives the same."
    return fill(
        _resource("template.html"),
        {
            "language": text(LANGUAGE_TAGS[language]),
            "kicker": said(text("lengthwise report")),
            "title": said(text(header.title_of(groups))),
            "style": Html(_resource("style.css") + _resource("reader.css")),
            "runs": said(header.what_was_run(groups)),
            "navigation": said(tag("nav", navigation(parts), aria_label="Sections")),
            "banner": said(header.incomplete_banner(groups)),
            "sections": said(draw_parts(parts)),
            "footer": said(text(footer)),
            "data": payload(replies, named, tag_data(tags or {}), catalogue.script),
            "packed": packed(replies),
            "script": Html(script),
            "script_hash": Html(_hash(script)),
        },
    )


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
