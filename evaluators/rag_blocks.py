"""Cutting a novel's text and its summary into blocks for RAG: whole sentences, kept with a pronoun that follows.

Appendices D and G. Sentences are packed while a block stays within its size. One that is longer stands alone, uncut. A
sentence that begins with a pronoun goes to the block before it, whatever that block's size: what it refers to stands
there.

Pronouns are personal, possessive, reflexive and demonstrative ones, looked for behind opening quotes and dashes.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from lengthwise.builders.longnovel.text import Span, sentence_spans
from lengthwise.errors import InputError, unknown_name

# The paper's sizes in characters (section 4.4).
DOCUMENT_BLOCK = 3500
SUMMARY_BLOCK = 75

_EN = frozenset({
    "he", "she", "it", "they", "i", "we", "you", "him", "her", "them", "me", "us", "his", "its", "their", "my", "our",
    "your", "hers", "theirs", "mine", "ours", "yours", "himself", "herself", "itself", "themselves", "myself",
    "ourselves", "yourself", "yourselves", "this", "that", "these", "those"
})  # fmt: skip
# Words that begin with the same character and are no pronouns ("in fact", "besides", "then") are ruled out first.
_ZH = re.compile("(?!其实|其次|此外|那么|他乡|他日)(?:[他她它牠祂我咱俺你您]|自己|彼此|彼|其|此|这|那|這|該|该)")
_OPENING = "\"'“‘「『《（(【[—–-…* \t\n"
_EN_WORD = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class Blocks:
    """A text and where its blocks are.

    Attributes:
        text: the whole.
        spans: half-open character offsets, in order; what they leave out is white space.
    """

    text: str
    spans: tuple[Span, ...]

    @property
    def texts(self) -> list[str]:
        """The blocks themselves."""
        return [self.text[start:end] for start, end in self.spans]

    def stretch(self, first: int, last: int) -> str:
        """Return the text from the beginning of one block to the end of another, both included."""
        return self.text[self.spans[first][0] : self.spans[last][1]]

    def __len__(self) -> int:
        """Return the number of blocks."""
        return len(self.spans)


def cut_blocks(text: str, language: str, size: int) -> Blocks:
    """Cut a text into blocks of whole sentences.

    Args:
        text: what is cut; it has a sentence at least.
        language: "en" or "zh".
        size: characters of a block, white space between its sentences included (> 0).

    Raises:
        InputError: an unknown language, a size that is not positive, or a text without a sentence.

    >>> cut_blocks("Ann left. She wept. Bob stayed at home. Tom ate.", "en", 30).texts
    ['Ann left. She wept.', 'Bob stayed at home. Tom ate.']
    >>> cut_blocks("林黛玉来了。她哭了。贾政怒。", "zh", 7).texts
    ['林黛玉来了。她哭了。', '贾政怒。']
    """
    if size < 1:
        raise InputError(f"size {size}: a block must have at least 1 character")
    spans: list[Span] = []
    for start, end in sentence_spans(text, language):
        joined = spans and (end - spans[-1][0] <= size or begins_with_pronoun(text[start:end], language))
        if joined:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    if not spans:
        raise InputError("the text holds no sentence, and so no block")
    return Blocks(text, tuple(spans))


def begins_with_pronoun(sentence: str, language: str) -> bool:
    """Return whether a sentence begins with a pronoun of its language, an opening quote before it or not.

    >>> begins_with_pronoun("“It’s late,” said Ann.", "en"), begins_with_pronoun("Items were sold.", "en")
    (True, False)
    >>> begins_with_pronoun("他们走了。", "zh"), begins_with_pronoun("其实不然。", "zh")
    (True, False)
    """
    if language not in _TESTS:
        raise unknown_name("language", language, _TESTS)
    return _TESTS[language](sentence.lstrip(_OPENING))


def _english(sentence: str) -> bool:
    word = _EN_WORD.match(sentence)
    return word is not None and word[0].lower() in _EN


def _chinese(sentence: str) -> bool:
    return _ZH.match(sentence) is not None


_TESTS: Mapping[str, Callable[[str], bool]] = MappingProxyType({"en": _english, "zh": _chinese})
