import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from lengthwise.builders.benchmarks import validate
from lengthwise.builders.hub_folder import read_build
from lengthwise.builders.multi_instance import random_selections
from lengthwise.builders.multi_instance.build import build_multi_instance
from lengthwise.builders.multi_instance.configs import CHOICES, SETTINGS, parse_config
from lengthwise.builders.multi_instance.noise import POSITIONS
from lengthwise.builders.multi_instance.pools.generated_pools import generated_pool
from lengthwise.builders.multi_instance.retained import Retained
from lengthwise.builders.multi_instance.settings import InstanceSettings
from lengthwise.builders.multi_instance.tasks import TASKS
from lengthwise.errors import InputError

from .conftest import SMALL, tiny_pool

Build = Callable[..., Path]


def rows_of(folder: Path, cell: str) -> list[dict[str, object]]:
    (path,) = folder.glob(f"{cell}-*.parquet")
    return pq.read_table(path, partitioning=None).to_pylist()


def test_every_config_of_a_task_builds_and_validates(build: Build) -> None:
    folder = build("all", "parity-all", "arithmetic-all", "parity-instances-noise-random-shortest")
    reports = validate(folder)
    assert [problem for report in reports for problem in report.problems] == []
    assert reports[-1].digest == read_build(folder)["digest"]


def test_the_same_digest_in_workers_shards_and_pieces(build: Build, tmp_path: Path) -> None:
    digest = read_build(build("whole"))["digest"]
    configs = ("parity", "arithmetic-instances")
    for part in (2, 1):
        assert not build_multi_instance(tmp_path / "parts", configs, settings=SMALL, shard=(part, 2)).finished
    assert build_multi_instance(tmp_path / "parts", configs, settings=SMALL).digest == digest


def test_a_finished_build_is_recognised_and_another_refused(build: Build, tmp_path: Path) -> None:
    folder = build("once")
    again = build_multi_instance(folder, ("parity", "arithmetic-instances"), settings=SMALL)
    assert again.reused
    with pytest.raises(InputError, match="another build"):
        build_multi_instance(folder, ("parity",), settings=SMALL)


def test_default_and_instances_configs_hold_the_same_samples(build: Build) -> None:
    folder = build("pair", "parity", "parity-instances", "parity-noise-head")
    samples = [[row["indices"] for row in rows_of(folder, f"{config}/n5")] for config in
               ("parity", "parity-instances", "parity-noise-head")]  # fmt: skip
    assert samples[0] == samples[1] == samples[2]


def test_noise_changes_the_text_and_nothing_else(build: Build) -> None:
    folder = build("noise", "arithmetic", "arithmetic-noise-middle")
    plain, noisy = (rows_of(folder, f"{config}/n2")[0] for config in ("arithmetic", "arithmetic-noise-middle"))
    assert {name for name in plain if plain[name] != noisy[name]} == {"id", "noise", "n_tokens", "prompt"}


def test_shuffled_rows_are_the_first_seed_in_two_orders(build: Build) -> None:
    folder = build("orders", "parity", "parity-shuffled")
    first = rows_of(folder, "parity/n10")[0]
    orders = rows_of(folder, "parity-shuffled/n10")
    assert [row["selection"] for row in orders] == ["random_10_seed1_shuffle1", "random_10_seed1_shuffle2"]
    assert all(sorted(row["indices"]) == first["indices"] and row["answer"] == first["answer"] for row in orders)


@pytest.mark.parametrize("sizes", [(10,), (3, 5, 7, 10)])
def test_a_sample_of_the_papers_sizes_is_the_same_whatever_else_is_built(build: Build, sizes: tuple[int, ...]) -> None:
    whole, part = build("whole", "parity"), build("part", "parity", settings=InstanceSettings(sizes, (1, 2)))
    assert [row["indices"] for row in rows_of(part, "parity/n10")] == [
        row["indices"] for row in rows_of(whole, "parity/n10")
    ]


def test_other_sizes_are_drawn_by_themselves(build: Build) -> None:
    folder = build("own", "parity", settings=InstanceSettings((2, 3, 5, 7), (1,)))
    drawn = random_selections(range(2500), (3, 7), (1,))
    assert [rows_of(folder, f"parity/n{size}")[0]["indices"] for size in (3, 7)] == list(drawn.values())


def test_single_asks_every_retained_instance_once(build: Build) -> None:
    folder = build("single", "parity-single", retained={"parity": Retained((3, 5, 8))})
    assert [row["indices"] for row in rows_of(folder, "parity-single/n1")] == [[3], [5], [8]]


def test_retained_indices_of_another_pool_are_refused(build: Build) -> None:
    with pytest.raises(InputError, match="number another pool"):
        build("other", "parity", retained={"parity": Retained((1, 2, 3), "0" * 64)})


def test_a_task_that_did_not_pass_the_filter_is_left_out_or_refused_by_name(tmp_path: Path) -> None:
    retained = {"parity": Retained(tuple(range(10)))}
    result = build_multi_instance(tmp_path / "all", pool_of=tiny_pool, settings=SMALL, retained=retained)
    assert {config.split("-")[0] for config, _ in result.splits or {}} == {"parity"}
    assert "left out, as the filter kept nothing of them: arithmetic, category" in "\n".join(result.lines())
    with pytest.raises(InputError, match="kept nothing of word"):
        build_multi_instance(tmp_path / "one", ("word",), pool_of=tiny_pool, settings=SMALL, retained=retained)


def test_more_instances_than_the_pool_has_are_refused() -> None:
    with pytest.raises(InputError, match="the pool has 12"):
        build_multi_instance("never", ("parity",), pool_of=tiny_pool, settings=InstanceSettings(sizes=(2, 13)))
    assert not Path("never").exists()


def test_prompts_of_ones_own_take_the_place_of_ours(build: Build, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "parity.txt").write_text("How many of these are odd?\n")
    folder = build("own", "parity", settings=InstanceSettings(sizes=(2,), seeds=(1,), prompts=tmp_path / "mine"))
    (row,) = rows_of(folder, "parity/n2")
    assert row["question"] == "How many of these are odd?"
    assert row["prompt_template"] != read_build(build("ours"))["prompt_template"]


@pytest.mark.parametrize("task", TASKS)
def test_every_task_builds_from_any_pool(tmp_path: Path, task: str) -> None:
    configs = (task, f"{task}-instances", f"{task}-noise-tail", f"{task}-longest")
    result = build_multi_instance(tmp_path / "out", configs, pool_of=tiny_pool, settings=SMALL)
    assert result.finished
    problems = [problem for report in validate(tmp_path / "out") for problem in report.problems]
    assert problems == []


def test_names_of_configs_and_back() -> None:
    names = [
        "-".join(part for part in (task, setting, noise, choice) if part)
        for task in TASKS
        for setting in ("", "instances")
        for noise in ("", *(f"noise-{position}" for position in POSITIONS))
        for choice in ("", *(choice for choice in CHOICES if choice != "random"))
    ]
    assert [parse_config(name).name for name in names] == names
    assert len(SETTINGS) == 2


@pytest.mark.parametrize("name", ["parity-random", "parity-shuffled-instances", "ner-noise", "odd", "ner-noise-front"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="config"):
        parse_config(name)


def test_the_papers_cells_are_marked() -> None:
    ran = parse_config("category-noise-tail").in_paper
    assert [size for size in TASKS["category"].sizes if ran(size, 3)] == [2, 5, 10, 20, 50, 200]
    assert not parse_config("ner-noise-head").in_paper(20, 2)
    assert parse_config("ner-noise-head").in_paper(20, 1)
    assert not parse_config("parity-noise-tail").in_paper(20, 1)
    assert not parse_config("parity-shortest").in_paper(20, 0)
    assert parse_config("ner-shortest").in_paper(20, 0)
    assert parse_config("ner-shuffled").in_paper(20, 1) and not parse_config("ner-shuffled").in_paper(20, 2)
    assert parse_config("ner").in_paper(2000, 5) and not parse_config("ner").in_paper(30, 5)


def test_the_card_says_what_was_not_filtered_and_how_to_build_it_again(build: Build) -> None:
    folder = build("card")
    card = (folder / "README.md").read_text("utf-8")
    assert "without the paper's single-instance filter" in card
    assert "`lengthwise build multi-instance parity arithmetic-instances --out DIR --size 2,5,10 --seed 1,2`" in card


def test_the_command_on_a_card_is_short_and_whole(build: Build) -> None:
    pool_of = partial(generated_pool, size=12, seed=7)
    folder = build("short", "ner", "parity-all", settings=InstanceSettings((2,), (1,)), pool_of=pool_of)
    command = "ner parity-all --out DIR --size 2 --seed 1 --pool-size 12 --pool-seed 7"
    assert f"`lengthwise build multi-instance {command}`" in (folder / "README.md").read_text("utf-8")
    folder = build("all", *(f"{task}-all" for task in TASKS), settings=InstanceSettings((2,), (1,)), pool_of=pool_of)
    assert "`lengthwise build multi-instance --out DIR --size 2" in (folder / "README.md").read_text("utf-8")
    assert json.loads((folder / "build.json").read_text("utf-8"))["redistributable"]
