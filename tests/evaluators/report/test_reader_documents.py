"""What each benchmark's reader makes of an example: texts, marks at the right places, sections."""

from collections.abc import Sequence
from typing import Any

from lengthwise.contracts import Reply
from lengthwise.evaluators.contracts import Example, Outcome
from lengthwise.evaluators.report.reader.instances import instance_document, instance_flags
from lengthwise.evaluators.report.reader.model import Document, Flag, Part
from lengthwise.evaluators.report.reader.novels import novel_document
from lengthwise.evaluators.report.reader.table import reader_of
from lengthwise.evaluators.report.reader.word_lists import answered, word_document

ARTICLE = "One came. Two left.\nThree stayed.\n\nFour slept. Five woke."


def novel(article: str = ARTICLE, summary: str = "A. Wrong. B.", **columns: Any) -> Document:
    row = {"language": "en", "unit_start": 3, "unit_end": 4, "injections": [], "evidence": [], **columns}
    return novel_document(Example("x", "", row, "longnovel", {"article": article, "summary": summary}))


def injection(hallucinated: str = "Wrong.", original: str = "Right.") -> dict[str, str]:
    return {"type": "entity", "subtype": "T2", "hallucinated": hallucinated, "original": original}


def evidence(*passages: str) -> dict[str, list[int]]:
    starts = [ARTICLE.index(passage) for passage in passages]
    return {"starts": starts, "ends": [start + len(one) for start, one in zip(starts, passages, strict=True)]}


def marked(part: Part) -> list[tuple[str, str]]:
    return [(mark.label, part.text[mark.start : mark.end]) for mark in part.marks]


def test_evidence_is_numbered_by_injection_and_lettered_by_place():
    found = [evidence("Four slept.", "Two left."), evidence("One came.")]
    document = novel(injections=[injection(), injection("B.")], evidence=found)
    assert marked(document.main) == [("1a", "Two left."), ("1b", "Four slept."), ("2", "One came.")]
    assert [mark.group for mark in document.main.marks] == [1, 1, 2]


def test_the_hallucinated_sentence_is_marked_and_says_the_right_one():
    (part,) = novel(injections=[injection()]).side
    assert marked(part) == [("1", "Wrong.")]
    assert (part.marks[0].title, part.marks[0].text, part.marks[0].group) == ("entity T2", "Right.", 1)


def test_a_sentence_that_is_there_twice_is_marked_where_the_order_says():
    (part,) = novel(summary="No. Yes. No.", injections=[injection("Yes."), injection("No.")]).side
    assert [mark.start for mark in part.marks] == [4, 9]


def test_a_sentence_that_is_not_in_the_summary_is_listed_only():
    (part,) = novel(injections=[injection("Elsewhere.")]).side
    assert [(mark.start, mark.end, mark.text) for mark in part.marks] == [(0, 0, "Right.")]


def test_chapters_come_from_the_units_where_blank_lines_part_them():
    main = novel().main
    assert [(one.number, main.text[one.start :][:4]) for one in main.sections] == [(3, "One "), (4, "Four")]
    assert main.headed


def test_headings_are_found_where_blank_lines_part_paragraphs():
    text = "Chapter I. The Storm\n\nIt rained.\n\n第十二回 風雪\n\nCHAPTER 2\n\nIt was chapter 3 of his life."
    main = novel(text).main
    assert [one.label for one in main.sections] == ["Chapter I. The Storm", "第十二回 風雪", "CHAPTER 2"]
    assert not main.headed


def test_novels_that_people_wrote_have_no_evidence():
    assert novel(injections=[injection()], evidence=None).main.marks == ()


def words(prompt: str = "Words: q a b c x c a b\n\nFind.", span: tuple[int, int] = (7, 22), **columns: Any) -> Example:
    row = {
        "list_span": list(span), "n_words": 8, "list_starts": [0], "answers": [["a", "b", "c"]],
        "decoys": [{"start": 5, "length": 3, "kind": "near-sorted"}], **columns,
    }  # fmt: skip
    return Example("x", prompt, row, "predicatelongbench")


def wrong(answer: list[Any], **details: Any) -> Outcome:
    return Outcome("x", 0, "wrong", answer, details=details)


def test_target_and_decoys_are_marked_in_the_word_list():
    document = word_document(words())
    kinds = [(mark.kind, document.main.text[mark.start : mark.end]) for mark in document.main.marks]
    assert kinds == [("target", "a b c"), ("decoy", "c a b")]
    assert document.side[0].text == "Find."


def test_single_words_bear_no_number():
    decoys = [{"start": 0, "length": 1, "kind": "near-miss"}, {"start": 4, "length": 1, "kind": "near-miss"}]
    marks = word_document(words(decoys=decoys)).main.marks
    assert [mark.label for mark in marks if mark.kind == "decoy"] == ["", ""]


def test_lists_are_sections_and_their_labels_are_no_words():
    prompt = "List 1: q a b c\nList 2: x c a b\n\nFind."
    main = word_document(words(prompt, (0, 31), list_starts=[0, 4])).main
    assert [one.number for one in main.sections] == [1, 2]
    assert [main.text[mark.start : mark.end] for mark in main.marks] == ["a b c", "c a b"]


def test_words_that_are_not_the_rows_bear_no_marks():
    assert word_document(words(n_words=9)).main.marks == ()


def answers_at(outcome: Outcome) -> list[str]:
    document = word_document(words())
    return [document.main.text[mark.start : mark.end] for mark in answered(words(), document, outcome)]


def test_a_wrong_answer_is_marked_wherever_it_stands():
    assert answers_at(wrong(["c"])) == ["c", "c"]
    assert answers_at(wrong([["b", "c"], ["x"]])) == ["b c", "x"]


def test_words_in_another_order_are_marked_by_the_decoy_that_was_hit():
    assert answers_at(wrong(["a", "b", "x"], decoy_hit={"index": 0, "kind": "near-sorted"})) == ["c a b"]


def test_a_right_answer_adds_no_marks():
    assert answers_at(Outcome("x", 0, "correct", ["a", "b", "c"])) == []


PROMPT = "How many?\n\n\n=== Here are the numbers ===\n\nNumber 1: 18\n\nNumber 2: Number 3: 7\n\nNumber 3: 5"


def instances(**columns: Any) -> dict[str, Any]:
    answers = ["0", "1", "1"]
    return {
        "task": "parity", "setting": "instances", "question": "How many?", "instance_answers": answers,
        "labels": ["even", "odd", "odd"], **columns,
    }  # fmt: skip


def test_each_instance_is_a_section_with_its_right_answer():
    document = instance_document(Example("x", PROMPT, instances(), "multi-instance"))
    found = [(one.number, document.main.text[one.start :][:9], one.label) for one in document.main.sections]
    assert found == [(1, "Number 1:", "0 (even)"), (2, "Number 2:", "1 (odd)"), (3, "Number 3:", "1 (odd)")]
    assert document.side[0].text == "How many?"


def flags_of(text: str, **columns: Any) -> Sequence[Flag]:
    outcome = Outcome("x", 0, "wrong", details={"wrong": 1, "missing": 1})
    return instance_flags(instances(**columns), outcome, Reply(text))


def test_wrong_and_missing_instances_are_flagged():
    assert flags_of('{"1": 1, "odd": 2, "even": 1}') == [Flag(1, 1, "wrong", "1"), Flag(2, 3, "missing")]


def test_an_aggregate_says_nothing_of_single_instances():
    assert flags_of('{"answer": 2}', setting="aggregate") == ()


def test_a_reply_without_a_table_flags_nothing():
    assert flags_of("I cannot.") == ()


def test_every_benchmark_has_a_reader():
    assert reader_of("longnovel-storyworld") is reader_of("longnovel")
    assert reader_of("predicatelongbench").marks is answered
