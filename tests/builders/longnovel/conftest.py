"""Two made-up books in two languages with everything that the model steps would have made of them."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from lengthwise.builders.longnovel.assembly import assemble
from lengthwise.builders.longnovel.labels import Label, erhg_score, label_all
from lengthwise.builders.longnovel.prompt_texts import load_prompts
from lengthwise.builders.longnovel.records import (
    Candidate,
    Injected,
    Injection,
    Language,
    Reference,
    Source,
    Unit,
    Verdict,
    Window,
    WindowKey,
)
from lengthwise.builders.longnovel.rows import Material
from lengthwise.builders.longnovel.settings import NovelSettings
from lengthwise.builders.longnovel.sources_file import source_facts, write_sources
from lengthwise.builders.longnovel.steps_files import write_units, write_windows
from lengthwise.builders.longnovel.steps_tables import write_candidates, write_injected, write_references
from lengthwise.builders.longnovel.units import SizedUnit
from lengthwise.builders.tokens import load_tokenizer

_TEXT: dict[Language, str] = {
    "en": "Chapter {n} of {book}: on day {day} the old captain walked down to the harbour and counted the boats. ",
    "zh": "《{book}》第{n}回：第{day}天，老船长走到码头，把船一只一只数了一遍。",
}
_SUMMARY: dict[Language, tuple[str, str, str]] = {
    "en": ("In part {n} of {book} the captain counts boats.", "He has 3 sons.", "He goes home."),
    "zh": ("第{n}部分（{book}）里船长数船。", "他有三个儿子。", "他回家了。"),
}
_TYPES = ("entity", "numerical", "relation", "event", "event-fabrication", "causal", "logical-inversion", "temporal")


@dataclass(frozen=True)
class Made:
    """What the steps before these ones leave."""

    source: Source
    windows: Sequence[Window]
    references: Sequence[Reference]
    candidates: Sequence[Candidate]
    injected: Sequence[Injected]

    @property
    def languages(self) -> dict[WindowKey, Language]:
        return {window.key: window.language for window in self.windows}

    @property
    def labels(self) -> list[Label]:
        return label_all(self.languages, self.references, self.candidates, self.injected)[0]

    @property
    def material(self) -> Material:
        return Material(
            {(unit.book, unit.index): unit for unit in self.source.units},
            {window.key: window for window in self.windows},
            {reference.key: reference for reference in self.references},
            {"en": load_prompts("en"), "zh": load_prompts("zh")},
        )


def summary(key: WindowKey, language: Language, changed: Sequence[int] = ()) -> tuple[str, list[str], list[str]]:
    """A reference summary, with some sentences changed: the text, the new sentences, the old ones."""
    old = [one.format(n=key.unit_start, book=key.book) for one in _SUMMARY[language]]
    new = [
        (one[:-1] + (" again." if language == "en" else "又一次。")) if place in changed else one
        for place, one in enumerate(old)
    ]
    space = " " if language == "en" else ""
    return space.join(new), [new[place] for place in changed], [old[place] for place in changed]


def make(books: int = 3, windows: int = 3, scales: Sequence[str] = ("4k",)) -> Made:
    """Books b0, b1 ... in either language, each with so many windows of two units at every scale."""
    count = load_tokenizer("qwen3").count
    units, keys = [], []
    for language in ("en", "zh"):
        for number in range(books):
            book = f"{language}{number}"
            for index in range(1, windows + 2):
                repeat = 50 if language == "en" else 45
                text = "".join(_TEXT[language].format(n=index, book=book, day=day) for day in range(repeat))  # type: ignore[index]
                units.append(Unit(book, index, language, f"Title {index}", text, "He counts boats.", "human:us"))  # type: ignore[arg-type]
            keys += [
                (WindowKey(scale, book, first, first + 1), language)
                for scale in scales
                for first in range(1, windows + 1)
            ]
    tokens = {(unit.book, unit.index): count(unit.text) for unit in units}
    made = Made(Source("made up", "folder", "CC0-1.0", True, units), [], [], [], [])
    for place, (key, language) in enumerate(keys):
        lengths = [tokens[key.book, index] for index in (key.unit_start, key.unit_end)]
        made.windows.append(Window(key, language, sum(lengths)))  # type: ignore[attr-defined,arg-type]
        add_summaries(made, key, language, place)  # type: ignore[arg-type]
    return made


def add_summaries(made: Made, key: WindowKey, language: Language, place: int) -> None:
    text, _, _ = summary(key, language)
    made.references.append(
        Reference(key, text, 15, 900, place % 2 == 0, place % 2 == 0, 4 if place % 2 == 0 else None, "ok", "human:us")
    )  # type: ignore[attr-defined]
    for number, score in enumerate((5, 2, 1), 1):
        verdicts = (Verdict("judge-1", score, "so"), Verdict("judge-2", score, "so"))
        types = (_TYPES[(place + number) % 8],) if score < 3 else ()
        made.candidates.append(
            Candidate(key, f"generator-{number}", f"{text} ({number})", verdicts, score, "because", types)
        )  # type: ignore[attr-defined]
    kinds = [_TYPES[(place + step) % 8] for step in range(place % 3 + 1)]
    changed, new, old = summary(key, language, range(len(kinds)))
    injections = tuple(
        Injection(kind, "T1", one, other, "injector-1", 1) for kind, one, other in zip(kinds, new, old, strict=True)
    )
    made.injected.append(Injected(key, changed, injections, erhg_score(kinds)))  # type: ignore[attr-defined]


@pytest.fixture(scope="session")
def made() -> Made:
    return make()


def lay_down(made: Made, folder: Path) -> Path:
    """Write the steps of a build folder."""
    write_sources(folder, [source_facts(made.source)])
    count = load_tokenizer("qwen3").count
    write_units(folder, (SizedUnit(unit, count(unit.text), unit.index, unit.index) for unit in made.source.units))
    write_windows(folder, made.windows)
    write_references(folder, made.references)
    write_candidates(folder, made.candidates)
    write_injected(folder, made.injected)
    return folder


@pytest.fixture(scope="session")
def finished(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished build of all rows at 4k; copy it before damaging it."""
    folder = lay_down(made, tmp_path_factory.mktemp("novel") / "longnovel")
    assemble(folder, NovelSettings(("4k",)))
    return folder


@pytest.fixture
def copied(finished: Path, tmp_path: Path) -> Path:
    shutil.copytree(finished, tmp_path / "longnovel")
    return tmp_path / "longnovel"
