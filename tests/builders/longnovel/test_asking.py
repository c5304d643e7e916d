import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from lengthwise.builders.longnovel.asking import (
    ATTEMPTS,
    REPLIES_FILE,
    Asks,
    Calls,
    RefusedError,
    Tally,
    each,
    readable,
)
from lengthwise.builders.longnovel.roles import SLOTS, Roles, parse_roles
from lengthwise.contracts import Ask, OverlengthError, Reply, ReplyError, Request
from lengthwise.errors import InputError
from lengthwise.metrics.parsed import Unparsed

ROLES = parse_roles(dict.fromkeys(SLOTS, "openai:m"))


def asks_of(answer: Callable[[str], str], seen: list[str]) -> Asks:
    async def ask(request: Request) -> Reply:
        seen.append(request.messages[-1].content)
        return Reply(answer(request.messages[-1].content))

    return dict.fromkeys(SLOTS, ask)


def run(
    folder: Path, work: Callable[[Calls], Awaitable[object]], asks: Asks | None, roles: Roles | None = ROLES
) -> None:
    with Calls.open(folder, roles, asks) as calls:
        asyncio.run(work(calls))  # type: ignore[arg-type]


async def two_questions(calls: Calls) -> None:
    line = calls.line("w/step", "critic")
    assert (await line.ask("a")).text == "A"
    assert (await line.ask("a")).text == "A"


def test_nothing_is_asked_twice(tmp_path: Path) -> None:
    seen: list[str] = []
    run(tmp_path, two_questions, asks_of(str.upper, seen))
    run(tmp_path, two_questions, asks_of(str.upper, seen))
    assert seen == ["a", "a"]


def test_made_again_from_records_alone(tmp_path: Path) -> None:
    run(tmp_path, two_questions, asks_of(str.upper, []))
    recorded = (tmp_path / REPLIES_FILE).read_bytes()
    run(tmp_path, two_questions, None, None)
    assert (tmp_path / REPLIES_FILE).read_bytes() == recorded != b""


def test_what_is_not_on_record_is_named(tmp_path: Path) -> None:
    async def three(calls: Calls) -> None:
        await two_questions(calls)
        await calls.line("w/step", "arbiter").ask("b")

    run(tmp_path, two_questions, asks_of(str.upper, []))
    with pytest.raises(InputError, match=r"holds no reply for w/step/arbiter@openai:m, call 1"):
        run(tmp_path, three, None, None)


def test_no_records_at_all(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="give --models"):
        run(tmp_path, two_questions, None, None)


def test_another_model_is_asked_anew_another_address_is_not(tmp_path: Path) -> None:
    seen: list[str] = []
    for model in ("http://a:1/v1#m", "http://b:2/v1#m", "http://b:2/v1#n"):
        run(tmp_path, two_questions, asks_of(str.upper, seen), parse_roles(dict.fromkeys(SLOTS, model)))
    assert len(seen) == 4
    assert json.loads((tmp_path / "steps/roles.json").read_text())["critic"]["model"] == "http://b:2/v1#n"


def test_a_failure_is_asked_again_but_stays_one_from_records(tmp_path: Path) -> None:
    async def broken(request: Request) -> Reply:
        raise ReplyError("no route")

    with pytest.raises(ReplyError):
        run(tmp_path, two_questions, dict.fromkeys(SLOTS, broken))
    with pytest.raises(ReplyError, match="no route"):
        run(tmp_path, two_questions, None)
    run(tmp_path, two_questions, asks_of(str.upper, []))


def reader(reply: Reply) -> str:
    if reply.text != "C":
        raise RefusedError("not C")
    return "c"


def test_refused_replies_are_asked_for_again_and_counted(tmp_path: Path) -> None:
    answers = iter("ABC")
    tally = Tally("step")

    async def work(calls: Calls) -> None:
        assert await calls.line("w/step", "critic").usable("?", reader, tally) == "c"

    run(tmp_path, work, asks_of(lambda _: next(answers), []))
    assert tally.refused == {"critic: not C": 2}


def test_given_up_behind_the_last_attempt(tmp_path: Path) -> None:
    seen: list[str] = []
    tally = Tally("step")

    async def work(calls: Calls) -> None:
        with pytest.raises(RefusedError, match="not C"):
            await calls.line("w/step", "critic").usable("?", reader, tally)

    run(tmp_path, work, asks_of(lambda _: "D", seen))
    assert len(seen) == ATTEMPTS == tally.refused.total()


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply("half \ud83d"), "the reply is no whole text"),
        (Reply(None, finish_reason="content_filter"), "stopped by a content filter"),
        (Reply(None), "empty"),
        (Reply("no"), "a refusal"),
    ],
)
def test_replies_that_cannot_be_read(reply: Reply, reason: str) -> None:
    with pytest.raises(RefusedError) as refused:
        readable(lambda text: Unparsed("a refusal: i won't" if text else "empty"))(reply)
    assert str(refused.value) == reason


def test_in_order_whatever_is_done_first() -> None:
    under_way: list[int] = []
    most = 0

    async def make(item: int) -> int:
        nonlocal most
        under_way.append(item)
        most = max(most, len(under_way))
        for _ in range(20 - item):
            await asyncio.sleep(0)
        under_way.remove(item)
        if item == 3:
            raise ReplyError("broken")
        if item == 0:
            raise OverlengthError("too long")
        if item in (4, 5):
            raise RefusedError("odd")
        return item * item

    tally = Tally("step")
    made = asyncio.run(each(range(7), str, make, tally, 3))
    assert made == [None, 1, 4, None, None, None, 36]
    assert most == 3
    record = {
        "items": 7,
        "kept": 3,
        "failed": {"3": "broken"},
        "rejected": {"does not fit the model's window": 1, "odd": 2},
        "refused_replies": {},
    }
    assert tally.to_json() == record
    assert Tally.from_json("step", record) == tally


def test_other_errors_stop_all() -> None:
    async def make(item: int) -> int:
        if item:
            raise InputError("no")
        await asyncio.sleep(60)
        return item

    with pytest.raises(InputError, match="no"):
        asyncio.run(each(range(2), str, make, Tally("step")))


def test_no_concurrency() -> None:
    async def make(item: int) -> int:
        return item

    with pytest.raises(InputError, match="at least 1"):
        asyncio.run(each([1], str, make, Tally("step"), 0))


def test_slots_have_their_own_asks_and_sampling(tmp_path: Path) -> None:
    asked: list[tuple[str, int | None]] = []

    def of(slot: str) -> Ask:
        async def ask(request: Request) -> Reply:
            asked.append((slot, request.sampling.max_tokens))
            return Reply("")

        return ask

    async def work(calls: Calls) -> None:
        await calls.line("w/step", "judge-1").ask("?")
        await calls.line("w/step", "arbiter").ask("?")

    roles = parse_roles({"defaults": {"model": "openai:m"}, "arbiter": {"max_tokens": 7}})
    run(tmp_path, work, {slot: of(slot) for slot in SLOTS}, roles)
    assert asked == [("judge-1", 8192), ("arbiter", 7)]
