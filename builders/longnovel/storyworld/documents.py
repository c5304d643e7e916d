"""Generated English novels as documents, for benchmarks that take their words from texts of this length."""

from collections.abc import Iterator

from ...predicate.documents import SourceDocument
from .counting import GAP
from .draws import Draws
from .outline import claims_wanted
from .settings import BENCHMARK, LICENCE, SOURCE, VERSION, summary_words
from .telling.novel import tell_novel
from .world import make_world

DOMAIN = "generated (story world)"
# Thousands of tokens of a document, about.
_LENGTH = (40, 100)
# Characters of a token, about: what is told is measured by no tokenizer, so that it hangs on none.
_CHARACTERS = 4


def story_documents(seed: int) -> Iterator[SourceDocument]:
    """Yield generated novels, without end and in a fixed order: the same ones whoever asks.

    Each has 40,000 to 100,000 tokens, about, and is none of those that a data set of novels holds.

    Args:
        seed: another one gives other novels.
    """
    index = 0
    while True:
        yield story_document(seed, index)
        index += 1


def story_document(seed: int, index: int) -> SourceDocument:
    """Return one generated novel.

    Args:
        seed: of the series.
        index: in the series, from 0.
    """
    key = (BENCHMARK, VERSION, "document", "en", seed, index)
    thousands = Draws(*key, "length").between(*_LENGTH)
    world = make_world(key, 1000 * thousands, claims_wanted(summary_words(f"{thousands}k"), "en"))
    name = f"{SOURCE}-en-{thousands}k-document-s{seed}-{index:04d}"
    text = GAP.join(chapter.text for chapter in tell_novel(world, "en", lambda told: len(told) // _CHARACTERS + 1))
    return SourceDocument(name, text, name, DOMAIN, "novel", LICENCE, f"lengthwise {SOURCE} {VERSION}")
