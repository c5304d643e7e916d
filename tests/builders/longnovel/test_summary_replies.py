import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lengthwise.builders.longnovel.summary_replies import read_summary
from lengthwise.metrics.answers import Unparsed

EN = "Ahab sails from Nantucket. He hunts the whale for three years."
ZH = "宝玉入学。秦钟与他同往，众人议论纷纷。"


@pytest.mark.parametrize(
    "frame",
    [
        "{}",
        "\n {} \n",
        "<think>About 900 words.</think>\n{}",
        "thinking aloud</think>{}",
        "Here is the summary:\n\n{}",
        "Here is the summary: {}",
        "Here's a 900-word summary of the passage:\n{}",
        "Sure! Here is a summary of about 900 words:\n\n{}",
        "Certainly.\n\n**Summary:**\n\n{}",
        "Summary: {}",
        "**Summary:** {}",
        "# Summary\n\n{}",
        "## Summary of Chapters 1 to 3\n\n{}",
        "**Summary of the passage**\n\n{}",
        "```\n{}\n```",
        "Here you go:\n```text\n{}\n```",
        "```markdown\n# Summary\n{}\n```",
        "<summary>\n{}\n</summary>",
        "{}\n\n(Word count: 11)",
        "{}\n\n**Word count:** 11",
        "{}\n\n11 words",
        "{}\n\n---\n\nLet me know if you would like it shorter.",
        "---\n{}\n---",
        '{{"summary": "{}"}}',
        '```json\n{{"summary": "{}"}}\n```',
    ],
)
def test_an_english_summary_out_of_its_frame(frame: str):
    assert read_summary(frame.format(EN)) == EN


@pytest.mark.parametrize(
    "frame",
    [
        "{}",
        "<think>约九百字。</think>{}",
        "摘要：{}",
        "摘要：\n{}",
        "【摘要】\n{}",
        "**摘要**\n\n{}",
        "## 内容摘要\n\n{}",
        "以下是这部分内容的摘要：\n\n{}",
        "以下是摘要：{}",
        "好的，以下是约900字的概括：\n{}",
        "好的。\n\n{}",
        "好的，我来压缩一下：\n\n{}",
        "根据您的要求，我将各部分摘要合写如下：\n\n{}",
        "{}\n\n（字数：18）",
        "{}\n\n（全文约18字）",
        "{}\n\n注：以上内容均出自原文。",
        "{}\n\n希望这份摘要对您有所帮助！",
        "```\n{}\n```",
        '{{"摘要": "{}"}}',
    ],
)
def test_a_chinese_summary_out_of_its_frame(frame: str):
    assert read_summary(frame.format(ZH)) == ZH


@pytest.mark.parametrize(
    "text",
    [
        "Ahab said one thing: the whale must die.\n\nThe crew agreed.",
        "Of course Ahab sails.",
        "Okay is what Queequeg says. He signs.",
        "Summary justice is done at sea. The mate hangs.",
        "He writes a note: he is leaving.\nShe burns it.",
        "Surely nobody believes him.\nHe leaves.",
        "Ahab sails.\n\nNoted for his temper, he finds few friends.",
        "当然没有人相信他。\n他走了。",
        "可以说，这一家从此败落。",
        "他说：“我无法帮你。”于是离去。",
        "“I'm sorry, but I can't help you,” said Ahab. He left.",
        "1984 words could not tell it. He left.",
    ],
)
def test_what_belongs_to_the_story_stays(text: str):
    assert read_summary(text) == text


def test_headings_and_bold_type_inside_go():
    assert read_summary("## Part 1\nAhab **sails**.\n\n## Part 2\nHe dies.") == "Ahab sails.\n\nHe dies."


def test_of_two_fences_neither_is_the_summary():
    text = "Ahab sails.\n```\na\n```\nHe dies.\n```\nb\n```"
    assert read_summary(text) == text


def test_a_person_of_a_long_story_may_refuse():
    text = EN * 20 + " In the end I cannot help him, he says."
    assert read_summary(text) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the reply is empty"),
        (" \n", "the reply is empty"),
        ("<think>so", "the reply is all reasoning"),
        ("```\n```", "the reply holds no summary"),
        ("**Summary:**", "the reply holds no summary"),
        ("摘要：", "the reply holds no summary"),
        ("…", "the reply holds no summary"),
        ("I'm sorry, but I can't summarise this text.", "a refusal: i'm sorry, but i can't"),
        ("抱歉，我无法概括这段文字。", "a refusal: 抱歉,我无法"),
        ("I cannot process a text this long. " + EN * 20, "a refusal: i cannot process"),
    ],
)
def test_no_summary(text: str, reason: str):
    assert read_summary(text) == Unparsed(reason)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["```", "~~~", "\n", "#", "**", "Summary", ":", "摘要", "：", "<summary>", "</summary>", '{"summary": "']
        )
        | st.text(max_size=8)
    )
)
def test_no_text_raises_and_what_is_read_is_stripped(pieces: list[str]):
    read = read_summary("".join(pieces))
    assert isinstance(read, Unparsed) or read == read.strip() != ""


@pytest.mark.parametrize(
    "piece", ["`", "```\n", "# ", "\n", "*", "**a", "<summary>", "“", "- ", "Summary: ", "摘要：\n", "9 words "]
)
def test_long_replies_take_linear_time(piece: str):
    start = time.process_time()
    read_summary(piece * (100_000 // len(piece)))
    assert time.process_time() - start < 5
