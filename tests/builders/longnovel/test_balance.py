from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.builders.longnovel.balance import balance, choose
from lengthwise.builders.longnovel.labels import Label
from lengthwise.builders.longnovel.pairing import pair_labels
from lengthwise.builders.longnovel.records import WindowKey
from lengthwise.builders.longnovel.requests import Request
from lengthwise.errors import InputError

TYPES = ("entity", "numerical", "event", "temporal")


def label(language: str, origin: str, positive: bool, number: int, types: tuple[str, ...] = ("entity",)) -> Label:
    key = WindowKey("s", f"{language}-book", number, number + 1)
    score = 2 if positive else 4
    generator = "generator-1" if positive else "generator-2"
    return Label(key, language, origin, generator, 1, score, types if positive else (), (), "", (), "")  # type: ignore[arg-type]


def pool(zh: int, en: int) -> list[Label]:
    kinds = [("original", False), ("erhg", True), ("mma", True), ("mma", False)]
    return [
        label(language, origin, positive, number, (TYPES[number % 4],))
        for language, size in (("zh", zh), ("en", en))
        for origin, positive in kinds
        for number in range(size)
    ]


def request(zh: int, en: int, original: int, erhg: int, mma: int, positive: int, **types: int) -> Request:
    origins: Any = {"original": original, "erhg": erhg, "mma": mma}
    return Request("test", "s", {"zh": zh, "en": en}, origins, positive, types)


def counts(labels: tuple[Label, ...]) -> dict[str, int]:
    return {
        **Counter(one.language for one in labels),
        **Counter(one.origin for one in labels),
        "positive": sum(one.hallucinated for one in labels),
    }


def test_a_request_is_met_in_every_number() -> None:
    found = choose(pool(40, 40), request(54, 46, 38, 20, 42, 50))
    assert found.missing == ()
    assert counts(found.labels) == {"zh": 54, "en": 46, "original": 38, "erhg": 20, "mma": 42, "positive": 50}


@given(st.data())
def test_what_exists_is_found_however_it_is_spread(data: st.DataObject) -> None:
    """Any choice of rows gives a request that the pool can meet."""
    labels = pool(5, 7)
    some = data.draw(st.lists(st.sampled_from(labels), unique_by=lambda one: one.id))
    by = Counter(one.language for one in some), Counter(one.origin for one in some)
    wanted = request(
        by[0]["zh"], by[0]["en"], by[1]["original"], by[1]["erhg"], by[1]["mma"], sum(o.hallucinated for o in some)
    )
    found = choose(labels, wanted)
    assert found.missing == ()
    assert len({one.id for one in found.labels}) == len(some)


@given(*[st.integers(0, 12)] * 6)
def test_never_silently_fewer(zh: int, original: int, erhg: int, plus: int, minus: int, size: int) -> None:
    total = original + erhg + plus + minus
    wanted = request(min(zh, total), total - min(zh, total), original, erhg, plus + minus, erhg + plus)
    found = choose(pool(size, size), wanted)
    assert (len(found.labels) == total) == (found.missing == ())
    assert all(
        count <= 2 * size for count in Counter(one.origin for one in found.labels if one.origin != "mma").values()
    )


def test_all_that_is_missing_is_named() -> None:
    with pytest.raises(InputError) as error:
        balance(pool(3, 3), {"zh-book": "test", "en-book": "test"}, [request(5, 5, 8, 1, 1, 1)])
    assert "test s: 6 of 8 rows of original" in str(error.value)


def test_fewer_are_taken_where_that_is_said() -> None:
    splits: Any = {"zh-book": "test", "en-book": "test"}
    (found,) = balance(pool(3, 3), splits, [request(5, 5, 8, 1, 1, 1)], fewer=True)
    assert len(found.labels) == 8
    assert "test s: 6 of 8 rows of original" in found.missing


def test_only_books_of_the_split_are_taken() -> None:
    splits: Any = {"zh-book": "train", "en-book": "test"}
    (found,) = balance(pool(3, 3), splits, [request(1, 1, 2, 0, 0, 0)], fewer=True)
    assert {one.language for one in found.labels} == {"en"}


def test_types_even_out() -> None:
    rare = [label("en", "erhg", True, number, ("entity",)) for number in range(50)]
    rare += [label("en", "erhg", True, 50 + number, ("temporal",)) for number in range(5)]
    found = choose(rare, request(0, 10, 0, 10, 0, 10))
    assert Counter(name for one in found.labels for name in one.types) == {"entity": 5, "temporal": 5}


def test_a_number_of_a_type_is_met_or_missing() -> None:
    labels = [label("en", "erhg", True, number, (TYPES[number % 4],)) for number in range(40)]
    found = choose(labels, request(0, 12, 0, 12, 0, 12, temporal=9))
    assert Counter(name for one in found.labels for name in one.types)["temporal"] == 9
    assert choose(labels, request(0, 12, 0, 12, 0, 12, temporal=11)).missing == (
        "test s: 10 of 11 rows with the type temporal",
    )


def test_pairs_stay_whole() -> None:
    found = choose(pool(0, 30), request(0, 20, 5, 5, 10, 10))
    kinds = Counter(pair.kind for pair in pair_labels(found.labels).values())
    assert kinds == {"minimal": 10, "window": 10}


def test_the_order_of_the_pool_changes_nothing_and_the_seed_does() -> None:
    labels, wanted = pool(30, 30), request(10, 10, 8, 6, 6, 10)
    assert choose(labels, wanted).labels == choose(labels[::-1], wanted).labels
    assert choose(labels, wanted, seed=1).labels != choose(labels, wanted, seed=2).labels


def test_the_draw_is_the_same_everywhere() -> None:
    found = choose(pool(30, 30), request(2, 3, 1, 1, 3, 3))
    assert [one.id for one in found.labels] == [
        "s-en-book-0007-0008-erhg",
        "s-en-book-0007-0008-original",
        "s-en-book-0017-0018-mma-generator-1",
        "s-zh-book-0012-0013-mma-generator-1",
        "s-zh-book-0012-0013-mma-generator-2",
    ]
