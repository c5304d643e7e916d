"""`lengthwise build longnovel`: from books to a folder that is ready for the Hub, step by step.

Every step leaves a file under `steps/` and the next one reads it; what is there is not made again, and what models say
is on record, so a build that was killed anywhere goes on with the same call. The first two steps need no model.
"""

import asyncio
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from lengthwise.errors import InputError, unknown_name

from ..hub_folder import BUILD_FILE, read_build, write_text
from ..tokens import load_tokenizer
from .asking import REPLIES_FILE, ROLES_FILE, Asks, Tally
from .assembly import NovelBuild, assemble
from .left_out import names
from .model_steps import ModelStepSettings, Progress, Step, make_model_steps
from .own_prompts import check_prompts, own_prompts, take_prompts
from .recipe import rebuild
from .records import Language, Source, scale_tokens
from .review.files import read_review_column
from .review.store import ANNOTATIONS_FILE
from .roles import Roles
from .settings import BENCHMARK, VERSION, NovelSettings
from .sources.reading import read_source
from .sources_file import SOURCES_FILE, source_facts, write_sources
from .steps_files import UNITS_FILE, WINDOWS_FILE, read_units, write_units, write_windows
from .units import make_units
from .windows import make_windows

PLAN_FILE = "steps/plan.json"
Until: TypeAlias = Literal["units", "windows", "summaries", "compression", "arbitration", "injection", "rows"]
UNTIL: tuple[Until, ...] = get_args(Until)
_MODEL_STEPS: Mapping[Until, Step] = {
    "summaries": "summaries", "compression": "compression", "arbitration": "arbitration", "injection": "injection",
    "rows": "injection",
}  # fmt: skip
# Makes the `ask` of every slot; it is entered in the loop that asks.
OpenAsks: TypeAlias = Callable[[Roles], AbstractAsyncContextManager[Asks]]


@dataclass(frozen=True)
class SourceOptions:
    """How the sources are read; see `sources.reading.read_source`."""

    language: Language | None = None
    headings_as_summaries: bool = False
    licence: str | None = None
    redistributable: bool | None = None


@dataclass(frozen=True)
class StepsDone:
    """What a call left that stopped before the rows.

    Attributes:
        folder: where.
        steps: a line for each step that was made or found.
        failed: how many things no reply came for; the same call asks for them again.
    """

    folder: Path
    steps: tuple[str, ...]
    failed: int = 0

    def lines(self) -> list[str]:
        """Return what a person wants to read of it."""
        if not self.failed:
            return [*self.steps, f"steps are in {self.folder / 'steps'}"]
        return [
            *self.steps,
            f"no reply came for {self.failed:,} of them: the same command asks again, then goes on; with "
            "--leave-out-unanswered it goes on without them",
        ]


def build_longnovel(
    out: Path,
    sources: Sequence[str] = (),
    settings: NovelSettings | None = None,
    *,
    source_options: SourceOptions | None = None,
    model_steps: ModelStepSettings | None = None,
    roles: Roles | None = None,
    open_asks: OpenAsks | None = None,
    records: Path | None = None,
    prompts: Path | None = None,
    until: Until = "rows",
    leave_out_unanswered: bool = False,
    tokenizers: Sequence[str] = (),
    concurrency: int = 8,
    progress: Progress = lambda step, total: lambda: None,
) -> NovelBuild | StepsDone:
    """Build LongNovel, or its steps up to one.

    The same sources, settings and replies give the same rows on any machine. Without models, all is made from the
    replies on record.

    Args:
        out: folder; new, empty, or with the steps of this very build.
        sources: folders, files or Hub ids of books; not needed once the units are there.
        settings: of the rows.
        source_options: how sources are read.
        model_steps: of the steps that ask models.
        roles: which model fills which slot; None takes those on record.
        open_asks: makes the asks of the slots; None asks nobody.
        records: another build, whose replies are taken over, and its own prompts where no others are given.
        prompts: folder with prompts of one's own, of any number (see `prompt_files`); they are copied into `out`, and
            the package's take the place of the rest. None takes those that are there.
        until: the last step; "rows" is all.
        leave_out_unanswered: go on to the rows without what no reply came for; a later call that has the replies
            gives the whole build.
        tokenizers: further ones for the card's table of lengths.
        concurrency: windows at a time.
        progress: told of each step that asks models.

    Raises:
        InputError: an argument cannot be used, the folder holds another build, or a record is missing.
    """
    settings = settings or NovelSettings()
    if until not in UNTIL:
        raise unknown_name("step", until, UNTIL)
    options = source_options or SourceOptions()
    # What cannot be had is known before calls are paid for.
    for spec in tokenizers:
        load_tokenizer(spec)
    if prompts is not None:
        check_prompts(prompts)
    _claim(out, _plan(out, sources, settings, options), records, prompts)
    done = [_units(out, sources, settings, options)]
    if until != "units":
        done.append(_windows(out, settings))
    if until not in _MODEL_STEPS:
        return StepsDone(out, tuple(done))
    if (roles is None) != (open_asks is None):
        raise InputError("roles and asks: give both, or neither to build from the records")
    tallies = asyncio.run(_ask(out, roles, open_asks, model_steps, _MODEL_STEPS[until], concurrency, progress))
    done += [tally_line(tally, leave_out_unanswered) for tally in tallies]
    failed = 0 if leave_out_unanswered else sum(len(tally.failed) for tally in tallies)
    if failed or until != "rows":
        return StepsDone(out, tuple(done), failed)
    return replace(_rows(out, settings, tokenizers), steps=tuple(done))


def _rows(out: Path, settings: NovelSettings, tokenizers: Sequence[str]) -> NovelBuild:
    """Make the rows, with what people have decided of them in their column `review`."""
    reviewed = (out / ANNOTATIONS_FILE).is_file() and (out / ANNOTATIONS_FILE).stat().st_size > 0
    if reviewed and not (out / BUILD_FILE).exists():
        # Killed while the rows were made anew: decisions are of rows, and need them.
        assemble(out, settings, tokenizers)
    return assemble(out, settings, tokenizers, read_review_column(out) if reviewed else {})


async def _ask(
    folder: Path,
    roles: Roles | None,
    open_asks: OpenAsks | None,
    settings: ModelStepSettings | None,
    until: Step,
    concurrency: int,
    progress: Progress,
) -> list[Tally]:
    if roles is None or open_asks is None:
        return await make_model_steps(
            folder, None, None, settings, until=until, concurrency=concurrency, progress=progress
        )
    async with open_asks(roles) as asks:
        return await make_model_steps(
            folder, roles, asks, settings, until=until, concurrency=concurrency, progress=progress
        )


def tally_line(tally: Tally, named: bool = False) -> str:
    """Return a step's numbers for a person, with the names of what it has no reply for where that is left out.

    >>> tally_line(Tally("compression", 9, 7, {"s-a-0001-0002": "HTTP 500"}))
    'compression: 7 of 9, 1 without a reply'
    >>> tally_line(Tally("compression", 9, 7, {"s-a-0001-0002": "HTTP 500"}), named=True)
    'compression: 7 of 9, 1 left out, no reply came: s-a-0001-0002'
    """
    given_up = ", ".join(f"{count} {reason}" for reason, count in sorted(tally.rejected.items()))
    parts = [f"{tally.step}: {tally.kept:,} of {tally.items:,}"]
    if given_up:
        parts.append(f"given up: {given_up}")
    if tally.failed and named:
        parts.append(f"{len(tally.failed):,} left out, no reply came: {names(sorted(tally.failed), tally.step)}")
    elif tally.failed:
        parts.append(f"{len(tally.failed):,} without a reply")
    return ", ".join(parts)


def _plan(out: Path, sources: Sequence[str], settings: NovelSettings, options: SourceOptions) -> dict[str, Any]:
    """Return what the first steps follow from; sources that are not named are those that are there."""
    path = out / PLAN_FILE
    there = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    if not sources and not there:
        raise InputError("--source: name a folder, a file or a Hub id of books")
    named = {
        "sources": list(sources),
        "language": options.language,
        "headings_as_summaries": options.headings_as_summaries,
        "licence": options.licence,
        "redistributable": options.redistributable,
    }
    if not sources:
        named = {key: there.get(key) for key in named}
    return {
        "benchmark": BENCHMARK,
        "version": VERSION,
        **named,
        "scales": sorted(settings.scales, key=scale_tokens),
        "tokenizer": settings.tokenizer,
    }


def _claim(out: Path, plan: Mapping[str, Any], records: Path | None, prompts: Path | None) -> None:
    path = out / PLAN_FILE
    there = json.loads(path.read_text("utf-8")) if path.is_file() else None
    if there is None and out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"out {str(out)!r} is not an empty folder: choose another")
    # Before there are units, nothing has been made by the plan: a source may have been misspelt.
    if there is not None and there != plan and (out / UNITS_FILE).exists():
        other = ", ".join(key for key in plan if there.get(key) != plan[key])
        raise InputError(
            f"out {str(out)!r} holds the steps of another build ({other} differ): give what it was begun with, or "
            "choose another folder"
        )
    if there != plan:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, json.dumps(plan, indent=1, ensure_ascii=False) + "\n")
    if prompts is None and records is not None and own_prompts(out) is None:
        prompts = own_prompts(records)
    if prompts is not None:
        take_prompts(prompts, out)
    for name in (REPLIES_FILE, ROLES_FILE) if records is not None else ():
        assert records is not None
        if not (records / name).is_file():
            raise InputError(f"--records {records}: there is no {name}")
        if not (out / name).exists():
            shutil.copyfile(records / name, out / name)


def _units(out: Path, sources: Sequence[str], settings: NovelSettings, options: SourceOptions) -> str:
    if not ((out / UNITS_FILE).is_file() and (out / SOURCES_FILE).is_file()):
        if not sources:
            raise InputError("--source: name it once more, the units are not there yet")
        read = _read(sources, options)
        write_sources(out, [source_facts(source) for source in read])
        count = load_tokenizer(settings.tokenizer).count
        write_units(out, (made for source in read for made in make_units(source.units, count)))
    books: dict[str, None] = {}
    units = summaries = 0
    for made in read_units(out):
        books[made.unit.book] = None
        units += 1
        summaries += bool(made.unit.summary)
    return f"units: {units:,} of {len(books):,} books, {summaries:,} with a summary"


def _read(sources: Sequence[str], options: SourceOptions) -> list[Source]:
    return [
        read_source(
            name,
            language=options.language,
            headings_as_summaries=options.headings_as_summaries,
            licence=options.licence,
            redistributable=options.redistributable,
        )
        for name in sources
    ]


def rebuild_longnovel(
    recipe: Path, sources: Sequence[str], out: Path, source_options: SourceOptions | None = None
) -> str:
    """Build the folder of a recipe from its sources; return the digest of its rows.

    Args:
        recipe: what `recipe.export_recipe` wrote.
        sources: the books that the recipe is of.
        out: folder; new or empty.
        source_options: how they are read, as in the build that the recipe is of.

    Raises:
        InputError: see `recipe.rebuild`.
    """
    if not sources:
        raise InputError("--source: name the books that the recipe is of")
    count = load_tokenizer(read_build(recipe)["tokenizer"]).count
    read = _read(sources, source_options or SourceOptions())
    return rebuild(recipe, (made.unit for source in read for made in make_units(source.units, count)), out)


def _windows(out: Path, settings: NovelSettings) -> str:
    sized = ((made.unit, made.n_tokens) for made in read_units(out))
    windows = make_windows(sorted(settings.scales, key=scale_tokens), sized)
    if not (out / WINDOWS_FILE).is_file():
        write_windows(out, windows)
    counts = [f"{sum(one.key.scale == scale for one in windows):,} of {scale}" for scale in settings.scales]
    return f"windows: {', '.join(counts)}"
