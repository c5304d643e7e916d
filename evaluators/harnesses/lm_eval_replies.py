"""Replies as lm-eval hands them on, with what it drops: why they ended, that there was no text, that none could come.

To a task of lm-eval a reply is a string. Its chat models make "" of a reply without text, drop the finish reason,
and treat a prompt that a server refuses as too long like a server that is down: three tries, then the whole run is
lost. `keep_replies` changes the four methods of a chat model where this happens, on that one object.
"""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import requests

from lengthwise.contracts import OverlengthError, Reply, ReplyError
from lengthwise.evaluators.harnesses.kept import Kept, as_error
from lengthwise.evaluators.providers.bodies import is_filtered, read_error, read_reply

if TYPE_CHECKING:
    from lm_eval.models.openai_completions import LocalChatCompletion


class KeptReply(str):
    """The text of a reply, which is all that lm-eval looks at, with the reply or the error behind it."""

    reply: Reply | None
    error: ReplyError | None
    # All calls of the row, where one of our methods was followed; of a single call only the above.
    kept: Kept | None = None

    @classmethod
    def of(cls, answer: Any) -> "KeptReply":
        """Return what the parsed body of an answer holds."""
        try:
            reply = read_reply(answer, latency=0.0)
        except ReplyError as error:
            return cls.make("", None, error)
        return cls.make(reply.text or "", reply, None)

    @classmethod
    def make(cls, text: str, reply: Reply | None, error: ReplyError | None) -> "KeptReply":
        """Return a text with what is behind it."""
        kept = cls(text)
        kept.reply, kept.error = reply, error
        return kept

    @classmethod
    def followed(cls, calls: Kept) -> "KeptReply":
        """Return the text that a method settled on, with all its calls."""
        settled, error = calls.settled, None if calls.error is None else as_error(calls.error)
        kept = cls.make((settled.text or "") if settled is not None else "", settled, error)
        kept.kept = calls
        return kept


def keep_replies(model: "LocalChatCompletion") -> None:
    """Make a chat model of lm-eval return `KeptReply`s, and ask for no more than the task does.

    Its bodies also lose what lm-eval adds: an empty list of stop words, and a seed of its own, the same in every
    request, with which a server that heeds it gives the same reply to every repeat. A seed in `--gen_kwargs` stays.

    Doing it twice is doing it once.
    """
    if "parse_generations" in vars(model):
        return
    create, call, call_async = model._create_payload, model.model_call, model.amodel_call

    def create_payload(messages: Any, **settings: Any) -> dict[str, Any]:
        given = settings.get("gen_kwargs") or {}
        seeded = "seed" in given
        body: dict[str, Any] = create(messages, **settings)
        return {
            name: value
            for name, value in body.items()
            if not (name == "seed" and not seeded) and not (name == "stop" and not value)
        }

    def model_call(messages: Any, **settings: Any) -> Any:
        try:
            return call(messages, **settings)
        except requests.HTTPError as error:
            body = None if error.response is None else _answer_in(error.response.status_code, error.response.text)
            if body is None:
                raise
            return body

    def amodel_call(session: Any, **settings: Any) -> Awaitable[Any]:
        answered: Awaitable[Any] = call_async(session=_Session(session.post), **settings)
        return answered

    def parse_generations(outputs: Any, **_: Any) -> list[KeptReply]:
        return [KeptReply.of(answer) for answer in (outputs if isinstance(outputs, list) else [outputs])]

    model._create_payload = create_payload
    model.model_call = model_call
    model.amodel_call = amodel_call
    model.parse_generations = parse_generations


def _answer_in(status: int, text: str) -> dict[str, Any] | None:
    """Return the body of an answer that an error amounts to; None where it is an error indeed.

    A prompt that is too long is an outcome of its row, and so is one that a content filter refuses: asking again
    changes neither.
    """
    try:
        problem = json.loads(text)
    except ValueError:
        problem = text
    if is_filtered(status, problem):
        return {"choices": [{"index": 0, "finish_reason": "content_filter", "message": {"content": None}}]}
    if isinstance(read_error(status, problem, None), OverlengthError):
        inner = problem.get("error", problem) if isinstance(problem, Mapping) else problem
        return {"error": inner}
    return None


@dataclass(frozen=True)
class _Session:
    """An aiohttp session of which only `post` is used, with errors that are answers turned into them."""

    send: Callable[..., AbstractAsyncContextManager[Any]]

    @asynccontextmanager
    async def post(self, *arguments: Any, **settings: Any) -> AsyncIterator[Any]:
        async with self.send(*arguments, **settings) as response:
            body = None if response.ok else _answer_in(response.status, await response.text())
            yield response if body is None else _Answer(body)


@dataclass(frozen=True)
class _Answer:
    """As much of an aiohttp response as lm-eval uses of a good one."""

    body: dict[str, Any]
    ok: bool = True

    def raise_for_status(self) -> None:
        """Do nothing: it is an answer."""

    async def json(self) -> dict[str, Any]:
        return self.body
