import pytest

from lengthwise.metrics.refusals import find_refusal


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't assist with that request.",
        "I’m sorry, but I can’t help with that.",
        "I cannot process that many items at once; please send them in batches.",
        "I can't reliably scan through 26,000 words by hand.",
        "I'm not able to help with that, as I'm only a language model.",
        "As an AI language model, I cannot search a list of this size.",
        "I apologize, but I'm unable to complete this task in a single reply.",
        "I won't be able to go through it." + " So I must decline.",
        "I have to respectfully decline to continue.",
        "I'm not comfortable making up a sequence.",
        "This list is far too long for me to handle.",
        "It isn't feasible for me to check all windows.",
        "This request goes against my guidelines.",
        "**I am unable to process** this input.",
        "I do not have the capability to perform this search.",
        "<think>I can do it</think>I'm afraid I can't do that.",
        "word " * 5000 + "\nI will have to stop here.",
        "抱歉，我无法处理这么长的列表。",
        "对不起，这个任务我不能完成。",
        "作为一个人工智能语言模型，我还没学习如何回答这个问题。",
        "你好，这个问题我暂时无法回答，让我们换个话题再聊聊吧。",
        "我没有办法逐一检查所有单词。",
        "很遗憾，该列表过长，难以给出结果。",
        "请您将其分批发送给我。",
        "我拒绝回答。",
        "I cannot evaluate a novel of this length.",
        "I don't have access to the full text.",
        "I'm unable to read all of it.",
        "抱歉，我无法评价这篇摘要。",
        "我暂时无法阅读整部小说。",
        "作为AI，我不能对此打分。",
    ],
)
def test_refused(text: str):
    assert find_refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I cannot find it.",
        "I could not find any such sequence in the list.",
        "I'm sorry, but I couldn't locate the run.",
        "I apologize, but I could not find a match.",
        "The words are: help, assist, refuse, decline.",
        "Let me scan the list. The run does not start here; I can continue.",
        "There is no such sequence.",
        "<think>I can't help with that</think>The run is ba ca da.",
        "我没有找到这样的序列。",
        "列表中不存在符合条件的序列。",
        "答案如下：ba ca da",
        "The hero cannot find her and refuses to leave.",
        "我认为摘要与原文一致。",
    ],
)
def test_not_refused(text: str):
    assert find_refusal(text) is None
