"""What the pages of `docs/` say is so: commands parse, code runs, links lead somewhere. No Sphinx is needed for it."""

import doctest
import os
import re
import runpy
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

import pyarrow.parquet as parquet
import pytest
import typer

from lengthwise.builders.benchmarks import validate
from lengthwise.builders.multi_instance.tasks import InstanceTask
from lengthwise.builders.predicate import predicates, reader, solver
from lengthwise.builders.predicate.build import build_predicate
from lengthwise.builders.predicate.settings import Settings
from lengthwise.builders.predicate.variants import VARIANTS, Variant
from lengthwise.cli import app
from lengthwise.contracts import Ask, Message, Reply, Request, Sampling
from lengthwise.evaluators import methods, providers
from lengthwise.evaluators.contracts import Example, Method, Prediction
from lengthwise.evaluators.figures.table import FIGURES
from lengthwise.evaluators.method_parts import MethodKind, Resources, plain_request
from lengthwise.evaluators.providers.base import Model, Window
from lengthwise.evaluators.providers.hosts import Host
from lengthwise.evaluators.runner import run_benchmark
from lengthwise.evaluators.scoring import score_outcomes, score_run
from lengthwise.evaluators.settings import RunSettings

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in DOCS.glob("*.md"))
WITH_COMMANDS = [*PAGES, "README.md", "README.zh.md", "CONTRIBUTING.md"]

# Options of other programs that the pages name.
FOREIGN = {
    "docs/harnesses.md": "--apply_chat_template --cache_requests --epochs --gen_kwargs --include_path --log_samples "
    "--model_args --num_fewshot --output_path --tasks --use_cache",
    "docs/models.md": "--reasoning-parser",
    "CONTRIBUTING.md": "--check --json --novels --write",
}


@cache
def command_line() -> Any:
    return typer.main.get_command(app)


def text_of(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


def blocks(page: str, language: str = "[a-z]*") -> list[str]:
    return [dedent(found[1]) for found in re.finditer(rf"(?ms)^ *```{language}\n(.*?)^ *```$", text_of(page))]


def commands(page: str) -> Iterator[list[str]]:
    """Yield the words behind `lengthwise` of each command in the code of a page."""
    for block in blocks(page, "(?:sh)?"):
        for line in block.replace("\\\n", " ").splitlines():
            found = re.match(r"(?:python3 .*&& )?(?:\S*/)?lengthwise (.*)", line)
            if found is not None:
                yield shlex.split(found[1], comments=True)


def leaf(words: list[str]) -> tuple[Any, list[str]]:
    command: Any = command_line()
    while below := getattr(command, "commands", None):
        command, words = below[words[0]], words[1:]
    return command, words


def options_of(command: object) -> set[str]:
    found = {name for one in getattr(command, "params", ()) for name in (*one.opts, *one.secondary_opts)}
    return found.union(*map(options_of, getattr(command, "commands", {}).values()))


def toctree(page: str) -> list[str]:
    lines = "".join(re.findall(r"(?ms)^```\{toctree\}\n(.*?)^```$", text_of(page)))
    return re.findall(r"(?m)^(?:[^:\n]+ <)?([a-z][\w/]*)>?$", lines)


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub and the site make them."""
    heads = re.findall(r"(?m)^#+ (.+)$", re.sub(r"(?ms)^```.*?^```$", "", page.read_text("utf-8")))
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_every_page_is_in_the_contents() -> None:
    listed = [*toctree("docs/index.md"), *toctree("docs/fidelity.md"), "index"]
    assert sorted(listed) == sorted([*(Path(page).stem for page in PAGES), "api/index"]), "see docs/index.md"
    pages = {path.stem for path in (DOCS / "api").glob("*.md")} - {"index"}
    assert sorted(toctree("docs/api/index.md")) == sorted(pages)


def test_every_figure_is_on_the_page_about_the_report() -> None:
    named = set(re.findall(r"`([\w-]+)`", text_of("docs/report.md")))
    assert {figure for figures in FIGURES.values() for figure in figures} <= named, "see docs/report.md"


@pytest.mark.parametrize("page", WITH_COMMANDS)
def test_the_commands_parse(page: str) -> None:
    for words in commands(page):
        command, rest = leaf(words)
        # Unknown options, missing ones, wrong types: each is an error here, and nothing is run.
        command.make_context(command.name, list(rest))


def test_there_are_commands_to_parse() -> None:
    assert sum(1 for page in PAGES for _ in commands(page)) > 50


@pytest.mark.parametrize("page", WITH_COMMANDS)
def test_the_options_named_exist(page: str) -> None:
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z_-]+", text_of(page)))
    known = options_of(command_line()) | {"--help"}
    assert named - known <= {*FOREIGN.get(page, "").split()}


@pytest.mark.parametrize("page", WITH_COMMANDS)
def test_paths_named_exist(page: str) -> None:
    for path in re.findall(r"`((?:[\w.]+/)+[\w.]+\.(?:py|md|toml))`", text_of(page)):
        if path.split("/")[0] in {one.name for one in ROOT.iterdir()} and "NAME" not in path:
            assert (ROOT / path).exists(), (page, path)


@pytest.mark.parametrize("page", WITH_COMMANDS)
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", text_of(page)):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = (ROOT / page).parent / path if path else ROOT / page
        assert file.exists(), (page, target)
        assert not anchor or anchor in anchors(file), (page, target)


@pytest.mark.parametrize("page", ["docs/start.md", "docs/add_your_own.md"])
def test_the_python_of_a_page_runs(page: str, tmp_path: Path) -> None:
    build_predicate(tmp_path / "plb", ("lex-locate", "lex-scattered"), splits=("4k",), settings=Settings(examples=2))
    env = {**os.environ, "HF_HOME": str(tmp_path / "hf"), "HF_HUB_OFFLINE": "1"}
    script = "\n".join(blocks(page, "python"))
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == {"docs/start.md": "0.75 0.5", "docs/add_your_own.md": "0.0"}[page]


def snippet(marker: str, page: str = "CONTRIBUTING.md") -> str:
    (found,) = (block for block in blocks(page, "python") if marker in block)
    return found


def test_the_variant_of_the_recipe_is_built_and_solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    variant = eval(snippet("Variant(").strip().rstrip(","))
    monkeypatch.setitem(VARIANTS, variant.name, variant)
    build_predicate(tmp_path / "plb", (variant.name,), splits=("4k",), settings=Settings(examples=2))
    assert not [report.problems for report in validate(tmp_path / "plb") if report.problems]
    run_benchmark(RunSettings(str(tmp_path / "plb"), "reference:solver"), tmp_path / "run")
    assert score_run(tmp_path / "run").cells[0].accuracy.value == 1.0
    assert isinstance(variant, Variant)


def entry_of(code: str, names: dict[str, Any], brackets: str) -> Any:
    """Run what stands before the entry of a table, and return the entry between brackets."""
    before, _, entry = code.rpartition("\n\n\n    ")
    exec(before, names)
    return eval(brackets[0] + entry + brackets[1], names)


def test_the_predicate_of_the_recipe_is_proven(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, made, seen, read = re.split(r"(?m)^# \w+\.py\n", snippet("# predicates.py"))
    for table, kind in entry_of(made, dict(vars(predicates)), "{}").items():
        monkeypatch.setitem(predicates.UNARY, table, kind)
    for table, kind in entry_of(seen, dict(vars(solver)), "{}").items():
        monkeypatch.setitem(solver.SATISFYING, table, kind)
    wordings = (*reader._WORDINGS, *entry_of("\n\n\n    " + read.strip(), dict(vars(reader)), "()"))
    monkeypatch.setattr(reader, "_WORDINGS", wordings)
    settings = Settings(examples=2, kinds=("double", "prefix"))
    build_predicate(tmp_path / "plb", ("unary-locate",), splits=("4k",), settings=settings)
    run_benchmark(RunSettings(str(tmp_path / "plb"), "reference:solver"), tmp_path / "run")
    assert score_run(tmp_path / "run").cells[0].accuracy.value == 1.0
    rows = parquet.read_table(tmp_path / "plb" / "unary-locate")
    assert any("has two equal letters side by side" in question for question in rows["question"].to_pylist())


@pytest.fixture
def plb(tmp_path: Path) -> str:
    build_predicate(tmp_path / "plb", ("lex-locate",), splits=("4k",), settings=Settings(examples=2))
    return str(tmp_path / "plb")


def test_the_method_of_the_recipe_asks_twice(plb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {
        one.__name__: one for one in (Resources, Example, Prediction, Message, Request, MethodKind, plain_request)
    }
    entry = entry_of(snippet("def careful").rstrip(), names | {"Method": Method, "Ask": Ask}, "{}")
    monkeypatch.setattr(methods, "METHODS", {**methods.METHODS, **entry})
    run_benchmark(RunSettings(plb, "reference:gold", method="careful"), tmp_path / "run")
    assert [outcome.calls for outcome in score_outcomes(tmp_path / "run").outcomes.values()] == [2, 2]


def test_the_kind_of_model_of_the_recipe_answers(plb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {one.__name__: one for one in (Model, Example, Reply, Window, Request)} | {"Ask": Ask}
    exec(snippet("class EchoModel"), names)
    made = providers.ModelKind("says the first words", lambda spec, name, options: names["EchoModel"](spec, name))
    monkeypatch.setattr(providers, "MODEL_KINDS", {**providers.MODEL_KINDS, "echo": made})
    run_benchmark(RunSettings(plb, "echo:any", sampling=Sampling(max_tokens=4000)), tmp_path / "run")
    assert score_run(tmp_path / "run").cells[0].outcomes["wrong"] == 2


def test_the_host_of_the_recipe_is_one() -> None:
    (host,) = eval("{" + snippet("Host(") + "}", {"Host": Host}).values()
    assert host.key_env == "MINE_API_KEY"


def test_the_task_of_the_recipe_adds_up() -> None:
    task = eval(snippet("InstanceTask(").strip().rstrip(","), {"InstanceTask": InstanceTask})
    assert task.summary(["1", "0", "1"])["vowel"] == "2"


def test_the_metric_of_the_recipe_does_what_its_example_says() -> None:
    names: dict[str, Any] = {"Sequence": Sequence}
    exec(snippet("def words_in_order"), names)
    (example,) = doctest.DocTestFinder().find(names["words_in_order"], "words_in_order", globs=names)
    assert doctest.DocTestRunner().run(example) == doctest.TestResults(failed=0, attempted=1)


def test_a_site_with_a_dead_anchor_or_a_foreign_script_is_refused(tmp_path: Path) -> None:
    checked = runpy.run_path(str(DOCS / "_site" / "check_site.py"))["faults"]
    (tmp_path / "a.html").write_text('<h1 id="one">A</h1><a href="b.html#two">b</a><a href="https://x.org">x</a>')
    (tmp_path / "b.html").write_text('<h1 id="two">B</h1><a href="a.html#one">a</a><img src="data:image/png;base64,">')
    assert checked(tmp_path) == []
    (tmp_path / "b.html").write_text('<a href="a.html#three"></a><a href="c.html"></a><script src="//x.org/y.js">')
    assert checked(tmp_path) == [
        "a.html: no anchor b.html#two",
        "b.html: no anchor a.html#three",
        "b.html: no c.html",
        "b.html: loads //x.org/y.js",
    ]
