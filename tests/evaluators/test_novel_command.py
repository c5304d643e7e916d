"""The whole of `lengthwise build longnovel` over real HTTP, from real books in both languages to proven rows."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "builders/longnovel"))
from faulty_server import FaultyServer, Step, completion
from scripted_models import ScriptedModels

from lengthwise.builders.hub_folder import read_build
from lengthwise.builders.longnovel.roles import SLOTS
from lengthwise.cli import main
from lengthwise.evaluators.scoring import score_outcomes

Run = Callable[..., tuple[int, str]]
TABLE = "split\tscale\tzh\ten\toriginal\terhg\tmma\thallucinated\n"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line; return its exit code and all that it said."""

    def called(*arguments: str | Path) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["lengthwise", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
        shown = capsys.readouterr()
        return code, shown.out + shown.err

    return called


@pytest.mark.shared
@pytest.mark.slow
def test_from_books_to_proven_rows(run: Run, server: FaultyServer, shared_dir: Path, tmp_path: Path) -> None:
    books, data, again = tmp_path / "books", tmp_path / "data", tmp_path / "again"
    books.mkdir()
    for name in ("epics_en/paradise_lost", "novels_zh/laocanyouji"):
        shutil.copy(shared_dir / "data" / f"{name}.jsonl", books)
    models = ScriptedModels(errors=0.2)
    server.models = [{"id": slot, "owned_by": "vllm", "max_model_len": 200_000} for slot in SLOTS]

    def answer(body: dict[str, Any]) -> Step:
        return Step(body=completion(models.answer(body["model"], body["messages"][-1]["content"])))

    server.default = answer
    roles = tmp_path / "roles.toml"
    roles.write_text("".join(f'{slot} = "{server.url}#{slot}"\n' for slot in SLOTS))
    build = ["build", "longnovel", "s", "m", "--source", books, "--headings-as-summaries", "--quiet"]
    build += ["--licence", "public domain", "--may-be-passed-on"]

    code, said = run(*build, "--models", roles, "--out", data)
    assert code == 0, said
    assert "injection: " in said and "digest " in said
    for line in read_build(data)["composition"].values():
        assert min(line["zh"], line["en"], line["original"], line["erhg"], line["mma"]) > 0
    code, said = run("validate", data, "--quiet")
    assert code == 0 and "proven right" in said, said

    asked = len(server.seen)
    code, said = run(*build, "--records", data, "--out", again)
    assert code == 0 and read_build(again)["digest"] == read_build(data)["digest"]
    assert len(server.seen) == asked

    table = tmp_path / "rows.tsv"
    table.write_text(f"{TABLE}test\ts\t4\t4\t2\t2\t4\t4\ntest\tm\t900\t4\t2\t2\t900\t4\n")
    code, said = run(*build, "--out", again, "--rows", table)
    assert code == 2 and "test m: " in said and "of 900 rows in zh" in said
    code, said = run(*build, "--out", again, "--rows", table, "--fewer")
    assert code == 0 and read_build(again)["configs"]["s"]["test"]["rows"] == 8
    assert run("validate", again, "--quiet")[0] == 0

    # Books as the evaluator sees them: four rows of each class.
    for model, right in (("gold", 8), ("faithful", 4)):
        where = tmp_path / model
        code, said = run("run", again, "s", "--split", "test", "--model", f"reference:{model}", "--out", where)
        assert code == 0, said
        kinds = [outcome.kind for outcome in score_outcomes(where).outcomes.values()]
        assert (len(kinds), kinds.count("correct")) == (8, right)

    code, said = run("export", again, "--recipe", "--out", tmp_path / "recipe")
    assert code == 0
    source = ["--source", books, "--headings-as-summaries", "--out", tmp_path / "rebuilt"]
    code, said = run("build", "longnovel", "--recipe", tmp_path / "recipe", *source)
    assert code == 0 and read_build(again)["digest"] in said
    assert run("validate", tmp_path / "rebuilt", "--quiet")[0] == 0
