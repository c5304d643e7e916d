"""Which texts a page holds, how they are packed, and what is said of those that are left out."""

import base64
import json
import zlib
from pathlib import Path
from typing import Any

import pytest
from reader_cases import novel_scored, reader_row

from lengthwise.evaluators.report import render_report
from lengthwise.evaluators.report.payload import collect_replies
from lengthwise.evaluators.report.reader.choosing import by_need, first_of
from lengthwise.evaluators.report.reader.collecting import Documents, collect_documents, note
from lengthwise.evaluators.report.reader.model import Mark
from lengthwise.evaluators.report.reader.packing import marks_of, offsets, pack, shown
from lengthwise.evaluators.scoring import Scored

RIGHT, WRONG = '{"reason": "", "score": 1}', '{"reason": "", "score": 5}'


def unpacked(packed: str) -> str:
    return zlib.decompress(base64.b64decode(packed)).decode()


@pytest.mark.parametrize("text", ["plain", "\U0001f600a\U0001f600", "a\ud800b", "\udfff\U0001f600\r\n安\ufeff"])
def test_offsets_are_those_of_utf_16_units(text: str):
    units = shown(text).encode("utf-16-le")
    at = offsets(text)
    for place in range(len(text) + 1):
        assert units[: 2 * at(place)].decode("utf-16-le") == shown(text[:place])


def test_marks_begin_with_the_longest_of_a_place():
    marks = [Mark(2, 3, "decoy"), Mark(2, 9, "answer"), Mark(0, 1, "target")]
    assert [mark[:3] for mark in marks_of(marks, lambda place: place)] == [
        [0, 1, "target"], [2, 9, "answer"], [2, 3, "decoy"]
    ]  # fmt: skip


def test_a_packed_text_reads_back():
    text = "\ufeffOne.\r\nTwo \U0001f600 安娜\n" * 100
    assert unpacked(pack(text)) == text
    assert len(pack(text)) < len(text)


def record(example: str, kind: str = "wrong", config: str = "a", run: int = 0) -> dict[str, Any]:
    return {"run": run, "id": example, "config": config, "split": "4k", "kind": kind, "repeat": 0}


def test_wrong_ones_first_and_in_turn_from_each_cell():
    records = [
        record("a1"), record("a2", "correct"), record("a3"), record("b1", "correct", "b"), record("b2", "empty", "b"),
    ]  # fmt: skip
    assert [example for _, example in by_need(records)] == ["a1", "b2", "a3", "a2", "b1"]


def test_one_wrong_repeat_makes_an_example_wrong():
    assert [one for _, one in by_need([record("a", "correct"), record("b", "correct"), record("b")])] == ["b", "a"]


def test_as_many_are_read_at_once_as_likely_fit():
    assert first_of([1000, 1000, 1000], 3100) == 2
    assert first_of([None, None, None], 100) == 1
    assert first_of([1, 1, 1], 100) == 3


@pytest.fixture
def run(tmp_path: Path) -> Scored:
    """Three articles, the first two rows on the same one; the last answered wrongly."""
    noise = ["".join(chr(97 + (seed * place * place) % 23) for place in range(3000)) for seed in (7, 11)]
    rows = [
        reader_row(noise[0], false=True),
        reader_row(noise[0], false=False),
        reader_row(noise[1], false=True, number=1),
    ]
    return novel_scored(tmp_path / "run", rows, [RIGHT, WRONG, WRONG])


def test_a_text_that_examples_share_is_held_once(run: Scored):
    replies = collect_replies([run])
    texts = [unpacked(one) for one in replies.documents.packed]
    # Two articles, three descriptions; a summary each, of which the two hallucinated ones are alike.
    assert len(texts) == len(set(texts)) == 2 + 3 + 2
    assert [isinstance(one["document"], int) for one in replies.records] == [True, True, True]


def test_a_second_run_on_the_same_rows_adds_nothing(run: Scored):
    once, twice = collect_replies([run]).documents, collect_replies([run, run]).documents
    assert twice.packed == once.packed
    assert len(twice.places) == 2 * len(once.places)


def test_what_does_not_fit_is_left_out_and_said(run: Scored):
    records = collect_replies([run]).records
    whole = collect_documents([run], records, 1_000_000)
    some = collect_documents([run], records, sum(map(len, whole.packed)) - 1)
    assert len(some.places) < 3
    # The wrong one is there.
    assert next(iter(some.places)) == (0, records[2]["id"])
    assert f"The whole texts of {len(some.places)} of 3 examples" in note(some)
    assert "Those answered wrongly come first." in note(some)
    assert collect_documents([run], records, 0).packed == ()


def test_data_that_are_gone_are_said(run: Scored, tmp_path: Path):
    for path in (tmp_path / "run-data").rglob("*.parquet"):
        path.unlink()
    documents = collect_replies([run]).documents
    assert (documents.gone, documents.places) == (3, {})
    assert note(documents).endswith("The data of 3 are no longer there.")


def test_with_nothing_to_show_nothing_is_said():
    assert note(Documents()) == ""


def test_the_page_holds_the_texts_packed_and_not_otherwise(run: Scored):
    page = render_report([run])
    assert "The whole texts of all 3 examples are in this page." in page
    article = unpacked(collect_replies([run]).documents.packed[0])
    assert article not in page
    described = json.loads(unpacked(collect_replies([run]).documents.packed[2]))
    assert (described["language"], described["main"]["title"], described["side"][0]["title"]) == (
        "en",
        "Article",
        "Summary",
    )
