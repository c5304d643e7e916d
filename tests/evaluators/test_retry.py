import asyncio
from datetime import UTC, datetime

import pytest

from lengthwise.contracts import OverlengthError, Reply, ReplyError, Request
from lengthwise.errors import InputError
from lengthwise.evaluators.retry import PassingError, RetryPolicy, parse_retry_after, retrying


def run(policy, *errors, uniform=lambda low, high: high):
    """Return (result, waits) of a call that meets `errors` first."""
    left, waits = list(errors), []

    async def ask(request):
        if left:
            raise left.pop(0)
        return Reply("done")

    async def sleep(seconds):
        waits.append(seconds)

    async def go():
        try:
            return await retrying(ask, policy, sleep, uniform)(Request(()))
        except ReplyError as error:
            return error

    return asyncio.run(go()), waits


def test_waits_double_up_to_the_cap():
    reply, waits = run(RetryPolicy(attempts=6, base=1, cap=5), *[PassingError("busy")] * 5)
    assert reply.text == "done"
    assert waits == [1, 2, 4, 5, 5]


def test_jitter_is_full():
    _, waits = run(RetryPolicy(base=8), PassingError("busy"), uniform=lambda low, high: low)
    assert waits == [0]


def test_retry_after_is_the_least_that_is_waited():
    _, waits = run(RetryPolicy(base=0.5), PassingError("busy", retry_after=7))
    assert waits == [7.5]


def test_a_longer_retry_after_than_anyone_waits_for_ends_the_call():
    error, waits = run(RetryPolicy(longest=60), PassingError("quota", retry_after=3600))
    assert "asks to wait 3600 s" in str(error)
    assert waits == []


def test_the_last_message_and_the_tries_are_told():
    error, waits = run(RetryPolicy(attempts=3), *[PassingError(f"fault {n}") for n in range(3)])
    assert str(error) == "fault 2 (after 3 tries)"
    assert len(waits) == 2


def test_time_outs_have_their_own_limit():
    error, _ = run(RetryPolicy(attempts=8, timeouts=2), *[PassingError("slow", timed_out=True)] * 8)
    assert str(error) == "slow (after 2 tries)"


@pytest.mark.parametrize("error", [ReplyError("no"), OverlengthError("too long")])
def test_what_does_not_pass_is_raised_as_it_is(error):
    assert run(RetryPolicy(), error) == (error, [])


@pytest.mark.parametrize("bad", [{"attempts": 0}, {"timeouts": 0}, {"base": -1}])
def test_a_policy_out_of_range_is_refused(bad):
    with pytest.raises(InputError, match="retry policy"):
        RetryPolicy(**bad)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("3", 3.0),
        ("0.25", 0.25),
        ("-4", 0.0),
        ("nan", 0.0),
        ("Mon, 30 Nov 2026 00:01:00 GMT", 60.0),
        ("Sun, 29 Nov 2026 00:00:00 GMT", 0.0),
        ("later", None),
    ],
)
def test_retry_after_in_seconds_or_as_a_date(value, seconds):
    assert parse_retry_after(value, datetime(2026, 11, 30, tzinfo=UTC)) == seconds
