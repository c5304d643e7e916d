import json
from dataclasses import replace

import pytest

from lengthwise.builders.longnovel.labels import (
    TYPE_NAMES,
    answer_text,
    canonical_types,
    erhg_score,
    label_all,
    label_candidate,
    label_injected,
    label_reference,
)
from lengthwise.builders.longnovel.prompt_texts import load_prompts
from lengthwise.builders.longnovel.records import LANGUAGES, Candidate, Injected, Injection, Reference, WindowKey
from lengthwise.errors import InputError
from lengthwise.metrics.fault_types import HallucinationType, hallucination_type
from lengthwise.metrics.hallucinations import fault, hits, read_points

from .conftest import Made

KEY = WindowKey("s", "b", 1, 2)
REFERENCE = Reference(KEY, "He came.", 2, 900, True, 1, None, "", "human:us")
BOB = Injection("entity", "T1", "Bob came; he saw.", "Al came; he saw.", "injector-2", 1)
FEAST = Injection("event-fabrication", "T1", "There was a feast.", "", "injector-2", 1)


def test_a_reference_without_a_critic_scores_5() -> None:
    label = label_reference(REFERENCE, "en")
    assert label is not None and (label.score, label.hallucinated, label.generator) == (5, False, "compressor")


def test_a_reference_has_its_critics_score() -> None:
    label = label_reference(replace(REFERENCE, score=3, reason="slight"), "en")
    assert label is not None and (label.score, label.reason) == (3, "slight")


def test_a_joined_human_summary_was_written_by_people() -> None:
    label = label_reference(replace(REFERENCE, compressed=False), "en")
    assert label is not None and label.generator == "human"


def test_a_hallucinated_reference_is_refused_and_what_was_made_of_it() -> None:
    bad = replace(REFERENCE, score=2)
    labels, refused = label_all({KEY: "en"}, [bad], [], [Injected(KEY, "Bob came; he saw.", (BOB,), 2)])
    assert (labels, refused) == ([], [KEY])


def test_a_faithful_candidate_has_no_types() -> None:
    candidate = Candidate(KEY, "generator-1", "He came.", (), 3, "good", ("entity",))
    assert label_candidate(candidate, "en").types == ()


def test_a_candidates_types_are_canonical() -> None:
    candidate = Candidate(KEY, "generator-1", "He came.", (), 2, "bad", ("时序幻觉", "Entity Hallucination"))
    assert label_candidate(candidate, "zh").types == ("entity", "temporal")


@pytest.mark.parametrize(
    ("types", "score"), [(("entity",), 2), (("entity", "event"), 2), (("entity", "event", "causal"), 1)]
)
def test_injected_scores(types: tuple[str, ...], score: int) -> None:
    assert erhg_score(types) == score


def test_an_injected_score_that_does_not_follow_is_refused() -> None:
    with pytest.raises(InputError, match="score 1 with the types entity"):
        label_injected(Injected(KEY, "Bob came; he saw.", (BOB,), 1), "en")


def test_an_unknown_type_is_refused() -> None:
    with pytest.raises(InputError, match="unknown hallucination type"):
        canonical_types(["omission"])


def test_a_summary_of_no_window_is_refused() -> None:
    with pytest.raises(InputError, match="no such window"):
        label_all({}, [REFERENCE], [], [])


def test_an_injection_without_a_reference_is_refused() -> None:
    with pytest.raises(InputError, match="no reference"):
        label_all({KEY: "en"}, [], [], [Injected(KEY, "Bob came; he saw.", (BOB,), 2)])


def test_two_injected_summaries_of_a_window_have_two_ids() -> None:
    one = Injected(KEY, "Bob came; he saw.", (BOB,), 2)
    labels, _ = label_all({KEY: "en"}, [REFERENCE], [], [one, one])
    assert [label.id for label in labels] == ["s-b-0001-0002-original", "s-b-0001-0002-erhg", "s-b-0001-0002-erhg-2"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_names_are_those_of_the_detection_prompt(language: str) -> None:
    question = load_prompts(language).detection()  # type: ignore[arg-type]
    for kind, name in TYPE_NAMES[language].items():  # type: ignore[index]
        assert name in question
        assert hallucination_type(name) is kind


def test_the_gold_reply_of_a_faithful_summary() -> None:
    label = label_reference(REFERENCE, "en")
    assert label is not None
    assert json.loads(answer_text(label)) == {"score": 5, "reason": label.reason}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_gold_reply_points_at_every_injection(language: str) -> None:
    label = label_injected(Injected(KEY, "...", (BOB, FEAST), 2), language)  # type: ignore[arg-type]
    reply = answer_text(label)
    assert list(json.loads(reply)) == ["reason", "score", "hallucination_types"]
    gold = [
        fault({"type": one.type, "sentence": one.hallucinated, "original": one.original}) for one in label.injections
    ]
    assert hits(read_points(reply), gold) == [True, True]


def test_original_is_only_negative_erhg_only_positive_mma_both(made: Made) -> None:
    classes = {(label.origin, label.hallucinated) for label in made.labels}
    assert classes == {("original", False), ("erhg", True), ("mma", True), ("mma", False)}


def test_every_type_has_a_name() -> None:
    assert all(list(names) == list(HallucinationType) for names in TYPE_NAMES.values())
