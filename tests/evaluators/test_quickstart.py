from pathlib import Path

import pytest

from lengthwise.errors import InputError
from lengthwise.evaluators import quickstart as module
from lengthwise.evaluators.benchmarks import BENCHMARKS
from lengthwise.evaluators.quickstart import EXAMPLES, SHOWS, quickstart


def test_every_benchmark_is_shown_that_needs_no_books_from_elsewhere():
    shown = [show.benchmark for show in SHOWS]
    assert set(BENCHMARKS) - {"longnovel"} == set(shown)


def test_without_the_local_model_it_still_ends_in_a_page_for_each(tmp_path: Path) -> None:
    made = quickstart(tmp_path / "q", local=False)
    assert made.without_local == "it was left out on request"
    words, instances, novels = made.shown
    accuracies = {
        run.name: {cell.accuracy.value for cell in result.cells}
        for run, result in zip(words.runs, words.results, strict=True)
    }
    assert accuracies == {"solver": {1.0}, "first-window": {0.0}, "random": {0.0}}
    assert {cell.accuracy.value for cell in instances.results[0].cells} == {1.0}
    assert [run.name for run in instances.runs] == ["solver-mip", "constant-mip"]
    assert [run.name for run in novels.runs] == ["gold-novel", "random-novel"]
    assert {cell.accuracy.value for cell in novels.results[0].cells} == {1.0}
    assert {(cell.config, cell.accuracy.n) for cell in novels.results[0].cells} == {("1k", 8), ("4k", 8)}
    for one in (words, instances):
        assert all(cell.accuracy.n == EXAMPLES for result in one.results for cell in result.cells)
    for one in made.shown:
        assert "ceiling" in one.report.read_text("utf-8")


def test_given_again_it_uses_what_is_there(tmp_path: Path) -> None:
    quickstart(tmp_path / "q", local=False)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "q").rglob("*-00000-of-*.parquet")}
    quickstart(tmp_path / "q", local=False)
    after = {path: path.stat().st_mtime_ns for path in (tmp_path / "q").rglob("*-00000-of-*.parquet")}
    assert after == before != {}


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
    assert [run.name for run in made.shown[0].runs] == ["solver", "first-window", "random"]


@pytest.mark.local
def test_the_local_model_runs_beside_the_references(tmp_path: Path) -> None:
    made = quickstart(tmp_path / "q")
    assert made.without_local is None
    for one, name, rows, split in zip(
        made.shown,
        ("smollm2-135m", "smollm2-135m-mip", "smollm2-135m-novel"),
        (6, 4, 1),
        ("1k", "n2", "test"),
        strict=True,
    ):
        local = dict(zip((run.name for run in one.runs), one.results, strict=True))[name]
        assert (local.n_expected, local.n_error) == (rows, 0)
        assert all(cell.split == split for cell in local.cells)
