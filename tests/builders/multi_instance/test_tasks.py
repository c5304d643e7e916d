import pytest

from lengthwise.builders.multi_instance.tasks import TASKS, find_task
from lengthwise.errors import InputError


def test_the_papers_cells_are_77_a_seed() -> None:
    assert sum(len(task.sizes) for task in TASKS.values()) == 77


def test_authors_folder_names_are_known() -> None:
    assert find_task("news").name == "category"
    assert find_task("tweets").name == "word"


def test_headline_of_each_task() -> None:
    headlines = {name: task.headline for name, task in TASKS.items()}
    assert headlines == {
        "arithmetic": "sum",
        "category": "tech",
        "language": "english",
        "ner": "total",
        "parity": "odd",
        "sentiment": "positive",
        "word": "total",
        "wsd": "company",
    }


def test_sums_are_exact_and_plain() -> None:
    assert TASKS["arithmetic"].summary(["0.1", "0.2", "-0.30"]) == {"sum": "0"}
    assert TASKS["arithmetic"].summary(["1e3", "-0.50"]) == {"sum": "999.5"}


def test_mentions_are_counted() -> None:
    assert TASKS["ner"].instance_answer('["anita", "gary wilson"]') == "2"


@pytest.mark.parametrize(("task", "label"), [("parity", "1"), ("word", "two"), ("ner", "{}")])
def test_a_label_of_another_kind_is_refused(task: str, label: str) -> None:
    with pytest.raises(InputError, match=f"label of {task}"):
        TASKS[task].instance_answer(label)
