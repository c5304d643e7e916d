"""From a generated novel to its two rows: the faithful summary, and the same with one to three changes."""

from collections.abc import Iterator, Sequence
from typing import Any

from ...tokens import load_tokenizer
from ..labels import canonical_types, erhg_score, injection_reason, reply_text
from ..prompt_texts import Prompts
from ..records import Injection, Language, Origin, WindowKey
from .counting import NovelTokens
from .designs import soft_score
from .story import Story

GENERATOR = "ledger"
_NOTHING_ROUGH: dict[Language, str] = {
    "en": "Everything that the summary says is borne out by the text.",
    "zh": "概述所述均与原文相符。",
}
_ROUGH: dict[Language, tuple[str, str, str]] = {
    "en": (
        "Nothing in the summary contradicts the text, but some of it is rough: ",
        '"{soft}", where the text is more exact: "{full}"',
        "; ",
    ),
    "zh": ("概述与原文并无矛盾，但有的地方较为笼统：", "“{soft}”，原文更为具体：“{full}”", "；"),
}


def window_key(story: Story) -> WindowKey:
    """Return the window of a novel's rows: all its chapters."""
    return WindowKey(story.book.scale, story.book.id, 1, len(story.chapters))


def pair_rows(story: Story, tokenizer: str, prompts: Prompts) -> Iterator[dict[str, Any]]:
    """Yield the two rows of a novel, all columns of the schema in order, as plain Python types.

    Args:
        story: what they are made from.
        tokenizer: see `lengthwise.builders.tokens.load_tokenizer`.
        prompts: of the novel's language.
    """
    key, language = window_key(story), story.book.language
    counter = load_tokenizer(tokenizer)
    tokens = NovelTokens([chapter.text for chapter in story.chapters], counter)
    question = prompts.detection()
    injections = injections_of(story)
    types = canonical_types(one.type for one in injections)
    # In the order of their ids, as the rows of novels that people wrote.
    kinds: tuple[tuple[Origin, int, str, str], ...] = (
        ("erhg", erhg_score(types), injection_reason(injections, language), story.changed_summary),
        ("original", soft_score(len(story.soft)), faithful_reason(story.soft, language), story.summary),
    )
    for origin, score, reason, summary in kinds:
        wrong = origin == "erhg"
        before, _, behind = prompts.detection_prompt(question, tokens.article, summary).partition(tokens.article)
        yield {
            "id": f"{key.id}-{origin}",
            "language": language,
            "scale": key.scale,
            "book": key.book,
            "unit_start": key.unit_start,
            "unit_end": key.unit_end,
            "origin": origin,
            "generator": GENERATOR,
            "judges": [],
            "pair_id": f"{key.id}-pair-1",
            "pair_kind": "minimal",
            "score": score,
            "hallucinated": int(wrong),
            "types": list(types) if wrong else [],
            "injections": [
                {"type": one.type, "subtype": one.subtype, "hallucinated": one.hallucinated, "original": one.original}
                for one in injections
                if wrong
            ],
            "evidence": evidence(story, tokens) if wrong else [],
            "reason": reason,
            "review": "",
            # The reference tells all that the summary does, and more.
            "compressed": True,
            "summary_origin": GENERATOR,
            "n_tokens": tokens.of_prompt(before, behind),
            "tokenizer": counter.name,
            "question": question,
            "answer_text": reply_text(language, score, reason, types if wrong else ()),
            "summary": summary,
            "reference": story.reference,
            "article": tokens.article,
        }


def injections_of(story: Story) -> list[Injection]:
    """Return what is wrong in the changed summary, in the order of its sentences."""
    return [
        Injection(change.type.value, change.subtype, wrong, right, GENERATOR, 1)
        for change, wrong, right in story.changes
    ]


def faithful_reason(soft: Sequence[tuple[str, str]], language: Language) -> str:
    """Return why a faithful summary scores as it does.

    Args:
        soft: its sentences that say less than they could, each with the one that says all.
        language: of both.
    """
    if not soft:
        return _NOTHING_ROUGH[language]
    lead, point, comma = _ROUGH[language]
    end = "。" if language == "zh" else "."
    points = [point.format(soft=some.rstrip(end), full=full.rstrip(end)) for some, full in soft]
    return lead + comma.join(points) + end


def evidence(story: Story, tokens: NovelTokens) -> list[dict[str, Any]]:
    """Return for each change where the article shows it: units, places and how far apart they are.

    Args:
        story: with its changes.
        tokens: of its chapters.
    """
    found = []
    for change, _, _ in story.changes:
        places = sorted((story.spans[piece] for piece in change.claim.pieces), key=lambda span: span[1:])
        first, last = min(start for _, start, _ in places), max(end for _, _, end in places)
        found.append(
            {
                "units": [unit for unit, _, _ in places],
                "starts": [start for _, start, _ in places],
                "ends": [end for _, _, end in places],
                "distance": tokens.between(first, last),
            }
        )
    return found
