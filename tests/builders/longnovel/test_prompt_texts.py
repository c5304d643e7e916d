import re

import pytest

from lengthwise.builders.longnovel.prompt_texts import (
    TYPE_NAMES,
    WITH_ENTITIES,
    Prompts,
    load_prompts,
    prompts_digest,
    subtypes,
)
from lengthwise.builders.longnovel.records import LANGUAGES, Language, Verdict
from lengthwise.errors import InputError
from lengthwise.metrics.fault_types import HallucinationType, hallucination_type

EN, ZH = load_prompts("en"), load_prompts("zh")
BOTH = pytest.mark.parametrize("prompts", [EN, ZH], ids=["en", "zh"])
VERDICTS = (Verdict("judge-1", 2, "FIRST"), Verdict("judge-2", 4, "SECOND"))


def all_rendered(prompts: Prompts) -> dict[str, str]:
    question = prompts.detection()
    return {
        "prompt-e": prompts.detection_prompt(question, "ARTICLE", "SUMMARY"),
        "prompt-b": prompts.detection_prompt(question, "ARTICLE", "SUMMARY", position="beginning"),
        "cot": prompts.detection_prompt(prompts.detection(cot=True), "ARTICLE", "SUMMARY"),
        "excerpt": prompts.detection_prompt(prompts.detection(excerpt=True), "ARTICLE", "SUMMARY", excerpt=True),
        "judge": prompts.judge("ARTICLE", "SUMMARY", "REFERENCE"),
        "arbiter": prompts.arbiter("SUMMARY", VERDICTS, article="ARTICLE", reference="REFERENCE"),
        "critic": prompts.critic("REFERENCE", "SUMMARY"),
        "compress": prompts.compress("PARTS", 900),
        "compress-again": prompts.compress_again(
            "PARTS", 900, attempt="ATTEMPT", length=1234, deficiencies=["FAULT"], advice=["ADVICE"]
        ),
        "generate": prompts.generate("ARTICLE", 900),
        "unit-summary": prompts.unit_summary("ARTICLE", 150),
        "entities": prompts.entities("SUMMARY"),
        **{
            str(kind): prompts.inject(kind, "SUMMARY", entities={"people": ["ENTITY"]}, untouched=["SPENT"])
            for kind in HallucinationType
        },
    }


MATERIAL = {
    "prompt-e": "ARTICLE SUMMARY",
    "prompt-b": "SUMMARY ARTICLE",
    "cot": "ARTICLE SUMMARY",
    "excerpt": "ARTICLE SUMMARY",
    "judge": "ARTICLE REFERENCE SUMMARY",
    "arbiter": "ARTICLE REFERENCE SUMMARY FIRST SECOND",
    "critic": "REFERENCE SUMMARY",
    "compress": "900 900 PARTS",
    "compress-again": "900 1234 PARTS ATTEMPT FAULT ADVICE",
    "generate": "900 ARTICLE",
    "unit-summary": "150 ARTICLE",
    "entities": "SUMMARY",
    **{str(kind): "SUMMARY ENTITY SPENT" if kind in WITH_ENTITIES else "SUMMARY SPENT" for kind in HallucinationType},
}


@BOTH
def test_every_prompt_holds_its_material_in_this_order_and_no_placeholder(prompts: Prompts):
    for name, text in all_rendered(prompts).items():
        assert " ".join(re.findall(r"\b(?:[A-Z]{5,}|900|1234|150)\b", text)) == MATERIAL[name], name
        assert "$" not in text, name
        assert text == text.strip(), name
        assert "\n\n\n" not in text, name


@BOTH
def test_no_prompt_is_partly_in_the_other_language(prompts: Prompts):
    for name, text in all_rendered(prompts).items():
        if prompts.language == "en":
            assert text.isascii(), name
        else:
            # JSON, keys, codes and the material are all the Latin there is.
            words = set(re.findall(r"(?<![A-Za-z_])[a-z_]{2,}(?![A-Za-z_])", text))
            assert words <= {
                *("score", "reason", "hallucination_types", "deficiencies", "suggestions", "is_success", "subtype"),
                *("original_sentence", "changed_sentence", "sentence_before", "added_sentence", "true", "false"),
                *("people", "organisations", "places", "titles", "times", "numbers", "other"),
            }, name


@BOTH
@pytest.mark.parametrize("name", ["prompt-e", "cot", "excerpt", "judge", "arbiter"])
def test_who_scores_is_told_rubric_types_and_form(prompts: Prompts, name: str):
    text = all_rendered(prompts)[name]
    names = list(TYPE_NAMES[prompts.language].values())
    starts = [text.index(f"\n- {one}{'：' if prompts.language == 'zh' else ': '}") for one in names]
    assert starts == sorted(starts)
    assert re.findall(r"^([0-5])(?: -| 分：)", text, re.MULTILINE) == list("543210")
    assert '"hallucination_types": [' in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_type_by_its_name_in_the_prompts_is_that_type(language: Language):
    assert {kind: hallucination_type(name) for kind, name in TYPE_NAMES[language].items()} == {
        kind: kind for kind in HallucinationType
    }


@BOTH
def test_the_twin_with_an_analysis_differs_in_one_paragraph_and_the_last_line(prompts: Prompts):
    plain, cot = (prompts.detection(cot=cot).split("\n\n") for cot in (False, True))
    assert cot[:2] + cot[3:-1] == plain[:-1]
    assert cot[2] not in plain


@BOTH
def test_a_judge_with_the_article_alone_gets_prompt_e(prompts: Prompts):
    assert prompts.judge("A", "S") == prompts.detection_prompt(prompts.detection(), "A", "S")


@BOTH
def test_an_arbiter_may_do_without_article_and_reference(prompts: Prompts):
    text = prompts.arbiter("SUMMARY", VERDICTS)
    assert text.index("SUMMARY") < text.index("FIRST")
    assert "judge-1" not in text
    assert f"\n{prompts.headings['article'].template}\n" not in text


def test_there_is_no_excerpt_with_an_analysis():
    with pytest.raises(InputError, match="cot, excerpt"):
        EN.detection(cot=True, excerpt=True)


@BOTH
@pytest.mark.parametrize("kind", HallucinationType)
def test_an_injection_names_its_type_its_ways_and_its_keys(prompts: Prompts, kind: HallucinationType):
    text = prompts.inject(kind, "S")
    assert TYPE_NAMES[prompts.language][kind] in text
    assert tuple(re.findall(r"^(T\d)", text, re.MULTILINE)) == subtypes(kind, prompts.language)
    assert ('"subtype"' in text) == bool(subtypes(kind, prompts.language))
    added = kind is HallucinationType.EVENT_FABRICATION
    assert ('"added_sentence"' in text, '"changed_sentence"' in text) == (added, not added)
    assert '{"is_success": false' in text


def test_entities_are_listed_by_kind():
    text = ZH.inject(HallucinationType.ENTITY, "S", entities={"numbers": ["三艘船"], "people": ["甲", "乙"]})
    assert text.endswith("实体：\n人物：甲、乙\n数字：三艘船")
    assert EN.inject(HallucinationType.ENTITY, "S").endswith("Entities:\n(none found)")
    with pytest.raises(InputError, match="kind of entity 'person'"):
        EN.inject(HallucinationType.ENTITY, "S", entities={"person": ["A"]})


def test_material_is_never_taken_for_a_template():
    assert "costs $5, $words" in EN.compress("It costs $5, $words.", 900)


def test_each_item_of_a_list_is_one_line():
    text = EN.compress_again("P", 9, attempt="A", length=8, deficiencies=["a\nb", "c"], advice=[])
    assert text.endswith("A\n\nFaults that the critic found:\n- a b\n- c")


def test_the_digest_is_over_both_languages():
    assert len({EN.digest, ZH.digest, prompts_digest()}) == 3
    assert prompts_digest() == prompts_digest()
