from itertools import islice
from pathlib import Path

import pytest

from lengthwise.builders.benchmarks import validate
from lengthwise.builders.hub_folder import read_build
from lengthwise.builders.longnovel.storyworld.documents import DOMAIN, story_document, story_documents
from lengthwise.builders.predicate.build import build_predicate
from lengthwise.builders.predicate.document_filter import Accepted, FilterBounds, examine
from lengthwise.builders.predicate.document_selection import select
from lengthwise.builders.predicate.documents import SourceDocument
from lengthwise.builders.predicate.settings import Settings


def test_documents_are_the_same_whoever_asks() -> None:
    first, second = islice(story_documents(42), 2)
    assert (first, second) == (story_document(42, 0), story_document(42, 1))
    assert first.text != second.text != story_document(43, 1).text


def test_a_document_is_long_prose_under_a_label_of_its_own() -> None:
    document = story_document(42, 3)
    assert 140_000 < len(document.text) < 480_000
    assert document.domain == DOMAIN == "generated (story world)"
    assert document.licence == "Apache-2.0" and document.origin == "lengthwise storyworld 1"
    found = examine(document, len, break_ties=True)
    assert isinstance(found, Accepted) and 6 <= found.k <= 10


def test_a_build_draws_until_enough_pass(tmp_path: Path) -> None:
    result = build_predicate(
        tmp_path / "d", ("documents-locate",), documents=("storyworld",), settings=Settings(examples=2),
        break_ties=True,
    )  # fmt: skip
    assert result.selection is not None and len(result.selection.kept) == 2
    assert [line for report in validate(tmp_path / "d") for line in report.problems] == []
    card = (tmp_path / "d" / "README.md").read_text("utf-8")
    assert DOMAIN in card and "--documents storyworld --break-ties" in card and "license: apache-2.0" in card
    assert "LongBench" not in str(read_build(tmp_path / "d")["documents"])


def short(number: int, text: str) -> SourceDocument:
    return SourceDocument(f"d{number}", text, "", "x", "y", "z", "here")


PASSES = "m l k a b c d e f a"


def test_endless_documents_are_read_until_enough_have_passed() -> None:
    bounds = FilterBounds(min_tokens=1, max_top_word=1, min_mean_letters=1)
    read: list[int] = []

    def endless():  # type: ignore[no-untyped-def]
        number = 0
        while True:
            read.append(number)
            # Every other one has no run that is long enough.
            yield short(number, f"{PASSES} z y {'x' * (number // 2 + 1)}" if number % 2 else "b a b a b a")
            number += 1

    own = [short(100, f"{PASSES} own")]
    found = select(own, len, bounds, seed=1, most=3, endless=endless())
    assert sorted(kept.document.id for kept in found.kept) == ["d1", "d100", "d3"]
    assert max(read) <= 4


def test_endless_documents_that_never_pass_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lengthwise.builders.predicate.document_selection._PATIENCE", 5)
    found = select((), len, seed=1, most=3, endless=(short(number, "b a") for number in range(10**9)))
    assert not found.kept and len(found.rejected) == 5
