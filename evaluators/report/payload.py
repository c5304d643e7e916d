"""The replies that the page's browser shows, as JSON that a page can hold.

Long replies keep their two ends, and of many replies each cell keeps a share, so that the page stays loadable; what
was left out is counted and said.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from types import MappingProxyType
from typing import Any

from lengthwise.contracts import SHARED_ROLES, Reply
from lengthwise.errors import InputError
from lengthwise.evaluators.cause_table import causes_in
from lengthwise.evaluators.causes import causes_of
from lengthwise.evaluators.contracts import OUTCOME_KINDS, Outcome
from lengthwise.evaluators.deciding import data_of, final_calls
from lengthwise.evaluators.examples import Cell, Data
from lengthwise.evaluators.longnovel_analyses.table import is_novel
from lengthwise.evaluators.longnovel_analyses.tags import reply_key
from lengthwise.evaluators.naming import layout_of
from lengthwise.evaluators.report.markup import Html
from lengthwise.evaluators.report.reader.collecting import Documents, collect_documents, packed_lines
from lengthwise.evaluators.report.reader.model import KINDS
from lengthwise.evaluators.report.reader.table import reader_of
from lengthwise.evaluators.scoring import Scored

# Characters: of one text, and of all texts of a page (a page of about 25 MB still opens at once on a phone). Of these
# the examples' own texts have what the replies leave, and at least a third.
MOST_OF_TEXT = 16_000
MOST_OF_PAGE = 24_000_000


@dataclass(frozen=True, slots=True)
class Replies:
    """What the browser shows.

    Attributes:
        records: one JSON object per example and repeat.
        questions: the texts that the records' `question` points into.
        total: replies there are.
        cut: replies shown whose text or reasoning is not whole.
        documents: the whole texts of their examples, as far as there is room; records point into them.
    """

    records: tuple[dict[str, Any], ...]
    questions: tuple[str, ...]
    total: int
    cut: int
    documents: Documents = field(default_factory=Documents)


def collect_replies(
    runs: Sequence[Scored], most_of_text: int = MOST_OF_TEXT, most_of_page: int = MOST_OF_PAGE
) -> Replies:
    """Gather the replies of some runs.

    Args:
        runs: scored runs, of any benchmarks.
        most_of_text: characters kept of a reply's text, and of its reasoning.
        most_of_page: characters kept of all texts; those of the replies are shared out evenly over the cells of the
            runs, and where a cell has more, replies that are not right come before those that are.
    """
    cells = [(index, cell.config, cell.split) for index, run in enumerate(runs) for cell in run.results.cells]
    most_of_replies = 2 * most_of_page // 3
    shelves = {cell: _Shelf(most_of_replies // max(len(cells), 1)) for cell in cells}
    questions: dict[str, int] = {}
    total = 0
    for index, run in enumerate(runs):
        flags_of = reader_of(run.results.benchmark).flags
        titles = {cause.name: cause.title for cause in causes_in(run.results)}
        for outcome, reply in _in_order(run):
            total += 1
            row = run.rows[outcome.example_id]
            record = _record(outcome, reply, row, most_of_text)
            record["causes"] = [titles[name] for name in record["causes"]]
            if reply is not None:
                record["key"] = reply_key(outcome.example_id, outcome.repeat, reply.text)
            record["flags"] = [list(astuple(flag)) for flag in flags_of(row, outcome, reply)]
            size = len(record["text"] or "") + len(record["reasoning"] or "") + 30 * len(record["flags"]) + 500
            shelves[index, row["config"], row["split"]].put(total, size, {"run": index, **record})
    kept = sorted((one for shelf in shelves.values() for one in shelf.kept.items()), key=lambda one: one[0])
    records = [record for _, (_, record) in kept]
    documents = collect_documents(runs, records, most_of_page - sum(size for _, (size, _) in kept))
    for record in records:
        record["document"] = documents.places.get((record["run"], record["id"]))
        record["marks"] = documents.marks.get((record["run"], record["id"], record["repeat"]), [])
    _ask(runs, records, questions)
    cut = sum(record["cut"] > 0 for record in records)
    return Replies(tuple(records), tuple(questions), total, cut, documents)


@dataclass
class _Shelf:
    """What a cell's share of the page holds: number of the reply -> its size and record.

    Attributes:
        room: characters that are left.
        kept: in the order of the replies.
    """

    room: int
    kept: dict[int, tuple[int, dict[str, Any]]] = field(default_factory=dict)

    def put(self, number: int, size: int, record: dict[str, Any]) -> None:
        """Keep a reply if there is room, which one that is not right takes from those that are, the last first."""
        if record["kind"] != "correct" and size > self.room:
            right = [one for one, (_, other) in self.kept.items() if other["kind"] == "correct"]
            if size <= self.room + sum(self.kept[one][0] for one in right):
                while size > self.room:
                    self.room += self.kept.pop(right.pop())[0]
        if size <= self.room:
            self.room -= size
            self.kept[number] = (size, record)


def _ask(runs: Sequence[Scored], records: Sequence[dict[str, Any]], questions: dict[str, int]) -> None:
    """Say what was asked, in `question`, of those replies whose examples are not in the page as a whole."""
    asked: dict[int, dict[str, str]] = {}
    for record in records:
        record["question"] = None
        if record["document"] is None:
            index = record["run"]
            if index not in asked:
                asked[index] = _questions(runs[index], _asked_about(runs[index]))
            if question := asked[index].get(record["id"]):
                record["question"] = questions.setdefault(question, len(questions))


def _in_order(run: Scored) -> Iterator[tuple[Outcome, Reply | None]]:
    """Yield every outcome with the reply that was scored, in the order of recording, those without a reply last."""
    seen: set[tuple[str, int]] = set()
    settled = run.run.predictions() or {}
    for example, repeat, calls in final_calls(run.run):
        if (outcome := run.outcomes.get((example, repeat))) is not None:
            seen.add((example, repeat))
            said = (call for call in reversed(calls) if isinstance(call, Reply) and call.role not in SHARED_ROLES)
            last = next(said, None)
            yield outcome, settled.get((example, repeat), last)
    for key, outcome in run.outcomes.items():
        if key not in seen:
            # A vote has predictions and no calls.
            yield outcome, settled.get(key)


def _record(outcome: Outcome, reply: Reply | None, row: Mapping[str, Any], most: int) -> dict[str, Any]:
    text, cut_text = _shorten(reply.text if reply else None, most)
    reasoning, cut_reasoning = _shorten(reply.reasoning if reply else None, most)
    return {
        "id": outcome.example_id,
        "config": row["config"],
        "split": row["split"],
        "language": row.get("language"),
        "repeat": outcome.repeat,
        "kind": outcome.kind,
        "gold": _shorten(row.get("answer_text"), 2000)[0],
        "answer": _joined(outcome.answer),
        "message": _shorten(outcome.message, most)[0],
        "decoy": outcome.details.get("decoy_hit"),
        "causes": list(causes_of(outcome) or ()),
        "finish": reply and reply.finish_reason,
        "calls": outcome.calls,
        "usage": {
            "input": outcome.usage.input,
            "cached": outcome.usage.cached,
            "output": outcome.usage.output,
            "reasoning": outcome.usage.reasoning,
        },
        "seconds": round(outcome.latency, 1),
        "cost": outcome.cost,
        "text": text,
        "reasoning": reasoning,
        "cut": cut_text + cut_reasoning,
    }


def _joined(answer: Any) -> str | None:
    """Return an answer in the form of `answer_text`, or as JSON where it is no sequence of words."""
    if answer is None:
        return None
    if not isinstance(answer, list):
        return _shorten(answer if isinstance(answer, str) else json.dumps(answer), 2000)[0]
    sequences = answer if answer and isinstance(answer[0], list) else [answer]
    return _shorten(" | ".join(" ".join(words) for words in sequences), 2000)[0]


def _shorten(text: str | None, most: int) -> tuple[str | None, int]:
    """Return both ends of a text, and how many characters were left out between them.

    Half a surrogate pair is shown as its escape: browsers differ in what they make of one.
    """
    if text is None:
        return None, 0
    text = text.encode("utf-8", "backslashreplace").decode()
    if len(text) <= most:
        return text, 0
    half = most // 2
    out = len(text) - 2 * half
    return f"{text[:half]}\n[... {out:,} characters left out ...]\n{text[-half:]}", out


def _asked_about(run: Scored) -> str:
    """Return the column that tells what a row asks about: of a novel that is its summary, for all ask the same."""
    return "summary" if is_novel([run]) else "question"


def _questions(run: Scored, column: str) -> dict[str, str]:
    """Return what a run's rows ask by id, as far as its data are still there."""
    data = data_of(run.run)
    if data is None:
        return {}
    found: dict[str, str] = {}
    for cell in run.results.cells:
        found.update(_read_questions(data, Cell(cell.config, cell.split), column))
    return found


def _read_questions(data: Data, cell: Cell, column: str) -> dict[str, str]:
    import pyarrow.parquet as pq

    found: dict[str, str] = {}
    try:
        files = data.files(cell)
    except InputError:
        return {}
    for path in files:
        if column in pq.read_schema(path).names:
            columns = pq.read_table(path, columns=["id", column], partitioning=None)
            found.update(zip(columns["id"].to_pylist(), columns[column].to_pylist(), strict=True))
    return found


def embed(value: Any) -> Html:
    r"""Return JSON that is safe inside a `<script type="application/json">`.

    ASCII only, so that neither U+2028 nor half a surrogate pair stands in the page, and without the three characters
    that could end the element or open a comment.

    >>> embed({"a": "</script><!--"})
    '{"a":"\\u003c/script\\u003e\\u003c!--"}'
    """
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Html(text)


def payload(
    replies: Replies,
    runs: Sequence[Scored],
    tags: Mapping[str, Any] | None = None,
    labels: Mapping[str, str] = MappingProxyType({}),
) -> Html:
    """Return all data of the page's script.

    Args:
        replies: what its browser shows.
        runs: that they are of.
        tags: of `reply_browser.tag_data`.
        labels: what the script's own texts are in the language of the page, by the English ones.
    """
    return embed(
        {
            "runs": [run.results.label for run in runs],
            "asked": [_asked_about(run).capitalize() for run in runs],
            "benchmarks": [layout_of([run]).name for run in runs],
            # Whose replies that are not right a person can tag.
            "tagged": [is_novel([run]) for run in runs],
            "kinds": dict(KINDS),
            "outcomes": OUTCOME_KINDS,
            "questions": replies.questions,
            "records": replies.records,
            "tags": tags,
            "labels": dict(labels),
        }
    )


def packed(replies: Replies) -> Html:
    """Return the texts of the examples as the page's script unpacks them: a line each, all base64."""
    return Html(packed_lines(replies.documents))
