from collections.abc import Callable, Sequence

import pytest

from lengthwise.evaluators.figures.model import Strip, Word
from lengthwise.evaluators.figures.picture import variants_picture
from lengthwise.evaluators.scoring import Scored

MakeScored = Callable[..., Scored]
LEX = ("lex-locate", "lex-longest", "lex-scattered", "lex-clustered", "lex-lists", "lex-short-words")


@pytest.fixture
def strip(make_scored: MakeScored) -> Callable[[str], Strip]:
    def of(config: str) -> Strip:
        figure = variants_picture([make_scored({f"{config}/4k": [1]})])
        assert figure is not None
        assert len(figure.strips) == 1
        return figure.strips[0]

    return of


def runs_of(words: Sequence[Word]) -> list[list[Word]]:
    """The maximal strictly ascending runs; a list's beginning ends the run before it."""
    runs: list[list[Word]] = []
    for word in words:
        if runs and not word.opens and word.height > runs[-1][-1].height:
            runs[-1].append(word)
        else:
            runs.append([word])
    return runs


@pytest.mark.parametrize("config", LEX)
def test_the_answer_is_the_only_run_of_its_length(strip: Callable[[str], Strip], config: str):
    long = [run for run in runs_of(strip(config).words) if len(run) >= 5]
    assert [[word.role for word in run] for run in long] == [["answer"] * 5]


def test_near_sorted_runs_have_one_pair_exchanged(strip: Callable[[str], Strip]):
    for config in ("lex-scattered", "lex-clustered"):
        decoys = [word.height for word in strip(config).words if word.role == "decoy"]
        assert len(decoys) == 6 * 5
        for start in range(0, len(decoys), 5):
            run = decoys[start : start + 5]
            assert sorted(run) == [run[0], run[2], run[1], run[3], run[4]]


def test_clustered_decoys_stand_closer(strip: Callable[[str], Strip]):
    def spread(config: str) -> int:
        places = [place for place, word in enumerate(strip(config).words) if word.role == "decoy"]
        return places[-1] - places[0]

    assert spread("lex-clustered") < spread("lex-scattered")


def test_over_each_boundary_runs_a_sorted_sequence(strip: Callable[[str], Strip]):
    words = strip("lex-lists").words
    joined = [Word(word.height, word.role) for word in words]
    long = [run for run in runs_of(joined) if len(run) >= 5]
    assert sorted(run[0].role for run in long) == ["answer"] + ["decoy"] * sum(word.opens for word in words)


def test_the_baseline_and_its_decoys_share_the_target(strip: Callable[[str], Strip]):
    places = [
        [place for place, word in enumerate(strip(config).words) if word.role == "answer"]
        for config in ("lex-locate", "lex-longest", "lex-scattered", "lex-clustered")
    ]
    assert places == [places[0]] * 4


def test_only_the_answer_satisfies_all_predicates_in_order(strip: Callable[[str], Strip]):
    words = strip("unary-decoys").words
    wanted = [word.height for word in words if word.role == "answer"]
    heights = [word.height for word in words]
    assert [heights[at : at + 5] for at in range(len(heights)) if heights[at : at + 5] == wanted] == [wanted]


def test_variants_with_one_list_share_a_strip(make_scored: MakeScored):
    cells = {f"{config}/4k": [1] for config in ("unary-all", "unary-locate", "lex-scattered--decoys-4")}
    figure = variants_picture([make_scored(cells)])
    assert figure is not None
    assert [strip.title for strip in figure.strips] == ["unary-locate, unary-all", "lex-scattered"]


def test_unknown_variants_only(make_scored: MakeScored):
    assert variants_picture([make_scored({"another/4k": [1]})]) is None
