"""The page in Chinese: nothing of its own is left in English, and nothing that is not its own is changed."""

import ast
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from page_cases import Texts, small_runs
from typer.testing import CliRunner

from lengthwise.cli import app
from lengthwise.contracts import Reply
from lengthwise.errors import InputError
from lengthwise.evaluators.naming import by_benchmark, distinct
from lengthwise.evaluators.report import render_report, write_report
from lengthwise.evaluators.report.language import Catalogue, Translator, find_catalogue
from lengthwise.evaluators.report.markup import tag, text
from lengthwise.evaluators.report.parts import names_of
from lengthwise.evaluators.report.script_labels import SCRIPT_LABELS
from lengthwise.evaluators.scoring import Scored, score_outcomes

MakeRun = Callable[..., Path]
Said = Callable[..., Reply]
ROOT = Path(__file__).parents[3]
ZH = find_catalogue("zh")
# Names of benchmarks, figures and origins, as the papers have them, and units.
KEPT = ("PredicateLongBench", "LongNovel", "MCC", "ERHG", "MMA", "Holm", "token", "n", "p", "k", "s", "US")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Scored]:
    """Runs of every benchmark with every ending, budgets included."""
    return [score_outcomes(run, [8_000]) for run in small_runs(tmp_path_factory.mktemp("runs"))]


def english(page: str, names: set[str]) -> list[str]:
    """Texts of a page that hold Latin letters and no Chinese ones, names left out."""
    kept = sorted((re.escape(name) for name in {*names, *KEPT}), key=len, reverse=True)
    name = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(kept)}|\d+[kK]|n\d+)(?![A-Za-z])")
    left = [(said, name.sub("", said)) for said in Texts(page)]
    return [said for said, rest in left if re.search("[A-Za-z]", rest) and not re.search("[\u4e00-\u9fff]", said)]


def test_no_text_of_any_benchmark_is_left_in_english(runs: list[Scored]):
    groups = by_benchmark(distinct(runs))
    assert len(groups) == 4
    assert english(render_report(runs, language="zh"), names_of(groups)) == []


@pytest.mark.parametrize("benchmark", ["predicatelongbench", "multi-instance", "longnovel", "longnovel-storyworld"])
def test_nor_on_a_page_about_a_single_run(runs: list[Scored], benchmark: str):
    run = next(one for one in runs if one.results.benchmark == benchmark)
    assert english(render_report([run], language="zh"), names_of(by_benchmark([run]))) == []


def test_the_page_says_its_language_and_hands_the_script_its_texts(runs: list[Scored]):
    page = render_report(runs[:1], language="zh")
    assert page.startswith('<!DOCTYPE html>\n<html lang="zh-CN">')
    labels = json.loads(re.search(r'id="data">(.*?)</script>', page)[1])["labels"]  # type: ignore[index]
    assert (labels["Gold"], labels["truncated output"]) == ("标准答案", "输出被截断")


def test_an_english_page_is_as_it_was_written(runs: list[Scored]):
    page = render_report(runs[:1])
    assert '<html lang="en">' in page
    assert not re.search("[\u4e00-\u9fff]", page)


def test_every_text_of_the_script_has_an_entry():
    said = {
        json.loads(found)
        for file in (ROOT / "evaluators" / "report").glob("*.js")
        for found in re.findall(r'\bsay\(("(?:[^"\\]|\\.)*")', file.read_text("utf-8"))
    }
    assert {one for one in (*said, *SCRIPT_LABELS) if one not in ZH.script} == set()


def test_entries_keep_their_placeholders():
    slots = re.compile(r"\{\w+\}")
    both = {**ZH.texts, **ZH.script}
    assert [key for key, value in both.items() if not set(slots.findall(value)) <= set(slots.findall(key))] == []


def test_every_entry_is_of_a_text_that_is_still_there():
    """At least a third of its pairs of words stand in what the code says; what is put together has seams."""
    code = [
        node.value
        for folder in ("evaluators", "builders")
        for file in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    word = re.compile(r"[a-z']+")
    written = " ".join(word.findall("\n".join(code).casefold()))
    stale = []
    for key in ZH.texts:
        words = word.findall(re.sub(r"\{\w+\}", " ", key).casefold())
        pairs = [" ".join(words[at : at + 2]) for at in range(len(words) - 1)] if len(words) > 2 else words
        if 3 * sum(pair in written for pair in pairs) < len(pairs):
            stale.append(key)
    assert stale == []


CATALOGUE = Catalogue("zh", {"wrong": "错误", "{n} {Kind}": "{n} 条{Kind}", "{run}: {Kind}": "{run}：{Kind}"}, {})


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("wrong", "错误"),
        ("3 wrong", "3 条错误"),
        ("gpt-5.2: wrong", "gpt-5.2：错误"),
        ("4 wrong, 5 wrong", "4 条错误，5 条错误"),
        ("8 wrong, wrong", "8 条错误，错误"),
        ("51.4 % [44.9, 57.9]", "51.4 % [44.9, 57.9]"),
        ("3 right", None),
        ("anything else", None),
    ],
)
def test_texts_are_put_together_from_their_parts(said: str, wanted: str | None):
    assert Translator(CATALOGUE).say(said) == wanted


def test_names_are_never_translated():
    said = Translator(CATALOGUE, ["wrong", "a, wrong: b"])
    assert said.say("wrong") == "wrong"
    assert said.say("a, wrong: b: 2 wrong") == "a, wrong: b：2 条错误"


def test_markup_code_and_what_says_so_stay():
    said = Translator(CATALOGUE)
    page = tag("p", "wrong", tag("b", "wrong", translate="no"), tag("code", "wrong"), " wrong ", title="wrong")
    assert said.html(page) == '<p title="错误">错误<b translate="no">wrong</b><code>wrong</code> 错误 </p>'
    assert said.html(tag("div", tag("div", "wrong"), translate="no")) == '<div translate="no"><div>wrong</div></div>'
    assert said.missing == {}


def test_what_is_translated_stays_escaped():
    said = Translator(CATALOGUE)
    assert said.html(text("<i>: wrong")) == "&lt;i&gt;：错误"
    assert said.html(text("<i> & wrong")) == "&lt;i&gt; &amp; wrong"
    assert list(said.missing) == ["<i> & wrong"]


def test_a_language_that_there_is_not(make_run: MakeRun, reply: Said, tmp_path: Path):
    with pytest.raises(InputError, match="language"):
        write_report([make_run({(0, 0): [reply("x")]})], tmp_path / "page.html", language="fr")
    assert not (tmp_path / "page.html").exists()


def test_the_command_line_takes_it(make_run: MakeRun, reply: Said, tmp_path: Path):
    out = tmp_path / "page.html"
    run = make_run({(0, 0): [reply("x")]})
    done = CliRunner().invoke(app, ["report", str(run), "--out", str(out), "--no-figures", "--language", "zh"])
    assert done.exit_code == 0
    assert "<h2>概要</h2>" in out.read_text("utf-8")
