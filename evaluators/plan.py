"""What a run would take, before anything is sent: `--dry-run`."""

from dataclasses import dataclass
from pathlib import Path

from lengthwise.contracts import Role, Usage
from lengthwise.evaluators.calls import price_of
from lengthwise.evaluators.examples import ids_by_cell
from lengthwise.evaluators.gathering import check_gathering
from lengthwise.evaluators.preflight import TEMPLATE_MARGIN
from lengthwise.evaluators.prices import PriceTable
from lengthwise.evaluators.providers import ModelOptions, make_model
from lengthwise.evaluators.roles import OPTIONS, make_role_models
from lengthwise.evaluators.settings import Prepared, RunSettings, prepare

# Cells that a line names.
_MOST_CELLS = 20


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a run would take.

    Attributes:
        examples: how many rows, per `config/split`.
        calls: requests at least: one for each row and repeat, or for each part that a method splits a row into.
        most_calls: requests at most, if the method asks again every time it may.
        input_tokens: of `calls` requests, by the data set's tokenizer, chat template included.
        most_output_tokens: of `calls` requests, if each reply uses all it may.
        most_cost: US dollars for both; None where no price is known.
        priced_on: date of the price file (ISO).
        upper: whether `calls` and `input_tokens` are what is sent at most, by a method that may stop early.
        roles: other models that the method asks; their requests are in none of these numbers.
    """

    examples: dict[str, int]
    calls: int
    most_calls: int
    input_tokens: int
    most_output_tokens: int
    most_cost: float | None
    priced_on: str
    upper: bool = False
    roles: tuple[Role, ...] = ()

    def lines(self) -> list[str]:
        """Return the plan for people, a line each."""
        shown = [f"{cell} {count}" for cell, count in self.examples.items()]
        more = len(shown) - _MOST_CELLS
        cells = ", ".join(shown if more <= 0 else [*shown[:_MOST_CELLS], f"and {more:,} more splits"])
        calls = f"{self.calls:,}" + (f" (at most {self.most_calls:,})" if self.most_calls > self.calls else "")
        if self.most_cost is None:
            cost = "no price known (--prices FILE)"
        else:
            cost = f"at most ${self.most_cost:,.2f} (prices of {self.priced_on})"
        if self.most_calls > self.calls:
            cost += "; tokens and cost are for one call of each"
        if self.upper:
            calls, most = f"at most {calls}", "at most "
        else:
            most = ""
        others = (
            [f"not counted    requests to {', '.join(OPTIONS[role][0] for role in self.roles)}"] if self.roles else []
        )
        return [
            f"rows           {sum(self.examples.values()):,} ({cells})",
            f"calls          {calls}",
            f"input tokens   {most}{self.input_tokens:,}",
            f"output tokens  at most {self.most_output_tokens:,}",
            f"cost           {cost}",
            *others,
        ]


def plan_run(settings: RunSettings, prices: Path | None = None) -> RunPlan:
    """Return what a run with these settings would take; reads the data, sends nothing and needs no key.

    Args:
        settings: see `RunSettings`.
        prices: a price file; None takes the package's.

    Raises:
        InputError: see `prepare`, `make_model` and `PriceTable.load`.
    """
    table = PriceTable.load(prices)
    prepared = prepare(settings)
    model = make_model(settings.model)
    model.check(prepared.sampling)
    model.check_benchmark(prepared.benchmark.name)
    check_gathering(model, prepared.method_name, prepared.method)
    make_role_models(settings.roles, ModelOptions(), settings.role_key_envs, prepared.sampling)
    tokens = _prompt_tokens(prepared)
    calls = len(tokens) * settings.repeats
    input_tokens = settings.repeats * (sum(tokens) + len(tokens) * TEMPLATE_MARGIN)
    output_tokens = calls * (prepared.sampling.max_tokens or 0)
    price = price_of(model, table)
    return RunPlan(
        examples={str(cell): len(ids) for cell, ids in ids_by_cell(prepared.examples).items()},
        calls=calls,
        most_calls=calls * prepared.method.most_calls,
        input_tokens=input_tokens,
        most_output_tokens=output_tokens,
        most_cost=price.of(Usage(input=input_tokens, output=output_tokens)) if price else None,
        priced_on=table.as_of,
        upper=prepared.method.most,
        roles=prepared.method.roles,
    )


def _prompt_tokens(prepared: Prepared) -> list[int]:
    """Return the tokens of every prompt that is sent at least."""
    parts = prepared.method.parts
    if parts is None:
        return [int(tokens) for tokens in prepared.examples["n_tokens"].to_pylist()]
    rows = prepared.data.stream(ids_by_cell(prepared.examples))
    return [part.n_tokens for example in rows for part in parts(example)]
