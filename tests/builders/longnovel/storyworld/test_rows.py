import json
from pathlib import Path
from typing import Any

import pytest

from lengthwise.builders.longnovel.labels import erhg_score
from lengthwise.builders.longnovel.prompt_texts import load_prompts
from lengthwise.builders.longnovel.records import LANGUAGES, Language
from lengthwise.builders.longnovel.row_checks import check_evidence, check_injections, check_label, check_language
from lengthwise.builders.longnovel.rows import detection_prompt
from lengthwise.builders.longnovel.schema import SCHEMA
from lengthwise.builders.longnovel.storyworld.books import Book
from lengthwise.builders.longnovel.storyworld.rows import faithful_reason, pair_rows
from lengthwise.builders.longnovel.storyworld.settings import story_range, summary_words
from lengthwise.builders.longnovel.storyworld.story import Story, make_story
from lengthwise.builders.longnovel.storyworld.truth import Facts
from lengthwise.builders.longnovel.text import count_words
from lengthwise.builders.tokens import load_tokenizer
from lengthwise.metrics.consistency_answers import parse_consistency_score

COUNT = load_tokenizer("qwen3").count
BOOKS = [Book(language, scale, "test", 42, index) for language in LANGUAGES
         for scale, index in (("1k", 0), ("2k", 1), ("4k", 2), ("4k", 3), ("8k", 4), ("s", 5))]  # fmt: skip


@pytest.fixture(scope="module", params=BOOKS, ids=lambda book: book.id)
def story(request: pytest.FixtureRequest) -> Story:
    return make_story(request.param, "qwen3")


@pytest.fixture(scope="module")
def rows(story: Story) -> list[dict[str, Any]]:
    return list(pair_rows(story, "qwen3", load_prompts(story.book.language)))


def test_a_pair_has_one_row_of_each_class(rows: list[dict[str, Any]]) -> None:
    wrong, right = rows
    assert [list(row) for row in rows] == [SCHEMA.names] * 2
    assert (wrong["origin"], right["origin"]) == ("erhg", "original")
    assert (wrong["hallucinated"], right["hallucinated"]) == (1, 0)
    shared = ("pair_id", "book", "article", "reference", "question", "unit_start", "unit_end")
    assert all(wrong[name] == right[name] for name in shared)
    assert wrong["id"] == f"{wrong['scale']}-{wrong['book']}-0001-{wrong['unit_end']:04d}-erhg"


def test_rows_hold_by_the_checks_of_every_novel(story: Story, rows: list[dict[str, Any]]) -> None:
    for row in rows:
        found = [*check_label(row), *check_injections(row, story.summary), *check_evidence(row), *check_language(row)]
        assert found == []
        assert parse_consistency_score(row["answer_text"]).value == row["score"]  # type: ignore[union-attr]


def test_the_summaries_differ_in_the_injected_sentences_alone(rows: list[dict[str, Any]]) -> None:
    wrong, right = rows
    restored = wrong["summary"]
    for one in wrong["injections"]:
        assert one["hallucinated"] in wrong["summary"] and one["hallucinated"] not in right["summary"]
        assert one["original"] in right["summary"] and one["original"] not in wrong["summary"]
        restored = restored.replace(one["hallucinated"], one["original"])
    assert restored == right["summary"]


def test_scores_follow_from_types_and_soft_sentences(story: Story, rows: list[dict[str, Any]]) -> None:
    wrong, right = rows
    assert wrong["score"] == erhg_score(one["type"] for one in wrong["injections"])
    assert right["score"] == {0: 5, 1: 4, 2: 4}.get(len(story.soft), 3)
    for soft, full in story.soft:
        assert soft.rstrip(".。") in right["reason"] and full.rstrip(".。") in right["reason"]
        assert soft in right["summary"] and soft in wrong["summary"] and full in right["reference"]


def test_tokens_and_distances_are_exact(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        assert row["n_tokens"] == COUNT(detection_prompt(row, load_prompts(row["language"])))
    for one in rows[0]["evidence"]:
        assert one["distance"] == COUNT(rows[0]["article"][min(one["starts"]) : max(one["ends"])])


def test_evidence_is_where_the_pieces_are_told(story: Story, rows: list[dict[str, Any]]) -> None:
    chapters = {chapter.number: chapter for chapter in story.chapters}
    for (change, _, _), found in zip(story.changes, rows[0]["evidence"], strict=True):
        told = {(p.chapter, chapters[p.chapter].text[slice(*chapters[p.chapter].spans[p.number])])
                for p in story.world.pieces if p.number in change.claim.pieces}  # fmt: skip
        places = zip(found["units"], found["starts"], found["ends"], strict=True)
        assert {(unit, story.article[start:end]) for unit, start, end in places} == told


def test_truth_is_what_the_ledger_says(story: Story) -> None:
    facts = Facts(story.world.pieces)
    assert all(facts.holds(sentence.claim) for sentence in story.outline.told)
    untrue = [sentence.text for sentence in story.outline.changed if not facts.holds(sentence.claim)]
    assert untrue == [wrong for _, wrong, _ in story.changes] != []


def test_lengths_are_within_their_bounds(story: Story, rows: list[dict[str, Any]]) -> None:
    least, most = story_range(story.book.scale)
    assert least <= COUNT(story.article) <= most
    words = summary_words(story.book.scale)
    # Two or three sentences cannot meet a length as closely as many.
    share = 0.1 if words > 100 else 0.25
    for row in rows:
        assert abs(count_words(row["summary"], row["language"]) - words) <= share * words


def test_headings_stay_out_of_the_article(story: Story) -> None:
    assert story.article == "\n\n".join(chapter.text for chapter in story.chapters)
    assert not any(line == chapter.title for chapter in story.chapters for line in story.article.split("\n"))


def test_every_chapter_with_a_complete_claim_has_a_paragraph_in_the_reference(story: Story) -> None:
    complete = {claim.chapter for claim in story.world.claims}
    assert len(story.reference.split("\n\n")) == len(complete)


@pytest.mark.parametrize("language", LANGUAGES)
def test_reasons_are_in_the_rows_language(language: Language) -> None:
    sentence = {"en": ("Some men came.", "Forty men came."), "zh": ("来了些人。", "来了四十人。")}[language]
    whole, rough = faithful_reason([], language), faithful_reason([sentence, sentence], language)
    assert whole != rough and rough.count(sentence[0][:-1]) == 2
    for reason in (whole, rough):
        assert reason.isascii() == (language == "en")
        assert json.loads(json.dumps(reason)) == reason


def test_another_tokenizer_measures_the_novel(tmp_path: Path) -> None:
    story = make_story(Book("en", "4k", "test", 42, 0), "qwen3.6")
    (row, _) = pair_rows(story, "qwen3.6", load_prompts("en"))
    assert row["n_tokens"] == load_tokenizer("qwen3.6").count(detection_prompt(row, load_prompts("en")))
