"""Our methods under lm-eval: it asks in batches, a method call by call, each as the replies so far have it.

lm-eval hands all rows to its model at once. `follow_methods` puts itself in between, on that one object: it starts the
method of every row, sends the calls that they wait for as one batch, hands out the replies, and goes on until all are
done. A method of one call is one batch, as lm-eval itself would send it.
"""

import asyncio
import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from lengthwise.contracts import Reply, ReplyError, Request
from lengthwise.evaluators.contracts import Example, Method
from lengthwise.evaluators.harnesses.kept import Kept, follow
from lengthwise.evaluators.harnesses.lm_eval_replies import KeptReply

# lm-eval's `Instance`, an attribute of which is `args`: (prompt in the chat template, settings).
Asked: TypeAlias = Any
Generate: TypeAlias = Callable[..., Sequence[str]]

_FOLLOWED = "lengthwise_methods"
# Turns of the event loop in which a method comes from a reply to its next call; one that takes more is waited for.
_TURNS = 8


@dataclass(frozen=True, slots=True)
class Followed:
    """What of a task is needed to run its method.

    Attributes:
        method: of one row.
        examples: the rows by id.
    """

    method: Method
    examples: Mapping[str, Example]


def follow_methods(model: Any, task: str, followed: Followed) -> None:
    """Make a model of lm-eval run the method of a task on its rows; rows of other tasks are asked as ever.

    Every reply to a row of the task is a `KeptReply` then. Doing it for a further task adds that one.
    """
    known: dict[str, Followed] | None = vars(model).get(_FOLLOWED)
    if known is None:
        known = {}
        setattr(model, _FOLLOWED, known)
        model.generate_until = _Batches(known, model.generate_until, model.apply_chat_template)
    known[task] = followed


@dataclass(frozen=True)
class _Batches:
    """A model's `generate_until` with methods in between."""

    known: Mapping[str, Followed]
    generate: Generate
    template: Callable[[list[dict[str, str]]], Any]

    def __call__(self, requests: Sequence[Asked], **options: Any) -> list[str]:
        ours = [one for one in requests if one.task_name in self.known]
        others = [one for one in requests if one.task_name not in self.known]
        texts = iter(self.generate(others, **options) if others else ())
        kept = iter(self._follow_all(ours, options) if ours else ())
        return [KeptReply.followed(next(kept)) if one.task_name in self.known else next(texts) for one in requests]

    def _follow_all(self, requests: Sequence[Asked], options: Mapping[str, Any]) -> list[Kept]:
        waiting: list[tuple[Asked, asyncio.Future[Reply]]] = []
        with asyncio.Runner() as runner:
            loop = runner.get_loop()
            tasks = [loop.create_task(self._follow(one, waiting)) for one in requests]
            while not all(task.done() for task in tasks):
                runner.run(_turns())
                if not waiting:
                    continue
                batch = list(waiting)
                waiting.clear()
                # Outside of the loop: lm-eval's own models start one.
                texts = self.generate([asked for asked, _ in batch], **options)
                for (_, future), text in zip(batch, texts, strict=True):
                    _answer(future, text)
            return [task.result() for task in tasks]

    async def _follow(self, one: Asked, waiting: list[tuple[Asked, "asyncio.Future[Reply]"]]) -> Kept:
        followed = self.known[one.task_name]
        example = followed.examples[one.doc["id"]]

        async def ask(request: Request) -> Reply:
            future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
            waiting.append((self._asked(one, example, request), future))
            return await future

        return await follow(followed.method, example, ask)

    def _asked(self, one: Asked, example: Example, request: Request) -> Asked:
        if [message.content for message in request.messages] == [example.prompt]:
            return one
        asked = copy.copy(one)
        messages = [{"role": message.role, "content": message.content} for message in request.messages]
        asked.arguments = (self.template(messages), one.args[1])
        return asked


async def _turns() -> None:
    for _ in range(_TURNS):
        await asyncio.sleep(0)


def _answer(future: "asyncio.Future[Reply]", text: str) -> None:
    if not isinstance(text, KeptReply):
        # Local engines return text alone; why it ended is not known.
        future.set_result(Reply(text, finish_reason="other"))
    elif text.reply is not None:
        future.set_result(text.reply)
    else:
        future.set_exception(text.error or ReplyError("no reply came"))
