"""A model that is made ready when it is first asked: a run that has all its replies loads no engine for nothing."""

import asyncio
from types import TracebackType
from typing import Any

from lengthwise.contracts import Ask, Reply, Request
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.providers.base import Model, Window


class Dormant(Model):
    """Stands for a model that will hardly be asked, as all its replies are on record; entering it costs nothing.

    It is asked all the same where the requests are others than they were, as after another version of this package.

    Args:
        model: not entered yet.
    """

    def __init__(self, model: Model) -> None:
        super().__init__(model.spec, model.name)
        self.kind = model.kind
        self.price_share = model.price_share
        self._model = model
        self._waking = asyncio.Lock()
        self._awake = False

    def describe(self) -> dict[str, Any]:
        """Return what run.json says of the model."""
        return self._model.describe()

    async def window(self) -> Window:
        """Return the model's window; it has to be ready for that."""
        await self._wake()
        return await self._model.window()

    def ask_for(self, example: Example, repeat: int) -> Ask:
        """Return the model's `ask`, which makes it ready first."""

        async def ask(request: Request) -> Reply:
            await self._wake()
            return await self._model.ask_for(example, repeat)(request)

        return ask

    async def _wake(self) -> None:
        async with self._waking:
            if not self._awake:
                await self._model.__aenter__()
                self._awake = True

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the model, if it was ever entered."""
        if self._awake:
            await self._model.__aexit__(kind, error, trace)
