"""What must hold of a LongNovel row by itself, each fault a line: classes, injections, lengths, language, reply."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from lengthwise.errors import InputError
from lengthwise.metrics.consistency_answers import parse_consistency_score
from lengthwise.metrics.fault_types import HallucinationType
from lengthwise.metrics.hallucinations import fault, hits, read_points
from lengthwise.metrics.parsed import Unparsed

from .labels import BEST, TYPE_NAMES, canonical_types, erhg_score, is_hallucinated
from .records import LANGUAGES, ORIGINS, WindowKey
from .rows import PUBLISHED
from .text import sentences
from .written import is_in

Row = Mapping[str, Any]
# A summary or text of fewer letters says too little of its language.
_TELLING = 40


def check_label(row: Row) -> Iterator[str]:
    """Yield what is wrong with score, class, types and origin, and with the reply that is made of them."""
    name, score, types = row["id"], row["score"], list(row["types"])
    if row["language"] not in LANGUAGES or row["origin"] not in (*ORIGINS, PUBLISHED):
        yield f"{name}: language {row['language']!r} or origin {row['origin']!r} is none that there is"
        return
    if not 0 <= score <= BEST:
        yield f"{name}: score {score} is not from 0 to {BEST}"
        return
    positive = is_hallucinated(score)
    if row["hallucinated"] != positive:
        yield f"{name}: hallucinated is {row['hallucinated']} with the score {score}"
    if {"original": False, "erhg": True}.get(row["origin"], positive) != positive:
        yield f"{name}: {row['origin']} with the score {score}"
    try:
        if list(canonical_types(types)) != types:
            yield f"{name}: types are not canonical names in their order, each once: {', '.join(types)}"
        elif types and not positive:
            yield f"{name}: a faithful summary with the types {', '.join(types)}"
    except InputError as error:
        yield f"{name}: {error}"
        return
    if any(not 0 <= judge["score"] <= BEST for judge in row["judges"]):
        yield f"{name}: a judge's score is not from 0 to {BEST}"
    if row["origin"] == "mma" and not row["judges"]:
        yield f"{name}: nobody judged it"
    yield from _check_reply(row)


def _check_reply(row: Row) -> Iterator[str]:
    name, types = row["id"], [HallucinationType(one) for one in row["types"]]
    expected = {"reason": row["reason"], "score": row["score"]}
    if is_hallucinated(row["score"]):
        expected["hallucination_types"] = [TYPE_NAMES[row["language"]][kind] for kind in types]
    try:
        reply = json.loads(row["answer_text"])
    except ValueError:
        reply = None
    if reply != expected:
        yield f"{name}: answer_text is not the JSON of score, reason and types"
        return
    read = parse_consistency_score(row["answer_text"])
    if isinstance(read, Unparsed) or read.value != row["score"]:
        yield f"{name}: the metric reads another score than {row['score']} in answer_text"
    gold = [
        fault({"type": one["type"], "sentence": one["hallucinated"], "original": one["original"]})
        for one in row["injections"]
    ]
    if not all(hits(read_points(row["answer_text"]), gold)):
        yield f"{name}: answer_text does not point at every injected sentence"


def check_injections(row: Row, base: str | None = None) -> Iterator[str]:
    """Yield what is wrong with what was injected, and where the summary differs from its reference besides.

    Args:
        row: all columns.
        base: the summary that the row's was made from, where that is not its reference.
    """
    name, summary = row["id"], row["summary"]
    reference = row["reference"] if base is None else base
    if row["origin"] == "original" and summary != reference:
        yield f"{name}: an original summary that is not its reference"
    if row["origin"] != "erhg":
        if row["injections"]:
            yield f"{name}: injections in a row that is not erhg"
        return
    try:
        found = list(canonical_types(one["type"] for one in row["injections"]))
        if found != list(row["types"]):
            yield f"{name}: types are not those of its injections, {', '.join(found)}"
        elif erhg_score(found) != row["score"]:
            yield f"{name}: score {row['score']} with {len(found)} types injected"
    except InputError as error:
        yield f"{name}: {error}"
    restored = summary
    for one in row["injections"]:
        wrong, right = one["hallucinated"], one["original"]
        if wrong not in summary:
            yield f"{name}: an injected sentence does not stand in the summary: {wrong[:60]}"
        elif wrong in sentences(reference, row["language"]):
            yield f"{name}: an injected sentence stands in the reference too: {wrong[:60]}"
        if right and right not in reference:
            yield f"{name}: an original sentence does not stand in the reference: {right[:60]}"
        if not right and one["type"] != HallucinationType.EVENT_FABRICATION:
            yield f"{name}: {one['type']} without the sentence that it took the place of"
        restored = restored.replace(wrong, right, 1)
    if "".join(restored.split()) != "".join(reference.split()):
        yield f"{name}: besides the injected sentences the summary differs from its reference"


def check_evidence(row: Row) -> Iterator[str]:
    """Yield what is wrong with where the article shows each injection: there is none, or one for each."""
    name, length = row["id"], len(row["article"])
    if row["evidence"] and len(row["evidence"]) != len(row["injections"]):
        yield f"{name}: {len(row['evidence'])} places of evidence for {len(row['injections'])} injections"
    for number, one in enumerate(row["evidence"], 1):
        units, starts, ends = one["units"], one["starts"], one["ends"]
        if not units or not len(units) == len(starts) == len(ends):
            yield f"{name}: evidence {number} has {len(units)} units, {len(starts)} starts and {len(ends)} ends"
        elif any(not 0 <= start < end <= length for start, end in zip(starts, ends, strict=True)):
            yield f"{name}: evidence {number} lies outside the article"
        elif any(not row["unit_start"] <= unit <= row["unit_end"] for unit in units):
            yield f"{name}: evidence {number} is in units that are not of the window"
        elif one["distance"] < 1:
            yield f"{name}: evidence {number} has a distance of {one['distance']}"


def check_language(row: Row) -> Iterator[str]:
    """Yield which of the texts is in another language than the row says."""
    for column in ("article", "summary"):
        text = row[column]
        if len(text) >= _TELLING and not is_in(text, row["language"]):
            yield f"{row['id']}: the {column} is not in {row['language']}"


def row_key(row: Row) -> WindowKey:
    """Return the window of a row."""
    return WindowKey(row["scale"], row["book"], row["unit_start"], row["unit_end"])


def check_pairs(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield what is wrong with the pairs of one split.

    Args:
        rows: with at least id, pair_id, pair_kind, origin, hallucinated, key (`row_key`), summary and reference.
    """
    pairs: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        if (row["pair_id"] == "") != (row["pair_kind"] == ""):
            yield f"{row['id']}: a pair's id without its kind, or the other way round"
        elif row["pair_id"]:
            pairs.setdefault(row["pair_id"], []).append(row)
    for name, members in pairs.items():
        origins = {row["origin"] for row in members}
        kinds = {row["pair_kind"] for row in members}
        if sorted(row["hallucinated"] for row in members) != [0, 1]:
            yield f"pair {name}: {len(members)} rows, where it has one of each class"
        elif len({row["key"] for row in members}) > 1:
            yield f"pair {name}: its rows are of two windows"
        elif (kinds, origins) not in (({"minimal"}, {"original", "erhg"}), ({"window"}, {"mma"})):
            yield f"pair {name}: {' and '.join(sorted(origins))} as {' and '.join(sorted(kinds))}"
        elif kinds == {"minimal"} and len({row["reference"] for row in members}) > 1:
            yield f"pair {name}: the injected summary was made from another reference"
