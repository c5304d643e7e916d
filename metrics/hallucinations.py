"""Recall per type of hallucination: which of the gold faults a reply points at (LongNovel, appendix F and figure 3).

A gold fault is hit if the reply's reasons name the same factual error. The paper has that judged by people or a model;
here stand an offline matcher and the counting. A judge's verdicts take the matcher's place as plain booleans, one for
each gold fault, so that no model is needed (or known) here.

The offline matcher takes a reported point for a gold fault if it names the same type, and either quotes the
hallucinated sentence (character n-gram F1 of at least 0.5, taken over the point, its sentences and its quotations) or
mentions both key terms: the wrong one and the right one.
"""

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lengthwise.errors import InputError, unknown_name

from .fault_types import HallucinationType, hallucination_type, type_labels
from .reported import read_report


@dataclass(frozen=True, slots=True)
class Fault:
    """A gold hallucination in a summary.

    Attributes:
        type: one of the eight.
        sentence: the hallucinated sentence as it stands in the summary.
        original: what is right instead; "" where nothing is, as with a fabricated event.
        key_terms: the wrong and the right term, where known; else they are read off the difference of the sentences.
    """

    type: HallucinationType
    sentence: str
    original: str = ""
    key_terms: tuple[str, ...] = ()


class Point(NamedTuple):
    """One fault that a reply reports: its type, and the words of the report."""

    type: HallucinationType
    text: str


def fault(entry: Mapping[str, object]) -> Fault:
    """Return the gold fault of a row's entry with the keys `type`, `sentence`, `original` and `key_terms`.

    Args:
        entry: `type` may be any name that `hallucination_type` knows; the other three may be absent.

    Raises:
        InputError: for a type that is none of the eight.

    >>> fault({"type": "Numeric Hallucination", "sentence": "He had 3 dogs.", "original": "He had 2 dogs."}).type.value
    'numerical'
    """
    name = str(entry.get("type", ""))
    kind = hallucination_type(name)
    if kind is None:
        raise unknown_name("hallucination type", name, HallucinationType)
    terms = entry.get("key_terms") or ()
    if isinstance(terms, str) or not isinstance(terms, Sequence):
        raise InputError(f"key_terms: {terms!r} is no list of strings; give the wrong and the right term")
    return Fault(kind, str(entry.get("sentence") or ""), str(entry.get("original") or ""), tuple(map(str, terms)))


def reported_points(reason: str, types: Sequence[str] = ()) -> list[Point]:
    """Return the faults that a reply reports.

    Args:
        reason: the reasons in the form that the prompts ask for, "type: point; type: point", or any prose.
        types: the names listed beside them; one that labels no point of the reason stands for the whole of it.

    >>> [(p.type.value, p.text) for p in reported_points("Entity: Bob for Al; Event: he fell", ["Temporal"])]
    [('entity', 'Bob for Al'), ('event', 'he fell'), ('temporal', 'Entity: Bob for Al; Event: he fell')]
    """
    labels = type_labels(reason)
    ends = [*(label.start for label in labels[1:]), len(reason)][: len(labels)]
    points = [
        Point(label.type, reason[label.end : end].strip(" \t\r\n;；,，*_-•"))
        for label, end in zip(labels, ends, strict=True)
    ]
    labelled = {point.type for point in points}
    listed = dict.fromkeys(kind for name in types if (kind := hallucination_type(name)) is not None)
    return points + [Point(kind, reason) for kind in listed if kind not in labelled]


def read_points(reply: str) -> list[Point]:
    """Return the faults that a raw reply reports, from its JSON object or, where it has none, from its prose.

    Args:
        reply: any string; reasoning before the answer is no report.

    >>> read_points('{"reason": "Event: he fell", "score": 2, "hallucination_types": ["Event Hallucination"]}')
    [Point(type=<HallucinationType.EVENT: 'event'>, text='he fell')]
    """
    report = read_report(reply)
    return reported_points(report.reason, report.types)


_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_PIECE = re.compile(r"[^.。!！?？;；\n\"“”「」『』]+")
_MOST_PIECES = 400
QUOTED = 0.5
"""The least n-gram F1 at which a point quotes a sentence."""


def letters_of(text: str) -> str:
    """Return a text's letters and digits, compatibility forms and case folded, words divided by one blank."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.findall(r"[^\W_]+", folded))


def _grams(letters: str, size: int) -> Counter[str]:
    return Counter(letters[i : i + size] for i in range(max(1, len(letters) - size + 1))) if letters else Counter()


def ngram_f1(one: str, other: str) -> float:
    """Return the F1 of the character n-grams that two texts share, in [0, 1]: pairs for Chinese, triples else.

    >>> ngram_f1("He left Paris.", "he left  Paris"), ngram_f1("abc", "xyz")
    (1.0, 0.0)
    """
    size = 2 if _CJK.search(one) else 3
    first, second = _grams(letters_of(one), size), _grams(letters_of(other), size)
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 0.0


def _pieces(text: str) -> Iterator[str]:
    yield text
    for number, piece in enumerate(_PIECE.finditer(text)):
        if number == _MOST_PIECES:
            return
        yield piece[0]


def quotes(point: str, sentence: str) -> bool:
    """Whether a report, one of its sentences or one of its quotations has about the words of a sentence.

    >>> quotes('The summary says "Bob shot the captain", which is wrong.', "Bob shot the captain.")
    True
    """
    return bool(sentence.strip()) and any(ngram_f1(sentence, piece) >= QUOTED for piece in _pieces(point))


# A word of Latin script or a number is one token, a Chinese character too.
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[\u3400-\u9fff\uf900-\ufaff]|[^\W\d_\u3400-\u9fff\uf900-\ufaff]+(?:['’][a-z]+)?")
_COMMON = re.compile(
    r"(?:after|also|and|are|because|been|before|but|can|could|did|does|for|from|had|has|have|her"
    r"|his|into|its|not|over|she|than|that|the|their|them|then|there|they|this|was|were|when"
    r"|which|while|who|will|with|would|you)",
    re.IGNORECASE,
)
_MOST_TERM = 6


def key_terms(sentence: str, original: str) -> list[tuple[str, str]]:
    """Return the pairs of terms that two sentences differ in: (in the sentence, in the original).

    Pairs that say nothing are left out: words such as "was" and "had", single Chinese characters, long stretches.

    >>> key_terms("Bob had 3 dogs in Rome.", "Al had 12 dogs in Rome.")
    [('Bob', 'Al'), ('3', '12')]
    >>> key_terms("张三去了北京。", "张三去了南洋。")
    [('北京', '南洋')]
    """
    wrong, right = _TOKEN.findall(sentence), _TOKEN.findall(original)
    if len(wrong) * len(right) > 250_000:
        return []
    pairs = []
    for tag, i, j, k, m in difflib.SequenceMatcher(None, wrong, right, autojunk=False).get_opcodes():
        if tag == "replace" and _is_term(wrong[i:j]) and _is_term(right[k:m]):
            pairs.append((_joined(wrong[i:j]), _joined(right[k:m])))
    return pairs


def _is_term(tokens: Sequence[str]) -> bool:
    chinese = sum(_CJK.match(token) is not None for token in tokens)
    telling = chinese >= 2 or any(
        token[0].isdigit() or (not _COMMON.fullmatch(token) and (token[0].isupper() or len(token) > 3))
        for token in tokens
        if not _CJK.match(token)
    )
    return telling and len(tokens) <= _MOST_TERM


def _joined(tokens: Sequence[str]) -> str:
    return "".join(tokens) if _CJK.match(tokens[0]) else " ".join(tokens)


def _mentions(text: str, term: str) -> bool:
    """Whether a text holds a term, as whole words where the script has them."""
    wanted = letters_of(term)
    edges = ("", "") if _CJK.search(wanted) else (r"(?<![^\W_])", r"(?![^\W_])")
    return bool(wanted) and re.search(f"{edges[0]}{re.escape(wanted)}{edges[1]}", letters_of(text)) is not None


def points_at(point: Point, gold: Fault) -> bool:
    """Whether a reported point is a gold fault, by the offline matcher (see the module).

    >>> gold = Fault(HallucinationType.ENTITY, "Bob shot the captain.", "Alice shot the captain.")
    >>> points_at(Point(HallucinationType.ENTITY, "it was Alice, not Bob, who fired"), gold)
    True
    >>> points_at(Point(HallucinationType.TEMPORAL, "it was Alice, not Bob, who fired"), gold)
    False
    """
    if point.type is not gold.type:
        return False
    if quotes(point.text, gold.sentence):
        return True
    if gold.key_terms:
        return len(gold.key_terms) > 1 and all(_mentions(point.text, term) for term in gold.key_terms)
    pairs = key_terms(gold.sentence, gold.original)
    return any(_mentions(point.text, wrong) and _mentions(point.text, right) for wrong, right in pairs)


def hits(points: Sequence[Point], gold: Sequence[Fault]) -> list[bool]:
    """Return for each gold fault whether some reported point is it."""
    return [any(points_at(point, one) for point in points) for one in gold]


@dataclass(frozen=True, slots=True)
class TypeRecall:
    """Recall per type; the unit is a type in a summary, which counts once however many faults of it there are.

    Attributes:
        recall: type -> share of its summaries in which a fault of it was hit, in [0, 1]; None where no summary has it.
        n: type -> summaries that have it.
        n_hits: type -> those of them in which it was hit.
        micro: all hits over all units; None without units.
        macro: mean of the recalls that are not None.
    """

    recall: dict[str, float | None]
    n: dict[str, int]
    n_hits: dict[str, int]
    micro: float | None
    macro: float | None


def type_recall(golds: Sequence[Sequence[Fault]], verdicts: Sequence[Sequence[bool]]) -> TypeRecall:
    """Return recall per type over summaries that may each hold several faults of several types.

    Args:
        golds: the gold faults of each summary; none for a faithful one.
        verdicts: for each of them whether the reply points at it: of `hits`, or of a judge.

    Raises:
        InputError: if the verdicts are not one for each gold fault.

    >>> entity, event = Fault(HallucinationType.ENTITY, "a"), Fault(HallucinationType.EVENT, "b")
    >>> found = type_recall([[entity, event], [entity], []], [[True, False], [False], []])
    >>> found.recall["entity"], found.micro, found.macro, found.recall["causal"]
    (0.5, 0.3333333333333333, 0.25, None)
    """
    if [len(one) for one in golds] != [len(one) for one in verdicts]:
        raise InputError("verdicts: give one list for each summary, with one verdict for each of its gold faults")
    n: Counter[HallucinationType] = Counter()
    n_hits: Counter[HallucinationType] = Counter()
    for gold, found in zip(golds, verdicts, strict=True):
        n.update({one.type for one in gold})
        n_hits.update({one.type for one, hit in zip(gold, found, strict=True) if hit})
    shares = {kind: n_hits[kind] / n[kind] for kind in HallucinationType if n[kind]}
    return TypeRecall(
        recall={kind.value: shares.get(kind) for kind in HallucinationType},
        n={kind.value: n[kind] for kind in HallucinationType},
        n_hits={kind.value: n_hits[kind] for kind in HallucinationType},
        micro=n_hits.total() / n.total() if n else None,
        macro=sum(shares.values()) / len(shares) if shares else None,
    )
