"""Tests for `corrections.py` and `reported.py`."""

import time

import pytest

from lengthwise.metrics.corrections import identical_corrections
from lengthwise.metrics.reported import read_report


@pytest.mark.parametrize(
    "reason",
    [
        'The summary says "He had nine sons", but the text says “he had nine sons.”',
        "Numerical: 'nine sons' should be 'nine sons'",
        "Hallucination: He had nine sons.; Original: he had nine sons",
        "the captain had nine sons should be nine sons",
        "nine sons -> Nine Sons",
        "概述称“他有九个儿子”，而原文为“他有九个儿子。”",
        "「九个儿子」應改为「九个儿子」",
        "幻觉：他有九个儿子；原文：他有九个儿子",
        "船长有九个儿子应为九个儿子",
    ],
)
def test_the_same_again_is_no_correction(reason: str):
    assert len(identical_corrections(reason)) == 1


@pytest.mark.parametrize(
    "reason",
    [
        'The summary says "nine sons", but the text says "three sons".',
        'He is called "the captain" and "the captain" again.',
        "nine sons should be three sons",
        "it should be it",
        "概述称“九个儿子”，而原文为“三个儿子”。",
        "船长有九个儿子应为三个儿子",
        "",
    ],
)
def test_a_correction_is_none_of_these(reason: str):
    assert identical_corrections(reason) == []


def test_long_reasons_take_little_time():
    began = time.perf_counter()
    for text in ('"a" but ' * 20_000, "should be " * 20_000, "“" * 100_000, "summary: " * 20_000, "应为" * 50_000):
        identical_corrections(text)
    assert time.perf_counter() - began < 10


def test_a_report_without_json_is_all_that_is_said():
    report = read_report("<think>maybe</think>Event: he fell")
    assert (report.reason.strip(), report.types, report.in_json) == ("Event: he fell", (), False)


@pytest.mark.parametrize("reply", ['{"score": 4}', '{"reason": "x"', '{"hallucination_types": []}'])
def test_any_part_of_the_judgement_is_json(reply: str):
    assert read_report(reply).in_json


def test_json_of_something_else_is_none():
    assert not read_report('{"summary": "He sailed."}').in_json
