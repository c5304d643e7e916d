"""Rows whose words are a document's own (paper, A.4): the list as it is, or with near-sorted decoys inserted."""

from typing import Any

from ..streams import Stream
from ..tokens import load_tokenizer
from .document_decoys import insert_near_sorted
from .document_filter import Accepted
from .instance import LEX, Decoy, WordList
from .proof import prove
from .rows import make_row
from .settings import BENCHMARK, DOCUMENTS_SPLIT, VERSION, Settings, Size
from .variants import Variant


def document_rows(variants: list[Variant], document: Accepted, index: int, settings: Settings) -> list[dict[str, Any]]:
    """Return the rows of one document, proven and counted.

    Args:
        variants: of the family "documents".
        document: as the filter accepted it.
        index: its 0-based number among the documents that are used.
        settings: the build's; decoys and radius count, k is the document's longest run.

    Raises:
        InputError: the document has too few places for the decoys.
    """
    lists = {name: _arranged(name, document, settings) for name in sorted({v.arrangement for v in variants})}
    size = Size(DOCUMENTS_SPLIT)
    rows = [make_row(variant, lists[variant.arrangement], size, index, settings) for variant in variants]
    for row in rows:
        prove(row)
    return rows


def _arranged(arrangement: str, document: Accepted, settings: Settings) -> WordList:
    words, target, tokens = document.words, document.run_start, document.n_tokens
    decoys: tuple[Decoy, ...] = ()
    if arrangement != "plain":
        stream = Stream(BENCHMARK, VERSION, "documents", document.document.id, settings.seed, arrangement)
        radius = settings.radius if arrangement == "clustered" else None
        planted = insert_near_sorted(words, target, document.k, stream, settings.decoys, radius)
        words, target, decoys = planted.words, planted.target_start, planted.decoys
        inserted = [word for decoy in decoys for word in words[decoy.start : decoy.start + decoy.length]]
        tokens += count_words(inserted, settings.tokenizer)
    return WordList(
        words=f" {' '.join(words)}",
        n_words=len(words),
        word_tokens=tokens,
        k=document.k,
        targets=(target,),
        answers=(tuple(words[target : target + document.k]),),
        predicates=(LEX,),
        decoys=decoys,
        document_id=_name(document),
    )


def _name(document: Accepted) -> str:
    """Return the document's id, and whether its own longest run was unique: where it was not, the row says so."""
    broken = document.ties - 1
    return document.document.id + (f" ({broken} equal runs broken)" if broken else "")


def count_words(words: list[str], tokenizer: str) -> int:
    """Return the tokens of words that each stand behind a space."""
    return int(load_tokenizer(tokenizer).word_counts(f" {' '.join(words)}").sum()) if words else 0
