"""Sequences of words out of `<answer>` blocks: the shape that PredicateLongBench's prompts ask for.

1. drop the reasoning (`reasoning`);
2. find the complete `<answer>` blocks (`_blocks`);
3. choose: the last one, or all of the final answer section (`_final_section`);
4. normalise the content to words (`answer_words`).

Asked for is a final line `<answer>w1 w2 ... wk</answer>`; for questions for all sequences one such line each, or
`<answer></answer>` if there is none. No step raises on any string, and each is linear in its length.
"""

import re
import unicodedata
from collections.abc import Iterator

from .answer_words import words_of
from .parsed import Parsed, Span, Unparsed
from .reasoning import BRACKET_FIRST, BRACKET_REST, CLOSE_BRACKET, SLASH, blank, reasoning_spans

_TAG = re.compile(
    rf"""[{BRACKET_FIRST}]{BRACKET_REST}\s{{0,3}}
        (?P<slash>{SLASH}\s{{0,3}})?
        (?:final[_ -]?)?answers?
        (?:\s[^<>＜＞]{{0,80}}?)??
        \s{{0,3}}(?P<empty>[/／])?
        {CLOSE_BRACKET}""",
    re.IGNORECASE | re.VERBOSE,
)
# What people say when there is nothing to say, alone in a block.
_NOTHING = re.compile(
    r"(?:there (?:is|are) )?(?:none|null|nil|empty|nothing|n/?a|not found|no (?:valid |such |matching )*"
    r"(?:sequences?|runs?|answers?|matches|match)(?: (?:exists?|found|was found))?|无|没有|不存在|空)[.。!]?",
)
# The words of a format shown, such as "word1 word2 ... wordk"; no word of a list holds a digit.
_FORMAT_WORD = re.compile(r"w(?:ord)?_?(?:\d{1,3}|[kn])|\.{2,}|…", re.IGNORECASE)


def _blocks(text: str) -> list[Span]:
    """Return the content spans of all complete `<answer>` blocks, innermost where they nest."""
    blocks: list[Span] = []
    mentions: list[Span] = []
    opened: re.Match[str] | None = None
    for tag in _TAG.finditer(text):
        closes = tag["slash"] is not None or (tag["empty"] is not None and opened is not None)
        if tag["empty"] is not None and not closes:
            blocks.append((tag.end(), tag.end()))
        elif not closes:
            opened = tag
        elif opened is not None:
            span = (opened.end(), tag.start())
            (mentions if _is_quoted(text, opened) and _is_quoted(text, tag) else blocks).append(span)
            opened = None
    return blocks or mentions


def _is_quoted(text: str, tag: re.Match[str]) -> bool:
    """Whether the tag alone stands in back-ticks, as in prose about the format."""
    return text[tag.start() - 1 : tag.start()] == "`" == text[tag.end() : tag.end() + 1]


def _read(text: str, span: Span) -> list[str] | None:
    """Return the words of a block, `[]` for an explicit empty answer, None for content that is no answer."""
    content = text[span[0] : span[1]]
    plain = unicodedata.normalize("NFKC", content).lower().strip(" \t\r\n\"'`*_[](){}")
    if len(plain) < 60 and _NOTHING.fullmatch(plain):
        return []
    words = words_of(content)
    # Digits or other scripts alone say something, but no sequence of words; it must not pass for "there is none".
    return None if not words and any(char.isalnum() for char in plain) else words


def _visible_blocks(text: str, reasoning: list[Span]) -> tuple[str, list[Span]]:
    """Return the text without its reasoning, and the content spans of the blocks in it that can be answers."""
    masked = blank(text, reasoning)
    if "answer" not in masked.lower():
        return masked, []
    return masked, [span for span in _blocks(masked) if not _is_placeholder(masked[span[0] : span[1]])]


def _is_placeholder(content: str) -> bool:
    """Whether a block shows the format and no answer: dots alone, or "word1 word2 ..." as the prompts put it."""
    if len(content) > 200:
        return False
    parts = content.replace(",", " ").split()
    shown = any(char.isdigit() for char in content) or all(part.strip(".…") == "" for part in parts)
    return bool(parts) and shown and all(_FORMAT_WORD.fullmatch(part) for part in parts)


def _no_block(text: str, masked: str) -> Unparsed:
    if _blocks(masked):
        return Unparsed("the <answer> block shows the format and no answer")
    if not text.strip():
        return Unparsed("the reply is empty")
    if not masked.strip():
        return Unparsed("the reply is all reasoning")
    opened = any(tag["slash"] is None for tag in _TAG.finditer(masked))
    return Unparsed("an <answer> block opens but does not close" if opened else "the reply has no <answer> block")


def parse_sequence(text: str) -> Parsed[list[str]] | Unparsed:
    """Read the sequence of words that a reply gives as its answer.

    The last complete `<answer>` block outside the reasoning counts; an unclosed one behind it does not hide it.

    Args:
        text: the raw reply, any string.

    Returns:
        The words, lower-case (`[]` for an explicit empty answer), or why there is no answer.

    >>> parse_sequence("<answer>x y</answer> no, wait: <answer>Abc, bcd</answer>").value
    ['abc', 'bcd']
    >>> parse_sequence("I cannot find it.")
    Unparsed(reason='the reply has no <answer> block', value=None)
    """
    masked, blocks = _visible_blocks(text, reasoning_spans(text))
    if not blocks:
        return _no_block(text, masked)
    words = _read(masked, blocks[-1])
    if words is None:
        return Unparsed("the last <answer> block holds no words")
    return Parsed(words, blocks[-1], "answer-block" if words else "empty-block")


# Between two blocks of one final section stand at most a label and a few words; more is prose, and what came before
# prose was a draft. So is what a word of revision takes back.
_REVISION = re.compile(
    r"\b(?:wait|actually|hmm+|scratch that|correction|corrected|on reflection|let me|re-?check(?:ing)?|double[- ]check"
    r"(?:ing)?|instead|revised?|no,|not valid|invalid|wrong|mistake|oops|final answers?|in the end|draft"
    r"|but|however|rather|i thought|at first|turns? out|fails?|failed|(?:does|do|is|are)(?: not|n't)"
    r"|out of (?:order|place))\b"
    r"|等等|不对|更正|修正|重新|最终答案|实际上|再检查",
    re.IGNORECASE,
)
_MOST_LETTERS_BETWEEN = 80


def _separates(gap: str) -> bool:
    """Whether what stands between two blocks makes the first one a draft."""
    # A CJK character says about as much as three letters.
    letters = sum(3 if char >= "\u3000" else 1 for char in gap[:2000] if char.isalpha())
    return letters > _MOST_LETTERS_BETWEEN or len(gap) > 2000 or _REVISION.search(gap) is not None


def _final_section(masked: str, blocks: list[Span], reasoning: list[Span]) -> list[Span]:
    """Return the last group of blocks that neither reasoning nor prose divides."""
    section = blocks[-1:]
    thought_until = max((high for _, high in reasoning if high <= section[0][0]), default=0)
    for span in reversed(blocks[:-1]):
        if span[0] < thought_until or _separates(_between(masked[span[1] : section[-1][0]])):
            break
        section.append(span)
    return section[::-1]


def _between(gap: str) -> str:
    """Return a gap without the tags at its ends."""
    return _TAG.sub(" ", gap)


def _split(content: str, words: list[str]) -> Iterator[list[str]]:
    """Yield the sequences that one block of words holds: several only if its shape leaves no doubt.

    Nested lists, or lines (or parts between bars or semicolons) that all hold the same number of words, at least two.
    """
    for pattern in (r"\][\s,]{0,9}\[", r"[|｜]", r"[;；]", r"\r?\n|\\n"):
        pieces = [piece for piece in re.split(pattern, content) if any(map(str.isalpha, piece))]
        # Two words a piece, or it is no sequence; reading each piece costs more than counting them.
        parts = [part for piece in pieces if (part := words_of(piece))] if 1 < len(pieces) <= len(words) // 2 else []
        lengths = {len(part) for part in parts}
        if len(parts) > 1 and min(lengths) > 1 and (len(lengths) == 1 or pattern.startswith(r"\]")):
            yield from parts
            return
    yield words


def parse_sequences(text: str) -> Parsed[list[list[str]]] | Unparsed:
    r"""Read all sequences that a reply gives as its answer, for the questions that ask for every one.

    The *final answer section* is the last group of `<answer>` blocks outside the reasoning. A group ends, going
    backwards, where reasoning stands between two blocks, where a word of revision does ("wait", "final answer"), or
    where more than about 80 letters of prose do; blocks before that are drafts. Labels ("Sequence 2:") do not divide.

    Args:
        text: the raw reply, any string.

    Returns:
        The sequences in the order given (`[]` if the only block is empty), or why there is no answer.

    >>> parse_sequences("<answer>a b</answer>\n<answer>c d</answer>").value
    [['a', 'b'], ['c', 'd']]
    """
    reasoning = reasoning_spans(text)
    masked, blocks = _visible_blocks(text, reasoning)
    if not blocks:
        return _no_block(text, masked)
    section = _final_section(masked, blocks, reasoning)
    sequences: list[list[str]] = []
    for span in section:
        words = _read(masked, span)
        if words is None:
            return Unparsed("an <answer> block of the final section holds no words")
        if words:
            sequences += _split(masked[span[0] : span[1]], words)
    span = (section[0][0], section[-1][1])
    return Parsed(sequences, span, "answer-blocks" if sequences else "empty-block")
