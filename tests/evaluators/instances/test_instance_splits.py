"""Splits that count instances, wherever splits are ordered, sampled, or shown."""

from typing import Any

import pyarrow as pa
import pytest

from lengthwise.builders.multi_instance.configs import paper_configs
from lengthwise.evaluators.benchmark_instances import selection_source
from lengthwise.evaluators.benchmarks import MULTI_INSTANCE, find_benchmark
from lengthwise.evaluators.contracts import Outcome
from lengthwise.evaluators.examples import stratified_sample
from lengthwise.evaluators.layouts import POOLED
from lengthwise.evaluators.main_table import main_tables, split_order
from lengthwise.evaluators.preflight import builds_by_tokens
from lengthwise.evaluators.results import Results, cell_result

SIZES = (2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)


def test_sizes_are_ordered_by_number():
    names = [f"n{size}" for size in SIZES]
    assert sorted(sorted(names), key=split_order) == names


@pytest.mark.parametrize(
    ("splits", "by_tokens"), [(["4k", "128k"], True), (["4k", "full"], False), (["n2", "n2000"], False)]
)
def test_which_data_can_be_built_for_a_window(splits, by_tokens):
    assert builds_by_tokens(splits) is by_tokens


def run(*cells: tuple[str, str], reference: str | None = None, **changes: Any) -> Results:
    spec = f"reference:{reference}" if reference else "openai:m"
    found = tuple(cell_result(*cell, [[Outcome("a", 0, "correct")]]) for cell in cells)
    settings = {"model": {"spec": spec, "name": reference or "m"}}
    return Results("multi-instance", settings, found, (), len(cells), 0, 0, {}, None, **changes)


def test_ten_sizes_fall_into_two_tables_with_the_bounds_behind_each():
    bound = run(("wsd", POOLED), ("category", POOLED), reference="constant")
    cells = [("wsd", f"n{size}") for size in SIZES] + [("category", f"n{size}") for size in SIZES[:7]]
    tables = main_tables([run(*cells, bounds=(bound,))], MULTI_INSTANCE.layout)
    labels = [[column.label for column in table.columns] for table in tables]
    assert labels == [[f"n{size}" for size in part] + ["floor (constant)"] for part in (SIZES[:5], SIZES[5:])]
    assert tables[1].title.endswith(", n100 to n2000")
    shown = [[row.config for section in table.sections for row in section.rows] for table in tables]
    assert shown == [["category", "wsd"]] * 2
    tables = main_tables([run(*cells[:10], bounds=(bound,))], MULTI_INSTANCE.layout)
    # What only has a floor was not run.
    assert [[row.config for section in table.sections for row in section.rows] for table in tables] == [["wsd"]] * 2


def test_every_config_of_the_default_build_has_one_row():
    rows = [row for group in MULTI_INSTANCE.layout.groups for row in group.rows]
    assert sorted(rows) == sorted(config.name for config in paper_configs())


def test_found_by_alias():
    assert find_benchmark("mip") is MULTI_INSTANCE


def test_combinations_stand_behind_their_task_and_setting():
    layout = MULTI_INSTANCE.layout.holding(["ner-instances-noise-tail-shortest", "ner-instances"])
    (group,) = (group for group in layout.groups if "ner-instances" in group.rows)
    place = group.rows.index("ner-instances")
    assert group.rows[place + 1] == "ner-instances-noise-tail-shortest"
    assert layout.captions["ner-instances-noise-tail-shortest"].startswith("NER, every instance answered, noise")
    assert layout.references["ner-instances-noise-tail-shortest"] == "ner"
    assert "of-another-version" not in MULTI_INSTANCE.layout.holding(["of-another-version"]).captions


def test_references_are_the_plain_config_of_the_task():
    references = MULTI_INSTANCE.layout.references
    assert references["word-noise-head"] == references["word-instances"] == references["word-shuffled"] == "word"
    assert "word" not in references and "word-single" not in references


def test_what_shares_its_instances_shares_its_source():
    plain = {"task": "ner", "selection": "random_20_seed1"}
    assert selection_source(plain) == selection_source({**plain, "selection": "random_20_seed1_shuffle1"})
    assert selection_source(plain) != selection_source({**plain, "task": "wsd"})


def test_a_sample_takes_the_same_seeds_of_all_configs():
    rows = [
        {"id": f"{config}-{seed}", "config": config, "split": "n20", "selection": f"random_20_seed{seed}{tail}"}
        for config, tail in (("ner", ""), ("ner-instances", ""), ("ner-shuffled", "_shuffle1"))
        for seed in range(1, 6)
    ]
    kept = stratified_sample(pa.Table.from_pylist(rows), 6, 0)["id"].to_pylist()
    seeds = [
        {row.rpartition("-")[2] for row in kept if row.rpartition("-")[0] == config}
        for config in ("ner", "ner-instances", "ner-shuffled")
    ]
    assert seeds[0] == seeds[1] == seeds[2] and len(seeds[0]) == 2
