from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.builders.longnovel.splits import PAPER_SHARES, assign_splits, books_in_two, shared_text
from lengthwise.errors import InputError


def test_as_many_books_as_the_paper_are_split_like_its_chinese_ones() -> None:
    splits = assign_splits({f"b{number}": "zh" for number in range(29)})
    assert Counter(splits.values()) == {"train": 15, "validation": 4, "test": 10}


@given(st.integers(0, 40), st.integers(0, 9), st.tuples(*[st.integers(0, 9)] * 3).filter(any))
def test_every_book_has_one_split_and_none_starves(books: int, seed: int, shares: tuple[int, int, int]) -> None:
    wanted = dict(zip(PAPER_SHARES, shares, strict=True))
    splits = assign_splits({f"b{number}": "en" for number in range(books)}, shares=wanted, seed=seed)
    assert len(splits) == books
    counts = Counter(splits.values())
    assert all(wanted[split] for split in counts)
    if books >= sum(share > 0 for share in shares):
        assert all(counts[split] for split, share in wanted.items() if share)


@pytest.mark.parametrize(
    ("books", "split"), [(1, {"test"}), (2, {"test", "train"}), (3, {"test", "train", "validation"})]
)
def test_test_comes_first(books: int, split: set[str]) -> None:
    assert set(assign_splits({f"b{number}": "en" for number in range(books)}).values()) == split


def test_the_sources_own_splits_stand() -> None:
    books = dict.fromkeys(("a", "b", "c"), "en")
    assert assign_splits(books, {"a": "validation", "b": "validation"})["a"] == "validation"  # type: ignore[arg-type]


def test_the_order_of_the_books_changes_nothing() -> None:
    books = [f"b{number}" for number in range(9)]
    assert assign_splits(dict.fromkeys(books, "en")) == assign_splits(dict.fromkeys(books[::-1], "en"))


def test_another_seed_draws_others() -> None:
    books = {f"b{number}": "en" for number in range(29)}
    assert assign_splits(books, seed=1) != assign_splits(books, seed=2)  # type: ignore[arg-type]


def test_a_split_that_is_none() -> None:
    with pytest.raises(InputError, match="the split 'dev' is none"):
        assign_splits({"a": "en"}, {"a": "dev"})


def test_shares_without_any() -> None:
    with pytest.raises(InputError, match="shares"):
        assign_splits({"a": "en"}, shares={"train": 0})


def test_the_papers_own_slip_is_named() -> None:
    rows = [("train", "Waiting"), ("validation", "Waiting"), ("test", "Kids")]
    assert books_in_two(rows) == ["the book Waiting is in train and validation"]


def test_the_same_text_under_two_names_is_named() -> None:
    line = "The old captain walked down to the harbour. " * 6
    assert (
        "a (train) and b (test) share" in shared_text([("train", "a", f"x\n{line}"), ("test", "b", f"{line}\ny")])[0]
    )
    assert shared_text([("train", "a", line), ("train", "b", line), ("test", "c", "The End")]) == []


def test_the_draw_is_the_same_everywhere() -> None:
    splits = assign_splits({f"b{number:02}": "zh" for number in range(29)})
    assert [book for book, split in splits.items() if split == "validation"] == ["b07", "b20", "b24", "b27"]
