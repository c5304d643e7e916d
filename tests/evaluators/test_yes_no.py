import math

import pytest

from lengthwise.contracts import Reply
from lengthwise.evaluators.yes_no import probability_of_yes, says_yes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Yes", True),
        ("yes.", True),
        ("**No**", False),
        ("No, the passage says three.", False),
        ("Answer: Yes", True),
        ("The answer is no.", False),
        ("<think>No? Let me see.</think>\nYes", True),
        ("The passage speaks of three sons.\nAnswer: No", False),
        ("是", True),
        ("“是的”。", True),
        ("否", False),
        ("不能证实。", False),
        ("不是", False),
        ("回答：否", False),
        ("答案是：是", True),
        ("能证实。", True),
        # Neither.
        ("Not sure", None),
        ("Yesterday he left.", None),
        ("Nothing speaks against it.", None),
        ("是否证实难以判断", None),
        ("不确定", None),
        ("是一段关于船长的文字", None),
        ("", None),
        ("<think>Yes", None),
    ],
)
def test_what_a_reply_says(text: str, said: bool | None) -> None:
    assert says_yes(text) is said
    assert probability_of_yes(Reply(text)) == (None if said is None else float(said))


def test_the_probability_is_that_of_all_spellings() -> None:
    alternatives = (("No", math.log(0.5)), (" Yes", math.log(0.3)), ("yes", math.log(0.1)), ("Maybe", math.log(0.1)))
    assert probability_of_yes(Reply("No", alternatives=alternatives)) == pytest.approx(0.4)
    assert probability_of_yes(Reply("是", alternatives=(("是", math.log(0.8)), ("否", math.log(0.2))))) == (
        pytest.approx(0.8)
    )


def test_where_the_answer_begins_with_another_word_its_text_decides() -> None:
    alternatives = (("**", math.log(0.9)), ("Yes", math.log(0.1)))
    assert probability_of_yes(Reply("**Yes**", alternatives=alternatives)) == 1.0
