"""Whether what a model proposes is one hallucination in a summary that is otherwise the same; and the summary with it.

The summary is never taken from the model: the sentence that it rewrote is looked up and exchanged, or the one that it
added is put in, so whatever else stands there is the reference's to the letter. What cannot be accepted is refused
with a short reason, which is counted.
"""

import difflib
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

from lengthwise.metrics.fault_types import HallucinationType
from lengthwise.metrics.hallucinations import ngram_f1

from .change_rules import check_added, check_replaced, check_sentence, is_closed, refuse
from .records import Language
from .text import Span, sentence_spans

FABRICATION = HallucinationType.EVENT_FABRICATION


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
    closed = is_closed(text[start:end])
    check_sentence(new, language, closed)
    new = _in_its_marks(new if closed else new.rstrip("。."), "" if kind is FABRICATION else text[start:end], text)
    standing = [text[i:j] for i, j in spans]
    if any(_plain(new) == _plain(one) for one in standing):
        if _plain(new) == _plain(text[start:end]):
            refuse("unchanged")
        refuse("stands in the summary already")
    if kind is FABRICATION:
        check_added(new, standing, language, proposal.subtype)
        between = "\n\n" if not closed else " " if language == "en" else ""
        changed = text[:end] + between + new + text[end:]
        result = Changed(changed, new, "")
    else:
        original = text[start:end]
        if original in untouched:
            refuse("a sentence that was changed before")
        check_replaced(new, original, kind)
        # Another sentence of the summary, told once more with a slip, is no change of this one.
        if max((ngram_f1(one, new) for one in standing if one != original), default=0) > ngram_f1(original, new):
            refuse("another sentence")
        changed = text[:start] + new + text[end:]
        result = Changed(changed, new, original)
    place = spans.index((start, end))
    wanted = [*standing[: place + (kind is FABRICATION)], new, *standing[place + 1 :]]
    # Between other sentences a sentence may be cut elsewhere, or run on into the next.
    if [changed[i:j] for i, j in sentence_spans(changed, language)] != wanted:
        refuse("no sentence of its own")
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
        refuse("unchanged")
    if len(added) != 1 or len(removed) != (kind is not FABRICATION):
        refuse("more than one sentence differs")
    if removed:
        return Proposal(removed[0], added[0], subtype)
    if not head:
        refuse("stands before all others")
    return Proposal(before[head - 1], added[0], subtype)


# Quotation marks, dashes and points that models write in the place of others; one character for one, or none.
_MARKS = str.maketrans(
    {**dict.fromkeys("“”„«»「」『』", '"'), **dict.fromkeys("‘’‚`´", "'"), **dict.fromkeys("‐‑‒–—", "-")}
)


def _plain(text: str) -> str:
    """Return a sentence as it is looked up: any white space, quotation marks and dashes are alike."""
    return " ".join(unicodedata.normalize("NFKC", text.translate(_MARKS)).split())


def _in_its_marks(new: str, original: str, text: str) -> str:
    """Return a sentence with the marks and line ends of what it takes the place of.

    Models write straight quotes where an edition has curly ones: these alone would tell which sentence is false.
    """
    line_ends = {ord("\n"): " "}
    before, behind = (one.translate(_MARKS).translate(line_ends) for one in (original, new))
    parts = []
    for tag, i, j, k, m in difflib.SequenceMatcher(None, before, behind, autojunk=False).get_opcodes():
        parts.append(original[i:j] if tag == "equal" else new[k:m])
    new = "".join(parts)
    if "'" not in text and "’" in text:
        new = new.replace("'", "’")
    if '"' not in text and "“" in text:
        new = re.sub('"([^"]*)"', r"“\1”", new)
    return new


def _find(text: str, spans: list[Span], sentence: str) -> Span:
    wanted = _plain(sentence)
    if not wanted:
        refuse("no original sentence")
    found = [(start, end) for start, end in spans if _plain(text[start:end]) == wanted]
    if not found:
        refuse("the original is no sentence of the summary")
    start, end = found[0]
    # Nor as a part of a longer one: where it stood must be beyond doubt.
    if len(found) > 1 or text.count(text[start:end]) > 1:
        refuse("the original stands there more than once")
    return start, end
