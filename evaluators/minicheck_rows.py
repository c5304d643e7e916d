"""What MiniCheck makes of a row: chunks of the novel, claims of the summary, and a prompt for each pair of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from string import Template
from types import MappingProxyType

from lengthwise.builders.longnovel.records import Language
from lengthwise.builders.longnovel.text import Span, sentence_spans, sentences
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.method_parts import Part
from lengthwise.evaluators.novel_texts import token_counter

# Tokens of a chunk for the model of 7B: its window less what stands around the chunk.
CHUNK = 32_768 - 300
# Tokens between two texts that are counted apart: a paragraph's end, and what merges across it the other way.
_JOINT = 2

# The wording is ours. The chunk stands before the claim, so that all claims about it share their beginning.
_TEMPLATES: Mapping[Language, Template] = MappingProxyType(
    {
        "en": Template(
            "You check single statements against a passage from a novel. Does the passage bear out everything that "
            "the statement says? Go by the passage alone, and answer with one word, Yes or No.\n\n"
            "Passage:\n$chunk\n\nStatement:\n$claim\n\nDoes the passage bear out the statement? Answer Yes or No."
        ),
        "zh": Template(
            "你的工作是用小说中的一段原文核对一句话。这句话所说的全部内容，原文是否都能证实？只以这段原文为准，"
            "只回答一个字：“是”或“否”。\n\n原文：\n$chunk\n\n待核对的话：\n$claim\n\n原文能证实这句话吗？请回答“是”或“否”。"
        ),
    }
)


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """A row as MiniCheck sees it.

    Attributes:
        language: of both texts.
        chunks: of the article, in its order; together they hold all of its sentences.
        claims: the sentences of the summary.
    """

    language: Language
    chunks: tuple[str, ...]
    claims: tuple[str, ...]

    def prompt(self, chunk: str, claim: str) -> str:
        """Return the prompt that asks whether a chunk bears out a claim."""
        return _TEMPLATES[self.language].substitute(chunk=chunk, claim=claim)


def checked_row(example: Example, size: int) -> CheckedRow:
    """Cut an example's article into chunks of at most `size` tokens and its summary into claims."""
    language: Language = example.columns["language"]
    article = example.texts["article"]
    return CheckedRow(
        language,
        tuple(cut_chunks(article, language, size, token_counter(example))),
        tuple(sentences(example.texts["summary"], language)),
    )


def cut_chunks(text: str, language: Language, size: int, count: Callable[[str], int]) -> list[str]:
    """Return a text in chunks of whole sentences, each as long as `size` lets it be.

    Args:
        text: the whole.
        language: whose sentences they are.
        size: most tokens of a chunk, the tokens of its sentences added up; a sentence that is longer is cut.
        count: counts tokens.
    """
    spans = [piece for span in sentence_spans(text, language) for piece in _within(text, span, size, count)]
    chunks: list[str] = []
    start, end, held = 0, 0, 0
    for place, span in enumerate(spans):
        # With the white space before it: it is there in the chunk, too.
        tokens = count(text[spans[place - 1][1] if place else span[0] : span[1]])
        if held and held + tokens > size:
            chunks.append(text[start:end])
            held = 0
        if not held:
            start = span[0]
        end, held = span[1], held + tokens
    return [*chunks, text[start:end]] if held else chunks


def _within(text: str, span: Span, size: int, count: Callable[[str], int]) -> list[Span]:
    start, end = span
    if end - start < 2 or count(text[start:end]) <= size:
        return [span]
    middle = (start + end) // 2
    return [*_within(text, (start, middle), size, count), *_within(text, (middle, end), size, count)]


def all_parts(row: CheckedRow, example: Example) -> list[Part]:
    """Return the prompt of every chunk with every claim, with no fewer tokens than it can have."""
    count = token_counter(example)
    around = count(row.prompt("", "")) + 2 * _JOINT
    chunks = [(chunk, count(chunk)) for chunk in row.chunks]
    claims = [(claim, count(claim)) for claim in row.claims]
    return [
        Part(row.prompt(chunk, claim), around + in_chunk + in_claim)
        for chunk, in_chunk in chunks
        for claim, in_claim in claims
    ]
