import time
from pathlib import Path

import pytest
import yaml

from lengthwise.builders.multi_instance import length_selections, random_selections, shuffled
from lengthwise.builders.multi_instance.selections import SHUFFLE_SEEDS
from lengthwise.builders.multi_instance.tasks import SEEDS, TASKS, InstanceTask
from lengthwise.errors import InputError

ALL_TASKS = pytest.mark.parametrize("task", TASKS.values(), ids=TASKS.keys())


def published(folder: Path, task: InstanceTask) -> dict[str, list[int]]:
    path = folder / f"{task.folder}_selection.yaml"
    return {one["name"]: one["indices"] for one in yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)["samples"]}


def retained(shared_dir: Path, task: InstanceTask) -> list[int]:
    """The union of the published samples is what the authors' filter left."""
    samples = published(shared_dir / "data/mip/selections", task).values()
    return sorted(set().union(*samples))


@pytest.mark.shared
@ALL_TASKS
def test_published_selections_come_out_to_the_bit(shared_dir: Path, task: InstanceTask) -> None:
    expected = published(shared_dir / "data/mip/selections", task)
    assert len(expected) == len(task.sizes) * len(SEEDS)
    assert random_selections(retained(shared_dir, task), task.sizes, SEEDS) == expected


@pytest.mark.shared
@ALL_TASKS
def test_published_orders_come_out_to_the_bit(shared_dir: Path, task: InstanceTask) -> None:
    samples = published(shared_dir / "data/mip/selections", task)
    ours = {
        f"random_{size}_seed1_shuffle{number}": shuffled(samples[f"random_{size}_seed1"], seed)
        for size in task.sizes
        for number, seed in enumerate(SHUFFLE_SEEDS, 1)
    }
    assert ours == published(shared_dir / "data/mip/shuffle", task)


@pytest.mark.shared
def test_there_are_as_many_as_published(shared_dir: Path) -> None:
    tasks = list(TASKS.values())
    assert sum(len(published(shared_dir / "data/mip/selections", task)) for task in tasks) == 385
    assert sum(len(published(shared_dir / "data/mip/shuffle", task)) for task in tasks) == 154


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "size", "short", "long"),
    [("ner", 2000, 13.46, 16.55), ("language", 2000, 34.87, 68.98), ("arithmetic", 2000, 4.35, 4.94)],
)
def test_lengths_of_the_shortest_and_longest_sets(
    shared_dir: Path, name: str, size: int, short: float, long: float
) -> None:
    task = TASKS[name]
    lines = (shared_dir / f"data/mip/pools/{name}/2500_{name}_text.txt").read_text("utf-8").splitlines()
    counts = [len(line.split()) for line in lines]
    found = length_selections(counts, retained(shared_dir, task), (size,))
    means = {key: sum(counts[index] for index in indices) / size for key, indices in found.items()}
    assert round(means[f"shortest_{size}"], 2) == short
    assert round(means[f"longest_{size}"], 2) == long


def test_sets_by_length_are_nested() -> None:
    found = length_selections([5, 3, 9, 3, 7, 1], range(6), (2, 4))
    assert found == {"shortest_2": [1, 5], "longest_2": [2, 4], "shortest_4": [0, 1, 3, 5], "longest_4": [0, 1, 2, 4]}


def test_order_of_the_retained_indices_does_not_matter() -> None:
    assert random_selections([3, 1, 2, 9], (2,), (7,)) == random_selections([9, 3, 2, 1], (2,), (7,))


def test_a_size_beyond_the_pool_is_refused() -> None:
    with pytest.raises(InputError, match="3 of 2 instances cannot be taken"):
        random_selections([0, 1], (3,), (1,))


def test_an_index_given_twice_is_refused() -> None:
    with pytest.raises(InputError, match="comes twice"):
        length_selections([1, 1], [0, 0, 1], (1,))


def test_sampling_is_linear() -> None:
    """Ten times as many instances take far less than a hundred times as long."""

    def seconds(count: int) -> float:
        start = time.process_time()
        random_selections(range(count), (count // 2, count), (1, 2))
        length_selections(range(count), range(count), (count,))
        return time.process_time() - start

    seconds(1_000)
    assert seconds(200_000) < 40 * max(seconds(20_000), 0.005)
