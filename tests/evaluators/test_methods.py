import asyncio

import pytest

from lengthwise.contracts import Reply, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.methods import METHODS, Resources, method_kind, reask, zero_shot

EXAMPLE = Example("row", "the prompt", {})
RESOURCES = Resources(Sampling(max_tokens=5), lambda example, reply: reply.text == "good")


def run(method, *texts):
    """Return (text of the prediction, requests) for a model that says `texts` in turn."""
    requests = []

    async def ask(request):
        requests.append(request)
        return Reply(texts[len(requests) - 1])

    return asyncio.run(method(EXAMPLE, ask)).reply.text, requests


def test_zero_shot_asks_once_with_the_prompt_as_it_is():
    text, requests = run(zero_shot(RESOURCES), "bad")
    assert text == "bad"
    assert [message.content for message in requests[0].messages] == ["the prompt"]
    assert requests[0].sampling.max_tokens == 5


@pytest.mark.parametrize(("texts", "calls"), [(["good"], 1), (["bad", "good"], 2), (["bad", "bad", "worse"], 3)])
def test_reask_stops_at_an_answer_or_at_the_limit(texts, calls):
    text, requests = run(reask(RESOURCES, 3), *texts)
    assert (text, len(requests)) == (texts[-1], calls)
    assert len({request.digest for request in requests}) == 1


def test_reask_without_a_call_is_refused():
    with pytest.raises(InputError, match="times=0"):
        reask(RESOURCES, 0)


def test_an_unknown_method_names_the_nearest():
    with pytest.raises(InputError, match="did you mean 'zero-shot'"):
        method_kind("zeroshot")
    assert method_kind("reask") is METHODS["reask"]
