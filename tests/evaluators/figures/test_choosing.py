from collections.abc import Callable

import pytest

from lengthwise.evaluators.figures.choosing import (
    at_length,
    by_paper_names,
    cell_at,
    parsed,
    plain_configs,
    shared_split,
    shown,
)
from lengthwise.evaluators.scoring import Scored

MakeScored = Callable[..., Scored]


@pytest.mark.parametrize(
    ("config", "variant", "parameters"),
    [
        ("lex-locate", "lex-locate", {}),
        ("lex-scattered--decoys-4", "lex-scattered", {"decoys": 4}),
        ("lex-clustered--decoys-4--radius-60", "lex-clustered", {"decoys": 4, "radius": 60}),
        ("another", "another", {}),
        ("lex-locate--decoys-4", "lex-locate--decoys-4", {}),
    ],
)
def test_names_of_configs(config: str, variant: str, parameters: dict[str, float]):
    assert parsed(config) == (variant, parameters)


def test_the_longest_length_that_all_runs_share(make_scored: MakeScored):
    a = make_scored({"lex-locate/4k": [1], "lex-locate/8k": [1], "lex-locate/16k": [1]})
    b = make_scored({"lex-locate/8k": [1], "lex-locate/4k": [1]})
    assert shared_split([a.results, b.results], ["lex-locate"]) == "8k"


def test_several_configs_at_one_length(make_scored: MakeScored):
    run = make_scored({"lex-locate/4k": [1], "lex-locate/8k": [1], "lex-scattered/4k": [1]})
    assert shared_split([run.results], ["lex-locate", "lex-scattered"]) == "4k"


def test_runs_without_the_config_do_not_count(make_scored: MakeScored):
    a, b = make_scored({"lex-locate/8k": [1]}), make_scored({"unary-locate/4k": [1]})
    assert shared_split([a.results, b.results], ["lex-locate"]) == "8k"


def test_no_length_shared(make_scored: MakeScored):
    a, b = make_scored({"lex-locate/8k": [1]}), make_scored({"lex-locate/4k": [1]})
    assert shared_split([a.results, b.results], ["lex-locate"]) is None
    found = cell_at(b.results, "lex-locate", None)
    assert found is not None
    assert found.split == "4k"


def test_reference_models_only_alone(make_scored: MakeScored):
    real, solver = make_scored({"lex-locate/4k": [1]}), make_scored({"lex-locate/4k": [1]}, spec="reference:solver")
    assert shown([solver, real]) == [real]
    assert shown([solver]) == [solver]


def test_points_of_sweeps_are_not_plain(make_scored: MakeScored):
    run = make_scored({"lex-scattered--decoys-4/4k": [1], "lex-locate/4k": [1]})
    assert plain_configs([run]) == ["lex-locate"]


def test_nothing_but_points_of_sweeps(make_scored: MakeScored):
    run = make_scored({"lex-scattered--decoys-4/4k": [1]})
    assert plain_configs([run]) == ["lex-scattered--decoys-4"]


def test_defaults_drop_out_of_names(make_scored: MakeScored):
    cells = {"lex-clustered--decoys-8--radius-100/4k": [1], "lex-clustered--decoys-4--radius-100/4k": [0]}
    run = by_paper_names([make_scored(cells, budgets=[8_000])])[0]
    names = ["lex-clustered", "lex-clustered--decoys-4"]
    assert [cell.config for cell in run.results.cells] == names
    assert [one.config for one in run.results.budgets] == names
    assert [row["config"] for row in run.rows.values()] == names


def test_a_name_that_is_taken_is_not_given(make_scored: MakeScored):
    run = make_scored({"lex-scattered/4k": [1], "lex-scattered--decoys-8/4k": [0]})
    assert by_paper_names([run]) == [run]


def test_documents_have_no_length_in_titles():
    assert [at_length(split) for split in ("128k", "full", None)] == [", 128k", "", ""]
