"""The page in a real browser, in both languages: what people see, do and get saved."""

import asyncio
import os
import signal
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from review_browser import Tab, chromium

from lengthwise.builders.longnovel.labels import TYPE_NAMES
from lengthwise.builders.longnovel.records import LANGUAGES, Language
from lengthwise.builders.longnovel.review.desk import pairs_of
from lengthwise.builders.longnovel.review.pairs import ReviewPair
from lengthwise.builders.longnovel.review.revisions import read_versions
from lengthwise.builders.longnovel.review.store import read_reviewed
from lengthwise.builders.longnovel.review.texts import _TEXTS, page_texts
from lengthwise.metrics.fault_types import HallucinationType

Serve = Callable[..., Any]


def of_language(build: Path, language: str) -> ReviewPair:
    sample = read_reviewed(build).sample
    assert sample is not None
    return next(pair for pair in pairs_of(build, sample).values() if pair.key.language == language)


async def label(tab: Tab, wrong: str, right: str) -> None:
    """Find the first sentence of one side wrong, by mouse, and the other side right, by keys."""
    await tab.click(f"[data-side={wrong}] [data-sentence='0']")
    await tab.click(f"[data-side={wrong}] [data-type=event]")
    await tab.press("Escape")
    await tab.press("e")
    await tab.write("It says otherwise. 原文不是这样。")
    await tab.press("Escape")
    await tab.press(right.lower())
    await tab.press("f")


@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
def test_two_people_label_a_pair_and_decide_it(build: Path, tmp_path: Path, serve: Serve, language: Language):
    _, url = serve("--language", language)
    pair, words = of_language(build, language), page_texts(language)
    wrong, right = ("A", "B") if pair.sides[0].hallucinated else ("B", "A")

    async def drive() -> Tab:
        async with chromium(tmp_path / "profile") as tab:
            await tab.go(f"{url}#{pair.key.id}")
            shown = await tab.text("body")
            for key in ("title", "faithful", "hallucinated", "save-label", "blind", "next", "type-causal"):
                assert words[key] in shown
            assert await tab.text(f"[data-side={wrong}] .text") == pair.sides["AB".index(wrong)].summary
            assert pair.article[:60] in await tab.text(".article")
            assert await tab.run("document.querySelectorAll('.injected, .truth, .labels').length") == 0
            assert "erhg" not in await tab.run("document.documentElement.outerHTML")

            await tab.press("Enter", control=True)
            assert await tab.text("#status") == words["missing-presence"].replace("{name}", "A")
            await label(tab, wrong, right)
            await tab.until(f"document.getElementById('status').textContent === {words['draft-saved']!r}")
            await tab.click("#save-label")
            await tab.until("document.querySelector('.truth')")
            assert await tab.run(f"document.querySelectorAll('[data-side={wrong}] .injected').length") == len(
                pair.sides["AB".index(wrong)].injections
            )
            assert words["decision-waits"].replace("{count}", "1") in await tab.text(".submit")

            await tab.choose("#annotator", "maya")
            await tab.until("!document.querySelector('.truth') && document.getElementById('save-label')")
            await label(tab, right, wrong)
            await tab.press("Enter", control=True)
            await tab.until("document.getElementById('save-decision')")
            assert words["differ-presence"] in await tab.text(".differ")
            await tab.click("#take-truth")
            await tab.click("#save-decision")
            await tab.until("document.querySelector('.decided')")
            return tab

    tab = asyncio.run(drive())
    assert tab.complaints == []
    assert all(one.startswith((url, "data:")) for one in tab.asked)
    found = read_reviewed(build)
    side = pair.sides["AB".index(wrong)]
    first = found.labels[pair.key.id]["lin"].judgements[side.id]
    assert (first.hallucinated, first.sentences, first.types) == (True, (0,), ("event",))
    assert first.explanation == "It says otherwise. 原文不是这样。"
    assert found.labels[pair.key.id]["maya"].judgements[side.id].hallucinated is False
    final = found.decisions[pair.key.id][-1].judgements[side.id]
    assert (final.hallucinated, final.types) == (True, side.types)


@pytest.mark.browser
def test_a_kill_loses_nothing_and_is_told(build: Path, tmp_path: Path, serve: Serve):
    process, url = serve()
    port = url.rstrip("/").rpartition(":")[2]

    async def drive() -> None:
        async with chromium(tmp_path / "profile") as tab:
            await tab.go(url)
            await tab.click("[data-side=A] [data-sentence='1']")
            await tab.until("document.getElementById('status').textContent === 'Saved as a draft'")
            os.kill(process.pid, signal.SIGKILL)
            process.wait(timeout=10)
            await tab.click("[data-side=A] [data-type=causal]")
            await tab.until("document.getElementById('status').textContent.startsWith('NOT SAVED')")
            serve("--port", port)
            await tab.go(url)
            assert await tab.run("document.querySelector('[data-side=A] [aria-checked=true]').dataset.sentence") == "1"

    asyncio.run(drive())


@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
def test_summaries_are_revised_and_their_versions_shown(build: Path, tmp_path: Path, serve: Serve, language: Language):
    _, url = serve("--mode", "summaries", "--language", language)
    words = page_texts(language)

    async def drive() -> Tab:
        async with chromium(tmp_path / "profile") as tab:
            await tab.go(f"{url}#{language}0%2F2")
            assert words["revisers-left"].replace("{count}", "2") in await tab.text(".work")
            assert await tab.text("#save-version") == words["keep-version"]
            await tab.press("e")
            await tab.press("Tab")
            await tab.click("#text")
            await tab.write("他数船。 ")
            assert await tab.text("#save-version") == words["save-version"]
            await tab.press("Enter", control=True)
            await tab.until("document.querySelectorAll('.versions li').length === 2")
            assert words["revisers-left"].replace("{count}", "1") in await tab.text(".work")
            return tab

    tab = asyncio.run(drive())
    assert tab.complaints == []
    (version,) = read_versions(build)[f"{language}0", 2]
    assert version.author == "lin"
    assert "他数船。" in version.text


_CONTRAST = """(() => {
  const channel = (part) => part <= .03928 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4;
  const light = (color) => {
    const [red, green, blue] = color.match(/[0-9.]+/g).slice(0, 3).map((part) => channel(part / 255));
    return .2126 * red + .7152 * green + .0722 * blue;
  };
  const behind = (one) => {
    const color = one ? getComputedStyle(one).backgroundColor : "rgb(255, 255, 255)";
    return /, 0\\)$/.test(color) ? behind(one.parentElement) : color;
  };
  return ["h1", ".quiet", ".article", ".sentence[aria-checked=true]", ".presence", ".main", ".type[aria-checked=true]"]
    .map((name) => document.querySelector(name))
    .map((one) => [light(getComputedStyle(one).color), light(behind(one))])
    .map(([one, other]) => (Math.max(one, other) + .05) / (Math.min(one, other) + .05));
})()"""


@pytest.mark.browser
def test_it_is_legible_in_the_dark(tmp_path: Path, serve: Serve):
    _, url = serve()

    async def drive() -> dict[str, list[float]]:
        async with chromium(tmp_path / "profile") as tab:
            found = {}
            for scheme in ("light", "dark"):
                await tab.send(
                    "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}]
                )
                await tab.go(url)
                await tab.run("document.querySelector('[data-sentence]').click()")
                await tab.run("document.querySelector('[data-type]').click()")
                await tab.run("document.querySelector('[aria-checked=true]').blur()")
                found[scheme] = await tab.run(_CONTRAST)
                await tab.run("document.querySelector('[data-sentence]').click()")
                await tab.run("document.querySelector('[data-type]').click()")
            return found

    for ratios in asyncio.run(drive()).values():
        assert min(ratios) >= 4.5


def test_other_sites_pages_are_refused(serve: Serve):
    _, url = serve()

    def status(headers: dict[str, str], data: bytes | None = None, path: str = "api/start") -> int:
        try:
            with urllib.request.urlopen(urllib.request.Request(url + path, data, headers), timeout=10) as reply:
                return int(reply.status)
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    assert status({}) == 200
    assert status({"Host": "rebound.example"}) == 403
    own = {"Content-Type": "application/json", "Origin": url.rstrip("/")}
    assert status(own, b"{}", "api/draft") == 400
    assert status({**own, "Origin": "http://rebound.example"}, b"{}", "api/draft") == 403
    assert status({**own, "Content-Type": "text/plain"}, b"{}", "api/draft") == 403
    assert status(own, b"[", "api/draft") == 400
    assert status({}, path="assets/../server.py") == 404


def test_it_listens_on_this_machine_alone(serve: Serve):
    _, url = serve()
    assert url.startswith("http://127.0.0.1:")


def test_every_word_is_there_in_both_languages():
    for english, chinese in _TEXTS.values():
        assert english != chinese
        assert sorted(part for part in english.split("{")[1:]) or "{" not in chinese
    for language in LANGUAGES:
        words = page_texts(language)
        assert {f"type-{kind.value}" for kind in HallucinationType} <= set(words)
        assert words["type-event"] == TYPE_NAMES[language][HallucinationType.EVENT].replace(
            " Hallucination", ""
        ).replace("幻觉", "")


def test_every_word_that_the_scripts_ask_for_is_there():
    import re
    from importlib.resources import files

    folder = files("lengthwise.builders.longnovel.review")
    script = "".join((folder / name).read_text("utf-8") for name in ("page.js", "pairs.js", "summaries.js", "dom.js"))
    asked = set(re.findall(r"""\b(?:t|button|radio)\((?:\w+, )?["']([\w-]+)["']""", script))
    assert len(asked) > 30
    assert asked - set(page_texts("en")) == set()
