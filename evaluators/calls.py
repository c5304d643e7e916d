"""All that lies around the calls of a run: retries, the pace of each host, limits on the cost, an end in order."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from lengthwise.contracts import Ask, Request, Role
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.gate import Gate, Rates
from lengthwise.evaluators.prefixes import first_alone
from lengthwise.evaluators.prices import Price, PriceTable, priced
from lengthwise.evaluators.providers.base import Model, Notify
from lengthwise.evaluators.retry import RetryPolicy, retrying
from lengthwise.evaluators.roles import RoleModels, routed
from lengthwise.evaluators.spending import Counted, Estimate, Limits, Spending, check_prices
from lengthwise.evaluators.stopping import Stop

# Kinds whose calls cost nothing: they run in this process, or on this machine.
FREE_KINDS = frozenset({"local", "reference", "sentence-transformers", "vllm", "hf-local"})


@dataclass(frozen=True, slots=True)
class CallOptions:
    """How the calls of a run are made.

    Attributes:
        concurrency: calls under way at the same time, at each host (>= 1).
        retries: see `RetryPolicy`.
        rates: what the host of the model that is run allows; hosts of models in other roles are asked as fast as they
            bear.
        limits: what the run may take.
        notify: told what the user should know.
    """

    concurrency: int = 8
    retries: RetryPolicy = field(default_factory=RetryPolicy)
    rates: Rates = field(default_factory=Rates)
    limits: Limits = field(default_factory=Limits)
    notify: Notify = lambda _: None


class Calls:
    """Makes the `ask` of each example of a run.

    Args:
        model: the one that is run.
        roles: models that the method asks in other roles.
        prices: what tokens cost.
        options: see `CallOptions`.
        stop: of the run.

    Raises:
        InputError: a limit on the cost, and a model without a price.

    Attributes:
        spending: what the run has taken so far.
    """

    def __init__(self, model: Model, roles: RoleModels, prices: PriceTable, options: CallOptions, stop: Stop) -> None:
        self.spending = Spending(options.limits, stop)
        self._models: Mapping[Role, Model] = {"generate": model, **roles}
        self._prices = {role: price_of(one, prices) for role, one in self._models.items()}
        self._counted = {role: Counted() for role in self._models}
        self._options = options
        self._stop = stop
        self._gates: dict[str, Gate] = {}
        self._places = {role: place_of(one) for role, one in self._models.items()}
        for role, place in self._places.items():
            if place not in self._gates:
                rates = options.rates if role == "generate" else Rates(patience=options.rates.patience)
                self._gates[place] = Gate(place, options.concurrency, rates, stop, options.notify)
        if model.gathers and options.limits != Limits():
            raise InputError(
                f"--model {model.spec}: sends all calls together, so that no limit could end it in between; leave out "
                "--max-cost and --max-tokens-total, and see --dry-run and --limit for what it will cost"
            )
        costly = {one.name: self._prices[role] for role, one in self._models.items() if one.kind not in FREE_KINDS}
        check_prices(options.limits, costly)

    def ask_for(self, example: Example, repeat: int) -> Ask:
        """Return the `ask` of one example and repeat."""
        asks = {role: self._ask(role, example, repeat) for role in self._models}
        return first_alone(routed(asks, self._models))

    def _ask(self, role: Role, example: Example, repeat: int) -> Ask:
        model, price = self._models[role], self._prices[role]
        estimate = Estimate(len(example.prompt), int(example.columns.get("n_tokens") or 0), self._counted[role])

        def tokens(request: Request) -> float:
            most = estimate.of(request)
            return (most.input or 0) + (most.output or 0)

        ask = self._gates[self._places[role]].through(priced(model.ask_for(example, repeat), price), tokens)
        return self.spending.limited(retrying(ask, self._options.retries, self._stop.sleep), price, estimate)


def price_of(model: Model, prices: PriceTable) -> Price | None:
    """Return what is paid for a model's tokens; None where no price is known."""
    price = prices.find(model.name)
    return price.times(model.price_share) if price is not None else None


def place_of(model: Model) -> str:
    """Return what models share that are asked at one host; a model that runs here is a place of its own."""
    address = model.describe().get("base_url")
    return urlsplit(str(address)).netloc if address else model.spec
