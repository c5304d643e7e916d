from pathlib import Path

import pytest

from lengthwise.errors import InputError
from lengthwise.evaluators import quickstart as module
from lengthwise.evaluators.quickstart import EXAMPLES, quickstart


def test_without_the_local_model_it_still_ends_in_a_page(tmp_path: Path) -> None:
    made = quickstart(tmp_path / "q", local=False)
    assert made.without_local == "it was left out on request"
    accuracies = {
        run.name: {cell.accuracy.value for cell in result.cells}
        for run, result in zip(made.runs, made.results, strict=True)
    }
    assert accuracies == {"solver": {1.0}, "first-window": {0.0}, "random": {0.0}}
    assert all(cell.accuracy.n == EXAMPLES for result in made.results for cell in result.cells)
    assert "ceiling" in made.report.read_text("utf-8")


def test_given_again_it_uses_what_is_there(tmp_path: Path) -> None:
    first = quickstart(tmp_path / "q", local=False)
    before = {path: path.stat().st_mtime_ns for path in first.data.rglob("*.parquet")}
    quickstart(tmp_path / "q", local=False)
    assert {path: path.stat().st_mtime_ns for path in first.data.rglob("*.parquet")} == before


def test_where_the_local_model_cannot_be_had_it_says_so_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = module.run_benchmark

    def without_network(settings, out, options):  # type: ignore[no-untyped-def]
        if settings.model.startswith("local:"):
            raise InputError("the weights cannot be fetched: no network")
        return real(settings, out, options)

    monkeypatch.setattr(module, "run_benchmark", without_network)
    made = quickstart(tmp_path / "q")
    assert made.without_local == "the weights cannot be fetched: no network"
    assert [run.name for run in made.runs] == ["solver", "first-window", "random"]


@pytest.mark.local
def test_the_local_model_runs_beside_the_references(tmp_path: Path) -> None:
    made = quickstart(tmp_path / "q")
    local = dict(zip((run.name for run in made.runs), made.results, strict=True))["smollm2-135m"]
    assert made.without_local is None
    assert (local.n_expected, local.n_error) == (6, 0)
    assert all(cell.split == "1k" for cell in local.cells)
