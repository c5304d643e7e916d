import json
import os
import signal
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lengthwise.builders.longnovel.review.desk import PairDesk, open_pairs
from lengthwise.builders.longnovel.review.store import ANNOTATIONS_FILE, ReviewLog, read_reviewed
from lengthwise.errors import InputError

FAITHFUL = {"hallucinated": False, "sentences": [], "types": [], "explanation": ""}
WRONG = {"hallucinated": True, "sentences": [1], "types": ["event"], "explanation": "no"}


def post(url: str, what: str, body: dict[str, Any], **headers: str) -> Any:
    data = json.dumps(body).encode()
    request = urllib.request.Request(url + f"api/{what}", data, {"Content-Type": "application/json", **headers})
    with urllib.request.urlopen(request, timeout=10) as reply:
        return json.load(reply)


def test_whatever_a_killed_server_called_saved_is_there(build: Path, serve: Callable[..., Any]):
    process, url = serve()
    with urllib.request.urlopen(url + "api/list?annotator=lin", timeout=10) as reply:
        first, second, *_ = [one["id"] for one in json.load(reply)]
    post(url, "label", {"id": first, "annotator": "lin", "sides": [WRONG, FAITHFUL]})
    post(url, "label", {"id": first, "annotator": "maya", "sides": [FAITHFUL, FAITHFUL]})
    post(url, "draft", {"id": second, "annotator": "lin", "sides": [WRONG, {**FAITHFUL, "hallucinated": None}]})
    os.kill(process.pid, signal.SIGKILL)
    process.wait(timeout=10)

    found = read_reviewed(build)
    assert list(found.labels[first]) == ["lin", "maya"]
    assert [one.hallucinated for one in found.drafts[second, "lin"].judgements.values()] == [True, None]
    _, url = serve()
    with urllib.request.urlopen(url + f"api/one?annotator=lin&id={second}", timeout=10) as reply:
        assert json.load(reply)["own"][0]["explanation"] == "no"


def test_a_torn_line_is_cut_off_and_the_rest_kept(build: Path):
    with ReviewLog(build) as log:
        pairs = open_pairs(build, log)
        desk = PairDesk(pairs, log, ("lin",))
        name = next(iter(pairs))
        desk.label(name, "lin", [WRONG, FAITHFUL])
    path = build / ANNOTATIONS_FILE
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"kind": "label", "pair": "')
    assert list(read_reviewed(build).labels[name]) == ["lin"]
    with ReviewLog(build) as log:
        assert list(log.reviewed.labels[name]) == ["lin"]
    assert path.read_bytes() == whole


def test_a_first_label_is_kept(desk: PairDesk):
    name = next(iter(desk.pairs))
    desk.label(name, "lin", [WRONG, FAITHFUL])
    for again in (desk.label, desk.draft):
        with pytest.raises(InputError, match="first label is kept"):
            again(name, "lin", [FAITHFUL, WRONG])
    assert desk.show(name, "lin")["own"][0]["types"] == ["event"]


def test_an_incomplete_label_is_refused_and_an_incomplete_draft_kept(desk: PairDesk):
    name = next(iter(desk.pairs))
    with pytest.raises(InputError, match="A: types is missing"):
        desk.label(name, "lin", [{**WRONG, "types": []}, FAITHFUL])
    desk.draft(name, "lin", [{**WRONG, "types": []}, FAITHFUL])
    assert desk.show(name, "lin")["state"] == "draft"


def test_two_servers_do_not_write_into_one_review(build: Path, desk: PairDesk):
    with pytest.raises(InputError, match="another process"):
        ReviewLog(build)


def test_a_review_goes_on_with_its_own_sample(build: Path):
    with ReviewLog(build) as log:
        begun = list(open_pairs(build, log, 4, 7))
        assert len(begun) == 4
    with ReviewLog(build) as log:
        assert list(open_pairs(build, log)) == begun
        with pytest.raises(InputError, match="--sample 5: this review was begun with 4"):
            open_pairs(build, log, 5)


def test_pairs_that_have_changed_since_are_refused(build: Path):
    with ReviewLog(build) as log:
        open_pairs(build, log)
    path = build / ANNOTATIONS_FILE
    line = json.loads(path.read_bytes())
    line["pairs"][next(iter(line["pairs"]))] = "0" * 16
    path.write_text(json.dumps(line) + "\n")
    with ReviewLog(build) as log, pytest.raises(InputError, match="have other summaries"):
        open_pairs(build, log)
