import copy
import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from lengthwise.builders.longnovel.review.desk import PairDesk, open_pairs
from lengthwise.builders.longnovel.review.files import export_label_studio, import_label_studio
from lengthwise.builders.longnovel.review.label_studio import export_tasks, import_tasks, labelling_config
from lengthwise.builders.longnovel.review.pairs import PairKey, ReviewPair, Side
from lengthwise.builders.longnovel.review.store import ReviewLog, read_reviewed
from lengthwise.errors import InputError

FAITHFUL = {"hallucinated": False, "sentences": [], "types": [], "explanation": ""}
WRONG = {"hallucinated": True, "sentences": [0, 2], "types": ["event", "temporal"], "explanation": "no\nsuch"}


@pytest.fixture
def labelled(desk: PairDesk) -> PairDesk:
    first, second, *_ = desk.pairs
    desk.label(first, "lin", [WRONG, FAITHFUL])
    desk.label(first, "maya", [FAITHFUL, WRONG])
    desk.decide(first, "maya", [FAITHFUL, WRONG])
    desk.label(second, "lin", [FAITHFUL, FAITHFUL])
    return desk


def fresh(build: Path) -> ReviewLog:
    return ReviewLog(build / "other")


def test_labels_and_decisions_survive_the_round_trip(labelled: PairDesk, build: Path):
    tasks = json.loads(json.dumps(export_tasks(labelled.pairs, labelled.log.reviewed)))
    with fresh(build) as log:
        found = import_tasks(tasks, labelled.pairs, log)
        assert (found.labels, found.decisions, found.skipped) == (3, 1, [])
        assert log.reviewed.labels == labelled.log.reviewed.labels
        assert log.reviewed.decisions == labelled.log.reviewed.decisions
        again = import_tasks(tasks, labelled.pairs, log)
        assert (again.labels, again.decisions, again.known) == (0, 0, 4)


def test_tasks_do_not_give_the_answer_away(labelled: PairDesk):
    tasks = export_tasks(labelled.pairs, labelled.log.reviewed)
    said = json.dumps([task["data"] for task in tasks])
    assert "erhg" not in said
    assert "original" not in said


def test_tasks_drawn_with_the_sides_the_other_way_round_are_understood(labelled: PairDesk, build: Path):
    tasks = export_tasks(labelled.pairs, labelled.log.reviewed)
    text = json.dumps(tasks)
    for name in ("summary", "presence", "types", "sentences", "explanation"):
        for letter, other in (("a", "x"), ("b", "a"), ("x", "b")):
            text = text.replace(f'"{name}_{letter}"', f'"{name}_{other}"')
    swapped = json.loads(text)
    assert swapped != tasks
    with fresh(build) as log:
        import_tasks(swapped, labelled.pairs, log)
        assert log.reviewed.labels == labelled.log.reviewed.labels


def test_regions_count_characters_as_browsers_do(build: Path):
    text = "𠮷野来了。船走了。"
    side = Side("1-erhg", text, ((0, 5), (5, 9)), True, ("event",), (), "")
    pair = ReviewPair(
        PairKey("s", "zh", "1"), "b", (1, 1), "", (side, Side("1-original", "好。", ((0, 2),), False, (), (), ""))
    )
    with fresh(build) as log:
        desk = PairDesk({"1": pair}, log, ("lin",))
        desk.label("1", "lin", [{**WRONG, "sentences": [1]}, FAITHFUL])
        tasks = export_tasks(desk.pairs, log.reviewed)
    region = next(one["value"] for one in tasks[0]["annotations"][0]["result"] if one["type"] == "labels")
    assert (region["start"], region["end"], region["text"]) == (6, 10, "船走了。")
    with ReviewLog(build / "third") as log:
        import_tasks(tasks, {"1": pair}, log)
        assert log.reviewed.labels["1"]["lin"].judgements["1-erhg"].sentences == (1,)


def broken(tasks: list[Any], what: str) -> list[Any]:
    tasks = copy.deepcopy(tasks)
    annotation = tasks[0]["annotations"][0]
    if what == "cancelled":
        annotation["was_cancelled"] = True
    elif what == "nobody":
        annotation["result"] = [one for one in annotation["result"] if one["from_name"] != "annotator"]
    elif what == "no presence":
        annotation["result"] = [one for one in annotation["result"] if one["from_name"] != "presence_b"]
    elif what == "other text":
        tasks[0]["data"]["summary_a"] += "!"
    elif what == "other pair":
        tasks[0]["data"]["pair"] = "x"
    return tasks


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("cancelled", "task 1, annotation 1: it was cancelled"),
        ("nobody", "does not say who"),
        ("no presence", "B: presence is missing"),
        ("other text", "its summaries are not those"),
        ("other pair", "not under review"),
    ],
)
def test_what_cannot_be_taken_is_named(labelled: PairDesk, build: Path, what: str, message: str):
    tasks = broken(export_tasks(labelled.pairs, labelled.log.reviewed), what)
    with fresh(build) as log:
        found = import_tasks(tasks, labelled.pairs, log)
    assert len(found.skipped) == 1
    assert message in found.skipped[0]


@pytest.mark.parametrize(("by", "name"), [(7, "label-studio-7"), ({"id": 3, "email": "a@b.c"}, "a@b.c")])
def test_a_user_of_theirs_stands_in_for_a_name(labelled: PairDesk, build: Path, by: Any, name: str):
    tasks = broken(export_tasks(labelled.pairs, labelled.log.reviewed), "nobody")
    tasks[0]["annotations"][0]["completed_by"] = by
    with fresh(build) as log:
        import_tasks(tasks, labelled.pairs, log)
        assert name in log.reviewed.annotators


def test_files_both_ways(build: Path, tmp_path: Path):
    count, interface = export_label_studio(build, tmp_path / "tasks.json")
    assert count == 6
    assert ET.fromstring(interface.read_text("utf-8")).tag == "View"
    found = import_label_studio(build, tmp_path / "tasks.json")
    assert (found.labels, found.skipped) == (0, [])
    assert read_reviewed(build).labels == {}
    (tmp_path / "tasks.json").write_text("{")
    with pytest.raises(InputError, match="cannot be read as JSON"):
        import_label_studio(build, tmp_path / "tasks.json")


def test_the_interface_has_every_control_that_results_name(labelled: PairDesk):
    names = {one.get("name") for one in ET.fromstring(labelling_config()).iter() if one.get("name")}
    tasks = export_tasks(labelled.pairs, labelled.log.reviewed)
    for task in tasks:
        for annotation in task["annotations"]:
            for item in annotation["result"]:
                assert {item["from_name"], item["to_name"]} <= names


def test_an_export_begins_the_review(build: Path, tmp_path: Path):
    export_label_studio(build, tmp_path / "t.json", 2)
    with ReviewLog(build) as log:
        assert len(open_pairs(build, log)) == 2
