import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lengthwise.builders.benchmarks import validate
from lengthwise.builders.card import SEEN_BEGIN, SEEN_END, put_seen
from lengthwise.builders.predicate.build import build_predicate
from lengthwise.builders.predicate.settings import Settings
from lengthwise.errors import InputError
from lengthwise.evaluators.card_figures import publish_figures
from lengthwise.evaluators.runner import RunOptions, run_benchmark
from lengthwise.evaluators.settings import RunSettings

MakeRun = Callable[..., Path]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A build of two configs, one of them a point of a sweep, 3 examples each."""
    folder = tmp_path / "plb"
    names = ("lex-locate", "lex-scattered--decoys-2")
    build_predicate(folder, names, splits=("4k",), settings=Settings(examples=3))
    return folder


@pytest.fixture
def run(tmp_path: Path, data: Path) -> MakeRun:
    """Return a function that runs a reference model; `changed` is written over its run.json, as of a real model."""

    def make(name: str, changed: dict[str, Any] | None = None, **given: Any) -> Path:
        out = tmp_path / "runs" / f"{name}-{len(given)}-{len(changed or {})}"
        run_benchmark(RunSettings(str(data), f"reference:{name}", **given), out, RunOptions(progress=False))
        settings = json.loads((out / "run.json").read_text())
        (out / "run.json").write_text(json.dumps({**settings, **(changed or {})}))
        return out

    return make


def test_ceiling_floor_and_digest_of_every_cell(data: Path, run: MakeRun) -> None:
    section = publish_figures(data, [run("random"), run("solver")])
    digests = [of["4k"]["digest"] for of in json.loads((data / "build.json").read_text())["configs"].values()]
    assert "| config | split | N | digest | ceiling (solver) | floor (random) |" in section
    for config, digest in zip(("lex-locate", "lex-scattered--decoys-2"), digests, strict=True):
        assert f"| `{config}` | `4k` | 3 | `{digest[:16]}` | 100.0 [29.2, 100.0] | 0.0 [0.0, 70.8] |" in section
    assert "proved all 6 rows in 2 splits right" in section
    assert "\nlengthwise run plb --model reference:solver --out RUN\n" in section
    assert section in (data / "README.md").read_text("utf-8")


def test_the_rest_of_the_card_stays_and_a_second_call_writes_the_same(data: Path, run: MakeRun) -> None:
    solver, before = run("solver"), (data / "README.md").read_text("utf-8")
    publish_figures(data, [solver])
    once = (data / "README.md").read_text("utf-8")
    assert put_seen(once, "x") == put_seen(before, "x") != once
    publish_figures(data, [solver])
    assert (data / "README.md").read_text("utf-8") == once
    assert not any(report.problems for report in validate(data))


def test_an_edited_card_without_the_lines_gets_them_at_its_end(data: Path, run: MakeRun) -> None:
    card = data / "README.md"
    edited = card.read_text("utf-8").replace(f"{SEEN_BEGIN}\n{SEEN_END}\n", "My own words.\r\n")
    card.write_bytes(edited.encode())
    publish_figures(data, [run("solver")])
    assert card.read_bytes().decode().startswith(edited)
    assert not any(report.problems for report in validate(data))


def test_a_real_model_stands_apart_with_a_command_that_holds_no_secret(data: Path, run: MakeRun) -> None:
    model = {"spec": "http://me:secret@h:1/v1#toy", "name": "toy", "kind": "http", "api_key_env": "MY_KEY"}
    asked = run("random", {"model": model}, configs=("lex-locate",), limit=2, repeats=2)
    section = publish_figures(data, [run("solver"), asked])
    assert "### Models\n\n| config | split | toy |\n" in section
    assert "| `lex-locate` | `4k` | 0.0 [0.0, 84.2] (n = 2, 2 repeats) |" in section
    assert (
        "\nlengthwise run plb lex-locate --split 4k --model 'http://h:1/v1#toy' --limit 2 --repeats 2 "
        "--api-key-env MY_KEY --out RUN\n"
    ) in section
    assert "secret" not in section and str(data.parent) not in section


def test_the_notes_beside_a_models_run_are_ceiling_and_floor_too(data: Path, run: MakeRun) -> None:
    asked = run("first-window", {"model": {"spec": "http://h/v1#toy", "name": "toy", "kind": "http"}})
    lines = [{"id": row, "solver": True, "random": False} for row in ("lex-locate-4k-s42-0000",)]
    (asked / "bounds.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    section = publish_figures(data, [asked])
    assert " | 100.0 [2.5, 100.0] (n = 1) | 0.0 [0.0, 97.5] (n = 1) |" in section


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"data": {"cells": {"lex-locate/4k": "f" * 64}}},
            "rows of lex-locate/4k have the digest ffffffffffffffff, and",
        ),
        ({"data": {"cells": {"lex-locate/8k": "f" * 64}}}, "plb has no such rows: run it on this data"),
        ({"data": {"cells": {"lex-locate/4k": None}}}, "rows of lex-locate/4k have no digest"),
        ({"repeats": 2}, "6 of 12 examples have no reply: finish it first, with `lengthwise run --from"),
    ],
)
def test_runs_that_say_nothing_of_these_rows(data: Path, run: MakeRun, changed: dict[str, Any], message: str) -> None:
    before = (data / "README.md").read_bytes()
    with pytest.raises(InputError, match=message):
        publish_figures(data, [run("solver"), run("random", changed)])
    assert (data / "README.md").read_bytes() == before


def test_data_that_do_not_validate_get_no_figures(data: Path, run: MakeRun) -> None:
    solver = run("solver")
    shutil.copy(
        data / "lex-locate" / "4k-00000-of-00001.parquet",
        data / "lex-scattered--decoys-2" / "4k-00000-of-00001.parquet",
    )
    with pytest.raises(InputError, match=r"problems, the first: .* see `lengthwise validate`"):
        publish_figures(data, [solver])
    assert "What was seen" not in (data / "README.md").read_text("utf-8")


def test_no_runs(data: Path) -> None:
    with pytest.raises(InputError, match="RUN: name at least one run"):
        publish_figures(data, [])
