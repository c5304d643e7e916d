import pytest
import typer
from typer.testing import CliRunner

from lengthwise.cli.options import parse_numbers
from lengthwise.cli.report import register
from lengthwise.errors import InputError


def test_budgets_are_read():
    assert parse_numbers("--budget-tokens", "8000, 16_000,") == (8000, 16000)
    assert parse_numbers("--budget-tokens", "") == ()


@pytest.mark.parametrize("text", ["16k", "-5", "8000;16000", "1.5"])
def test_a_bad_budget_is_named(text: str):
    with pytest.raises(InputError, match="--budget-tokens"):
        parse_numbers("--budget-tokens", text)


@pytest.mark.parametrize("command", ["score", "report"])
def test_a_folder_that_is_no_run_is_bad_input(command: str, tmp_path):
    app = typer.Typer()
    register(app)
    result = CliRunner().invoke(app, [command, str(tmp_path)])
    assert isinstance(result.exception, InputError)
    assert "run.json" in str(result.exception)
