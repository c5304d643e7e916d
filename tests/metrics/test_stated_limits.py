import json
import time

import pytest

from lengthwise.metrics.stated_limits import find_stated_limit

STATED = [
    ("batches", "The list is long. I recommend splitting the input into smaller batches of 100."),
    ("batches", "Please send the reviews in chunks so that I can be exact."),
    ("batches", "To be accurate, the 2,000 tweets would need to be processed in batches."),
    ("batches", "If you like, I can continue in a next batch."),
    ("batches", "Could you break the numbers into several parts?"),
    ("batches", "由于数量较多，建议您分批提交。"),
    ("first-only", "I will only provide the first 50 numbers."),
    ("first-only", "We have listed the first 1,000 answers."),
    ("first-only", "Only the first 200 items are shown here."),
    ("first-only", "这里只列出前100个。"),
    ("left-out", "The remaining entries are omitted."),
    ("left-out", "Answers truncated for brevity."),
    ("left-out", "... and so on for the remaining 900 items"),
    ("left-out", "其余条目省略。"),
    ("too-many", "There are too many instances to process reliably."),
    ("too-many", "I cannot reliably answer all 2000 questions in one go."),
    ("too-many", "数量过多，无法逐一处理。"),
    ("limit", "Due to the output length limit this is an estimate."),
    ("limit", "A full table exceeds my output token limit."),
    ("limit", "由于篇幅限制，结果为估计。"),
]
UNSTATED = [
    "I counted the odd numbers in batches of 50 and added the subtotals.",
    "Processed in chunks of ten, then summed.",
    "First I read the first 10 numbers, then the others.",
    "All 500 reviews were judged; none was omitted.",
    "The text is about a film that is too long.",
    "I cannot find any mention of women in tweets 3 and 7.",
    "The company's limit was raised; the remaining 12 were about fruit.",
    "Given the last digit of each number, 5 are odd.",
    "我逐一检查了每个数字，共有5个奇数。",
    "",
]


@pytest.mark.parametrize(("kind", "text"), STATED)
def test_a_limit_that_is_owned_to(kind, text):
    found = find_stated_limit(text)
    assert found is not None and found.kind == kind
    assert find_stated_limit(json.dumps({"1": 0, "reasoning": text}, ensure_ascii=False)) is not None


@pytest.mark.parametrize("text", UNSTATED)
def test_what_tells_only_how_it_was_done(text):
    assert find_stated_limit(text) is None


def test_a_suggestion_of_batches_comes_before_other_limits():
    found = find_stated_limit("I will only list the first 10 numbers. Please split the rest into batches.")
    assert found is not None and found.kind == "batches" and "Please split" in found.text


def test_thoughts_do_not_count():
    assert find_stated_limit("<think>Please split this into batches.</think>{}") is None


def test_a_long_table_takes_no_time():
    table = json.dumps({str(number): "please give" for number in range(20_000)})
    start = time.perf_counter()
    assert find_stated_limit(table + "please split " * 20_000) is None
    assert time.perf_counter() - start < 10
