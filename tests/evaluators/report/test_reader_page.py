"""The reader in a real browser: marks where they belong, keys, search, filters, links, both languages, a phone."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium import Chromium
from reader_cases import novel_scored, reader_row

from lengthwise.evaluators.report import render_report
from lengthwise.evaluators.scoring import Scored

pytestmark = pytest.mark.browser

HOSTILE = "</script><img src=x onerror=\"document.title='owned'\">{{data}}<!-- \u2028 &amp;"
# Two chapters with all that can put offsets out: astral characters, both kinds of line ends, a byte order mark.
ARTICLE = (
    f"\ufeffThe 😀 inn was full.\r\nAnn 𝕒sked the captain. {HOSTILE}\r\n"
    + "Nothing went on. 😀\n" * 400
    + "\nHe had three 🚢 sons, all\nat sea. The end; no Captain came."
)
EVIDENCE = ("Ann 𝕒sked the captain.", "He had three 🚢 sons, all\nat sea.")
ZH = "安娜在羅馬遇見船長。他有三個兒子。" * 50
HIT, MISS = '{"reason": "", "score": 1}', json.dumps({"reason": "</script><svg onload=alert(1)>\u2029", "score": 5})


@pytest.fixture
def run(tmp_path: Path) -> Scored:
    rows = [
        reader_row(ARTICLE, EVIDENCE),
        reader_row(ARTICLE, false=False),
        reader_row(ZH, ["他有三個兒子。"], "zh"),
        reader_row(ARTICLE, EVIDENCE, number=1),
    ]
    return novel_scored(tmp_path / "run", rows, [MISS, MISS, MISS, "no answer at all"])


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    with Chromium(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture
def browser(running: Chromium) -> Iterator[Chromium]:
    """The same browser for all tests, each of which must leave it without an error."""
    yield running
    assert running.errors == []


def write(folder: Path, run: Scored, **options: Any) -> Path:
    page = folder / "page.html"
    page.write_text(render_report([run], **options), "utf-8")
    return page


def open_reader(browser: Chromium, page: Path, example: str) -> None:
    browser.open(page, f"#{example}")
    browser.wait("document.getElementById('reader').dataset.state === 'ready'")
    browser.settle()


def texts(browser: Chromium, selector: str) -> list[str]:
    return list(browser.evaluate(f"[...document.querySelectorAll({selector!r})].map((one) => one.textContent)"))


def wait_in_sight(browser: Chromium, selector: str) -> None:
    """Wait until an element stands within the box of the long text; scrolling takes some frames."""
    browser.wait(
        "(() => { const box = document.querySelector('.pane').getBoundingClientRect();"
        f"const one = document.querySelector({selector!r})?.getBoundingClientRect();"
        "return one?.height && one.top >= box.top && one.bottom <= box.bottom; })()"
    )


def test_marks_stand_where_they_belong_whatever_the_characters(browser: Chromium, run: Scored, tmp_path: Path):
    open_reader(browser, write(tmp_path, run), "s-en-0000-erhg")
    # The second one goes over the end of a line.
    assert texts(browser, ".pane mark") == [EVIDENCE[0], "He had three 🚢 sons, all", "at sea."]
    labels = browser.evaluate("[...document.querySelectorAll('.pane mark')].map((one) => one.dataset.label ?? '')")
    assert labels == ["1a", "1b", ""]
    assert texts(browser, ".marked mark") == ["The captain had nine sons."]
    assert "three sons" in browser.text(".notes .truth")


# Draws texts of a few kinds of characters with marks anywhere; what each mark covers must be what its elements hold.
ANY_MARKS = """
(() => {
  let seed = 1;
  const draw = (most) => (seed = (seed * 48271) % 2147483647) % most;
  const box = document.createElement("div");
  document.body.append(box);
  const pane = makePane(box);
  const bad = [];
  for (let round = 0; round < 300; round += 1) {
    const size = round % 10 ? 40 : 9000;
    const signs = ["a", " ", "\\n", "😀", "安", "\\r\\n"];
    const text = Array.from({ length: size }, () => signs[draw(6)]).join("").trimEnd();
    const marks = Array.from({ length: draw(8) }, () => {
      const start = draw(text.length);
      return { start, end: start + 1 + draw(size), kind: "decoy", label: "" };
    }).sort((a, b) => a.start - b.start || b.end - a.end);
    for (const mark of marks) mark.end = Math.min(mark.end, text.length);
    pane.show(text, marks);
    const whole = [...box.querySelectorAll("p")].map((line) => line.textContent).join("\\n");
    if (size === 40 && whole !== text) bad.push(["text", text]);
    for (const mark of marks) {
      const held = (mark.elements ?? []).map((element) => element.textContent).join("");
      if (held !== text.slice(mark.start, mark.end).replaceAll("\\n", "")) bad.push(["mark", text, mark.start]);
    }
    const [start, end] = [draw(text.length), draw(text.length)].sort((a, b) => a - b);
    const range = pane.rangeOf(start, end);
    const live = document.createRange();
    live.setStart(range.startContainer, range.startOffset);
    live.setEnd(range.endContainer, range.endOffset);
    if (live.toString() !== text.slice(start, end).replaceAll("\\n", "")) bad.push(["range", text, start, end]);
  }
  box.remove();
  return bad;
})()
"""


def test_marks_may_overlap_and_cross_lines_anyhow(browser: Chromium, run: Scored, tmp_path: Path):
    browser.open(write(tmp_path, run))
    assert browser.evaluate(ANY_MARKS) == []


def test_the_whole_text_is_there_and_is_only_text(browser: Chromium, run: Scored, tmp_path: Path):
    open_reader(browser, write(tmp_path, run), "s-en-0000-erhg")
    assert "\n".join(texts(browser, ".pane p")) == ARTICLE
    assert browser.evaluate("document.images.length") == 0
    assert "owned" not in browser.evaluate("document.title")
    assert texts(browser, "#reader pre")[-1] == MISS


def test_keys_go_from_mark_to_mark_and_from_reply_to_reply(browser: Chromium, run: Scored, tmp_path: Path):
    open_reader(browser, write(tmp_path, run), "s-en-0000-erhg")
    browser.press("n")
    browser.press("n")
    browser.settle()
    assert browser.text(".reader-status").startswith("2 of 2 marks · evidence 1b")
    wait_in_sight(browser, "mark.now")
    browser.press("p")
    wait_in_sight(browser, "mark[data-label='1a']")
    browser.press("j")
    browser.wait("document.querySelector('.reader-about .mono').textContent === 's-en-0000-original'")
    assert browser.evaluate("location.hash") == "#s-en-0000-original~0~0"
    browser.press("k")
    browser.wait("document.querySelector('.reader-about .mono').textContent === 's-en-0000-erhg'")
    browser.press("Escape")
    assert browser.evaluate("location.hash") == "#replies"


def test_closing_frees_the_text(browser: Chromium, run: Scored, tmp_path: Path):
    page = write(tmp_path, run)
    browser.open(page)
    before = browser.evaluate("document.getElementsByTagName('*').length")
    open_reader(browser, page, "s-en-0000-erhg")
    assert browser.evaluate("document.querySelectorAll('.pane p').length") > 400
    browser.press("Escape")
    browser.settle()
    assert browser.evaluate("document.querySelectorAll('.pane *, .reader-side *, .rail *').length") == 0
    assert browser.evaluate("document.getElementsByTagName('*').length") <= before


def test_the_back_button_closes_it_and_a_link_opens_it(browser: Chromium, run: Scored, tmp_path: Path):
    browser.open(write(tmp_path, run))
    browser.click("#list a.reply", 2)
    browser.wait("document.getElementById('reader').dataset.state === 'ready'")
    assert browser.evaluate("document.getElementById('reader').open")
    browser.evaluate("history.back()")
    browser.wait("!document.getElementById('reader').open")


def test_a_search_counts_its_hits_in_any_case_and_over_line_ends(browser: Chromium, run: Scored, tmp_path: Path):
    open_reader(browser, write(tmp_path, run), "s-en-0000-erhg")
    browser.press("/")
    browser.type("CAPTAIN")
    browser.wait("document.querySelector('.hits').textContent === '1 of 2 hits'")
    browser.press("Enter")
    assert browser.text(".hits") == "2 of 2 hits"
    assert browser.evaluate("CSS.highlights.get('hit').size") == 2
    browser.evaluate("document.querySelector('.search input').value = ''")
    browser.type("sons,  all at (sea")
    browser.wait("document.querySelector('.hits').textContent === 'no hits'")
    browser.evaluate("document.querySelector('.search input').value = ''")
    browser.type("sons,  all at sea")
    browser.wait("document.querySelector('.hits').textContent === '1 of 1 hits'")
    # Of the two escapes the first empties the field.
    browser.press("Escape")
    assert browser.evaluate("document.getElementById('reader').open")


def test_chapters_are_listed_and_gone_to(browser: Chromium, run: Scored, tmp_path: Path):
    open_reader(browser, write(tmp_path, run), "s-en-0000-erhg")
    assert texts(browser, ".reader-tools option") == ["chapter 1", "chapter 2"]
    browser.choose(".reader-tools select", "1")
    wait_in_sight(browser, "p[data-heading='chapter 2']")


def test_evidence_is_gone_to_from_the_summary(browser: Chromium, run: Scored, tmp_path: Path):
    open_reader(browser, write(tmp_path, run), "s-en-0000-erhg")
    browser.click(".notes button", 1)
    wait_in_sight(browser, "mark[data-label='1b']")


def test_what_a_reply_quotes_is_marked_in_the_article_and_in_the_summary(browser: Chromium, tmp_path: Path):
    said = 'Wrong: "The captain had nine sons." The text has "He had three 🚢 sons, all", “not such words”.'
    rows = [reader_row(ARTICLE, EVIDENCE)]
    run = novel_scored(tmp_path / "run", rows, [json.dumps({"reason": said, "score": 1}, ensure_ascii=False)])
    open_reader(browser, write(tmp_path, run), "s-en-0000-erhg")
    assert texts(browser, ".pane mark.m-quoted") == ["He had three 🚢 sons, all"]
    assert texts(browser, ".marked mark.m-quoted") == ["The captain had nine sons"]
    assert texts(browser, ".notes strong") == ["1 hallucinated sentence"]


def test_filters_take_several_outcomes_a_language_and_a_tag(browser: Chromium, run: Scored, tmp_path: Path):
    browser.open(write(tmp_path, run))
    chips = dict(zip(texts(browser, "#filters .chip"), range(9), strict=False))
    assert list(chips) == ["all 4", "not correct 3", "correct 1", "wrong 2", "unparsed 1"]
    browser.click("#filters .chip", chips["not correct 3"])
    assert len(texts(browser, "#list a")) == 3
    browser.click("#filters .chip", chips["wrong 2"])
    assert len(texts(browser, "#list a")) == 1
    browser.click("#filters .chip", chips["all 4"])
    browser.choose("#by-language", "zh")
    assert [row.startswith("wrong") for row in texts(browser, "#list a")] == [True]
    browser.click("#list a")
    browser.wait("document.getElementById('reader').dataset.state === 'ready'")
    browser.press("f")
    browser.press("Escape")
    browser.choose("#by-language", "")
    browser.choose("#by-tag", "flag")
    assert [row.count("flag") for row in texts(browser, "#list a")] == [1]


def test_an_article_in_chinese_is_marked_as_such(browser: Chromium, run: Scored, tmp_path: Path):
    open_reader(browser, write(tmp_path, run), "s-zh-0000-erhg")
    assert browser.evaluate("document.querySelector('.pane').lang") == "zh"
    assert texts(browser, ".pane mark") == ["他有三個兒子。"]


def test_without_its_text_an_example_shows_what_there_is(browser: Chromium, run: Scored, tmp_path: Path):
    for path in (tmp_path / "run-data").rglob("*.parquet"):
        path.unlink()
    open_reader(browser, write(tmp_path, run), "s-en-0000-erhg")
    assert browser.text(".pane").startswith("The text of this example is not in this page")
    browser.press("n")
    assert texts(browser, "#reader pre")[-1] == MISS


def test_on_a_phone_reply_and_text_take_turns(run: Scored, tmp_path: Path):
    with Chromium(tmp_path / "profile", width=390, height=844, phone=True, dark=True) as browser:
        open_reader(browser, write(tmp_path, run), "s-en-0000-erhg")
        seen = "getComputedStyle(document.querySelector('{}')).display !== 'none'"
        assert [browser.evaluate(seen.format(one)) for one in (".reader-side", ".reader-main")] == [True, False]
        browser.press("n")
        browser.settle()
        assert [browser.evaluate(seen.format(one)) for one in (".reader-side", ".reader-main")] == [False, True]
        wait_in_sight(browser, "mark.now")
        assert browser.evaluate("document.documentElement.scrollWidth") <= 390
        assert (
            browser.evaluate("getComputedStyle(document.getElementById('reader')).backgroundColor")
            == "rgb(18, 21, 26)"
        )


def test_the_reader_is_in_the_language_of_the_page(browser: Chromium, run: Scored, tmp_path: Path):
    open_reader(browser, write(tmp_path, run, language="zh"), "s-en-0000-erhg")
    assert texts(browser, ".reader-tools option") == ["第 1 章", "第 2 章"]
    assert texts(browser, "#reader .chip") == ["证据 2"]
    # Only data are in another language: names, the article, the reply.
    said = "".join(texts(browser, "#reader .keys, #reader .reader-tabs, #reader h3, #reader legend, #filters label"))
    assert not {"search", "next", "Gold", "Reply", "text", "tag"} & set(said.split())


def test_a_browser_that_cannot_unpack_says_so(browser: Chromium, run: Scored, tmp_path: Path):
    browser.open(write(tmp_path, run))
    browser.evaluate("delete window.DecompressionStream")
    browser.click("#list a.reply")
    browser.wait("document.getElementById('reader').dataset.state === 'ready'")
    assert browser.text(".pane").startswith("This browser cannot unpack the text: ReferenceError")
    assert texts(browser, "#reader pre")[-1] == MISS
