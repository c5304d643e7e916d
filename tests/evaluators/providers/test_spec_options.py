import pytest

from lengthwise.errors import InputError
from lengthwise.evaluators.providers import make_model
from lengthwise.evaluators.providers.spec_options import split_options


def test_values_are_json_or_words():
    name, options = split_options("", "org/m?a=8192&b=auto&c=true&d=null&e=1.5&f=&g=x=y&h=a%26b")
    assert name == "org/m"
    assert options == {"a": 8192, "b": "auto", "c": True, "d": None, "e": 1.5, "f": "", "g": "x=y", "h": "a&b"}


def test_the_names_of_the_command_line_are_taken_too():
    assert split_options("", "m?max-model-len=5")[1] == {"max_model_len": 5}


@pytest.mark.parametrize("kind", ["vllm", "hf-local"])
@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("?a=1", "the name is missing"),
        ("m?a", "'a' is no option"),
        ("m?=1", "'=1' is no option"),
        ("m?a=1&a=2", "names a twice"),
        ("m?a_b=1&a-b=2", "names a_b twice"),
    ],
)
def test_what_cannot_be_meant(kind, rest, message):
    with pytest.raises(InputError, match=message) as caught:
        make_model(f"{kind}:{rest}")
    assert f"{kind}:{rest}" in str(caught.value)


@pytest.mark.parametrize("kind", ["vllm", "hf-local"])
def test_options_are_part_of_what_the_run_says_of_its_model(kind):
    model = make_model(f"{kind}:org/m?a=1")
    assert model.describe() == {
        "spec": f"{kind}:org/m?a=1",
        "kind": kind,
        "name": "org/m",
        "options": {"a": 1},
    }
