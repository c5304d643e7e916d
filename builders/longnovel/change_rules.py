"""What a sentence must be like to be a hallucination of a type: the rules by which proposals are refused.

They can tell that a change is none of the type, not that it is one: that is what people review.
"""

import difflib
import re
import unicodedata
from collections import Counter
from typing import NoReturn

from lengthwise.metrics.fault_types import HallucinationType
from lengthwise.metrics.hallucinations import ngram_f1
from lengthwise.metrics.numerals import fold, read_numeral

from .asking import RefusedError
from .records import Language
from .text import count_words, sentence_spans
from .written import is_in

# A sentence that shares less than this with the one it takes the place of is another one, not a changed one.
_LEAST_LIKENESS = 0.2
_TWIN = 0.9
# An error of these types is one of content: neither a "not" nor a number alone makes it.
_OF_CONTENT = frozenset(set(HallucinationType) - {HallucinationType.NUMERICAL, HallucinationType.LOGICAL_INVERSION})


def refuse(reason: str) -> NoReturn:
    """Raise the error that refuses a proposal."""
    raise RefusedError(reason)


def _letters(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


_CLOSED = re.compile(r"[.!?…。！？][\"'”’」』》）)\]]*$")


def is_closed(sentence: str) -> bool:
    """Return whether a sentence ends in an end mark, with or without what closes behind it."""
    return _CLOSED.search(sentence) is not None


def check_sentence(new: str, language: Language, closed: bool) -> None:
    """Refuse what is no single sentence of the language.

    Args:
        new: what the model wrote.
        language: of the summary.
        closed: whether it needs an end mark.
    """
    if not _letters(new):
        refuse("no sentence")
    if not is_in(new, language):
        refuse("another language")
    if closed and not is_closed(new):
        refuse("no whole sentence")
    if len(sentence_spans(new, language)) > 1:
        refuse("more than one sentence")


_EN_AFTER = re.compile(
    r"\W*(?:after(?:wards?| that| this)|then|subsequently|later|soon after(?:wards?)?|thereafter|thereupon|next)\b",
    re.IGNORECASE,
)
_AGAIN = {"en": re.compile(r"\b(?:again|once more|(?:a|for the) second time)\b", re.IGNORECASE),
          "zh": re.compile("再次|再度|再一次|又一次|重新|第二次")}  # fmt: skip


def check_added(new: str, standing: list[str], language: Language, subtype: str) -> None:
    """Refuse a sentence that cannot be added to those that stand (event fabrication)."""
    if language == "en" and _EN_AFTER.match(new):
        refuse("begins with a marker of time")
    if subtype == "T2" and _AGAIN[language].search(new):
        refuse("says that it happened before")
    if any(ngram_f1(one, new) >= _TWIN for one in standing):
        refuse("stands in the summary already")
    usual = sorted(count_words(one, language) for one in standing)
    if count_words(new, language) > 4 * usual[len(usual) // 2] + 20:
        refuse("much longer than its neighbours")


def check_replaced(new: str, original: str, kind: HallucinationType) -> None:
    """Refuse a sentence that cannot take the place of another as an error of a type."""
    if _letters(new) == _letters(original):
        refuse("differs in marks only")
    if _letters(new).count(_letters(original)) > 1:
        refuse("the original twice")
    if len(new) > 2 * len(original) + 60 or len(original) > 2 * len(new) + 60:
        refuse("much longer or shorter")
    if ngram_f1(original, new) < _LEAST_LIKENESS:
        refuse("another sentence")
    if kind is HallucinationType.NUMERICAL and _numbers(new) == _numbers(original):
        refuse("no number differs")
    removed, added = _different_words(original, new)
    if kind in _MARKERS and not _shows(kind, removed, added, new):
        refuse("no sign of the type")
    if kind in _OF_CONTENT:
        # "did not dare" and "dared" differ in no more than a negation.
        told = [one for one in removed if not any(_same_verb(one, other) for other in added)]
        told += [one for one in added if not any(_same_verb(one, other) for other in removed)]
        if any(map(_NEGATION.fullmatch, told)) and all(map(_NEGATION.fullmatch, told)):
            refuse("a negation only")
        if kind is not HallucinationType.TEMPORAL and all(map(_is_number, (*removed, *added))):
            refuse("a number only")


_WORD = re.compile(r"[\u3400-\u9fff]|\d+(?:[.,]\d+)*|[^\W\d_\u3400-\u9fff]+(?:['’][^\W\d_]+)?")
# With the auxiliaries that come and go with them.
_NEGATION = re.compile(
    r"not?|never|none|nor|neither|nothing|nobody|without|cannot|\w+n['’]t|do|does|did|will|can|any|ever|[不没未无非莫勿别]",
    re.IGNORECASE,
)


_ORDER = re.compile(
    r"before|after(?:wards?)?|then|later|earlier|first(?:ly)?|last(?:ly)?|finally|eventually|until|till|since|when|while|"
    r"once|as|already|previous(?:ly)?|prior|next|following|preceded|followed|meanwhile|during|again|had|having|"
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


def _same_verb(one: str, other: str) -> bool:
    """Return whether two words may be forms of one: they begin alike and differ in a few letters at the end."""
    alike = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return alike >= 3 and max(len(one), len(other)) - alike <= 3 and one != other


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
