import asyncio

import pyarrow as pa
import pytest
from faulty_server import Step
from run_helpers import write_data

from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.examples import open_data
from lengthwise.evaluators.ordering import Jobs, prefix_groups, shared_length
from lengthwise.evaluators.row_reader import RowReader
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.settings import RunSettings

PROMPTS = ["aaaa one", "aaaa two", "b", "aaaa three", "cc one", "cc two"]


def read(number):
    return Example(str(number), PROMPTS[number], {})


def table(*keys):
    return pa.table({"id": [str(number) for number in range(len(keys))], "list_id": keys})


@pytest.mark.parametrize(
    ("keys", "groups"),
    [
        (["a", "b", "a", "c", "b"], [[0, 2], [1, 4], [3]]),
        (["a", None, "a", None], [[0, 2], [1, 3]]),
        (["a"], [[0]]),
        ([], []),
    ],
)
def test_groups_come_in_the_order_of_their_first_rows(keys, groups):
    assert list(prefix_groups(table(*keys), ("list_id",))) == groups


@pytest.mark.parametrize("shared", [(), ("article",), ("list_id", "article")])
def test_without_the_columns_every_row_is_by_itself(shared):
    assert list(prefix_groups(table("a", "a"), shared)) == [[0], [1]]


@pytest.mark.parametrize(("one", "other", "length"), [("", "", 0), ("ab", "ab", 2), ("abc", "abd", 2), ("a", "ba", 0)])
def test_shared_length(one, other, length):
    assert shared_length(one, other) == length


def order_of(groups, repeats, workers, hold=8):
    """Return (row, repeat) as they are started, and what is read; jobs end in the order in which they started."""
    started, was_read = [], []

    def reading(number):
        was_read.append(number)
        return read(number)

    async def work(jobs):
        while (job := await jobs.take()) is not None:
            started.append((job.example.id, job.repeat))
            await asyncio.sleep(0.001)
            jobs.done(job)

    async def go():
        jobs = Jobs(groups, repeats, reading, hold, least=2)
        await asyncio.gather(*(work(jobs) for _ in range(workers)))

    asyncio.run(go())
    return started, was_read


def test_followers_go_right_behind_their_leader():
    started, _ = order_of([[0, 1, 3], [4, 5], [2]], 1, 1)
    assert [row for row, _ in started] == ["0", "1", "3", "4", "5", "2"]


def test_a_follower_waits_for_its_leader_and_others_go_meanwhile():
    started, _ = order_of([[0, 1, 3], [4, 5], [2]], 1, 2)
    assert [row for row, _ in started] == ["0", "4", "1", "3", "5", "2"]


def test_repeats_of_a_row_follow_it():
    started, was_read = order_of([[0, 1], [2]], 2, 1)
    assert started == [("0", 0), ("0", 1), ("1", 0), ("1", 1), ("2", 0), ("2", 1)]
    assert sorted(was_read) == [0, 1, 2]


def test_who_shares_too_little_does_not_wait():
    started, _ = order_of([[2, 4], [0, 1]], 1, 2)
    assert [row for row, _ in started] == ["2", "4", "0", "1"]


def test_with_no_room_one_follower_is_held_and_the_others_are_read_again():
    started, was_read = order_of([[0, 1, 3]], 1, 2, hold=0)
    assert sorted(row for row, _ in started) == ["0", "1", "3"]
    assert was_read == [0, 1, 3]


def test_every_job_is_handed_out_once_whatever_the_workers():
    for workers in (1, 2, 5, 20):
        started, _ = order_of([[0, 1, 3], [4, 5], [2]], 3, workers, hold=1)
        assert sorted(started) == sorted((str(row), repeat) for row in range(6) for repeat in range(3))


def test_rows_are_read_in_any_order(tmp_path):
    data, cells = open_data(str(write_data(tmp_path / "data", {"lex-locate/4k": 12, "lex-longest/4k": 7})), (), ())
    examples = data.short_columns(cells)
    ids = examples["id"].to_pylist()
    with RowReader(data, examples) as rows:
        for number in [*range(19), *reversed(range(19)), 3, 18, 3, 7, 0]:
            example = rows.read(number)
            assert example.id == ids[number] and f"[{ids[number]}]" in example.prompt


def test_questions_on_one_list_go_one_after_the_other_and_nothing_else_changes(server, tmp_path):
    words = "x a b c y z " * 400
    data = write_data(tmp_path / "data", {"lex-locate/4k": 6, "lex-longest/4k": 6}, words=words.strip())
    server.default = lambda body: Step(delay=0.02)
    settings = RunSettings(str(data), server.spec)
    found = {}
    for order in ("prefix", "file"):
        server.seen.clear()
        run_benchmark(settings, tmp_path / order, RunOptions(concurrency=1, order=order))
        asked = [one.id.split("-")[1:] for one in server.seen]
        pairs = [(one[-1] == two[-1]) for one, two in zip(asked[::2], asked[1::2], strict=True)]
        assert all(pairs) == (order == "prefix")
        found[order] = {
            key: (one.kind, one.usage, one.answer) for key, one in score_outcomes(tmp_path / order).outcomes.items()
        }
    assert found["prefix"] == found["file"]
