"""Steps 6 and 8: from what the steps left to a folder that is ready for the Hub, without any model."""

import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lengthwise.errors import InputError

from ..folder_build import Built
from ..hub_folder import BUILD_FILE, parquet_files
from ..parts import Cell
from ..tokens import load_tokenizer
from .balance import balance
from .card import finish_folder
from .export import PROMPT, Exported, read_rows, write_subset
from .labels import Label, label_all
from .left_out import left_out
from .own_prompts import own_prompts, prompts_of
from .prompt_files import own_files
from .prompt_texts import prompts_digest
from .records import LANGUAGES, Language, Reference, Unit, WindowKey, scale_tokens
from .rows import Material
from .settings import BENCHMARK, VERSION, NovelSettings
from .sources_file import SourceFacts, read_sources
from .splits import SPLITS, Split, assign_splits, splits_of
from .statistics_tables import Lengths, token_lengths
from .steps_files import read_units, read_windows
from .steps_tables import read_candidates, read_injected, read_references


@dataclass(frozen=True)
class NovelBuild(Built):
    """What a build left.

    Attributes:
        missing: what was requested and is not there, a line each.
        refused: windows whose reference the critic found hallucinated.
        closed: sources whose text may not be passed on.
        steps: a line for each step before the rows.
    """

    missing: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()

    def notes(self) -> list[str]:
        """Return what a person should know of the rows."""
        shown = [*self.steps, *(f"missing: {line}" for line in self.missing)]
        if self.refused:
            shown.append(f"left out, as the critic found the reference hallucinated: {', '.join(self.refused)}")
        if self.closed:
            shown.append(
                f"text that may not be passed on (see `lengthwise export --recipe`): {', '.join(self.closed)}"
            )
        return shown


def assemble(
    folder: Path,
    settings: NovelSettings,
    tokenizers: Sequence[str] = (),
    reviews: Mapping[str, str] | None = None,
) -> NovelBuild:
    """Label, pair, balance, split and write the rows of a build folder; the same steps give the same rows.

    Args:
        folder: with its `steps`; data that another call left there is replaced.
        settings: of the build.
        tokenizers: further ones that the card's table of lengths counts with.
        reviews: id of a row -> what people decided of it.

    Raises:
        InputError: a step is missing, the summaries do not suffice for the requests, or people's and models' own
            summaries stand side by side.
    """
    sources = read_sources(folder)
    units = {(one.unit.book, one.unit.index): one.unit for one in read_units(folder)}
    windows = [window for window in read_windows(folder) if window.key.scale in settings.scales]
    known = {window.key for window in windows}
    references = [one for one in read_references(folder) if one.key in known]
    check_origins(references)
    languages = {window.key: window.language for window in windows}
    candidates = [one for one in read_candidates(folder) if one.key in known]
    injected = [one for one in read_injected(folder) if one.key in known]
    labels, refused = label_all(languages, references, candidates, injected)
    books: dict[str, Language] = {unit.book: unit.language for unit in units.values()}
    given = {book: split for source in sources for book, split in source.splits.items()}
    splits = assign_splits(books, given, settings.shares, settings.seed)
    chosen, missing = choose_rows(labels, splits, settings)
    if not any(chosen.values()):
        raise InputError(
            "there are no labelled summaries for any of the configs; look at steps/*.json for what was rejected"
        )
    own = own_prompts(folder)
    plan = describe(settings, sources, units, splits, missing, refused, left_out(folder), own)
    # Nobody is shown a reference that its critic does not trust; a model's own summary may have been judged without.
    trusted = [reference for reference in references if reference.key not in set(refused)]
    material = Material(
        units,
        {window.key: window for window in windows},
        {reference.key: reference for reference in trusted},
        prompts_of(folder),
        settings.tokenizer,
        reviews or {},
    )
    _clear(folder)
    out = Exported()
    for (scale, split), some in chosen.items():
        write_subset(folder, scale, split, some, material, out)
    digest = finish_folder(folder, settings, plan, out, _lengths(folder, out, settings, tokenizers))
    return NovelBuild(
        folder,
        digest=digest,
        # Prompts hold no rows of their own.
        splits={cell: fact for cell, fact in out.facts.items() if not cell[0].endswith(PROMPT)},
        missing=tuple(missing),
        refused=tuple(key.id for key in refused),
        closed=tuple(source.name for source in sources if not source.redistributable),
    )


def check_origins(references: Sequence[Reference]) -> None:
    """Make sure that people's summaries and models' own are not built into one table.

    Raises:
        InputError: there are both.
    """
    kinds: dict[str, str] = {}
    for reference in references:
        for origin in reference.summary_origin.split("+"):
            kinds.setdefault("models" if origin.startswith("model") else "people", reference.key.id)
    if len(kinds) > 1:
        raise InputError(
            f"the reference summaries of {kinds['people']} are people's and those of {kinds['models']} a model's: "
            "they never stand in one table; build the sources into two folders"
        )


def choose_rows(
    labels: Sequence[Label], splits: Mapping[str, Split], settings: NovelSettings
) -> tuple[dict[tuple[str, Split], Sequence[Label]], list[str]]:
    """Return the rows of each (scale, split), by the requests where there are any, and what is missing.

    Without requests a scale has the splits that the paper's have, and all rows of these.
    """
    if settings.requests:
        found = balance(labels, splits, settings.requests, settings.seed, settings.fewer)
        order = {(scale, split): (i, j) for i, scale in enumerate(settings.scales) for j, split in enumerate(SPLITS)}
        found.sort(key=lambda one: order[one.request.scale, one.request.split])
        chosen: dict[tuple[str, Split], Sequence[Label]] = {
            (one.request.scale, one.request.split): one.labels for one in found
        }
        return chosen, [line for one in found for line in one.missing]
    by_cell: dict[tuple[str, Split], list[Label]] = defaultdict(list)
    for label in labels:
        by_cell[label.key.scale, splits[label.key.book]].append(label)
    return {(scale, split): by_cell[scale, split] for scale in settings.scales for split in splits_of(scale)}, []


def describe(
    settings: NovelSettings,
    sources: Sequence[SourceFacts],
    units: Mapping[tuple[str, int], Unit],
    splits: Mapping[str, Split],
    missing: Sequence[str],
    refused: Sequence[WindowKey],
    unanswered: Sequence[Mapping[str, Any]] = (),
    prompts: Path | None = None,
) -> dict[str, Any]:
    """Return what identifies a build, as JSON types."""
    return {
        "benchmark": BENCHMARK,
        "version": VERSION,
        "settings": {
            "scales": list(settings.scales),
            "tokenizer": settings.tokenizer,
            "shares": dict(settings.shares),
            "seed": settings.seed,
            "fewer": settings.fewer,
            "requests": [
                {"split": one.split, "scale": one.scale, **one.languages, **one.origins,
                 "hallucinated": one.hallucinated, "types": dict(one.types)}
                for one in settings.requests
            ],
        },
        "prompt_template": prompts_digest(prompts),
        "own_prompts": own_files(prompts) if prompts is not None else [],
        "sources": [_source_entry(source, units) for source in sources],
        "splits": dict(splits),
        "missing": list(missing),
        "refused": [key.id for key in refused],
        "left_out": list(unanswered),
    }  # fmt: skip


def _source_entry(source: SourceFacts, units: Mapping[tuple[str, int], Unit]) -> dict[str, Any]:
    there = [unit for unit in units.values() if unit.book in set(source.books)]
    found = {unit.language for unit in there}
    return {
        "name": source.name,
        "kind": source.kind,
        "licence": source.licence,
        "redistributable": source.redistributable,
        "books": len(source.books),
        "units": len(there),
        "languages": [one for one in LANGUAGES if one in found],
        "summary_origins": sorted({unit.summary_origin for unit in there if unit.summary_origin}),
        "damage": list(source.damage),
    }


def _lengths(folder: Path, out: Exported, settings: NovelSettings, tokenizers: Sequence[str]) -> list[Lengths]:
    counters = {spec: load_tokenizer(spec).count for spec in dict.fromkeys((settings.tokenizer, *tokenizers))}

    def articles(cell: Cell) -> Iterator[str]:
        return (row["article"] for row in read_rows(parquet_files(folder, cell)))

    texts = {scale: articles((scale, split)) for scale, split in out.kept if split == "test"}
    return token_lengths(texts, counters)


def _clear(folder: Path) -> None:
    """Remove the data of an earlier call; `build.json` first, so that no half of it passes for finished."""
    (folder / BUILD_FILE).unlink(missing_ok=True)
    for path in folder.iterdir():
        if path.is_dir() and _is_scale(path.name.removesuffix(PROMPT)):
            shutil.rmtree(path)


def _is_scale(name: str) -> bool:
    try:
        scale_tokens(name)
    except InputError:
        return False
    return True
