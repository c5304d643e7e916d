import random

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from run_helpers import make_row

from lengthwise.errors import InputError
from lengthwise.evaluators.benchmarks import LONGNOVEL, PREDICATELONGBENCH
from lengthwise.evaluators.sharding import PLACE, Shard, take_shard

CONFIGS = ("lex-locate", "lex-longest", "unary-locate")


def table(sizes):
    """Return rows of so many lists at each length, all asked under each config."""
    rows = [
        make_row(config, split, index, int(split[:-1]) * 1024)
        for config in CONFIGS
        for split, count in sizes.items()
        for index in range(count)
    ]
    keep = ("id", "list_id", "n_tokens")
    return pa.Table.from_pylist([{name: row[name] for name in keep} for row in rows])


def shards(examples, count):
    return [take_shard(examples, PREDICATELONGBENCH, Shard(number, count))[0] for number in range(1, count + 1)]


@given(st.fixed_dictionaries({"4k": st.integers(1, 9), "128k": st.integers(0, 9)}), st.integers(1, 12), st.data())
def test_every_row_is_in_one_shard_in_order(sizes, count, data):
    examples = table(sizes)
    count = min(count, 2 * sum(sizes.values()))
    parts = shards(examples, count)
    places = [part[PLACE].to_pylist() for part in parts]
    assert all(places) and all(of_part == sorted(of_part) for of_part in places)
    assert sorted(place for of_part in places for place in of_part) == list(range(len(examples)))
    for part in parts:
        assert part["id"].to_pylist() == examples.take(part[PLACE])["id"].to_pylist()


@given(st.integers(1, 9), st.integers(2, 5))
def test_a_list_under_two_questions_stays_together(lists, count):
    holder = {}
    for number, part in enumerate(shards(table({"4k": lists}), min(count, 2 * lists))):
        for source in part["list_id"].to_pylist():
            assert holder.setdefault(source, number) == number


def test_tokens_are_spread_evenly():
    parts = shards(table({"4k": 40, "32k": 20, "128k": 10}), 4)
    loads = [sum(part["n_tokens"].to_pylist()) for part in parts]
    assert max(loads) < 1.15 * min(loads)


def test_which_shard_a_row_is_in_hangs_on_no_order_of_the_rows():
    examples = table({"4k": 7, "8k": 3})
    order = list(range(len(examples)))
    random.Random(1).shuffle(order)
    for one, other in zip(shards(examples, 3), shards(examples.take(order), 3), strict=True):
        assert set(one["id"].to_pylist()) == set(other["id"].to_pylist())


def test_all_windows_of_a_book_stay_together():
    rows = [
        {"id": f"{book}-{index}", "language": "en", "book": book, "n_tokens": 100}
        for book in "abc"
        for index in range(4)
    ]
    for number in (1, 2, 3):
        part, _ = take_shard(pa.Table.from_pylist(rows), LONGNOVEL, Shard(number, 3))
        assert len(set(part["book"].to_pylist())) == 1


def test_more_shards_than_sources_are_refused():
    with pytest.raises(InputError, match=r"6 rows come from 4 sources.*take at most 4 shards"):
        take_shard(table({"4k": 2}), PREDICATELONGBENCH, Shard(1, 5))


@pytest.mark.parametrize(("number", "count"), [(0, 4), (5, 4), (1, 0)])
def test_a_shard_that_there_is_not(number, count):
    with pytest.raises(InputError, match=rf"--shard {number}/{count}: must be I/N"):
        Shard(number, count)
