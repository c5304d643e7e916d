import pytest

from lengthwise.contracts import Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.sampling import resolve_sampling

PAPER = Sampling(max_tokens=16_000, temperature=1.0, top_p=1.0)


def test_no_change_is_the_papers():
    assert resolve_sampling(PAPER, Sampling()) == (PAPER, "paper")


def test_the_same_value_is_the_papers_still():
    assert resolve_sampling(PAPER, Sampling(temperature=1.0)) == (PAPER, "paper")


@pytest.mark.parametrize("change", [{"temperature": 0.0}, {"reasoning_effort": "high"}, {"max_tokens": 16_384}])
def test_a_change_is_said(change):
    assert resolve_sampling(PAPER, Sampling(**change))[1] == "changed"


@pytest.mark.parametrize(
    ("change", "option"),
    [
        ({"max_tokens": 0}, "--max-tokens 0"),
        ({"temperature": -0.1}, "--temperature"),
        ({"temperature": float("nan")}, "--temperature"),
        ({"top_p": 0.0}, "--top-p"),
        ({"top_p": 1.1}, "--top-p"),
        ({"thinking_tokens": -1}, "--thinking-tokens"),
    ],
)
def test_a_value_out_of_range_is_refused(change, option):
    with pytest.raises(InputError, match=option):
        resolve_sampling(PAPER, Sampling(**change))
