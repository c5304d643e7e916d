"""Every text of the page's script is in the list that catalogues are held to, and nothing else is."""

import re
from pathlib import Path

from lengthwise.evaluators.report.language import find_catalogue
from lengthwise.evaluators.report.reply_browser import SCRIPTS
from lengthwise.evaluators.report.script_labels import FILTERS, FIXED, SCRIPT_LABELS

FOLDER = Path(__file__).parents[3] / "evaluators" / "report"
# A text by itself, or one that a condition chooses.
SAID = re.compile(r'\bsay\(\s*(?:[^"();]*\?\s*)?"((?:[^"\\]|\\.)*)"')
# These stand in the script as names, and are said where they are used.
NAMES = ("(untagged)", "English", "Chinese")


def script() -> str:
    return "".join((FOLDER / name).read_text("utf-8") for name in SCRIPTS)


def test_what_the_script_says_is_listed():
    assert set(SAID.findall(script())) == set(FIXED) - set(NAMES)
    assert all(f'"{name}"' in script() for name in NAMES)


def test_filters_are_listed_by_their_names():
    assert tuple(re.findall(r'\{\s*name: "(\w+)"', script())) == FILTERS


def test_every_script_of_the_folder_is_part_of_the_page():
    assert {path.name for path in FOLDER.glob("*.js")} == set(SCRIPTS)


def test_chinese_has_them_all():
    assert set(SCRIPT_LABELS) <= find_catalogue("zh").script.keys()


def test_no_text_is_listed_twice():
    assert len(set(SCRIPT_LABELS)) == len(SCRIPT_LABELS)
