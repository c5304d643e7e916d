import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from chromium import Chromium

from lengthwise.contracts import Reply
from lengthwise.errors import InputError
from lengthwise.evaluators.report import render_report, write_report
from lengthwise.evaluators.report.markup import Html, join, tag, text
from lengthwise.evaluators.report.page import fill
from lengthwise.evaluators.report.payload import collect_replies, embed
from lengthwise.evaluators.report.reader.collecting import Documents
from lengthwise.evaluators.scoring import score_outcomes
from lengthwise.recording import Failure

RIGHT, WRONG = "<answer>ba ca da ea za</answer>", "<answer>fa ha ga ia ya</answer>"
HOSTILE = (
    "<script>document.title='owned'</script></script><!-- <img src=x onerror=\"document.title='owned'\">"
    "\u2028\u2029\ud800 &amp; {{data}} ]]> end-of-hostile"
)
LABEL = HOSTILE.replace("\ud800", "")
SHOWN = HOSTILE.replace("\ud800", r"\ud800")
MakeRun = Callable[..., Path]
Said = Callable[..., Reply]


class Page(HTMLParser):
    """The elements of a page, the text of each script, and what is seen as text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self._open: str | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._open = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._open = None

    def handle_data(self, data: str) -> None:
        if self._open == "script":
            self.scripts[-1] += data


def page_of(*runs: Path, budgets: tuple[int, ...] = ()) -> str:
    return render_report([score_outcomes(run, budgets) for run in runs])


def test_hostile_text_stays_inside_the_data(make_run: MakeRun, reply: Said):
    run = make_run({(0, 0): [reply(HOSTILE, reasoning=HOSTILE)], (1, 0): [Failure("error", HOSTILE)]})
    page = Page(page_of(run))
    assert [name for name, _ in page.tags if name in ("script", "img")] == ["script"] * 3
    records = json.loads(page.scripts[0])["records"]
    assert (records[0]["text"], records[0]["reasoning"], records[1]["message"]) == (SHOWN, SHOWN, SHOWN)


def test_hostile_labels_and_names_are_text(make_run: MakeRun, reply: Said):
    model = {"spec": LABEL, "name": LABEL, "kind": "http"}
    run = make_run({(0, 0): [reply(RIGHT)]}, labels={"label": LABEL}, model=model, command=["x", LABEL])
    page = Page(page_of(run))
    assert [name for name, _ in page.tags if name in ("script", "img")] == ["script"] * 3


def test_the_page_asks_the_network_for_nothing(make_run: MakeRun, reply: Said):
    page = Page(page_of(make_run({(0, 0): [reply(RIGHT)]})))
    links = [value for _, attributes in page.tags for name, value in attributes.items() if name in ("src", "href")]
    assert links
    assert all(str(link).startswith("#") for link in links)
    assert "url(" not in page_of(make_run({(0, 0): [reply(RIGHT)]}, name="b"))


def test_only_our_script_may_run(make_run: MakeRun, reply: Said):
    page = page_of(make_run({(0, 0): [reply(RIGHT)]}))
    policy = next(line for line in page.splitlines() if "Content-Security-Policy" in line)
    assert "default-src 'none'" in policy
    assert re.search(r"script-src 'sha256-[A-Za-z0-9+/]{43}='", policy)


def test_figures_of_the_page_are_those_of_score(make_run: MakeRun, reply: Said):
    cells = {("lex-locate", "4k"): 2, ("lex-scattered", "4k"): 2}
    calls = {(0, 0): [reply(RIGHT)], (1, 0): [reply(RIGHT)], (2, 0): [reply(RIGHT)], (3, 0): [reply(WRONG)]}
    page = page_of(make_run(calls, cells), budgets=(8_000,))
    assert "1.3–98.7 · n=2" in page
    assert "1 near-sorted" in page
    assert "8,000" in page


def test_arrows_say_whether_the_difference_is_real(make_run: MakeRun, reply: Said):
    cells = {("lex-locate", "4k"): 8, ("lex-longest", "4k"): 8, ("lex-scattered", "4k"): 8}
    page = page_of(make_run({(row, 0): [reply(RIGHT if row < 15 else WRONG)] for row in range(24)}, cells))
    titles = [about["title"] for name, about in Page(page).tags if name == "span" and "title" in about]
    assert titles == [
        "below its reference row: -12.5 [-37.5, 0.0] points on 8 shared lists, p 1.0000 after Holm's correction",
        "below its reference row: -100.0 [-100.0, -100.0] points on 8 shared lists, p 0.0156 after Holm's correction",
    ]
    assert page.count(" ↓*<") == 1
    assert "Against the reference row, on shared lists: 1 of 2 differences beyond chance</summary>" in page
    assert "* behind an arrow" in page


def test_without_a_reference_row_there_are_no_pairs(make_run: MakeRun, reply: Said):
    assert "Against the reference row" not in page_of(make_run({(0, 0): [reply(RIGHT)]}))


def test_lines_by_length_only_with_two_lengths(make_run: MakeRun, reply: Said):
    one = make_run({(0, 0): [reply(RIGHT)]}, name="one")
    cells = {("lex-locate", "4k"): 1, ("lex-locate", "8k"): 1}
    two = make_run({(0, 0): [reply(RIGHT)], (1, 0): [reply(WRONG)]}, cells, name="two")
    assert 'id="length"' not in page_of(one)
    assert 'id="length"' in page_of(two)


def test_incomplete_run_is_headed_so(make_run: MakeRun, reply: Said):
    run = make_run({(0, 0): [reply(RIGHT)]}, {("lex-locate", "4k"): 3})
    assert 'role="alert"><p>INCOMPLETE toy' in page_of(run)


def test_the_exact_command_is_shown(make_run: MakeRun, reply: Said):
    assert "lengthwise run" in page_of(make_run({(0, 0): [reply(RIGHT)]}))


def test_long_replies_keep_both_ends(make_run: MakeRun, reply: Said):
    run = score_outcomes(make_run({(0, 0): [reply("a" * 500 + "b" * 500)]}))
    replies = collect_replies([run], most_of_text=100)
    assert replies.cut == 1
    assert replies.records[0]["text"] == "a" * 50 + "\n[... 900 characters left out ...]\n" + "b" * 50


def test_many_replies_leave_some_of_every_cell(make_run: MakeRun, reply: Said):
    cells = {("lex-locate", "4k"): 5, ("lex-scattered", "4k"): 5}
    run = score_outcomes(make_run({(row, 0): [reply("x" * 1000)] for row in range(10)}, cells))
    replies = collect_replies([run], most_of_page=12_000)
    assert replies.total == 10
    assert [record["config"] for record in replies.records] == ["lex-locate"] * 2 + ["lex-scattered"] * 2
    assert "4 of 10 replies are in this page" in render_report([run], replies)


def test_replies_that_are_not_right_take_the_room_of_those_that_are(make_run: MakeRun, reply: Said):
    said = [RIGHT, RIGHT, WRONG, RIGHT, WRONG, WRONG]
    run = score_outcomes(make_run({(row, 0): [reply(text)] for row, text in enumerate(said)}))
    kept = collect_replies([run], most_of_page=3 * 3 * 540 // 2).records
    assert [(record["id"][-1], record["kind"]) for record in kept] == [("2", "wrong"), ("4", "wrong"), ("5", "wrong")]
    kept = collect_replies([run], most_of_page=3 * 4 * 540 // 2).records
    assert [record["id"][-1] for record in kept] == ["0", "2", "4", "5"]


def test_questions_come_once_and_where_the_whole_text_does_not(
    make_run: MakeRun, reply: Said, monkeypatch: pytest.MonkeyPatch
):
    run = score_outcomes(make_run({(0, 0): [reply(RIGHT)], (1, 0): [reply(RIGHT)]}))
    assert collect_replies([run]).questions == ()
    monkeypatch.setattr("lengthwise.evaluators.report.payload.collect_documents", lambda *_: Documents())
    replies = collect_replies([run])
    assert replies.questions == ("Find the run.",)
    assert [record["question"] for record in replies.records] == [0, 0]


def test_missing_replies_are_listed_too(make_run: MakeRun, reply: Said):
    run = score_outcomes(make_run({(0, 0): [reply(RIGHT)]}, {("lex-locate", "4k"): 2}))
    assert [(record["kind"], record["text"]) for record in collect_replies([run]).records][1] == ("error", None)


def test_written_in_one_step(make_run: MakeRun, reply: Said, tmp_path: Path):
    out = write_report([make_run({(0, 0): [reply("\ud800")]})], tmp_path / "new" / "report.html")
    assert [path.name for path in out.parent.iterdir()] == ["report.html"]
    assert out.read_text("utf-8").startswith("<!DOCTYPE html>")


def test_out_is_a_folder(make_run: MakeRun, reply: Said, tmp_path: Path):
    with pytest.raises(InputError, match="is a folder"):
        write_report([make_run({(0, 0): [reply(RIGHT)]})], tmp_path)


def test_no_runs():
    with pytest.raises(InputError, match="no runs"):
        render_report([])


def test_children_are_escaped_unless_html():
    assert tag("p", "<b>", Html("<i>"), title='"') == '<p title="&quot;">&lt;b&gt;<i></p>'
    assert join(1, None, text("&")) == "1&amp;"


def test_filled_slots_are_not_filled_again():
    assert fill("{{a}}{{b}}", {"a": Html("{{b}}"), "b": Html("x")}) == "{{b}}x"


def test_embedded_json_reads_back():
    value = {"a": [HOSTILE, 1, None]}
    assert json.loads(embed(value)) == value
    assert embed(value).isascii()


@pytest.mark.browser
def test_in_a_browser_hostile_replies_are_shown_and_do_nothing(make_run: MakeRun, reply: Said, tmp_path: Path):
    run = make_run({(0, 0): [reply(HOSTILE, reasoning=HOSTILE)]}, labels={"label": LABEL})
    out = write_report([run], tmp_path / "report.html")
    with Chromium(tmp_path / "profile") as browser:
        browser.open(out, "#lex-scattered-4k-s42-0000")
        browser.wait("document.getElementById('reader').dataset.state === 'ready'")
        assert browser.evaluate("document.title").startswith("PredicateLongBench: <script>")
        assert browser.evaluate("document.images.length") == 0
        # The reply opened by the link: its text and its reasoning, as text.
        shown = browser.evaluate("[...document.querySelectorAll('#reader pre')].map((one) => one.textContent)")
        assert shown[-2:] == [SHOWN, SHOWN]
        assert browser.errors == []
