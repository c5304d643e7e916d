"""From a labelled summary to a row, and to the prompt that asks about it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lengthwise.errors import InputError

from ..tokens import load_tokenizer
from .labels import Label, answer_text
from .pairing import Pair
from .prompt_texts import Prompts
from .records import Language, Reference, Unit, Window, WindowKey


@dataclass(frozen=True)
class Material:
    """What rows are made from.

    Attributes:
        units: (book, index) -> unit.
        windows: of every label.
        references: of the windows that have one.
        prompts: of each language.
        tokenizer: see `lengthwise.builders.tokens.load_tokenizer`.
        reviews: id of a row -> what people decided of it.
    """

    units: Mapping[tuple[str, int], Unit]
    windows: Mapping[WindowKey, Window]
    references: Mapping[WindowKey, Reference]
    prompts: Mapping[Language, Prompts]
    tokenizer: str = "qwen3"
    reviews: Mapping[str, str] = field(default_factory=dict)

    def article(self, key: WindowKey) -> str:
        """Return the text of a window.

        Raises:
            InputError: a unit of it is missing.
        """
        indices = range(key.unit_start, key.unit_end + 1)
        missing = [index for index in indices if (key.book, index) not in self.units]
        if missing:
            raise InputError(f"{key.id}: the source has no unit {missing[0]} of {key.book}")
        return article_text([self.units[key.book, index] for index in indices])


# The origin of rows whose owners do not say how they came about.
PUBLISHED = "published"


def article_text(units: Sequence[Unit]) -> str:
    """Return the text of consecutive units: without their headings, which may give their contents away.

    A chapter's heading is its summary in Chinese novels; where it stands for the human one, a row would hold its own
    answer.
    """
    return "\n\n".join(unit.text for unit in units)


def detection_prompt(row: Mapping[str, Any], prompts: Prompts) -> str:
    """Return the whole prompt of a row, with the summary at its end (Prompt-E, appendix J.2)."""
    return prompts.detection_prompt(row["question"], row["article"], row["summary"])


def make_row(label: Label, pair: Pair, material: Material) -> dict[str, Any]:
    """Return one row, all columns of the schema in order, as plain Python types."""
    window, reference = material.windows[label.key], material.references.get(label.key)
    prompts, article = material.prompts[window.language], material.article(label.key)
    question = prompts.detection()
    tokenizer = load_tokenizer(material.tokenizer)
    return {
        "id": label.id,
        "language": window.language,
        "scale": label.key.scale,
        "book": label.key.book,
        "unit_start": label.key.unit_start,
        "unit_end": label.key.unit_end,
        "origin": label.origin,
        "generator": label.generator,
        "judges": [{"judge": judge, "score": score} for judge, score in label.judges],
        "pair_id": pair.id,
        "pair_kind": pair.kind,
        "score": label.score,
        "hallucinated": int(label.hallucinated),
        "types": list(label.types),
        "injections": [
            {"type": one.type, "subtype": one.subtype, "hallucinated": one.hallucinated, "original": one.original}
            for one in label.injections
        ],
        "evidence": [],
        "reason": label.reason,
        "review": material.reviews.get(label.id, ""),
        "compressed": reference is not None and reference.compressed,
        "summary_origin": reference.summary_origin if reference is not None else "",
        "n_tokens": tokenizer.count(prompts.detection_prompt(question, article, label.summary)),
        "tokenizer": tokenizer.name,
        "question": question,
        "answer_text": answer_text(label),
        "summary": label.summary,
        "reference": reference.text if reference is not None else "",
        "article": article,
    }


def prompt_row(row: Mapping[str, Any], prompts: Prompts) -> dict[str, Any]:
    """Return the row of the `-prompt` sibling."""
    return {
        "id": row["id"],
        "n_tokens": row["n_tokens"],
        "answer_text": row["answer_text"],
        "prompt": detection_prompt(row, prompts),
    }
