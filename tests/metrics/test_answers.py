import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.metrics.answers import Parsed, Unparsed, parse_sequence, parse_sequences

HERE = Path(__file__).parent


def cases(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("case", cases(HERE / "sequence_cases.jsonl"), ids=lambda case: case["why"])
def test_sequence(case: dict):
    assert parse_sequence(case["text"]).value == case["value"]


@pytest.mark.parametrize("case", cases(HERE / "sequences_cases.jsonl"), ids=lambda case: case["why"])
def test_sequences(case: dict):
    assert parse_sequences(case["text"]).value == case["value"]


@pytest.mark.shared
def test_reference_cases(shared_dir: Path):
    found = [case for case in cases(shared_dir / "reference" / "answer_cases.jsonl") if case["kind"] == "sequence"]
    assert found
    assert [parse_sequence(case["text"]).value for case in found] == [case["expected"] for case in found]


def test_span_points_into_the_original_text():
    text = "<think>x</think> é <answer>Abc bcd</answer>"
    found = parse_sequence(text)
    assert isinstance(found, Parsed)
    assert text[slice(*found.span)] == "Abc bcd"
    assert found.rule == "answer-block"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (" ", "the reply is empty"),
        ("<think>x", "the reply is all reasoning"),
        ("<answer>x", "an <answer> block opens but does not close"),
        ("x", "the reply has no <answer> block"),
        ("<answer>5</answer>", "the last <answer> block holds no words"),
    ],
)
def test_unparsed_says_why(text: str, reason: str):
    assert parse_sequence(text) == Unparsed(reason)


WORD = st.from_regex(r"[a-z]{2,12}", fullmatch=True)
# Words that a block may say alone to mean that there is no answer.
SEQUENCE = st.lists(
    WORD.filter(lambda word: word not in ("none", "null", "nil", "empty", "nothing", "na")), min_size=1
)

INSIDE: dict[str, Callable[[list[str]], str]] = {
    "blanks": " ".join,
    "lines": "\n".join,
    "commas": ", ".join,
    "capitals": lambda words: " ".join(words).upper(),
    "json": json.dumps,
    "python": repr,
    "arrows": " -> ".join,
    "unicode arrows": "→".join,
    "back-ticks": lambda words: " ".join(f"`{word}`" for word in words),
    "quotes": lambda words: " ".join(f'"{word}"' for word in words),
    "bold": lambda words: " ".join(f"**{word}**" for word in words),
    "numbers": lambda words: " ".join(f"{place}. {word}" for place, word in enumerate(words, 1)),
    "numbered lines": lambda words: "\n".join(f"{place}) {word}" for place, word in enumerate(words, 1)),
    "bullets": lambda words: "\n".join(f"- {word}" for word in words),
    "latex": lambda words: " ".join(rf"\text{{{word}}}" for word in words),
    "fence": lambda words: f"```\n{' '.join(words)}\n```",
    "full-width": lambda words: " ".join("".join(chr(ord(char) + 0xFEE0) for char in word) for word in words),
}
TAGS = {
    "plain": "<answer>{}</answer>",
    "capitals": "<Answer>{}</ANSWER>",
    "blanks": "<answer > {} </ answer>",
    "lines": "<answer>\n{}\n</answer>",
    "full-width": "＜answer＞{}＜/answer＞",
    "escaped": "&lt;answer&gt;{}&lt;/answer&gt;",
    "bold": "**<answer>**{}**</answer>**",
}
AROUND = [
    "{}",
    "Let me look.\n\n{}\n\nHope this helps!",
    "```\n{}\n```",
    "<think>perhaps <answer>no no</answer></think>\n{}",
    "perhaps <answer>no no</answer></think>{}",
    "<think>a</think>b<thinking>c</thinking>{}",
    "Answer: {}",
    "答案：{}。",
    "<answer>draft one</answer> wait, {}",
    "{}\n<answer>and then",
]


@given(SEQUENCE, st.sampled_from(sorted(INSIDE)), st.sampled_from(sorted(TAGS)), st.sampled_from(AROUND))
def test_any_decoration_of_what_is_asked_for(words: list[str], inside: str, tag: str, around: str):
    text = around.replace("{}", TAGS[tag].replace("{}", INSIDE[inside](words)))
    assert parse_sequence(text).value == words


@given(st.lists(SEQUENCE, min_size=1, max_size=4), st.sampled_from(sorted(TAGS)), st.sampled_from(AROUND))
def test_any_decoration_of_several(sequences: list[list[str]], tag: str, around: str):
    blocks = "\n".join(TAGS[tag].replace("{}", " ".join(words)) for words in sequences)
    assert parse_sequences(around.replace("{}", blocks)).value == sequences


PIECES = [
    "<answer>",
    "</answer>",
    "<think>",
    "</think>",
    "<",
    "&lt;",
    "{",
    "[",
    '"',
    "`",
    "\\text",
    "\ud800",
    "a",
    " ",
]


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)))
def test_never_raises(text: str):
    for found in (parse_sequence(text), parse_sequences(text)):
        assert isinstance(found, Unparsed) or 0 <= found.span[0] <= found.span[1] <= len(text)


UNITS = ["<answer>", "</answer>", "<answer></answer>", "<answer ", "<think>", "</think>", "<br ", "<", "< ", "&lt;"]
UNITS += [
    "{",
    "[",
    '"',
    "`",
    "\\",
    "(1",
    "a, ",
    " and ",
    "'a",
    "wait ",
    "\n",
    "no such ",
    "```text",
    "the ",
    ".",
    "…",
    "(1",
    "\n",
    "<think>x</think>",
]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(
    "frame", ["{}", "<answer>{}</answer>", "<answer>a, b{}x and y</answer>", "<answer>a</answer>{}<answer>b</answer>"]
)
def test_time_grows_with_length_and_no_faster(unit: str, frame: str):
    small, large = (_seconds(frame.replace("{}", unit * (size // len(unit)))) for size in (5_000, 40_000))
    # Eight times the text; quadratic would be 64 times.
    assert large < 24 * small + 0.02


def _seconds(text: str) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.thread_time()
        parse_sequence(text)
        parse_sequences(text)
        best = min(best, time.thread_time() - start)
    return best
