"""From chapters to units of 2,000 to 6,000 tokens (3.1).

The paper has "a chapter or a group of paragraphs of 2k to 6k tokens" and no more, so the rule is ours:

1. A chapter with a summary is a unit as it is, however long: a summary cannot be cut with its text. Outside the range
   it is flagged "long" or "short".
2. A chapter without one that is too long is split into as few parts of about equal length as can be had within the
   range, between paragraphs; a paragraph that is too long itself is first taken as its lines, then its sentences.
3. Chapters (and parts) without a summary that are too short take in what follows them in the book until they are long
   enough, or join what is before them; where either would be too long, they are shared out evenly with one of the two.
   Neighbours with a summary are left alone; what is short among such stays, flagged "short". So it does where the
   source lacks what stands between two chapters; the one behind such a place is flagged "gap".
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, pairwise

from lengthwise.errors import InputError

from .records import Unit
from .text import Span, line_spans, paragraph_spans, sentence_spans

LEAST = 2000
MOST = 6000
_BETWEEN = "\n\n"

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class SizedUnit:
    """A unit and what making it found out.

    Attributes:
        unit: its index counts the book's units from 1.
        n_tokens: of its text.
        chapter_start: first chapter of the source that is in it, counted from 1.
        chapter_end: last one.
        flags: "long" or "short" (out of range), "split" (part of a chapter), "packed" (of several), "gap" (see
            `records.Unit`), in this order.
    """

    unit: Unit
    n_tokens: int
    chapter_start: int
    chapter_end: int
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Piece:
    unit: Unit
    n_tokens: int
    start: int
    end: int
    split: bool = False


def make_units(chapters: Iterable[Unit], count: Count, *, least: int = LEAST, most: int = MOST) -> Iterator[SizedUnit]:
    """Yield the units of all books; only the last few chapters are held.

    Args:
        chapters: as a source gives them: a book's stand together, in order.
        count: tokens of a text, of the tokenizer that the windows are measured with.
        least: tokens of the shortest unit.
        most: of the longest.

    Raises:
        InputError: the range is none, or `most` is less than twice `least`, so that some lengths could not be split.
    """
    if least < 1 or most < 2 * least:
        raise InputError(f"units: the range {least} to {most} tokens must begin at 1 or more and end at twice that")
    index, book = 0, None
    for piece in _packed(_pieces(chapters, count, least, most), count, least, most):
        index = index + 1 if piece.unit.book == book else 1
        book = piece.unit.book
        flags = {
            "long": piece.n_tokens > most,
            "short": piece.n_tokens < least,
            "split": piece.split,
            "packed": piece.end > piece.start,
            "gap": piece.unit.gap,
        }
        yield SizedUnit(
            replace(piece.unit, index=index),
            piece.n_tokens,
            piece.start,
            piece.end,
            tuple(flag for flag, holds in flags.items() if holds),
        )


def _pieces(chapters: Iterable[Unit], count: Count, least: int, most: int) -> Iterator[_Piece]:
    for chapter in chapters:
        n_tokens = count(chapter.text)
        if chapter.summary or n_tokens <= most:
            yield _Piece(chapter, n_tokens, chapter.index, chapter.index)
            continue
        parts = split_text(chapter.text, chapter.language, count, least=least, most=most)
        for number, (start, end) in enumerate(parts, 1):
            text = chapter.text[start:end]
            title = f"{chapter.title} ({number}/{len(parts)})".strip()
            part = replace(chapter, title=title, text=text, gap=chapter.gap and number == 1)
            yield _Piece(part, count(text), chapter.index, chapter.index, split=True)


def _packed(pieces: Iterable[_Piece], count: Count, least: int, most: int) -> Iterator[_Piece]:
    """Join pieces that are too short to their neighbours; the last finished one waits, for it may take in another."""

    def merge(one: _Piece | None, other: _Piece) -> list[_Piece]:
        return [] if one is None or not _may_join(one, other) else _joined(one, other, count, most)

    def share(one: _Piece | None, other: _Piece) -> list[_Piece]:
        return [] if one is None or not _may_join(one, other) else _shared(one, other, count, least, most)

    done: list[_Piece] = []
    short: _Piece | None = None
    for piece in chain(pieces, [None]):
        last = done[-1] if done else None
        if short is not None:
            if piece is not None and (joined := merge(short, piece)):
                (piece,) = joined
            elif found := merge(last, short) or share(last, short):
                done[-1:] = found
            elif piece is not None and (found := share(short, piece)):
                done += found[:-1]
                piece = found[-1]
            else:
                done.append(short)
        short = None
        if piece is not None and piece.n_tokens < least and not piece.unit.summary:
            short = piece
        elif piece is not None:
            done.append(piece)
        yield from done[:-1]
        del done[:-1]
    yield from done


def _may_join(one: _Piece, other: _Piece) -> bool:
    return one.unit.book == other.unit.book and not one.unit.summary and not other.unit.summary and not other.unit.gap


def _joined(one: _Piece, other: _Piece, count: Count, most: int) -> list[_Piece]:
    """Return two neighbours as one, [] where that is too long."""
    if one.n_tokens + other.n_tokens > most:
        return []
    text = f"{one.unit.text}{_BETWEEN}{other.unit.text}"
    n_tokens = count(text)
    unit = replace(one.unit, title=_titles(one, other), text=text)
    return [_Piece(unit, n_tokens, one.start, other.end, one.split or other.split)] if n_tokens <= most else []


def _shared(one: _Piece, other: _Piece, count: Count, least: int, most: int) -> list[_Piece]:
    """Return two neighbours cut anew into parts in the range, [] where there are no such."""
    text = f"{one.unit.text}{_BETWEEN}{other.unit.text}"
    middle = len(one.unit.text)
    pieces: list[_Piece] = []
    for start, end in split_text(text, one.unit.language, count, least=least, most=most):
        touched = [piece for piece, touches in ((one, start < middle), (other, end > middle)) if touches]
        unit = replace(one.unit, title=_titles(*touched), text=text[start:end], gap=one.unit.gap and not pieces)
        pieces.append(_Piece(unit, count(unit.text), touched[0].start, touched[-1].end, split=True))
    return pieces if all(least <= piece.n_tokens <= most for piece in pieces) else []


def _titles(*pieces: _Piece) -> str:
    return " / ".join(piece.unit.title for piece in pieces if piece.unit.title)


def split_text(text: str, language: str, count: Count, *, least: int, most: int) -> list[Span]:
    """Return the parts of a text that is too long: spans that leave out only the white space where they were cut.

    Args:
        text: of more than `most` tokens.
        language: of the text, for its sentences.
        count: tokens of a text.
        least: tokens of the shortest part. Where a text has no place to cut it so (one endless sentence), parts may be
            shorter, and what cannot be cut is a part that is too long.
        most: of the longest.
    """
    # Where whole paragraphs cannot be shared out evenly, those of some length are cut too.
    for longest in (most, least // 2):
        spans = _atoms(text, language, count, longest)
        ends = [start for start, _ in spans[1:]] + [len(text)]
        before = [0, *accumulate(count(text[start:end]) for (start, _), end in zip(spans, ends, strict=True))]
        # With more parts each gets shorter: past that number none would be long enough.
        for parts in range(-(-before[-1] // most), before[-1] // least + 1):
            cuts = _even_cuts(before, parts)
            sums = [before[last] - before[first] for first, last in pairwise(cuts)]
            if all(least <= tokens <= most for tokens in sums):
                found = [(spans[first][0], spans[last - 1][1]) for first, last in pairwise(cuts)]
                # Tokens do not quite add up over the places where a text is cut.
                if all(least <= count(text[start:end]) <= most for start, end in found):
                    return found
    return _filled(text, spans, before, count, most)


def _atoms(text: str, language: str, count: Count, longest: int) -> list[Span]:
    """Return what is cut no further: paragraphs, or the lines or sentences of those of more than `longest` tokens."""

    def sentences(part: str) -> list[Span]:
        return sentence_spans(part, language)

    def within(span: Span, finer: Sequence[Callable[[str], list[Span]]]) -> Iterator[Span]:
        start, end = span
        if not finer or count(text[start:end]) <= longest:
            yield span
            return
        for left, right in finer[0](text[start:end]):
            yield from within((start + left, start + right), finer[1:])

    return [span for paragraph in paragraph_spans(text) for span in within(paragraph, (line_spans, sentences))]


def _even_cuts(before: Sequence[int], parts: int) -> list[int]:
    """Return where to cut atoms, each cut nearest to its even share; `before` has the tokens before each atom."""
    cuts = [0]
    for part in range(1, parts):
        share = before[-1] * part / parts
        place = bisect_left(before, share)
        cuts.append(place - 1 if share - before[place - 1] < before[place] - share else place)
    return [*cuts, len(before) - 1]


def _filled(text: str, spans: Sequence[Span], before: Sequence[int], count: Count, most: int) -> list[Span]:
    """Return parts that are filled up one after the other, for a text that cannot be cut evenly."""
    parts: list[Span] = []
    first = 0
    for number, (start, end) in enumerate(spans):
        fits = before[number + 1] - before[first] <= most and count(text[spans[first][0] : end]) <= most
        if parts and fits:
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((start, end))
            first = number
    return parts
