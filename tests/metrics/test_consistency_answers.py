import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lengthwise.metrics.answers import Parsed, Unparsed, parse_consistency_score

CASES = [json.loads(line) for line in (Path(__file__).parent / "score_cases.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_score(case: dict):
    assert parse_consistency_score(case["text"]).value == case["value"]


@pytest.mark.shared
def test_reference_cases(shared_dir: Path):
    lines = (shared_dir / "reference" / "answer_cases.jsonl").read_text("utf-8").splitlines()
    found = [case for line in lines if (case := json.loads(line))["kind"] == "consistency_score"]
    assert found
    for case in found:
        assert parse_consistency_score(case["text"]).value == case["expected"], case["why"]


@pytest.mark.parametrize(
    ("text", "span", "rule"),
    [
        ('<think>x</think>{"score": 3}', "3", "json"),
        ('ok:\n```json\n{"score": "3/5"}\n```', "3/5", "fenced-json"),
        ('so {"score": 3} it is', "3", "last-json"),
        ('{"score": 3, "reason": "the', "3", "cut-json"),
        ("é **评分**：３分", "３", "label"),
        ("some 3 out of 5", "3", "out-of-five"),
        ("**3**", "3", "number-alone"),
    ],
)
def test_span_points_into_the_original_text_and_the_rule_is_named(text: str, span: str, rule: str):
    found = parse_consistency_score(text)
    assert isinstance(found, Parsed)
    assert (text[slice(*found.span)], found.rule) == (span, rule)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (" ", "the reply is empty"),
        ("<think>3", "the reply is all reasoning"),
        ("It is fine.", "the reply holds no score"),
        ('{"score": "high"}', "the score is no number"),
        ('{"score": [1, 2]}', "the score is a list or an object"),
        ("Score: 7", "the score is not from 0 to 5"),
        ("Score: 7/10", "the score is out of something other than 5"),
        ("Score: 4%", "the score is a percentage"),
        ("Score: 2-3", "the score is a range"),
    ],
)
def test_unparsed_says_why(text: str, reason: str):
    assert parse_consistency_score(text) == Unparsed(reason)


CHINESE = "零一二三四五"
ENGLISH = ["zero", "one", "two", "three", "four", "five"]
AS_JSON: dict[str, Callable[[int, str], str]] = {
    "as asked": lambda score, reason: json.dumps({"score": score, "reason": reason}),
    "reason first": lambda score, reason: json.dumps({"reason": reason, "score": score, "hallucination_types": ["x"]}),
    "unicode kept": lambda score, reason: json.dumps({"reason": reason, "score": score}, ensure_ascii=False),
    "indented": lambda score, reason: json.dumps({"reason": reason, "score": score}, indent=2),
    "string": lambda score, reason: json.dumps({"reason": reason, "score": str(score)}),
    "fraction": lambda score, reason: json.dumps({"reason": reason, "score": f"{score}/5"}),
    "float": lambda score, reason: json.dumps({"reason": reason, "score": score + 0.5 * (score < 5)}),
    "doubled braces": lambda score, reason: "{" + json.dumps({"reason": reason, "score": score}) + "}",
    "trailing comma": lambda score, reason: json.dumps({"reason": reason, "score": score})[:-1] + ",}",
    "full-width": lambda score, _: f"｛＂score＂：{chr(0xFF10 + score)}，＂reason＂：＂好＂｝",
    "single quotes": lambda score, _: f"{{'reason': 'it's the hero's', 'score': {score}}}",
    "Chinese keys": lambda score, reason: json.dumps({"理由": reason, "评分": score}, ensure_ascii=False),
    "unescaped quotes": lambda score, _: f'{{"reason": "he said "no", then "yes"", "score": {score}}}',
    "cut": lambda score, reason: json.dumps({"score": score, "reason": reason})[:-2],
}
AS_PROSE: dict[str, Callable[[int, str], str]] = {
    "label": lambda score, _: f"Score: {score}",
    "bold": lambda score, _: f"**Score:** {score}/5",
    "heading": lambda score, _: f"### Consistency score (0-5)\n\n**{score}**",
    "sentence": lambda score, _: f"The consistency score is {score} out of 5.",
    "word": lambda score, _: f"Final score: {ENGLISH[score]}",
    "Chinese": lambda score, _: f"一致性评分（0到5分）：{score}分",
    "Chinese numeral": lambda score, _: f"综上，评分为{CHINESE[score]}分。",
    "full-width digit": lambda score, _: f"得分：{chr(0xFF10 + score)}",
    "tag": lambda score, _: f"<score>{score}</score>",
}
AROUND = [
    "{}",
    "Here is my judgement.\n\n{}\n\nHope this helps!",
    "以下是评估结果：\n{}",
    '<think>maybe Score: 1 or {"score": 2}</think>\n{}',
    'or {"score": 1}?</think>{}',
    "<think>a</think><reasoning>Score: 0</reasoning>{}",
    "Step 1: chapter 3 names 12 people.\nStep 2: 4 of them are wrong.\n\n{}",
    "{}\n<think>was that too strict",
]
IN_JSON_ONLY = ["```json\n{}\n```", "```\n{}\n```\nDone.", 'First {"score": 1, "reason": "draft"}, then:\n{}']


@given(
    st.integers(0, 5),
    st.text(max_size=60),
    st.sampled_from(sorted(AS_JSON)),
    st.sampled_from([*AROUND, *IN_JSON_ONLY]),
)
def test_any_json_in_any_wrapping(score: int, reason: str, shape: str, around: str):
    reason = "".join(char for char in reason if char not in "<◁[｛{|`~").strip() or "ok"
    # Of a complete draft and a cut final object, the complete one counts.
    assume(not (shape == "cut" and "draft" in around))
    assert parse_consistency_score(around.replace("{}", AS_JSON[shape](score, reason))).value == score


@given(st.integers(0, 5), st.sampled_from(sorted(AS_PROSE)), st.sampled_from(AROUND))
def test_any_prose_in_any_wrapping(score: int, shape: str, around: str):
    around = around.replace('or {"score": 1}?', "or Score: 1?")
    assert parse_consistency_score(around.replace("{}", AS_PROSE[shape](score, ""))).value == score
