"""The prompts of detection and of every step that asks a model, in two languages: the task, then the material.

The wording is ours. What is asked follows the paper and its authors' templates: rubric, eight types, strict JSON, an
omission costs nothing (appendices B and J), text first and summary last (Prompt-E) or the other way round (Prompt-B).
`question` of a row is `detection()`, and `detection_prompt` puts question, article and summary together.

An injection prompt asks for the one sentence, before and after, and not for the whole summary as the authors do: what
a model does not write it cannot change by the way, it writes a tenth, and which sentence it changed is known. The edit
is made by the caller; `replies.read_injection` also reads a reply that gives the whole summary.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from types import MappingProxyType
from typing import Literal, TypeAlias

from lengthwise.errors import InputError, unknown_name
from lengthwise.metrics.fault_types import HallucinationType

from .prompt_files import ENTITY_KINDS, read_prompt_files
from .records import LANGUAGES, Language, Verdict

Position: TypeAlias = Literal["end", "beginning"]
EntityLists: TypeAlias = Mapping[str, Sequence[str]]
"""Entities by kind, the kinds being those of `ENTITY_KINDS`; a kind may be absent."""

# The names that the prompts use, those of the paper's section 3.3 and appendix B.
TYPE_NAMES: Mapping[Language, Mapping[HallucinationType, str]] = MappingProxyType({
    "en": {
        HallucinationType.ENTITY: "Entity Hallucination",
        HallucinationType.NUMERICAL: "Numerical Hallucination",
        HallucinationType.RELATION: "Relation Hallucination",
        HallucinationType.LOGICAL_INVERSION: "Logical Inversion",
        HallucinationType.EVENT: "Event Hallucination",
        HallucinationType.TEMPORAL: "Temporal Hallucination",
        HallucinationType.CAUSAL: "Causal Hallucination",
        HallucinationType.EVENT_FABRICATION: "Event Fabrication",
    },
    "zh": {
        HallucinationType.ENTITY: "实体幻觉",
        HallucinationType.NUMERICAL: "数值幻觉",
        HallucinationType.RELATION: "关系幻觉",
        HallucinationType.LOGICAL_INVERSION: "逻辑反转",
        HallucinationType.EVENT: "事件幻觉",
        HallucinationType.TEMPORAL: "时序幻觉",
        HallucinationType.CAUSAL: "因果幻觉",
        HallucinationType.EVENT_FABRICATION: "事件虚构",
    },
})  # fmt: skip

# The types whose prompt gets the summary's entities.
WITH_ENTITIES = frozenset({
    HallucinationType.ENTITY, HallucinationType.NUMERICAL, HallucinationType.RELATION, HallucinationType.CAUSAL,
    HallucinationType.EVENT_FABRICATION
})  # fmt: skip


def subtypes(kind: HallucinationType, language: Language) -> tuple[str, ...]:
    """Return the ways in which a type's prompt lets a sentence be changed, as its reply names them.

    >>> subtypes(HallucinationType.EVENT, "en"), subtypes(HallucinationType.TEMPORAL, "zh")
    (('T1', 'T2', 'T3', 'T4'), ())
    """
    count = {HallucinationType.ENTITY: 3, HallucinationType.EVENT: 3, HallucinationType.TEMPORAL: 0}.get(kind, 2)
    # Events of different times or places are merged in the English prompt only.
    count += kind is HallucinationType.EVENT and language == "en"
    return tuple(f"T{number}" for number in range(1, count + 1))


@dataclass(frozen=True)
class Prompts:
    """The prompts of one language.

    Attributes:
        language: which.
        templates: by name.
        headings: by section.
    """

    language: Language
    templates: Mapping[str, Template] = field(repr=False)
    headings: Mapping[str, Template] = field(repr=False)

    @property
    def digest(self) -> str:
        """SHA-256 (hex) over all templates and headings; `prompts_digest` is over both languages."""
        texts = [(name, one.template) for table in (self.templates, self.headings) for name, one in table.items()]
        return hashlib.sha256(repr((self.language, sorted(texts))).encode()).hexdigest()

    def detection(self, *, cot: bool = False, excerpt: bool = False) -> str:
        """Return the task of detection without the text: a row's `question`.

        Args:
            cot: ask for an analysis before the answer.
            excerpt: for RAG: an excerpt of the novel and a segment of the summary, what the excerpt lacks is no error.

        Raises:
            InputError: both are asked for; there is no such prompt.
        """
        if cot and excerpt:
            raise InputError("cot, excerpt: the prompt for excerpts has no twin with an analysis; choose one of them")
        name = "detection-excerpt" if excerpt else "detection-cot" if cot else "detection"
        return self.templates[name].substitute()

    def detection_prompt(
        self, question: str, article: str, summary: str, *, position: Position = "end", excerpt: bool = False
    ) -> str:
        """Return a whole prompt of detection.

        Args:
            question: what `detection` gave.
            article: the text, or an excerpt of it.
            summary: the summary, or a segment of it.
            position: of the summary: behind the text (Prompt-E, the paper's default) or before it (Prompt-B).
            excerpt: whether it is an excerpt and a segment.
        """
        text = self._section("excerpt" if excerpt else "article", article)
        judged = self._section("segment" if excerpt else "summary", summary)
        return _join(question, *((text, judged) if position == "end" else (judged, text)))

    def judge(self, article: str, summary: str, reference: str = "") -> str:
        """Return a judge's prompt (3.3); without a reference summary it is Prompt-E."""
        if not reference:
            return self.detection_prompt(self.detection(), article, summary)
        sections = {"article": article, "reference": reference, "judged": summary}
        return self._with("judge", sections)

    def arbiter(self, summary: str, verdicts: Sequence[Verdict], *, article: str = "", reference: str = "") -> str:
        """Return the arbiter's prompt (3.3).

        Args:
            summary: the judged one.
            verdicts: of the judges, numbered from 1 in this order; which model they are is not told.
            article: the text; "" leaves it out.
            reference: a reference summary of it; "" leaves it out.
        """
        said = [
            self._section("verdict", verdict.reason, number=str(number), score=str(verdict.score))
            for number, verdict in enumerate(verdicts, 1)
        ]
        return _join(self._with("arbiter", {"article": article, "reference": reference, "summary": summary}), *said)

    def critic(self, reference: str, summary: str) -> str:
        """Return the prompt that has a compressed summary compared with the joined ones (3.2)."""
        return self._with("critic", {"reference": reference, "shorter": summary})

    def compress(self, summaries: str, words: int) -> str:
        """Return the prompt that makes one summary of about `words` words (zh: characters) of joined ones (3.2)."""
        return self._with("compress", {"parts": summaries}, words=str(words))

    def compress_again(
        self,
        summaries: str,
        words: int,
        *,
        attempt: str,
        length: int,
        deficiencies: Sequence[str],
        advice: Sequence[str],
    ) -> str:
        """Return the prompt of the second round (3.2).

        Args:
            summaries: the joined ones.
            words: the length wanted.
            attempt: the summary of the first round.
            length: its words.
            deficiencies: what the critic found, and any fault that was found by rule.
            advice: the critic's suggestions.
        """
        lists = {"deficiencies": _bullets(deficiencies), "suggestions": _bullets(advice)}
        sections = {"parts": summaries, "attempt": attempt, **lists}
        return self._with("compress-again", sections, words=str(words), length=str(length))

    def generate(self, article: str, words: int) -> str:
        """Return the prompt for a generator's summary of a window's text (3.3)."""
        return self._with("generate", {"passage": article}, words=str(words))

    def unit_summary(self, text: str, words: int) -> str:
        """Return the prompt for a unit's summary where no person has written one."""
        return self._with("unit-summary", {"chapter": text}, words=str(words))

    def entities(self, summary: str) -> str:
        """Return the prompt for a summary's entities (3.3)."""
        return self._with("entities", {"summary": summary})

    def inject(
        self,
        kind: HallucinationType,
        summary: str,
        *,
        entities: EntityLists | None = None,
        untouched: Sequence[str] = (),
    ) -> str:
        """Return the prompt that plants a hallucination of one type (3.3).

        Args:
            kind: the type.
            summary: the summary, with what was planted before.
            entities: of the summary; left out for the types that are not in `WITH_ENTITIES`.
            untouched: sentences that may not be chosen: those changed before, and those of rejected replies. For an
                event fabrication: sentences that may not be added.

        Raises:
            InputError: a kind of entity is unknown.
        """
        listed = self._entity_lines(entities or {}) if kind in WITH_ENTITIES else ""
        spent = "not-added" if kind is HallucinationType.EVENT_FABRICATION else "untouched"
        sections = {"summary": summary, "entities": listed, spent: _bullets(untouched)}
        return self._with(f"inject-{kind}", sections)

    def _entity_lines(self, entities: EntityLists) -> str:
        if unknown := sorted(set(entities) - set(ENTITY_KINDS)):
            raise unknown_name("kind of entity", unknown[0], ENTITY_KINDS)
        comma, space = ("、", "") if self.language == "zh" else (", ", " ")
        lines = [
            self.headings[kind].substitute() + space + comma.join(entities[kind])
            for kind in ENTITY_KINDS
            if entities.get(kind)
        ]
        return "\n".join(lines or [self.headings["none"].substitute()])

    def _with(self, name: str, sections: Mapping[str, str], **values: str) -> str:
        """Return a template and the sections behind it, those left out that are empty."""
        shown = [self._section(heading, text) for heading, text in sections.items() if text]
        return _join(self.templates[name].substitute(values), *shown)

    def _section(self, heading: str, text: str, **values: str) -> str:
        return f"{self.headings[heading].substitute(values)}\n{text}"


def _join(*pieces: str) -> str:
    return "\n\n".join(pieces)


def _bullets(items: Sequence[str]) -> str:
    return "\n".join(f"- {' '.join(item.split())}" for item in items)


def load_prompts(language: Language, folder: Path | None = None) -> Prompts:
    """Return the package's prompts of a language, with the files of a folder in the place of its own.

    Raises:
        InputError: see `prompt_files.read_prompt_files`.
    """
    return Prompts(language, *read_prompt_files(language, folder))


def prompts_digest(folder: Path | None = None) -> str:
    """Return the SHA-256 (hex) over the templates of both languages: builds that ask in other words differ in it."""
    return hashlib.sha256("\0".join(load_prompts(one, folder).digest for one in LANGUAGES).encode()).hexdigest()
