import pytest

from lengthwise.builders.multi_instance.configs import parse_config
from lengthwise.builders.multi_instance.prompts import assemble, load_prompts, read_instances
from lengthwise.builders.multi_instance.tasks import KNOWN_TASKS, TASKS, find_task
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


def test_what_the_filter_took_out_is_only_asked_alone() -> None:
    assert parse_config("bshift-single").task.title == "BShift"
    for name in ("bshift", "bshift-instances-single", "subjnum-noise-tail-single", "subjnum-shuffled"):
        with pytest.raises(InputError, match=r"only asked alone: \w+-single"):
            parse_config(name)


@pytest.mark.parametrize("name", KNOWN_TASKS)
def test_instances_are_read_back_as_those_of_their_task(name: str) -> None:
    task = KNOWN_TASKS[name]
    prompt = assemble(task, load_prompts().question(task, "aggregate"), ["one text", "another"])
    read = read_instances(prompt)
    assert read is not None
    assert (read[0].name, read[1]) == (name, ["one text", "another"])
