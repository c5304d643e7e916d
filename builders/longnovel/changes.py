"""Whether what a model proposes is one hallucination in a summary that is otherwise the same; and the summary with it.

The summary is never taken from the model: the sentence that it rewrote is looked up and exchanged, or the one that it
added is put in, so whatever else stands there is the reference's to the letter. What cannot be accepted is refused
with a short reason, which is counted.
"""

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import NoReturn

from lengthwise.metrics.fault_types import HallucinationType
from lengthwise.metrics.hallucinations import ngram_f1
from lengthwise.metrics.numerals import fold, read_numeral

from .asking import RefusedError
from .records import Language
from .text import Span, count_words, sentence_spans
from .written import is_in

FABRICATION = HallucinationType.EVENT_FABRICATION
# A sentence that shares less than this with the one it takes the place of is another one, not a changed one.
_LEAST_LIKENESS = 0.2
_TWIN = 0.9
# An error of these types is one of content: neither a "not" nor a number alone makes it.
_OF_CONTENT = frozenset(set(HallucinationType) - {HallucinationType.NUMERICAL, HallucinationType.LOGICAL_INVERSION})


@dataclass(frozen=True, slots=True)
class Proposal:
    """What an injector wants to change.

    Attributes:
        original: the sentence to change; of an added one, the sentence behind which it is to stand.
        hallucinated: the sentence as it is to be, or to be added.
        subtype: as the type's prompt numbers them ("T1"); "" where the model named none.
    """

    original: str
    hallucinated: str
    subtype: str = ""


@dataclass(frozen=True, slots=True)
class Changed:
    """A summary with one more hallucination.

    Attributes:
        text: the summary.
        hallucinated: the sentence as it stands there.
        original: the sentence that stood there; "" where one was added.
    """

    text: str
    hallucinated: str
    original: str


def change(
    text: str, language: Language, kind: HallucinationType, proposal: Proposal, untouched: Collection[str] = ()
) -> Changed:
    """Carry out a proposal.

    Args:
        text: the summary.
        language: of it.
        kind: the type of hallucination that was asked for.
        proposal: what the model said.
        untouched: sentences of the summary that must stay, since they were changed before.

    Raises:
        RefusedError: the proposal is no such hallucination.
    """
    spans = sentence_spans(text, language)
    start, end = _find(text, spans, proposal.original)
    new = " ".join(proposal.hallucinated.split())
    # Couplets of headings have no end mark: what takes the place of one, or is put beside it, needs none either.
    closed = _CLOSED.search(text[start:end]) is not None
    _check_sentence(new, language, closed)
    standing = [text[i:j] for i, j in spans]
    if any(_plain(new) == _plain(one) for one in standing):
        if _plain(new) == _plain(text[start:end]):
            _refuse("unchanged")
        _refuse("stands in the summary already")
    if kind is FABRICATION:
        _check_added(new, standing, language, proposal.subtype)
        between = "\n\n" if not closed else " " if language == "en" else ""
        changed = text[:end] + between + new + text[end:]
        result = Changed(changed, new, "")
    else:
        original = text[start:end]
        if original in untouched:
            _refuse("a sentence that was changed before")
        _check_replaced(new, original, kind)
        # Another sentence of the summary, told once more with a slip, is no change of this one.
        if max((ngram_f1(one, new) for one in standing if one != original), default=0) > ngram_f1(original, new):
            _refuse("another sentence")
        changed = text[:start] + new + text[end:]
        result = Changed(changed, new, original)
    place = spans.index((start, end))
    wanted = [*standing[: place + (kind is FABRICATION)], new, *standing[place + 1 :]]
    # Between other sentences a sentence may be cut elsewhere, or run on into the next.
    if [changed[i:j] for i, j in sentence_spans(changed, language)] != wanted:
        _refuse("no sentence of its own")
    return result


def proposal_of(text: str, whole: str, language: Language, kind: HallucinationType, subtype: str = "") -> Proposal:
    """Return what a model changed that gave the whole summary with its change in it.

    Args:
        text: the summary.
        whole: the model's.
        language: of both.
        kind: the type of hallucination that was asked for.
        subtype: as the model named it.

    Raises:
        RefusedError: not exactly one sentence differs (or was added).
    """
    before, behind = ([one[i:j] for i, j in sentence_spans(one, language)] for one in (text, whole))
    plain = [list(map(_plain, sentences)) for sentences in (before, behind)]
    least = min(len(before), len(behind))
    head = next((i for i in range(least) if plain[0][i] != plain[1][i]), least)
    tail = next((i for i in range(least - head) if plain[0][-1 - i] != plain[1][-1 - i]), least - head)
    removed, added = before[head : len(before) - tail], behind[head : len(behind) - tail]
    if not removed and not added:
        _refuse("unchanged")
    if len(added) != 1 or len(removed) != (kind is not FABRICATION):
        _refuse("more than one sentence differs")
    if removed:
        return Proposal(removed[0], added[0], subtype)
    if not head:
        _refuse("stands before all others")
    return Proposal(before[head - 1], added[0], subtype)


def _refuse(reason: str) -> NoReturn:
    raise RefusedError(reason)


# Quotation marks, dashes and points that models write in the place of others; one character for one, or none.
_MARKS = str.maketrans(
    {**dict.fromkeys("“”„«»「」『』", '"'), **dict.fromkeys("‘’‚`´", "'"), **dict.fromkeys("‐‑‒–—", "-")}
)


def _plain(text: str) -> str:
    """Return a sentence as it is looked up: any white space, quotation marks and dashes are alike."""
    return " ".join(unicodedata.normalize("NFKC", text.translate(_MARKS)).split())


def _letters(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


def _find(text: str, spans: list[Span], sentence: str) -> Span:
    wanted = _plain(sentence)
    if not wanted:
        _refuse("no original sentence")
    found = [(start, end) for start, end in spans if _plain(text[start:end]) == wanted]
    if not found:
        _refuse("the original is no sentence of the summary")
    start, end = found[0]
    # Nor as a part of a longer one: where it stood must be beyond doubt.
    if len(found) > 1 or text.count(text[start:end]) > 1:
        _refuse("the original stands there more than once")
    return start, end


_CLOSED = re.compile(r"[.!?…。！？][\"'”’」』》）)\]]*$")


def _check_sentence(new: str, language: Language, closed: bool) -> None:
    if not _letters(new):
        _refuse("no sentence")
    if not is_in(new, language):
        _refuse("another language")
    if closed and not _CLOSED.search(new):
        _refuse("no whole sentence")
    if len(sentence_spans(new, language)) > 1:
        _refuse("more than one sentence")


_EN_AFTER = re.compile(
    r"\W*(?:after(?:wards?| that| this)|then|subsequently|later|soon after(?:wards?)?|thereafter|thereupon|next)\b",
    re.IGNORECASE,
)
_AGAIN = {"en": re.compile(r"\b(?:again|once more|(?:a|for the) second time)\b", re.IGNORECASE),
          "zh": re.compile("再次|再度|再一次|又一次|重新|第二次")}  # fmt: skip


def _check_added(new: str, standing: list[str], language: Language, subtype: str) -> None:
    if language == "en" and _EN_AFTER.match(new):
        _refuse("begins with a marker of time")
    if subtype == "T2" and _AGAIN[language].search(new):
        _refuse("says that it happened before")
    if any(ngram_f1(one, new) >= _TWIN for one in standing):
        _refuse("stands in the summary already")
    usual = sorted(count_words(one, language) for one in standing)
    if count_words(new, language) > 4 * usual[len(usual) // 2] + 20:
        _refuse("much longer than its neighbours")


def _check_replaced(new: str, original: str, kind: HallucinationType) -> None:
    if _letters(new) == _letters(original):
        _refuse("differs in marks only")
    if _letters(new).count(_letters(original)) > 1:
        _refuse("the original twice")
    if len(new) > 2 * len(original) + 60 or len(original) > 2 * len(new) + 60:
        _refuse("much longer or shorter")
    if ngram_f1(original, new) < _LEAST_LIKENESS:
        _refuse("another sentence")
    if kind is HallucinationType.NUMERICAL and _numbers(new) == _numbers(original):
        _refuse("no number differs")
    removed, added = _different_words(original, new)
    if kind in _MARKERS and not _shows(kind, removed, added, new):
        _refuse("no sign of the type")
    if kind in _OF_CONTENT:
        if all(map(_NEGATION.fullmatch, (*removed, *added))):
            _refuse("a negation only")
        if kind is not HallucinationType.TEMPORAL and all(map(_is_number, (*removed, *added))):
            _refuse("a number only")


_WORD = re.compile(r"[\u3400-\u9fff]|\d+(?:[.,]\d+)*|[^\W\d_\u3400-\u9fff]+(?:['’][^\W\d_]+)?")
# With the auxiliaries that come and go with them.
_NEGATION = re.compile(
    r"not?|never|none|nor|neither|nothing|nobody|without|cannot|\w+n['’]t|do|does|did|will|can|any|ever|[不没未无非莫勿别]",
    re.IGNORECASE,
)


_ORDER = re.compile(
    r"before|after(?:wards?)?|then|later|earlier|first(?:ly)?|last(?:ly)?|finally|eventually|until|till|since|when|while|once|"
    r"as|already|previous(?:ly)?|prior|next|following|preceded|followed|meanwhile|during|again|had|having|"
    r"[先後后前再已才曾早晚初终終始末未继繼接随隨次同时時]",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"\b(?:because|since|as|so|for|therefore|thus|hence|thereby|therefrom|caus\w+|leads?|led|leading|due|owing|thanks|"
    r"result\w*|consequen\w+|reasons?|makes?|made|making|driv\w+|drove|forc\w+|prompt\w*|provok\w+|trigger\w*|"
    r"mov\w+|enabl\w+|allow\w*|spurr?\w*|compel\w*|inspir\w+|out of|in order|explain\w*)\b|"
    r"[因由故缘緣使令致]|所以|于是|於是|为了|為了|结果|結果|从而|從而|既然|逼|迫|导|導|引起|促",
    re.IGNORECASE,
)
_MARKERS = frozenset({HallucinationType.LOGICAL_INVERSION, HallucinationType.TEMPORAL, HallucinationType.CAUSAL})


def _shows(kind: HallucinationType, removed: list[str], added: list[str], new: str) -> bool:
    """Return whether a change can be of its type: what these three do to a sentence leaves a mark on its words.

    An inversion puts in or takes out a negation, or puts a word in the place of its opposite. Another order moves
    words, or changes those that tell the order. A false cause moves words, too, or has a word that makes it one.
    """
    if kind is HallucinationType.LOGICAL_INVERSION:
        return bool(removed and added) or any(map(_NEGATION.fullmatch, (*removed, *added)))
    moved = any(len(word) > 3 or _is_chinese(word) for word in set(removed) & set(added))
    if kind is HallucinationType.TEMPORAL:
        return moved or any(map(_ORDER.fullmatch, (*removed, *added)))
    return moved or _CAUSE.search(new) is not None


def _is_chinese(word: str) -> bool:
    return "\u3400" <= word <= "\u9fff"


def _different_words(original: str, new: str) -> tuple[list[str], list[str]]:
    """Return the words that only the one has, and those that only the other has, by place."""
    before, behind = _WORD.findall(fold(original).casefold()), _WORD.findall(fold(new).casefold())
    removed: list[str] = []
    added: list[str] = []
    for tag, i, j, k, m in difflib.SequenceMatcher(None, before, behind, autojunk=False).get_opcodes():
        if tag != "equal":
            removed += before[i:j]
            added += behind[k:m]
    return removed, added


# Numbers that are no numerals, and what dates are made of.
_NUMBER_WORD = re.compile(
    r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\w+teenth|\w+tieth|"
    r"hundredth|thousandth|once|twice|thrice|half|halves|quarters?|double|triple|dozens?|scores?|hundreds|thousands|"
    r"millions|couple|pair|both|single|several|many|few|january|february|march|april|may|june|july|august|september|"
    r"october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|yesterday|tomorrow|"
    r"noon|midnight|morning|afternoon|evening|night|spring|summer|autumn|winter)\b|"
    r"[半双雙俩倆仨几幾数數多初首]|今[日天]|昨[日天]|明[日天]|前[日天]|后[日天]|次日|翌日|[早晨午晚夜春夏秋冬]",
    re.IGNORECASE,
)
_MAY_BEGIN = re.compile(r"(?<![A-Za-z])[A-Za-z]|[0-9〇零一壹二两贰三叁四肆五伍六陆七柒八捌九玖十拾百千万亿廿卅]")


def _numbers(text: str) -> Counter[str]:
    """Return the numbers of a sentence: numerals by value, words of number and date as they are."""
    text = fold(text)
    found = Counter(match[0].casefold() for match in _NUMBER_WORD.finditer(text))
    end = 0
    for match in _MAY_BEGIN.finditer(text):
        if match.start() >= end and (numeral := read_numeral(text, match.start())) is not None:
            found[str(numeral.value)] += 1
            end = numeral.end
    return found


def _is_number(word: str) -> bool:
    return _numbers(word).total() > 0
