import re
from pathlib import Path

import pytest

from lengthwise.builders.predicate import variants as module
from lengthwise.builders.predicate.prompts import template
from lengthwise.builders.predicate.schema import QUANTIFIERS, SOURCES
from lengthwise.builders.predicate.settings import Settings
from lengthwise.builders.predicate.variants import GROUPS, SWEEPS, VARIANTS, find_variants, parse_config, point
from lengthwise.errors import InputError

PAPER = [
    *("unary-locate", "unary-all", "unary-decoys"),
    *("lex-locate", "lex-longest", "lex-scattered", "lex-clustered", "lex-lists", "lex-short-words"),
    *("documents-locate", "documents-longest", "documents-scattered", "documents-clustered"),
]


def test_without_names_the_thirteen_of_the_paper() -> None:
    assert [variant.name for variant in find_variants(())] == PAPER


def test_two_more_are_ours() -> None:
    assert {*VARIANTS} - {*PAPER} == {"shape-locate", "sum-locate"}


def test_names_may_be_given_in_any_order_and_twice() -> None:
    assert [v.name for v in find_variants(("sum-locate", "unary-all", "sum-locate"))] == ["unary-all", "sum-locate"]


@pytest.mark.parametrize(("name", "near"), [("lex-locat", "lex-locate"), ("unary_all", "unary-all")])
def test_an_unknown_name_gives_the_nearest(name: str, near: str) -> None:
    with pytest.raises(InputError, match=f"unknown config '{name}': did you mean '{near}'"):
        find_variants((name,))


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_every_entry_is_whole(variant: module.Variant) -> None:
    assert template(variant.question)
    assert variant.group in GROUPS
    assert variant.quantifier in QUANTIFIERS and variant.source in SOURCES
    assert len(variant.length_shares) == len(variant.word_lengths) - 1
    assert (variant.k is None) == (variant.source == "documents")


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_every_reference_is_a_baseline(variant: module.Variant) -> None:
    if variant.reference is None:
        assert variant.group == 1
    else:
        assert VARIANTS[variant.reference].reference is None
        assert VARIANTS[variant.reference].source == variant.source


def test_groups_of_table_2() -> None:
    by_group = {group: [name for name in PAPER if VARIANTS[name].group == group] for group in range(1, 6)}
    assert by_group == {
        1: ["unary-locate", "lex-locate", "documents-locate"],
        2: ["unary-all", "lex-longest", "documents-longest"],
        3: ["unary-decoys", "lex-scattered", "lex-lists", "documents-scattered"],
        4: ["lex-clustered", "documents-clustered"],
        5: ["lex-short-words"],
    }


@pytest.mark.parametrize(
    "pair",
    [("unary-locate", "unary-all"), ("lex-locate", "lex-longest"), ("documents-locate", "documents-longest")],
)
def test_pairs_that_differ_only_in_the_question(pair: tuple[str, str]) -> None:
    one, other = (VARIANTS[name] for name in pair)
    assert one.list_name == other.list_name and one.question != other.question


def test_every_template_is_used() -> None:
    folder = Path(module.__file__).parent / "prompts"
    assert {path.stem for path in folder.glob("*.txt")} == {variant.question for variant in VARIANTS.values()}


def test_templates_ask_for_the_answer_line() -> None:
    for variant in VARIANTS.values():
        assert re.search(r"\n<answer>word1 word2 \.\.\.</answer>$", template(variant.question)), variant.name


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_a_name_of_the_table_sets_no_parameter(variant: module.Variant) -> None:
    assert parse_config(variant.name) == (variant, {})


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("lex-scattered--decoys-4", {"decoys": 4}),
        ("lex-clustered--decoys-4--radius-60", {"decoys": 4, "radius": 60}),
        ("documents-clustered--radius-400", {"radius": 400}),
        ("unary-decoys--near-miss-0.01", {"near_miss": 0.01}),
        ("lex-lists--lists-5", {"lists": 5}),
        ("unary-all--targets-3", {"targets": 3}),
    ],
)
def test_the_name_of_a_point_of_a_sweep_is_read_and_written(name: str, parameters: dict[str, int | float]) -> None:
    variant, found = parse_config(name)
    assert (variant, found) == (VARIANTS[name.partition("--")[0]], parameters)
    assert point(variant, dict(reversed(found.items()))).name == name


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("lex-scatterd--decoys-4", "did you mean 'lex-scattered'"),
        ("lex-locate--decoys-4", "what can be varied of lex-locate is nothing, and 'decoys-4' is none of it"),
        ("lex-scattered--radius-4", "what can be varied of lex-scattered is decoys, and 'radius-4' is none of it"),
        ("lex-scattered--decoys-four", "the value in 'decoys-four' is no number"),
        ("lex-scattered--decoys-04", "is written 'lex-scattered--decoys-4'"),
        ("lex-clustered--radius-60--decoys-4", "is written 'lex-clustered--decoys-4--radius-60'"),
        ("lex-scattered--decoys--4", "'decoys' is none of it"),
        ("unary-decoys--near-miss-nan", "is written"),
        ("lex-scattered--", "'' is none of it"),
    ],
)
def test_names_that_are_no_config(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_config(name)


def test_small_shares_are_written_in_digits() -> None:
    assert point(VARIANTS["unary-decoys"], {"near_miss": 1e-5}).name == "unary-decoys--near-miss-0.00001"


def test_points_stand_where_their_variant_does_in_the_order_given() -> None:
    names = ("lex-lists", "lex-scattered--decoys-16", "lex-scattered--decoys-4", "lex-locate")
    assert [v.name for v in find_variants(names)] == ["lex-locate", *names[1:3], "lex-lists"]


def test_what_can_be_varied_is_a_setting() -> None:
    assert {*SWEEPS} <= {*vars(Settings())}
