import pytest

from lengthwise.builders.longnovel.asking import RefusedError
from lengthwise.builders.longnovel.changes import Proposal, change, proposal_of
from lengthwise.builders.longnovel.records import Language
from lengthwise.metrics.fault_types import HallucinationType as Kind

FIRST = "Ahab took three ships out of Nantucket on 5 March."
SECOND = "He lost his leg to the whale before he met Starbuck."
THIRD = "“We sail,” he said to Starbuck, “for the white whale.”"
TEXT = f"{FIRST} {SECOND}\n\n{THIRD} The crew did not dare to answer him. It rained. It rained."
ZH_FIRST = "林黛玉三月到了贾府。"
ZH = f"{ZH_FIRST}宝玉没有见她。两人后来相识，成了知己。"


def changed(kind: Kind, original: str, new: str, subtype: str = "T1", text: str = TEXT) -> str:
    language: Language = "zh" if text == ZH else "en"
    result = change(text, language, kind, Proposal(original, new, subtype))
    assert result.hallucinated in result.text
    return result.text


def test_one_sentence_is_exchanged_and_the_rest_is_as_it_was() -> None:
    new = FIRST.replace("Nantucket", "Boston")
    result = change(TEXT, "en", Kind.ENTITY, Proposal(FIRST, new))
    assert (result.text, result.hallucinated, result.original) == (TEXT.replace("Nantucket", "Boston"), new, FIRST)


def test_marks_and_blanks_of_the_original_may_be_the_models_own() -> None:
    result = change(TEXT, "en", Kind.EVENT, Proposal(
        '"We sail,"  he said to Starbuck, "for the white whale."',
        '"We sail," he sang to Starbuck, "for the white whale."',
    ))  # fmt: skip
    assert result.original == THIRD


def test_what_is_changed_keeps_the_marks_of_the_text() -> None:
    new = '"We sail," he said to Starbuck, "for the captain\'s whale."'
    result = change(f"{TEXT} It was Ahab’s.", "en", Kind.RELATION, Proposal(THIRD, new))
    assert result.hallucinated == THIRD.replace("white", "captain’s")
    added = change(TEXT, "en", Kind.EVENT_FABRICATION, Proposal(FIRST, '"Land," cried Starbuck.'))
    assert added.hallucinated == "“Land,” cried Starbuck."
    verse = "He lost his leg\nto the whale. The crew wept."
    result = change(f"{verse}\n\nIt rained.", "en", Kind.ENTITY, Proposal(verse[:29], "He lost his leg to the shark."))
    assert result.text == f"{verse}\n\nIt rained.".replace("whale", "shark")


def test_where_no_sentence_has_an_end_mark_the_false_one_has_none() -> None:
    text = "宴桃园豪杰三结义 斩黄巾英雄首立功\n\n张翼德怒鞭督邮 何国舅谋诛宦竖"
    first = text.partition("\n")[0]
    result = change(text, "zh", Kind.NUMERICAL, Proposal(first, f"{first.replace('三', '四')}。"))
    assert result.text == text.replace("三", "四")
    result = change(text, "zh", Kind.EVENT_FABRICATION, Proposal(first, "老船长把第二条船卖给了陌生人。"))
    assert result.hallucinated == "老船长把第二条船卖给了陌生人" and "。" not in result.text


def test_a_sentence_is_added_behind_another() -> None:
    new = "Starbuck sold his share of the ship."
    assert changed(Kind.EVENT_FABRICATION, SECOND, new) == TEXT.replace(SECOND, f"{SECOND} {new}")


def test_chinese() -> None:
    assert changed(Kind.NUMERICAL, ZH_FIRST, "林黛玉五月到了贾府。", text=ZH) == ZH.replace("三", "五")
    assert changed(Kind.EVENT_FABRICATION, ZH_FIRST, "她带来一只玉环。", text=ZH).startswith(
        ZH_FIRST + "她带来一只玉环。宝"
    )


@pytest.mark.parametrize(
    ("kind", "original", "new"),
    [
        (Kind.NUMERICAL, FIRST, FIRST.replace("three", "four")),
        (Kind.NUMERICAL, FIRST, FIRST.replace("5 March", "5 May")),
        (Kind.NUMERICAL, FIRST, FIRST.replace("on 5 March", "the other day")),
        (Kind.LOGICAL_INVERSION, "The crew did not dare to answer him.", "The crew did dare to answer him."),
        (Kind.TEMPORAL, SECOND, "He met Starbuck before he lost his leg to the whale."),
        (Kind.ENTITY, SECOND, SECOND.replace("Starbuck", "Starbucks")),
        (Kind.TEMPORAL, SECOND, SECOND.replace("before", "after")),
        (Kind.CAUSAL, SECOND, "He lost his leg to the whale because he met Starbuck."),
        (Kind.CAUSAL, FIRST, "On 5 March three ships took Ahab out of Nantucket."),
        (Kind.LOGICAL_INVERSION, "The crew did not dare to answer him.", "The crew feared to answer him."),
        (Kind.RELATION, THIRD, "“We sail,” he said to his father, “for the white whale.”"),
    ],
)
def test_accepted(kind: Kind, original: str, new: str) -> None:
    assert changed(kind, original, new) == TEXT.replace(original, new)


@pytest.mark.parametrize(
    ("kind", "original", "new", "reason"),
    [
        (Kind.ENTITY, FIRST, FIRST, "unchanged"),
        (Kind.ENTITY, THIRD, THIRD.replace("“", '"').replace("”", '"'), "unchanged"),
        (Kind.ENTITY, FIRST, FIRST.replace(".", "!").upper(), "differs in marks only"),
        (Kind.ENTITY, FIRST, SECOND, "stands in the summary already"),
        (Kind.ENTITY, "Ahab took ships.", "Ahab took boats.", "the original is no sentence of the summary"),
        (Kind.ENTITY, " ", "Ahab took three boats.", "no original sentence"),
        (Kind.ENTITY, "It rained.", "It snowed.", "the original stands there more than once"),
        (Kind.LOGICAL_INVERSION, FIRST, "Old " + FIRST, "no sign of the type"),
        (Kind.TEMPORAL, FIRST, FIRST.replace("Nantucket", "Boston"), "no sign of the type"),
        (Kind.CAUSAL, SECOND, SECOND.replace("leg", "arm"), "no sign of the type"),
        (Kind.EVENT, "It rained.", "It rained it rained.", "the original stands there more than once"),
        (Kind.EVENT, FIRST, f"{FIRST[:-1]}, and {FIRST}", "the original twice"),
        (Kind.ENTITY, FIRST, "...", "no sentence"),
        (Kind.ENTITY, FIRST, "Ahab took three ships out of Boston on", "no whole sentence"),
        (Kind.ENTITY, FIRST, "Ahab took three ships. He left Boston on 5 March.", "more than one sentence"),
        (Kind.ENTITY, FIRST, "亚哈三月五日带三艘船离开波士顿。", "another language"),
        (Kind.ENTITY, FIRST, "Everybody was happy in the end.", "another sentence"),
        (Kind.EVENT, "The crew did not dare to answer him.", "He lost his leg to the shark.", "another sentence"),
        (Kind.ENTITY, FIRST, FIRST[:-1] + " and so on" * 20 + ".", "much longer or shorter"),
        (Kind.ENTITY, FIRST, FIRST.replace("three", "four"), "a number only"),
        (Kind.EVENT, "The crew did not dare to answer him.", "The crew did dare to answer him.", "a negation only"),
        (Kind.EVENT, "The crew did not dare to answer him.", "The crew dared to answer him.", "a negation only"),
        (Kind.NUMERICAL, FIRST, FIRST.replace("Nantucket", "Boston"), "no number differs"),
        (Kind.NUMERICAL, FIRST, FIRST.replace("three", "3"), "no number differs"),
        (Kind.EVENT_FABRICATION, FIRST, "Afterwards he slept.", "begins with a marker of time"),
        (Kind.EVENT_FABRICATION, FIRST, SECOND.replace("his leg", "his legs"), "stands in the summary already"),
        (Kind.EVENT_FABRICATION, FIRST, "He" + " and he" * 60 + " slept.", "much longer than its neighbours"),
        (Kind.EVENT_FABRICATION, "Not there.", "He slept.", "the original is no sentence of the summary"),
        (Kind.EVENT_FABRICATION, FIRST, "it slept there.", "no sentence of its own"),
    ],
)  # fmt: skip
def test_refused(kind: Kind, original: str, new: str, reason: str) -> None:
    with pytest.raises(RefusedError) as refused:
        changed(kind, original, new)
    assert str(refused.value) == reason


def test_an_early_event_is_not_told_as_a_second_one() -> None:
    with pytest.raises(RefusedError, match="happened before"):
        changed(Kind.EVENT_FABRICATION, SECOND, "He lost a leg once more.", "T2")


def test_a_sentence_changed_before_stays() -> None:
    with pytest.raises(RefusedError, match="changed before"):
        change(TEXT, "en", Kind.ENTITY, Proposal(FIRST, FIRST.replace("Ahab", "Stubb")), {FIRST})


@pytest.mark.parametrize(
    ("kind", "original", "new", "reason"),
    [
        (Kind.EVENT, "宝玉没有见她。", "宝玉有见她。", "a negation only"),
        (Kind.NUMERICAL, ZH_FIRST, "林黛玉3月到了贾府。", "no number differs"),
        (Kind.ENTITY, ZH_FIRST, "Lin Daiyu came to the house in March.", "another language"),
        (Kind.ENTITY, ZH_FIRST, "林黛玉三月到了王府。她哭了。", "more than one sentence"),
    ],
)
def test_refused_in_chinese(kind: Kind, original: str, new: str, reason: str) -> None:
    with pytest.raises(RefusedError) as refused:
        changed(kind, original, new, text=ZH)
    assert str(refused.value) == reason


def test_read_off_a_whole_summary() -> None:
    new = FIRST.replace("Nantucket", "Boston")
    whole = TEXT.replace(FIRST, new).replace("\n\n", " ").replace("“", '"')
    assert proposal_of(TEXT, whole, "en", Kind.ENTITY, "T3") == Proposal(FIRST, new, "T3")


def test_read_off_a_whole_summary_with_a_sentence_more() -> None:
    whole = TEXT.replace(SECOND, f"{SECOND} He slept.")
    assert proposal_of(TEXT, whole, "en", Kind.EVENT_FABRICATION) == Proposal(SECOND, "He slept.")
    assert proposal_of(TEXT, f"{TEXT} He slept.", "en", Kind.EVENT_FABRICATION) == Proposal("It rained.", "He slept.")


@pytest.mark.parametrize(
    ("whole", "kind", "reason"),
    [
        (TEXT.replace("\n\n", "\n"), Kind.ENTITY, "unchanged"),
        (TEXT.replace("Starbuck", "Stubb"), Kind.ENTITY, "more than one sentence differs"),
        (f"{TEXT} He slept.", Kind.ENTITY, "more than one sentence differs"),
        (TEXT.replace("Nantucket", "Boston"), Kind.EVENT_FABRICATION, "more than one sentence differs"),
        (f"He slept. {TEXT}", Kind.EVENT_FABRICATION, "stands before all others"),
        (FIRST, Kind.ENTITY, "more than one sentence differs"),
        ("", Kind.ENTITY, "more than one sentence differs"),
    ],
)
def test_a_whole_summary_refused(whole: str, kind: Kind, reason: str) -> None:
    with pytest.raises(RefusedError) as refused:
        proposal_of(TEXT, whole, "en", kind)
    assert str(refused.value) == reason


COUPLETS = "朱紫国唐僧论前世 孙行者施为三折肱\n\n心主夜间修药物 君王筵上论妖邪"


def test_a_couplet_has_no_end_mark_and_what_takes_its_place_needs_none() -> None:
    original, new = "心主夜间修药物 君王筵上论妖邪", "心主夜间修药物 道士筵上论妖邪"
    result = change(COUPLETS, "zh", Kind.ENTITY, Proposal(original, new))
    assert result.text == COUPLETS.replace("君王", "道士")


def test_what_is_added_to_couplets_stands_on_a_line_of_its_own() -> None:
    anchor, new = "朱紫国唐僧论前世 孙行者施为三折肱", "八戒夜半偷吃人参果"
    result = change(COUPLETS, "zh", Kind.EVENT_FABRICATION, Proposal(anchor, new))
    assert result.text.split("\n\n") == [anchor, new, COUPLETS.split("\n\n")[1]]
