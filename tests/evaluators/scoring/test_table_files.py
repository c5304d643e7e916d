"""Tests for tables as files: what stands in CSV is what results.json holds."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from lengthwise.contracts import Reply
from lengthwise.errors import InputError
from lengthwise.evaluators.report import write_report
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.evaluators.table_files import write_tables

CELLS = {("lex-locate", "4k"): 4, ("lex-scattered", "4k"): 4}
HOSTILE = "=cmd|' /C calc'!A0, 50% \\of_$x$ 模型"


@pytest.fixture
def run(make_run: Callable[..., Path], reply: Callable[..., Reply]) -> Callable[..., Path]:
    """Return a function that makes a run in which the first two of a cell are right, once with a reply missing."""

    def make(name: str, label: str = "", answered: int = 8, **settings) -> Path:
        right, wrong = "<answer>ba ca da ea za</answer>", "<answer>fa ha ga ia ya</answer>"
        calls = {(row, 0): [reply(right if row % 4 < 2 or row == 2 else wrong)] for row in range(answered)}
        labels = {"label": label or name, "group": None, "size": None}
        return make_run(calls, CELLS, name=name, labels=labels, **settings)

    return make


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def test_accuracies_are_those_of_results_json_in_full(run, tmp_path: Path):
    folder = run("a")
    scored = score_outcomes(folder, [50])
    write_tables([scored], tmp_path / "tables")
    rows = [row for row in read(tmp_path / "tables/predicatelongbench-main-4k.csv") if row["run"] == "a"]
    results = json.loads((folder / "results.json").read_text())
    wanted = {(cell["config"], cell["split"]): cell["accuracy"] for cell in results["cells"]}
    assert {(row["config"], row["split"]) for row in rows} == wanted.keys()
    for row in rows:
        accuracy = wanted[row["config"], row["split"]]
        assert [float(row[name]) for name in ("value", "low", "high", "n")] == [
            accuracy[name] for name in ("value", "low", "high", "n")
        ]
    budgets = read(tmp_path / "tables/predicatelongbench-budgets-a.csv")
    found = {row["config"]: float(row["value"]) for row in budgets if row["metric"] == "accuracy"}
    assert found == {one["config"]: one["accuracy"]["value"] for one in results["budgets"]}


def test_pairs_and_outcomes_are_those_of_results_json(run, tmp_path: Path):
    folder = run("a")
    write_tables([score_outcomes(folder)], tmp_path / "tables")
    results = json.loads((folder / "results.json").read_text())
    (pair,) = results["pairs"]
    rows = {row["metric"]: row for row in read(tmp_path / "tables/predicatelongbench-pairs-a.csv")}
    assert float(rows["difference"]["value"]) == pair["difference"]
    assert [float(rows["difference"][end]) for end in ("low", "high")] == list(pair["difference_ci"])
    assert {row["part"] for row in rows.values()} == {"against=lex-locate"}
    details = read(tmp_path / "tables/predicatelongbench-details-a.csv")
    outcomes = {(row["config"], row["part"]): int(row["value"]) for row in details if row["metric"] == "outcomes"}
    assert outcomes == {
        (cell["config"], f"outcome={kind}"): count
        for cell in results["cells"]
        for kind, count in cell["outcomes"].items()
    }


def test_the_index_lists_every_file_and_all_csv_holds_every_row(run, tmp_path: Path):
    folder = tmp_path / "tables"
    written = write_tables([run("a"), run("b", answered=5)], folder)
    assert set(written) == set(folder.iterdir())
    linked = set(re.findall(r"\]\((\S+)\)", (folder / "index.md").read_text("utf-8")))
    assert linked == {path.name for path in written} - {"index.md"}
    apart = [row for path in sorted(folder.glob("*.csv")) if path.name != "all.csv" for row in read(path)]
    assert sorted(map(str, apart)) == sorted(map(str, read(folder / "all.csv")))
    assert "INCOMPLETE b" in (folder / "index.md").read_text("utf-8")
    assert {row["complete"] for row in apart if row["run"] == "b"} == {"false"}


def test_names_stay_when_a_run_is_added(run, tmp_path: Path):
    alone = {path.name for path in write_tables([run("a")], tmp_path / "one")}
    assert alone < {path.name for path in write_tables([run("a"), run("b")], tmp_path / "two")}


def test_a_hostile_label_is_text_in_every_format(run, tmp_path: Path):
    folder = tmp_path / "tables"
    write_tables([run("a", HOSTILE)], folder)
    rows = read(folder / "all.csv")
    assert {row["run"] for row in rows if row["model"].startswith("http")} == {f"'{HOSTILE}"}
    assert all(not re.match(r"[=+@]", value) for row in rows for value in row.values())
    latex = (folder / "predicatelongbench-main-4k.tex").read_text("utf-8")
    assert r"50\% \textbackslash{}of\_\$x\$ 模型" in latex and "xelatex" in latex
    assert all(path.parent == folder for path in folder.rglob("*"))


def test_half_a_character_in_a_label_is_written_as_an_escape(run, tmp_path: Path):
    write_tables([run("a", "x\ud83dy")], tmp_path / "tables")
    assert {row["run"] for row in read(tmp_path / "tables/predicatelongbench-pairs-xy.csv")} == {r"x\ud83dy"}


def test_a_folder_that_is_a_file_is_named(run, tmp_path: Path):
    (tmp_path / "tables").write_text("")
    with pytest.raises(InputError, match=r"--tables .*cannot be written"):
        write_tables([run("a")], tmp_path / "tables")


def test_the_command_line_prints_one_csv_and_writes_the_folder(run, lengthwise, tmp_path: Path):
    done = lengthwise("score", run("a"), run("b"), "--format", "csv", "--analyses", "--tables", "tables")
    assert done.returncode == 0, done.stderr
    printed = list(csv.DictReader(done.stdout.splitlines(), strict=True))
    written = read(tmp_path / "tables/all.csv")
    assert printed
    assert {tuple(row.values()) for row in printed} < {tuple(row.values()) for row in written}
    assert "no analyses" in done.stderr


def test_two_runs_are_compared_at_the_confidence_asked_for(run, lengthwise):
    runs = run("a"), run("b")
    done = lengthwise("compare", *runs, "--confidence", "0.9", "--resamples", "100", "--format", "csv")
    rows = list(csv.DictReader(done.stdout.splitlines(), strict=True))
    assert {row["confidence"] for row in rows if row["metric"] == "difference"} == {"0.9"}
    assert {row["part"] for row in rows if row["run"] == "a" and row["metric"] != "accuracy"} == {"minus=b"}
    latex = lengthwise("compare", *runs, "--resamples", "100", "--format", "latex").stdout
    assert latex.count(r"\label{tab:predicatelongbench-comparison}") == 1


def test_a_report_writes_its_tables_too(run, tmp_path: Path):
    write_report([run("a")], tmp_path / "page.html", budgets=[50], tables=tmp_path / "tables")
    assert (tmp_path / "tables/predicatelongbench-budgets-a.tex").is_file()
