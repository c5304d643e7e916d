import pytest

from lengthwise.builders.digest import content_digest, dataset_digest, row_digest

ROW = {"id": "a", "k": 5, "answer": ["x", "y"], "prompt": "é"}


def test_the_digest_of_a_row_is_pinned() -> None:
    assert row_digest({"b": [1, None], "a": "é"}) == "3d92f6368f93f3cb36a4e7a721098054dfbfd705e31fa50409f2d99e0727a08c"


def test_the_order_of_columns_does_not_count() -> None:
    assert row_digest(dict(reversed(ROW.items()))) == row_digest(ROW)


@pytest.mark.parametrize(
    "change", [{"id": "b"}, {"k": 6}, {"k": "5"}, {"answer": ["y", "x"]}, {"answer": "x y"}, {"prompt": "e\u0301"}]
)
def test_every_change_of_a_cell_counts(change: dict[str, object]) -> None:
    assert row_digest({**ROW, **change}) != row_digest(ROW)


def test_the_order_of_rows_counts() -> None:
    assert content_digest(["a", "b"]) != content_digest(["b", "a"])


def test_rows_do_not_run_into_each_other() -> None:
    assert content_digest(["ab"]) != content_digest(["a", "b"])


def test_the_order_of_splits_does_not_count_but_their_names_do() -> None:
    one = {("a", "4k"): "1", ("b", "4k"): "2"}
    assert dataset_digest(dict(reversed(one.items()))) == dataset_digest(one)
    assert dataset_digest({("a", "8k"): "1", ("b", "4k"): "2"}) != dataset_digest(one)
