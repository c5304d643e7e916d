import asyncio

import pytest

from lengthwise.contracts import Message, Reply, ReplyError, Request, Usage
from lengthwise.evaluators.breaker import Breaker
from lengthwise.evaluators.pace import MinuteWindow, Pace
from lengthwise.evaluators.prefixes import LEAST_SHARED, first_alone
from lengthwise.evaluators.spending import Counted, Estimate, Limits, Spending
from lengthwise.evaluators.stopping import RunStopped, Stop


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def test_a_window_lets_through_what_fits_in_any_minute():
    window = MinuteWindow(3)
    for at in (0, 1, 2):
        assert window.wait(at, 1) == 0
        window.charge(at, 1)
    # The first leaves the window at 60.
    assert window.wait(59, 1) == 1
    assert window.wait(59, 2) == 2
    assert window.wait(60, 1) == 0


def test_what_is_more_than_a_minute_allows_goes_alone():
    window = MinuteWindow(100)
    assert window.wait(0, 250) == 0
    window.charge(0, 250)
    assert window.wait(10, 1) == 50


def test_the_real_amount_takes_the_place_of_the_expected_one():
    window = MinuteWindow(100)
    window.correct(window.charge(0, 100), 20)
    assert window.wait(1, 80) == 0
    assert window.wait(1, 81) == 59


def test_a_refusal_halves_the_pace_once_for_all_that_were_under_way():
    clock = Clock()
    pace = Pace(16, clock=clock)
    sent = pace.now()
    clock.now += 1
    assert [pace.refused(sent, 0) for _ in range(5)] == [True, False, False, False, False]
    assert pace.allowed == 8
    clock.now += 1
    assert pace.refused(clock.now - 0.5, 0) and pace.allowed == 4


def test_answers_bring_the_pace_back_and_not_beyond():
    pace = Pace(16)
    pace.allowed = 1.0
    grown = []
    for _ in range(200):
        pace.answered()
        grown.append(pace.allowed)
    assert grown[0] == 2 and grown == sorted(grown) and grown[-1] == 16


def test_a_pace_never_falls_below_one_call():
    clock = Clock()
    pace = Pace(2, clock=clock)
    for _ in range(9):
        clock.now += 1
        pace.refused(clock.now, 0)
    assert pace.allowed == 1


def test_calls_go_in_the_order_in_which_they_came_and_one_that_is_given_up_takes_no_place():
    async def go():
        pace, went = Pace(1), []

        async def call(name):
            await pace.enter(0)
            went.append(name)
            await asyncio.sleep(0)
            pace.leave()

        tasks = [asyncio.create_task(call(name)) for name in "abcd"]
        await asyncio.sleep(0)
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return went, pace.under_way

    assert asyncio.run(go()) == (["a", "c", "d"], 0)


def test_a_server_that_nobody_reaches_is_away_after_a_few_calls_and_others_after_more():
    unreachable, failing = Breaker(60), Breaker(60)
    assert [unreachable.failed("a", True) for _ in range(3)] == [False, False, True]
    assert [failing.failed(call, False) for call in "abcabcabca"] == [False] * 9 + [True]


def test_one_call_that_always_fails_says_nothing_of_the_server():
    breaker = Breaker(60)
    assert not any(breaker.failed("a", False) for _ in range(50))


def test_probes_come_ever_more_seldom_and_the_last_when_patience_ends():
    clock = Clock()
    breaker = Breaker(20, clock)
    for _ in range(3):
        breaker.failed("a", True)
    waits = []
    while not breaker.gone:
        waits.append(breaker.next_probe - clock.now)
        clock.now = breaker.next_probe
        breaker.failed("a", True)
    assert waits == [1, 2, 4, 8, 5]
    assert breaker.answered() and not breaker.away


def request(text, tokens=None):
    return Request((Message("user", text),))


def test_calls_that_begin_alike_wait_for_the_first_and_then_go_together():
    events = []

    async def ask(request):
        name = request.messages[0].content[-1]
        events.append(f"+{name}")
        await asyncio.sleep(0.01)
        events.append(f"-{name}")
        return Reply(name)

    async def go():
        first = first_alone(ask)
        long, other = "x" * LEAST_SHARED, "y" * LEAST_SHARED
        texts = [long + "a", long + "b", long + "c", other + "d", "short e", "short f"]
        return [reply.text for reply in await asyncio.gather(*(first(request(text)) for text in texts))]

    assert asyncio.run(go()) == list("abcdef")
    assert set(events[:4]) == {"+a", "+d", "+e", "+f"}
    assert events.index("-a") < events.index("+b") < events.index("+c") < events.index("-b")


def test_when_the_first_fails_the_next_goes_alone():
    tried = []

    async def ask(request):
        tried.append(request.messages[0].content[-1])
        await asyncio.sleep(0.001)
        if tried[-1] == "a":
            raise ReplyError("no")
        return Reply("yes")

    async def go():
        first = first_alone(ask)
        calls = (first(request("x" * LEAST_SHARED + name)) for name in "abc")
        return await asyncio.gather(*calls, return_exceptions=True)

    ended = asyncio.run(go())
    assert [type(one) for one in ended] == [ReplyError, Reply, Reply]
    assert tried == ["a", "b", "c"]


def test_an_estimate_learns_what_a_model_counts():
    estimate = Estimate(1000, 250, Counted())
    before = estimate.of(request("x" * 1000)).input
    estimate.learn(request("x" * 1000), Usage(input=500 + 64, output=1))
    assert (before, estimate.of(request("x" * 1000)).input) == (250 + 64, 500 + 64)


@pytest.mark.parametrize("usage", [Usage(100, None, 10), Usage()])
def test_calls_under_way_are_waited_for_before_a_limit_ends_the_run(usage):
    async def ask(request):
        await asyncio.sleep(0.001)
        return Reply("x", usage=usage)

    async def go():
        stop = Stop()
        spending = Spending(Limits(tokens=40_000), stop)
        limited = spending.limited(ask, None, Estimate(4, 1, Counted()))
        ended = await asyncio.gather(*(limited(request("text")) for _ in range(300)), return_exceptions=True)
        return spending.tokens, sum(isinstance(one, Reply) for one in ended), {type(one) for one in ended}

    tokens, answered, kinds = asyncio.run(go())
    # A call can take 16,000 and more: two at a time, until the next could pass the limit.
    assert tokens <= 40_000 and kinds == {Reply, RunStopped}
    assert answered == (218 if usage.input else 2)
