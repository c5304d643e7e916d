"""Consistency scores, 0 to 5, out of judgements: the shape that LongNovel's prompts ask for.

The prompts ask for JSON with a `score`; section 4.3 of the paper reads what comes instead with a tolerant parser.
"""

import re
from decimal import ROUND_FLOOR

from .found_json import find_held, only_scalar
from .json_reader import Array, Node, Object, Scalar
from .labels import labelled_values, last_matches
from .numerals import fold
from .parsed import Parsed, Unparsed
from .reasoning import mask_reasoning
from .values import Reading, read_value

_KEYS = (
    *("finalscore", "最终评分", "最终得分", "最终分数", "score", "评分", "得分", "分数", "打分"),
    *(
        "consistencyscore",
        "一致性评分",
        "一致性得分",
        "一致性分数",
        "overallscore",
        "总分",
        "总评分",
        "综合评分",
        "综合得分",
    ),
    *("overallconsistencyscore", "factualconsistencyscore", "finalconsistencyscore", "summaryscore"),
    *("consistencyrating", "rating", "finalrating", "grade", "finalgrade", "consistency", "一致性"),
)
_INNER_KEYS = ("value", *_KEYS)
_PLACEHOLDER = re.compile(
    r"\s*(?:<[^<>]{1,60}>|\{[^{}]{0,60}\}|\[[^\[\]]{1,60}\]|\.{2,}|…|int(?:eger)?|number|score|x|n"
    r"|0\s?(?:-|–|—|~|to|到|至)\s?5(?:\s?分?)|0\|1\|2\|3\|4\|5|整数|数字|分数)\s*",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?<![a-z/])(?<!\\/)(?:score|rating|grade)(?:\s?out\sof\s(?:5|five)\b|d(?=\sas\b|\sit\b|\sat\b))?(?![a-z])"
    r"|[评得打][分](?![之钟])|分数|评级|评定|总分",
    re.IGNORECASE,
)
# Labels of replies that never say "score"; their value must end its line.
_WEAK_LABEL = re.compile(
    r"(?<![a-z/])(?:consistency|verdict|judge?ment|evaluation|assessment|answer|result)(?=[*_\"`\s]{0,4}[:=>])"
    r"|(?:一致性|结论|评价|评估|答案|结果|给分|等级)(?=[*_”」】\s]{0,3}[:=为是])",
    re.IGNORECASE,
)
_LINE_ENDS = re.compile(r"\s?(?:/\s?5|分|points?|stars?)?(?:[^\w\n]|</[a-z]{1,10}>){0,8}(?:\n|\Z)", re.IGNORECASE)
# What a label must not be about, and what makes it one of several scores, of which the others count first.
_OTHER_LABEL = re.compile(
    r"(?:confidence|similarity|rouge\S{0,3}|bleu|f1|max(?:imum)?|highest|possible|perfect|full|min(?:imum)?|lowest|threshold"
    r"|credit|exam|test|top|passing|cut-?off|置信度?|相似度?|满分|最高|最低|及格)[\s*_]{0,3}$",
    re.IGNORECASE,
)
_MINOR_LABEL = re.compile(
    r"(?:initial|first(?:[\s-]pass)?|previous|prior|draft|earlier|old|preliminary|original|tentative|provisional"
    r"|intermediate|sub-?|entit(?:y|ies)|numeric(?:al)?|numbers?|relation\w{0,6}|events?|time(?:line)?|temporal|causal(?:ity)?"
    r"|characters?|plot|logic(?:al)?|fluency|coherence|style|grammar|relevance|readability|completeness|conciseness"
    r"|初步|初始|最初|原|之前|先前|首次|第一次|流畅性?|完整性?|文笔|可读性?|实体|时间线?|数字|因果|关系)[\s*_]{0,3}$",
    re.IGNORECASE,
)
_ENGLISH_VERB = re.compile(
    r"\b(?:i|we)(?:['’](?:d|ll|m)|\s(?:would|will|shall|can|must|have\sto|am|now|therefore|thus|hereby))?"
    r"(?:\s(?:therefore|thus|still|only|then|also|going\sto|have\sto|would|to|like\sto))*"
    r"\s(?:rate|give|assign|award|score|grade|mark|judge|put|choose|pick|say|settle\son|go\swith|giving|assigning|rating)\b"
    r"(?:\s(?:it|this|that|the|summary|a|an|score|rating|grade|of|as|at|with|consistency|consistent|at\sa|overall|its|text"
    r"|given|novel|s|factual)\b)*",
    re.IGNORECASE,
)
_SCALE = re.compile(
    r"\bscale\s(?:of|from|between)?\s?(?:0|zero|1|one)\s?(?:to|and|-|–|~)\s?(?:5|five)\b[^.\n0-9]{0,60}?(?=\b[0-5]\b(?!\s?[-–%]))"
    r"|(?:\b0\s?[-–~到至]\s?5\s?分?)(?:的?(?:范围|区间|量表|分制|之间)[内中上]?)[^。\n0-9]{0,30}?(?=[0-5]\s?分)",
    re.IGNORECASE,
)
_ENGLISH_SENTENCE = re.compile(r"\b(?:score|rating|grade)\b[^.\n0-9:;]{0,60}?\s(?:is|as|of|at)(?=\s)", re.IGNORECASE)
_DESERVES = re.compile(
    r"\b(?:it|this|that|summary|which)\s(?:thus\s|therefore\s|only\s|still\s)?"
    r"(?:deserves|gets|earns|receives|merits|scores|warrants)(?:\s(?:a|an|only|at|most|best))*\b",
    re.IGNORECASE,
)
_AFTER_VERB = re.compile(
    r"\s?(?:分|points?\b|stars?\b)?\s?(?:[.,;:!?)。，；！？*]|\Z|\n|out\b|/|because|since|as\b|for\b|due|on\b|here\b)"
)
_CHINESE_VERB = re.compile(
    r"(?<!扣)(?:打出?|给出?|给予|评为?|判为?|定为|评定为|得|记)(?:了|它|其|这个|这篇|该|此|摘要|概述|总结|一个|上|为|到|约|予|出|\s)*"
)
_UNIT = re.compile(r"\s?分(?![之钟秒野裂明开成布手析享别])")
_OUT_OF_FIVE = re.compile(
    r"(?<![\w./-])(?:[0-5](?:\.[0-9]{1,4})?|zero|one|two|three|four|five|[零一二三四五])[*_`\s]{0,5}"
    r"(?:分?\s?[/／]\s?[*_]{0,2}5(?![0-9/.]*[0-9/])(?:\.0)?(?!\s+of\b)|(?:points?\s)?out\sof\s(?:5|five)\b"
    r"|(?:on|in)\s(?:a|the)\s(?:0\s?[-–]\s?5|5|five)[-\s](?:point\s)?scale|(?:on|in)\s(?:a|the)\sscale\s(?:of|from)\s(?:0|zero|1|one)\s?(?:to|-|–)\s?(?:5|five)\b|分?[（(,，]\s?(?:满分|总分|共)(?:为)?[5五]\s?分)",
    re.IGNORECASE,
)
_MARKS = r"[\s*_`\"'#>$|()（）\[\]【】{}。.!！:：=~-]"
_LINE = re.compile(
    rf"{_MARKS}*+(?P<value>[0-9]{{1,3}}(?:\.[0-9]+)?)(?:\s?/\s?5|\s?分|\s?points?|\s?stars?)?{_MARKS}*+", re.IGNORECASE
)
_BOXED = re.compile(r"\\(?:boxed|fbox)\s?\{")


def parse_consistency_score(text: str) -> Parsed[int] | Unparsed:
    """Read the consistency score that a reply gives.

    In order: JSON that holds a score (see `found_json.find_held`), labelled prose (the last value), "4 out of 5"
    without a label, a number alone. A score is a whole number from 0 to 5; a fraction rounds down, towards
    "hallucinated"; out of range, a percentage, a boolean, null, a range, or a part of anything but 5 is no score.

    Args:
        text: the raw reply, any string.

    Returns:
        The score, or why there is none.

    >>> parse_consistency_score('{"score": 2.5, "reason": "between"}').value
    2
    >>> parse_consistency_score("综上，一致性评分为三分。").value
    3
    >>> parse_consistency_score("Score: 85%")
    Unparsed(reason='the score is a percentage', value=None)
    """
    if not text.strip():
        return Unparsed("the reply is empty")
    masked = mask_reasoning(text)
    if not masked.strip():
        return Unparsed("the reply is all reasoning")
    held = find_held(masked, _KEYS, usable=_is_score_at_all)
    if held is not None:
        return _of_node(held.value, held.rule)
    folded = fold(masked)
    reading, rule = _of_prose(folded)
    if reading is None:
        return Unparsed("the reply holds no score")
    return _score(reading, rule)


def _is_score_at_all(node: Node) -> bool:
    """Whether a value of the key is more than a placeholder of the format, such as "<0-5>"."""
    return not (isinstance(node, Scalar) and _PLACEHOLDER.fullmatch(node.text))


def _of_node(node: Node, rule: str) -> Parsed[int] | Unparsed:
    while isinstance(node, Object):
        inner = {key.casefold(): value for key, value in node.pairs}
        node = next((inner[key] for key in _INNER_KEYS if key in inner), Array())
    scalar = only_scalar(node)
    if scalar is None:
        return Unparsed("the score is a list or an object")
    content = fold(scalar.text)
    reading = read_value(content) or next((hit.reading for hit in labelled_values(content, _LABEL)), None)
    if reading is None:
        return Unparsed("the score is no number")
    shown = Reading(reading.value, *scalar.span, over=reading.over, fault=reading.fault)
    return _score(shown, rule)


def _score(reading: Reading, rule: str) -> Parsed[int] | Unparsed:
    if reading.value is None:
        return Unparsed(f"the score is {reading.fault}")
    if reading.over is not None and reading.over != 5:
        return Unparsed("the score is out of something other than 5")
    if not 0 <= reading.value <= 5:
        return Unparsed("the score is not from 0 to 5")
    score = int(reading.value.to_integral_value(rounding=ROUND_FLOOR))
    return Parsed(score, (reading.start, reading.end), rule)


def _of_prose(text: str) -> tuple[Reading | None, str]:
    """Return the last score said in words, and the rule that found it."""
    strong = [*_labelled(text, minor=False), *_verbs(text)]
    if strong:
        return max(strong, key=lambda reading: reading.start), "label"
    for rule, readings in (
        ("out-of-five", [r for m in last_matches(_OUT_OF_FIVE, text)[:1] if (r := read_value(text, m.start()))]),
        ("label", _labelled(text, minor=True)),
        ("weak-label", _weakly_labelled(text)),
    ):
        if readings:
            return readings[-1], rule
    return _alone(text), "number-alone"


def _labelled(text: str, *, minor: bool) -> list[Reading]:
    """Return the value of the last label that counts: of the main score, or of whatever other there is."""
    rubric: list[Reading] = []
    for hit in labelled_values(text, _LABEL):
        if _is_other(text, hit.label[0]) or (not minor and _is_minor(text, hit.label[0])):
            continue
        if not hit.weak:
            return [hit.reading]
        rubric.append(hit.reading)
    return rubric if len(rubric) == 1 else []


def _weakly_labelled(text: str) -> list[Reading]:
    """Return the value of the last "Verdict: 4" that ends its line."""
    for hit in labelled_values(text, _WEAK_LABEL):
        if _LINE_ENDS.match(text, hit.reading.end):
            return [hit.reading]
    return []


def _is_other(text: str, label: int) -> bool:
    """Whether the label that begins here is about something else: a confidence, the maximum."""
    return _OTHER_LABEL.search(text, max(label - 25, 0), label) is not None


def _is_minor(text: str, label: int) -> bool:
    """Whether the label that begins here is that of a draft or of a part."""
    return _MINOR_LABEL.search(text, max(label - 25, 0), label) is not None


def _verbs(text: str) -> list[Reading]:
    r"""Return the values of "I would rate it 2", "打2分", "\boxed{3}" and "on a scale of 0 to 5, 3"."""
    readings: list[Reading] = []
    for pattern, behind in (
        (_ENGLISH_VERB, _AFTER_VERB),
        (_ENGLISH_SENTENCE, _AFTER_VERB),
        (_DESERVES, _AFTER_VERB),
        (_CHINESE_VERB, _UNIT),
        (_SCALE, None),
        (_BOXED, None),
    ):
        for match in last_matches(pattern, text):
            if pattern is _ENGLISH_SENTENCE and (_is_other(text, match.start()) or _is_minor(text, match.start())):
                continue
            reading = read_value(text, match.end())
            if reading is None or (behind is not None and not behind.match(text, reading.end)):
                continue
            readings.append(reading)
            break
    return readings


def _alone(text: str) -> Reading | None:
    """Return the number that is the whole text, or the only line of its own at its beginning or end."""
    whole = read_value(text)
    if whole is not None and not re.compile(r"\s?(?:分|points?|stars?)?[\W_]*+\Z").match(text, whole.end):
        whole = None
    if whole is not None:
        return whole
    at, lines = 0, []
    for line in text.split("\n"):
        if line.strip():
            lines.append((at, line))
        at += len(line) + 1
    numbers = [(at, match) for at, line in lines if len(line) < 40 and (match := _LINE.fullmatch(line))]
    if len(numbers) == 1 and numbers[0][0] in (lines[0][0], lines[-1][0]):
        start = numbers[0][0] + numbers[0][1].start("value")
        return read_value(text, start)
    return None
