"""Every word that the page shows, in English and Chinese."""

from collections.abc import Mapping
from types import MappingProxyType

from lengthwise.errors import unknown_name

from ..labels import TYPE_NAMES
from ..records import LANGUAGES, Language

# Key -> English, Chinese.
_TEXTS: dict[str, tuple[str, str]] = {
    "title": ("LongNovel review", "长篇小说标注审阅"),
    "annotator": ("Annotator", "标注者"),
    "language": ("Language", "界面语言"),
    "pairs": ("Pairs", "样本对"),
    "units": ("Units", "单元"),
    "previous": ("Previous", "上一个"),
    "next": ("Next", "下一个"),
    "show": ("Show", "显示"),
    "filter-all": ("all", "全部"),
    "filter-todo": ("to do", "待处理"),
    "filter-differ": ("to discuss", "待讨论"),
    "state-new": ("new", "未标注"),
    "state-draft": ("begun", "草稿"),
    "state-labelled": ("labelled", "已标注"),
    "state-decided": ("decided", "已定稿"),
    "state-drafted": ("drafted", "已起草"),
    "state-finished": ("finished", "已完成"),
    "done-of": ("{done} of {all} done", "已完成 {done} / {all}"),
    "nothing": ("Nothing to show here.", "没有可显示的内容。"),
    "article": ("Text", "原文"),
    "summary": ("Summary {name}", "概述 {name}"),
    "sentences-hint": (
        "Click the sentences that are wrong.",
        "请点选有问题的句子。",
    ),
    "presence": ("Is there a hallucination?", "是否存在幻觉？"),
    "hallucinated": ("Hallucinated", "有幻觉"),
    "faithful": ("Faithful", "无幻觉"),
    "types": ("Types", "幻觉类型"),
    "explanation": ("What is wrong, and what does the text say?", "错在哪里？原文是怎么说的？"),
    "save-label": ("Save label for good", "提交标注（不可更改）"),
    "blind": (
        "Label both summaries by the text alone. What is right, and what others said, is shown after that; the label "
        "cannot be changed then.",
        "请只依据原文为两篇概述标注。提交后才会显示正确答案和他人的标注；提交后不可更改。",
    ),
    "draft-saved": ("Saved as a draft", "草稿已保存"),
    "label-saved": ("Label saved", "标注已保存"),
    "decision-saved": ("Decision saved", "定稿已保存"),
    "version-saved": ("Version saved", "新版本已保存"),
    "not-saved": ("NOT SAVED", "未保存"),
    "missing-presence": ("Summary {name}: say whether it is hallucinated", "概述 {name}：请选择是否存在幻觉"),
    "missing-sentences": ("Summary {name}: click at least one sentence", "概述 {name}：请至少点选一个句子"),
    "missing-types": ("Summary {name}: choose at least one type", "概述 {name}：请至少选择一种类型"),
    "missing-explanation": ("Summary {name}: explain what is wrong", "概述 {name}：请说明问题所在"),
    "truth": ("Construction", "构造信息"),
    "truth-faithful": ("Nothing was changed here.", "此概述未被改动。"),
    "truth-injected": ("Injected: {type}", "注入类型：{type}"),
    "truth-original": ("It was: {text}", "原句：{text}"),
    "truth-added": ("A sentence that was added.", "此句为新增。"),
    "labels": ("First labels", "初次标注"),
    "differ": ("They differ in: {what}", "分歧：{what}"),
    "agree": ("All labels agree.", "所有标注一致。"),
    "differ-presence": ("presence", "有无幻觉"),
    "differ-types": ("types", "类型"),
    "differ-sentences": ("sentences", "句子"),
    "decision": ("Final decision", "最终决定"),
    "decision-waits": (
        "First labels still missing: {count}.",
        "还需 {count} 份初次标注。",
    ),
    "decision-hint": (
        "Settle it together. First labels stay as they are.",
        "请共同商定最终结果；初次标注保持不变。",
    ),
    "decided-by": ("Saved by {who}", "由 {who} 保存"),
    "save-decision": ("Save decision", "保存最终决定"),
    "take-truth": ("Take the construction's", "采用构造信息"),
    "current-summary": ("Summary", "概述"),
    "save-version": ("Save version", "保存新版本"),
    "keep-version": ("Leave it as it is", "确认无需修改"),
    "history": ("Versions", "历史版本"),
    "version-by": ("{number}. {author}, {time}", "{number}. {author}，{time}"),
    "from-source": ("with the source", "随原始数据"),
    "revisers-left": ("Others who have still to go over it: {count}.", "还需 {count} 人修订。"),
    "revisers-none": ("Two people have gone over it.", "已有两人修订。"),
    "no-summary": ("No summary yet: write the first draft.", "尚无概述：请起草。"),
    "stale": ("Somebody has saved another version meanwhile. Yours is kept here; load theirs to compare.",
              "他人已保存了新版本。您的内容仍保留在此；请载入对方版本后对照。"),
    "reload": ("Load theirs", "载入对方版本"),
    "unsaved": ("Not saved yet", "尚未保存"),
    "keys": ("Keys", "快捷键"),
    "keys-pairs": (
        "A and B choose a summary; F faithful, H hallucinated, 1 to 8 types, E explanation; Tab and Enter choose "
        "sentences; J and K next and previous; Ctrl+Enter saves; Esc leaves a field.",
        "A、B 选择概述；F 无幻觉，H 有幻觉，1 至 8 选择类型，E 填写说明；Tab 与 Enter 点选句子；J、K 下一个、上一个；"
        "Ctrl+Enter 提交；Esc 离开输入框。",
    ),
    "keys-summaries": (
        "J and K next and previous; E edits; Ctrl+Enter saves; Esc leaves the field.",
        "J、K 下一个、上一个；E 编辑；Ctrl+Enter 保存；Esc 离开输入框。",
    ),
}  # fmt: skip


def page_texts(language: str) -> Mapping[str, str]:
    """Return the page's words in one language, with the types' names as `type-<value>`.

    Raises:
        InputError: the language is neither "en" nor "zh".
    """
    if language not in LANGUAGES:
        raise unknown_name("language", language, LANGUAGES)
    place: Language = "zh" if language == "zh" else "en"
    texts = {key: value[LANGUAGES.index(place)] for key, value in _TEXTS.items()}
    # "Hallucination" behind each of eight would only be noise on a button.
    for kind, name in TYPE_NAMES[place].items():
        texts[f"type-{kind.value}"] = name.removesuffix(" Hallucination").removesuffix("幻觉")
    return MappingProxyType(texts)
