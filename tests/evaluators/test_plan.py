import json

import pytest
from run_helpers import write_data

from lengthwise.contracts import Sampling, Usage
from lengthwise.errors import InputError
from lengthwise.evaluators.plan import plan_run
from lengthwise.evaluators.preflight import TEMPLATE_MARGIN
from lengthwise.evaluators.prices import Price, PriceTable
from lengthwise.evaluators.settings import RunSettings


@pytest.fixture
def data(tmp_path):
    return str(write_data(tmp_path / "data", {"lex-locate/4k": 5, "lex-locate/8k": 5}, {"lex-locate/8k": 8_000}))


def test_calls_and_tokens(data):
    plan = plan_run(RunSettings(data, "reference:gold", repeats=3, sampling=Sampling(max_tokens=50)))
    assert plan.examples == {"lex-locate/4k": 5, "lex-locate/8k": 5}
    assert (plan.calls, plan.most_calls) == (30, 30)
    assert plan.input_tokens == 3 * (5 * 100 + 5 * 8_000 + 10 * TEMPLATE_MARGIN)
    assert plan.most_output_tokens == 30 * 50
    assert plan.most_cost is None


def test_a_known_model_has_a_cost_and_needs_no_key(data, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    plan = plan_run(RunSettings(data, "openai:gpt-5.2"))
    price = PriceTable.load().models["gpt-5.2"]
    assert plan.most_cost == pytest.approx((plan.input_tokens * price.input + 160_000 * price.output) / 1e6)
    assert any(f"prices of {PriceTable.load().as_of}" in line for line in plan.lines())


def test_a_method_that_asks_again_says_at_most(data):
    plan = plan_run(RunSettings(data, "reference:gold", method="reask"))
    assert (plan.calls, plan.most_calls) == (10, 30)
    assert any("at most 30" in line for line in plan.lines())


def test_cached_tokens_have_their_own_price():
    assert Price(2.0, 0.5, 8.0).of(Usage(input=1_000_000, cached=400_000, output=500_000)) == 1.2 + 0.2 + 4.0
    assert Price(2.0, 0.5, 8.0).of(Usage(input=5)) is None


@pytest.mark.parametrize(
    "content",
    ["{", "[]", '{"models": {}}', '{"as_of": "x", "models": {"m": {"input": 1}}}', '{"as_of": 1, "per_tokens": 1000}'],
)
def test_a_price_file_of_another_form_is_refused(tmp_path, content):
    (tmp_path / "prices.json").write_text(content)
    with pytest.raises(InputError, match="--prices"):
        PriceTable.load(tmp_path / "prices.json")


def test_a_price_file_replaces_the_packages(data, tmp_path):
    file = tmp_path / "prices.json"
    file.write_text(json.dumps({"as_of": "2030-01-01", "models": {"gold": {"input": 1, "output": 1}}}))
    plan = plan_run(RunSettings(data, "reference:gold"), file)
    assert plan.most_cost == pytest.approx((plan.input_tokens + plan.most_output_tokens) / 1e6)
