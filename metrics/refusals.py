"""Refusals, recognised by their wording: Chinese and English, in the phrases of the common vendors.

A refusal is a model saying that it will not or cannot do the task, not one saying that it found nothing: "I cannot
find such a run" is a failed search, "I cannot process a list this long" is a refusal. Whoever calls this has already
looked for an answer; a parsed answer is never overridden.
"""

import re

from .reasoning import mask_reasoning

# A refusal stands where a reply begins or ends, whatever was copied out in between; this also bounds the cost.
_REACH = 3000

_NOT_ABLE = (
    r"(?:can'?t|can ?not|could ?n'?t|could not|won'?t|will not"
    r"|(?:am|'m|are|'re|was|were) (?:simply |currently |also )?(?:unable|not able) to"
    r"|(?:am|'m|are|'re) not (?:going|willing|allowed|permitted|designed|programmed) to"
    r"|(?:have to|must|need to|will|'ll|'d rather)? ?(?:respectfully )?(?:decline|refuse)(?: to)?"
    r"|(?:do(?:es)? not|don'?t) have (?:the )?(?:ability|capability|capacity|means) to"
    r"|lack the (?:ability|capability|capacity) to)"
)
_ADVERBS = (
    r"(?:(?:realistically|reliably|accurately|feasibly|practically|honestly|manually|fully|directly|actually|really"
    r"|in good conscience|currently|just|simply|possibly|ethically|legally)[, ]{1,2}){0,3}"
)
# The doing of the task. Finding, locating, seeing are not here: to fail at those is to have tried.
_TASK = (
    r"(?:help|assist|comply|process|provid|complet|perform|fulfil|answer|respond|continu|generat|produc|handle|do\b"
    r"|carry out|carry this|engage|support|discuss|share|give you|offer|participate|accept|proceed|solve|scan"
    r"|search (?:through|the|this|such|a)|go through|work through|read through|parse|analy[sz]e|inspect|examine"
    r"|check (?:every|each|all)|execute|take on|undertake|manually|evaluat|judge|assess|rate\b|grade\b|score\b|review"
    r"|read\b|summari[sz]|access|view\b|open\b|reproduce|fact-?check|classify|label\b|offer)"
)
_ENGLISH = (
    rf"\b(?:i|we)(?: |(?=')){_NOT_ABLE} {_ADVERBS}{_TASK}",
    r"\b(?:i'm|i am|we're|we are) (?:very |so |really |truly )?(?:sorry|afraid),? (?:but |that )?(?:i|we|this|that|it)"
    r"(?: |')(?:can'?t|cannot|won'?t|am unable|'?m unable|'?m not able|am not able|is not something"
    rf"|isn't something) {_ADVERBS}(?!find|locate|see|spot|identify|detect)",
    r"\bas an? (?:ai|artificial|large language|language)[a-z ,-]{0,40}(?:i |we )"
    r"(?:can'?t|cannot|am unable|am not able|don'?t|do not|must|won'?t)",
    r"\b(?:i'm|i am) (?:just |only )?a (?:large )?language model,? (?:and|so)",
    r"\b(?:i'm|i am) not able to help\b|\bunable to (?:assist|help|comply|process|fulfil|complete)\b",
    r"\b(?:i'm|i am) not comfortable\b|\bi (?:don't|do not) feel comfortable\b",
    r"\b(?:against|violates?|goes against|outside) (?:my|our|the) (?:content |usage |safety )?"
    r"(?:guidelines|polic(?:y|ies)|programming)",
    r"\bi (?:must|have to|need to|will have to|'ll have to) (?:respectfully )?(?:decline|refuse|stop here|pass on)\b",
    r"\b(?:i|we) (?:respectfully )?(?:decline|refuse) to\b",
    r"\bi apologi[sz]e,? but (?:i|this|it|the)\b"
    r"(?! (?:could not|couldn't|can't|cannot|was unable to) (?:find|locate|see))",
    r"\b(?:is|are) (?:far |simply |much )?too (?:long|large|many|big) for me\b",
    r"\b(?:not|isn't) (?:feasible|possible|practical) for me to\b",
    r"\b(?:beyond|exceeds) (?:my|the) (?:capabilit|abilit|limits|capacity)",
    r"\bplease (?:send|split|provide|break|submit) (?:them|it|the (?:list|items|text|words|input)|this)[a-z ]{0,20} "
    r"in(?:to)? (?:smaller )?(?:batches|chunks|parts|pieces)",
    r"\b(?:the )?(?:response|prompt|content) was (?:filtered|blocked)\b",
    r"\b(?:i|we) (?:don't|do not) have (?:direct |full )?access to\b",
    r"\bcan'?t (?:assist|help) with that\b|\bcannot (?:assist|help) with (?:that|this)\b",
)
_CHINESE = (
    r"(?:抱歉|对不起|不好意思|很遗憾|遗憾的是|非常遗憾)[^。！？\n]{0,30}(?:无法|不能|没法|难以|不便|没有办法|还没有学会|还没学会|不支持)",
    r"(?:我|本人|我们|本模型|模型)(?:目前|暂时|现在|确实|实在|也|都|并)?(?:无法|不能|没法|没有办法|难以|不便|不会)(?:够)?"
    r"(?:直接|可靠地?|准确地?|逐一|手动|一次性|为您|为你|给您|给你|对此|在此|继续){0,3}"
    r"(?:提供|完成|处理|回答|协助|满足|帮|执行|给到|给出|继续|讨论|生成|参与|答复|回应|支持|遍历|扫描|检查|分析"
    r"|评价|评估|打分|评分|阅读|读取|访问)",
    r"作为(?:一个|一款|一名)?(?:人工智能|ai|语言模型|大语言模型|大模型|智能助手)[^。！？\n]{0,40}(?:无法|不能|没有|还没|不具备|不便|不会)",
    r"(?:这个|该|此类?)问题[^。！？\n]{0,6}(?:暂时)?(?:无法|不能|不便)(?:回答|答复|提供)",
    r"(?:换个|换一个|聊点|聊聊)(?:别的)?话题",
    r"(?:我|本人)?(?:必须|只能|选择|不得不)?(?:拒绝|婉拒)(?:回答|执行|完成|提供|这个|该|此|您的|你的)",
    r"(?:还没有?|尚未|没有)(?:学会|学习)(?:如何)?(?:回答|思考)",
    r"(?:超出|超过)(?:了)?(?:我|本模型)的(?:能力|处理能力|范围)",
    r"(?:请|建议)(?:您|你)?(?:将其|把它们?|把列表)?(?:分批|分段|拆分|分成)[^。！？\n]{0,12}(?:发送|提供|提交|发给我|给我|输入)",
    r"违反(?:了)?(?:相关|我的|使用|法律|内容|平台)[^。！？\n]{0,10}(?:政策|规定|法规|准则|规范)",
)
_REFUSAL = re.compile("|".join(f"(?:{pattern})" for pattern in (*_ENGLISH, *_CHINESE)))
_PLAIN = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\uff0c": ",", "\t": " ", "\n": " ", "*": ""})


def find_refusal(text: str) -> str | None:
    """Return the words by which a reply refuses, None if it does not.

    Only what follows the reasoning is read, and of a long reply its first and last 3,000 characters.

    Args:
        text: the raw reply, any string.

    >>> find_refusal("I cannot process that many items at once; please send them in batches.")
    'i cannot process'
    >>> find_refusal("I cannot find such a sequence.") is None
    True
    >>> find_refusal("抱歉，我无法处理这么长的列表。")
    '抱歉,我无法'
    """
    visible = mask_reasoning(text).strip()
    parts = [visible] if len(visible) <= 2 * _REACH else [visible[:_REACH], visible[-_REACH:]]
    for part in parts:
        if found := _REFUSAL.search(re.sub(r" {2,}", " ", part.lower().translate(_PLAIN))):
            return found.group().strip()
    return None
