"""Pairs and labels in the JSON of Label Studio, for teams that work there; and back.

A task is a pair: `article`, `summary_a` and `summary_b`, without the rows' ids, which would give the answer away. For
each summary an annotation has a choice of presence, a choice of types, a region for each sentence, and a text. Who
gave it is a text field of its own: `completed_by` is a user of one installation, and does not travel. A final
decision is an annotation that is marked as ground truth.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lengthwise.errors import InputError
from lengthwise.metrics.fault_types import HallucinationType

from .judgements import Judgement, read_judgement
from .pairs import ReviewPair, Side
from .store import Given, Reviewed, ReviewLog

PRESENT, ABSENT, SENTENCE = "hallucinated", "faithful", "hallucinated sentence"
_LETTERS = ("a", "b")
_CONTROLS = """\
    <View style="flex: 1">
      <Header value="{upper}"/>
      <Labels name="sentences_{letter}" toName="summary_{letter}"><Label value="{sentence}"/></Labels>
      <Text name="summary_{letter}" value="$summary_{letter}"/>
      <Choices name="presence_{letter}" toName="summary_{letter}" choice="single" required="true">
        <Choice value="{absent}"/><Choice value="{present}"/>
      </Choices>
      <Choices name="types_{letter}" toName="summary_{letter}" choice="multiple">
        {types}
      </Choices>
      <TextArea name="explanation_{letter}" toName="summary_{letter}" maxSubmissions="1"/>
    </View>"""


def labelling_config() -> str:
    """Return the labelling interface that the tasks are made for, as Label Studio takes it in a project's settings."""
    types = "".join(f'<Choice value="{kind.value}"/>' for kind in HallucinationType)
    sides = [
        _CONTROLS.format(letter=one, upper=one.upper(), sentence=SENTENCE, absent=ABSENT, present=PRESENT, types=types)
        for one in _LETTERS
    ]
    return "\n".join(
        [
            "<View>",
            '  <TextArea name="annotator" toName="article" placeholder="your name" maxSubmissions="1"/>',
            '  <View style="max-height: 40vh; overflow-y: auto"><Text name="article" value="$article"/></View>',
            '  <View style="display: flex; gap: 1em">',
            *sides,
            "  </View>",
            "</View>",
            "",
        ]
    )


def export_tasks(pairs: Mapping[str, ReviewPair], reviewed: Reviewed) -> list[dict[str, Any]]:
    """Return a task for each pair, in order, with first labels and the final decision as annotations."""
    tasks = []
    for number, (name, pair) in enumerate(pairs.items(), 1):
        data = {"pair": name, "scale": pair.key.scale, "language": pair.key.language, "article": pair.article}
        data |= {f"summary_{letter}": side.summary for letter, side in zip(_LETTERS, pair.sides, strict=True)}
        given = [(one, False) for one in reviewed.labels.get(name, {}).values()]
        given += [(one, True) for one in reviewed.decisions.get(name, [])[-1:]]
        annotations = [
            {"created_at": one.time, "ground_truth": final, "was_cancelled": False, "result": _result(pair, one)}
            for one, final in given
        ]
        tasks.append({"id": number, "data": data, "annotations": annotations})
    return tasks


def _result(pair: ReviewPair, given: Given) -> list[dict[str, Any]]:
    found = [_item("annotator", "article", "textarea", {"text": [given.annotator]})]
    for letter, side in zip(_LETTERS, pair.sides, strict=True):
        said, to = given.judgements[side.id], f"summary_{letter}"
        found.append(
            _item(f"presence_{letter}", to, "choices", {"choices": [PRESENT if said.hallucinated else ABSENT]})
        )
        if said.types:
            found.append(_item(f"types_{letter}", to, "choices", {"choices": list(said.types)}))
        for index in said.sentences:
            start, end = side.spans[index]
            value = {
                "start": _utf16(side.summary, start),
                "end": _utf16(side.summary, end),
                "text": side.summary[start:end],
                "labels": [SENTENCE],
            }
            found.append(_item(f"sentences_{letter}", to, "labels", value, f"{letter}-{index}"))
        if said.explanation:
            found.append(_item(f"explanation_{letter}", to, "textarea", {"text": [said.explanation]}))
    return found


def _item(name: str, to: str, kind: str, value: dict[str, Any], key: str = "") -> dict[str, Any]:
    return {"id": key or name, "from_name": name, "to_name": to, "type": kind, "value": value}


def _utf16(text: str, offset: int) -> int:
    """Return an offset as a browser counts it."""
    return len(text[:offset].encode("utf-16-le", "surrogatepass")) // 2


def _from_utf16(text: str, offset: int) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * offset].decode("utf-16-le", "ignore"))


@dataclass
class Imported:
    """What became of a file's annotations.

    Attributes:
        labels: taken as first labels.
        decisions: taken as decisions.
        known: there already.
        skipped: what could not be taken, a line each.
    """

    labels: int = 0
    decisions: int = 0
    known: int = 0
    skipped: list[str] = field(default_factory=list)


def import_tasks(tasks: Any, pairs: Mapping[str, ReviewPair], log: ReviewLog) -> Imported:
    """Take the annotations of a Label Studio export into a review.

    A first label that is there already is kept; incomplete and cancelled annotations are skipped and named.

    Args:
        tasks: the export's JSON.
        pairs: under review.
        log: of the review.

    Raises:
        InputError: it is no list of tasks.
    """
    if not isinstance(tasks, list) or not all(isinstance(one, dict) for one in tasks):
        raise InputError("Label Studio: give an export in the format JSON, a list of tasks")
    found = Imported()
    for number, task in enumerate(tasks, 1):
        data = task.get("data")
        pair = pairs.get(str(data.get("pair"))) if isinstance(data, dict) else None
        if pair is None:
            found.skipped.append(f"task {number}: its pair is not under review")
            continue
        sides = _sides(pair, data)
        if sides is None:
            found.skipped.append(f"task {number}: its summaries are not those of {pair.key.id}")
            continue
        annotations = task.get("annotations") or []
        # Labels first: a decision comes after them.
        for place, one in sorted(enumerate(annotations, 1), key=lambda numbered: _final(numbered[1])):
            try:
                _take(pair, sides, one, log, found)
            except InputError as error:
                found.skipped.append(f"task {number}, annotation {place}: {error}")
    return found


def _final(annotation: Any) -> bool:
    return isinstance(annotation, dict) and annotation.get("ground_truth") is True


def _sides(pair: ReviewPair, data: Mapping[str, Any]) -> list[Side] | None:
    """Return the sides in the task's order, which another seed may have drawn."""
    shown = [data.get(f"summary_{letter}") for letter in _LETTERS]
    for order in (list(pair.sides), list(reversed(pair.sides))):
        if [side.summary for side in order] == shown:
            return order
    return None


def _take(pair: ReviewPair, sides: Sequence[Side], annotation: Any, log: ReviewLog, found: Imported) -> None:
    if not isinstance(annotation, dict) or not isinstance(annotation.get("result"), list):
        raise InputError("it has no result")
    if annotation.get("was_cancelled"):
        raise InputError("it was cancelled")
    items = [one for one in annotation["result"] if isinstance(one, dict) and isinstance(one.get("value"), dict)]
    who = _annotator(annotation, items)
    read = {side.id: _judgement(items, letter, side) for letter, side in zip(_LETTERS, sides, strict=True)}
    judgements = [read[side.id] for side in pair.sides]
    time = annotation.get("created_at")
    time = time if isinstance(time, str) else ""
    if _final(annotation):
        there = log.reviewed.decisions.get(pair.key.id, [])
        if there and there[-1].judgements == read:
            found.known += 1
            return
        log.decide(pair, who, judgements, time)
        found.decisions += 1
    elif who in log.reviewed.labels.get(pair.key.id, {}):
        found.known += 1
    else:
        log.label(pair, who, judgements, time)
        found.labels += 1


def _annotator(annotation: Mapping[str, Any], items: Sequence[Mapping[str, Any]]) -> str:
    named = _values(items, "annotator", "text")
    by = annotation.get("completed_by")
    if isinstance(by, dict):
        by = by.get("email") or by.get("first_name") or by.get("id")
    if named:
        return named[0].strip()
    if by is None or by == "":
        raise InputError("it does not say who gave it: fill in `annotator`")
    return f"label-studio-{by}" if isinstance(by, int) else str(by)


def _judgement(items: Sequence[Mapping[str, Any]], letter: str, side: Side) -> Judgement:
    presence = _values(items, f"presence_{letter}", "choices")
    touched: set[int] = set()
    for one in items:
        if one.get("from_name") == f"sentences_{letter}":
            start, end = (one["value"].get(name) for name in ("start", "end"))
            if not isinstance(start, int) or not isinstance(end, int):
                raise InputError("a region has no start or end")
            touched |= set(side.touched(_from_utf16(side.summary, start), _from_utf16(side.summary, end)))
    return read_judgement(
        {
            "hallucinated": {PRESENT: True, ABSENT: False}.get(presence[0]) if presence else None,
            "sentences": sorted(touched),
            "types": _values(items, f"types_{letter}", "choices"),
            "explanation": "\n".join(_values(items, f"explanation_{letter}", "text")),
        },
        len(side.spans),
    )


def _values(items: Iterable[Mapping[str, Any]], name: str, key: str) -> list[str]:
    found: list[str] = []
    for one in items:
        if one.get("from_name") == name:
            value = one["value"].get(key, [])
            # One text is a bare string in some exports.
            found += [value] if isinstance(value, str) else [str(part) for part in value]
    return [one for one in found if one.strip()]
