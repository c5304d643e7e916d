import asyncio
from typing import Any

import pytest
from faulty_server import FaultyServer, Step, completion, error

from lengthwise.contracts import Message, Reply, Request, Sampling
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.providers import make_model
from lengthwise.evaluators.providers.logprobs import read_alternatives


def choice(*tokens: str, others: tuple[tuple[str, float], ...] = (("No", -2.0),)) -> dict[str, Any]:
    """A choice in OpenAI's form, each token with the same others beside it."""
    top = [{"token": token, "logprob": value} for token, value in others]
    return {"logprobs": {"content": [{"token": one, "logprob": -0.5, "top_logprobs": top} for one in tokens]}}


@pytest.mark.parametrize(
    ("tokens", "text", "first"),
    [
        (("Yes", "."), "Yes.", "Yes"),
        ((" ", " Yes", "."), "  Yes.", " Yes"),
        (("\n\n", "Yes"), "Yes", "Yes"),
        # Reasoning in the text, split off by the server, and with a mark behind the end.
        (("<think>", "No?", "</think>", "Yes"), "<think>No?</think>Yes", "Yes"),
        (("No", "?", "</think>", "\n", "Yes", "."), "Yes.", "Yes"),
        (("Yes", ".", "<|im_end|>"), "Yes.", "Yes"),
        (("是", "的"), "是的", "是"),
    ],
)
def test_the_place_is_where_the_answer_begins(tokens: tuple[str, ...], text: str, first: str) -> None:
    assert read_alternatives(choice(*tokens), text) == ((first, -0.5), ("No", -2.0))


def test_the_token_itself_comes_once() -> None:
    assert read_alternatives(choice("Yes", others=(("Yes", -0.4), ("No", -2.0))), "Yes") == (
        ("Yes", -0.5),
        ("No", -2.0),
    )


@pytest.mark.parametrize(
    ("found", "text"),
    [
        ({}, "Yes"),
        ({"logprobs": None}, "Yes"),
        ({"logprobs": {"content": None}}, "Yes"),
        ({"logprobs": {"content": ["Yes"]}}, "Yes"),
        (choice("Yes"), None),
        (choice("<think>", "No"), "<think>No"),
        # Bytes of a sign that no token holds whole.
        (choice("\ufffd", "\ufffd"), "是"),
    ],
)
def test_nothing_where_there_is_nothing(found: dict[str, Any], text: str | None) -> None:
    assert read_alternatives(found, text) == ()


def ask(spec: str, *alternatives: int) -> list[Reply]:
    async def go() -> list[Reply]:
        async with make_model(spec) as model:
            one = model.ask_for(Example("x", "", {}), 0)
            message = (Message("user", "[x] hi"),)
            return [await one(Request(message, Sampling(), alternatives=number)) for number in alternatives]

    return asyncio.run(go())


def test_they_are_asked_for_only_where_they_are_wanted(server: FaultyServer) -> None:
    server.default = lambda body: Step(body=completion("Yes"))
    ask(server.spec, 0, 5)
    assert [one.body.get("top_logprobs") for one in server.seen] == [None, 5]
    assert "logprobs" not in server.seen[0].body


def test_what_the_server_sends_is_in_the_reply(server: FaultyServer) -> None:
    def answer(body: dict[str, Any]) -> Step:
        whole = completion("Yes")
        whole["choices"][0] |= choice("Yes")
        return Step(body=whole)

    server.default = answer
    (reply,) = ask(server.spec, 5)
    assert reply.alternatives == (("Yes", -0.5), ("No", -2.0))
    assert Reply.from_json(reply.to_json()) == reply


@pytest.mark.parametrize("status", [400, 403, 422])
def test_a_server_that_refuses_them_is_asked_without_from_then_on(server: FaultyServer, status: int) -> None:
    server.default = lambda body: (
        error(status, "You may not request logprobs from this model") if "logprobs" in body else Step()
    )
    replies = ask(server.spec, 5, 5)
    assert [reply.alternatives for reply in replies] == [(), ()] and all(reply.text for reply in replies)
    assert ["logprobs" in one.body for one in server.seen] == [True, False, False]


def test_requests_without_them_keep_their_keys() -> None:
    request = Request((Message("user", "hi"),))
    assert request.digest == "537d5fde5de080c16facd770895b7712eeaa39aab094b871d8e4f4b2bade1bae"
    assert Request((Message("user", "hi"),), alternatives=5).digest != request.digest
    assert "alternatives" not in Reply("hi").to_json()
