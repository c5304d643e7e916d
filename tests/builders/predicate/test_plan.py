from typing import Any

import pytest

from lengthwise.builders.predicate import plan
from lengthwise.builders.predicate.plan import describe, make_rows, sizes_of, synthetic_tasks, try_out
from lengthwise.builders.predicate.settings import LENGTHS, Settings, Size
from lengthwise.builders.predicate.variants import find_variants
from lengthwise.errors import InputError


def tasks_of(*names: str, sizes: tuple[Size, ...] = sizes_of(["4k"]), **given: Any) -> list[Any]:
    return synthetic_tasks(find_variants(names), sizes, Settings(**given))


def test_without_a_size_all_named_lengths() -> None:
    assert [(size.split, size.tokens) for size in sizes_of()] == [*LENGTHS.items()]


@pytest.mark.parametrize(
    ("given", "sizes"),
    [
        ({"splits": ["4k", "128k"]}, [Size("4k", tokens=4096), Size("128k", tokens=131_072)]),
        ({"splits": ["3k"]}, [Size("3k", tokens=3072)]),
        ({"tokens": [100_000]}, [Size("100000", tokens=100_000)]),
        ({"tokens": [8192], "splits": ["8k"]}, [Size("8k", tokens=8192)]),
        ({"words": [60_000]}, [Size("60000words", words=60_000)]),
        ({"window": 131_072}, [Size("112k", tokens=114_688)]),
        ({"window": 40_960, "reserve": 960}, [Size("40000", tokens=40_000)]),
    ],
)
def test_sizes(given: dict[str, Any], sizes: list[Size]) -> None:
    assert [*sizes_of(**given)] == sizes


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"splits": ["4K"]}, "split '4K' is no length"),
        ({"splits": ["4096"]}, "split '4096' is no length: give one like 4k, 8k"),
        ({"splits": ["k"]}, "split 'k' is no length"),
        ({"splits": ["-4k"]}, "split '-4k' is no length"),
        ({"splits": ["0k"]}, "split must be at least 1, not 0"),
        ({"tokens": [-5]}, "tokens must be at least 1, not -5"),
        ({"words": [0]}, "words must be at least 1, not 0"),
        ({"window": 16_384}, "window 16,384 leaves nothing behind a reserve of 16,384 tokens"),
        ({"window": 4096, "reserve": -1}, "reserve"),
    ],
)
def test_sizes_that_cannot_be_read(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        sizes_of(**given)


def test_a_task_is_of_one_family_and_all_its_variants() -> None:
    tasks = tasks_of("lex-locate", "lex-lists", "unary-all", examples=3)
    assert [task.name for task in tasks] == ["unary-4k-000000", "lex-4k-000000"]
    assert [task.cells for task in tasks] == [(("unary-all", "4k"),), (("lex-locate", "4k"), ("lex-lists", "4k"))]
    assert [task.rows for task in tasks] == [3, 6]


@pytest.mark.parametrize("examples", [1, 15, 16, 17, 100])
def test_tasks_cover_every_example_once(examples: int) -> None:
    tasks = tasks_of("lex-locate", sizes=sizes_of(["4k", "128k"]), examples=examples)
    for split in ("4k", "128k"):
        indices = [i for task in tasks if task.cells == (("lex-locate", split),) for i in task.payload.indices]
        assert indices == [*range(examples)]
    assert [task.name for task in tasks if "-4k-" in task.name] == sorted(t.name for t in tasks if "-4k-" in t.name)


def test_long_rows_make_short_tasks() -> None:
    tasks = tasks_of("lex-locate", sizes=sizes_of(["128k"]))
    assert max(len(task.payload.indices) for task in tasks) * 131_072 <= plan._TASK_TOKENS


@pytest.mark.parametrize(
    ("given", "size"),
    [
        ({"splits": ["128k"]}, Size("128k", words=60_000)),
        ({"splits": ["128k"], "tokens": [100_000]}, Size("128k", words=60_000)),
        ({"tokens": [131_072]}, Size("128k", tokens=131_072)),
        ({"splits": ["128k"], "tokens": [131_072]}, Size("128k", tokens=131_072)),
        ({"window": 131_072 + 16_384}, Size("128k", tokens=131_072)),
    ],
)
def test_short_words_are_fixed_by_words_unless_that_length_is_a_budget(given: dict[str, Any], size: Size) -> None:
    tasks = tasks_of("lex-short-words", sizes=sizes_of(**given), examples=1)
    assert tasks[0].payload.size == size


def test_short_words_of_other_lengths_have_a_budget() -> None:
    assert tasks_of("lex-short-words", examples=1)[0].payload.size == Size("4k", tokens=4096)


def test_rows_come_with_their_cells() -> None:
    (task,) = tasks_of("lex-locate", "lex-longest", examples=2)
    rows = [(cell, row["id"]) for cell, row in make_rows(task.payload)]
    assert rows == [
        (("lex-locate", "4k"), "lex-locate-4k-s42-0000"),
        (("lex-longest", "4k"), "lex-longest-4k-s42-0000"),
        (("lex-locate", "4k"), "lex-locate-4k-s42-0001"),
        (("lex-longest", "4k"), "lex-longest-4k-s42-0001"),
    ]


def test_the_smallest_size_is_tried() -> None:
    tasks = tasks_of("lex-lists", sizes=sizes_of(["4k"], tokens=[500]), examples=1)
    with pytest.raises(InputError, match="500 tokens are too few"):
        try_out(tasks)


def description(*names: str, **given: Any) -> dict[str, Any]:
    settings = Settings(**given)
    return describe(settings, synthetic_tasks(find_variants(names), sizes_of(["4k"]), settings), None, None, False)


def test_equal_builds_are_described_alike() -> None:
    assert description("lex-lists", "unary-all") == description("unary-all", "lex-lists")


@pytest.mark.parametrize(
    "given",
    [{"seed": 1}, {"examples": 3}, {"k": 6}, {"alphabet": "abcdefghijkl"}, {"kinds": ("prefix",)}, {"radius": 99}],
)
def test_every_parameter_is_in_the_description(given: dict[str, Any]) -> None:
    assert description("unary-all", **given) != description("unary-all")
