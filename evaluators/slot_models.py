"""The models of a builder's slots, opened together: each asked with retries, its cost put into the reply."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Protocol, TypeVar

from lengthwise.contracts import Ask, Reply, Request, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.prices import PriceTable, priced
from lengthwise.evaluators.providers import Model, ModelOptions, make_model
from lengthwise.evaluators.providers.base import Notify
from lengthwise.evaluators.retry import RetryPolicy, retrying


class SlotRole(Protocol):
    """How a slot is filled: a model's spec, its sampling, and the variable with its key."""

    @property
    def model(self) -> str:
        """The spec."""

    @property
    def sampling(self) -> Sampling:
        """How it is to generate."""

    @property
    def api_key_env(self) -> str | None:
        """The environment variable with the key."""


Slot = TypeVar("Slot", bound=str)
# Slots that nobody is asked for.
_NO_MODEL = "offline"


@asynccontextmanager
async def open_slots(
    roles: Mapping[Slot, SlotRole],
    *,
    prices: PriceTable | None = None,
    retries: RetryPolicy | None = None,
    notify: Notify = lambda _: None,
) -> AsyncIterator[dict[Slot, Ask]]:
    """Open the model of every slot, one that fills several once; give the `ask` of each.

    Args:
        roles: of the slots; "offline" has no model, and its `ask` is never called.
        prices: what tokens cost; the package's own table by default.
        retries: see `RetryPolicy`.
        notify: told about downloads.

    Raises:
        InputError: a spec that cannot be used, a key that is missing, a setting that a model cannot be given, or
            nobody answers where a model should be.
    """
    table, policy = prices or PriceTable.load(), retries or RetryPolicy()
    opened: dict[tuple[str, str | None], Model] = {}
    asks: dict[Slot, Ask] = {}
    async with AsyncExitStack() as stack:
        for slot, role in roles.items():
            if role.model == _NO_MODEL:
                asks[slot] = _nobody
                continue
            if role.model.startswith("reference:"):
                raise InputError(f"{slot}: {role.model} knows answers, it writes none; name a model")
            place = role.model, role.api_key_env
            if place not in opened:
                model = make_model(role.model, ModelOptions(role.api_key_env, notify=notify))
                opened[place] = await stack.enter_async_context(model)
                # Whether it is there is better known before the first call is paid for.
                await model.window()
            opened[place].check(role.sampling)
            ask = opened[place].ask_for(Example(slot, "", {}), 0)
            asks[slot] = priced(retrying(ask, policy), table.find(opened[place].name))
        yield asks


async def _nobody(request: Request) -> Reply:
    raise AssertionError("a slot without a model was asked")
