from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.builders.benchmarks import validate
from lengthwise.builders.hub_folder import read_build
from lengthwise.builders.predicate import build
from lengthwise.builders.predicate.build import build_predicate
from lengthwise.builders.predicate.plan import make_rows, sizes_of, synthetic_tasks
from lengthwise.builders.predicate.settings import Settings
from lengthwise.builders.predicate.sweep import contract, expand
from lengthwise.builders.predicate.variants import SWEEPS, VARIANTS, find_variants, point
from lengthwise.errors import InputError

Rows = dict[str, list[dict[str, Any]]]
USUAL = Settings()


def names_of(names: tuple[str, ...], sweep: dict[str, list[int | float]]) -> list[str]:
    variants, _ = expand(find_variants(names), sweep, USUAL)
    return [variant.name for variant in variants]


def rows_of(names: tuple[str, ...], sweep: dict[str, list[int | float]] | None = None, **settings: Any) -> Rows:
    """Return the rows of a build at 4k, by config."""
    told = Settings(examples=1, **settings)
    variants, _ = expand(find_variants(names), sweep or {}, told)
    rows: Rows = {variant.name: [] for variant in variants}
    for task in synthetic_tasks(variants, sizes_of(["4k"]), told):
        for (config, _split), row in make_rows(task.payload):
            rows[config].append(dict(row))
    return rows


def nameless(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name not in ("id", "list_id")} for row in rows]


def test_a_config_for_each_value_the_default_among_them() -> None:
    assert names_of(("lex-locate", "lex-scattered"), {"decoys": [2, 8]}) == [
        "lex-locate",
        "lex-scattered--decoys-2",
        "lex-scattered--decoys-8",
    ]


def test_two_lists_cross_where_a_variant_depends_on_both() -> None:
    assert names_of(("lex-scattered", "lex-clustered"), {"radius": [60, 100], "decoys": [4, 2]}) == [
        "lex-scattered--decoys-4",
        "lex-scattered--decoys-2",
        "lex-clustered--decoys-4--radius-60",
        "lex-clustered--decoys-4--radius-100",
        "lex-clustered--decoys-2--radius-60",
        "lex-clustered--decoys-2--radius-100",
    ]


def test_pairs_that_do_not_go_together_are_left_out_and_named() -> None:
    variants, left_out = expand(find_variants(("lex-clustered",)), {"decoys": [2, 16], "radius": [60, 100]}, USUAL)
    assert len(variants) == 3
    assert left_out == {
        "lex-clustered--decoys-16--radius-60": "radius 60 is too small for 16 decoys of 7 words; use >= 68"
    }


def test_what_a_name_sets_stays() -> None:
    assert names_of(("lex-clustered--decoys-4",), {"radius": [60, 100]}) == [
        "lex-clustered--decoys-4--radius-60",
        "lex-clustered--decoys-4--radius-100",
    ]


@pytest.mark.parametrize(
    ("names", "sweep", "message"),
    [
        (
            ("lex-lists",),
            {"decoys": [2, 4]},
            "decoys has several values, but nothing .* add one of lex-scattered, lex",
        ),
        (("lex-lists",), {"list": [2, 4]}, "unknown parameter of a sweep 'list': did you mean 'lists'"),
        (("lex-lists",), {"lists": [4, 4]}, "lists: 4 is given twice"),
        (("lex-lists",), {"lists": []}, "lists: give at least one value"),
        (("lex-lists",), {"lists": [4, 1]}, "lists must be at least 2, not 1"),
        (("unary-decoys",), {"near_miss": [0.01, 1.5]}, "near-miss must be a share between 0 and 1, not 1.5"),
        (("lex-clustered",), {"radius": [20, 100]}, "radius 20 is too small for 8 decoys of 7 words; use >= 36"),
        (("lex-clustered",), {"radius": [20, 30], "decoys": [16, 17]}, "no two of these values go together; radius"),
    ],
)
def test_sweeps_that_cannot_be(names: tuple[str, ...], sweep: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        expand(find_variants(names), sweep, USUAL)


VALUES: dict[str, st.SearchStrategy[int | float]] = {
    "decoys": st.integers(1, 20),
    "radius": st.integers(36, 400),
    "near_miss": st.sampled_from([0.01, 0.02, 0.05, 0.1, 0.125]),
    "lists": st.integers(2, 24),
    "targets": st.integers(1, 6),
}
SWEPT = [
    (name, field)
    for name, variant in VARIANTS.items()
    for field, parameter in SWEEPS.items()
    if variant.source == "synthetic" and parameter.affects(variant)
]


@pytest.mark.parametrize(("name", "field"), SWEPT)
@given(data=st.data())
def test_a_point_is_the_plain_build_with_its_value(name: str, field: str, data: st.DataObject) -> None:
    values = data.draw(st.lists(VALUES[field], min_size=2, max_size=3, unique=True))
    given: dict[str, Any] = {"seed": data.draw(st.integers(0, 5)), **({"radius": 200} if field == "decoys" else {})}
    swept = rows_of((name,), {field: values}, **given)
    assert len(swept) == len(values)
    for value, (config, rows) in zip(values, swept.items(), strict=True):
        (alone,) = rows_of((name,), **{**given, field: value}).values()
        assert config == point(VARIANTS[name], {field: value}).name
        assert nameless(rows) == nameless(alone)
        assert rows[0]["id"] == alone[0]["id"].replace(name, config)


@pytest.mark.parametrize(("name", "field"), SWEPT)
def test_points_are_paired_with_the_baseline_and_told_apart(name: str, field: str) -> None:
    values = {"near_miss": [0.01, 0.05], "radius": [60, 100]}.get(field, [2, 8])
    reference = VARIANTS[name].reference or name
    rows = rows_of((reference, name), {field: values})
    lists = [row["list_id"] for (row,) in rows.values()]
    assert len({*lists}) == 3
    assert {list_id.split("+")[0] for list_id in lists} == {lists[0]}


@pytest.mark.parametrize("values", [[2, 8], [8, 4, 16, 3]])
def test_the_base_list_does_not_hang_on_the_decoys(values: list[int | float]) -> None:
    rows = rows_of(("lex-locate", "lex-scattered", "lex-clustered"), {"decoys": values}, radius=200)
    assert len({(row["answer_text"], row["target_start"]) for (row,) in rows.values()}) == 1
    assert len({tuple(sorted(row["prompt"].split())) for (row,) in rows.values()}) == 1


def test_one_target_is_the_baselines_list() -> None:
    rows = rows_of(("unary-locate", "unary-all"), {"targets": [1, 2]})
    assert [row["list_id"] for (row,) in rows.values()] == [
        "unary-4k-s42-0000",
        "unary-4k-s42-0000",
        "unary-4k-s42-0000+2-targets",
    ]


@pytest.mark.parametrize(
    ("names", "sweep"),
    [
        (("lex-locate",), {}),
        (("lex-locate", "lex-scattered"), {"decoys": [4, 2]}),
        (("lex-scattered", "lex-clustered"), {"decoys": [2, 4, 16], "radius": [60, 400]}),
        (("unary-all", "unary-decoys", "lex-lists"), {"near_miss": [0.01, 0.1], "lists": [5, 9], "targets": [3, 1]}),
    ],
)
def test_a_sweep_is_told_from_its_configs(names: tuple[str, ...], sweep: dict[str, list[int | float]]) -> None:
    assert contract(names_of(names, sweep), USUAL) == ([v.name for v in find_variants(names)], sweep)


@pytest.mark.parametrize(
    "names",
    [
        ["lex-scattered--decoys-2"],
        ["lex-scattered--decoys-2", "lex-clustered--decoys-4"],
        ["lex-scattered", "lex-scattered--decoys-2", "lex-scattered--decoys-4"],
        ["lex-scattered--decoys-4", "lex-scattered--decoys-30", "lex-clustered--decoys-4"],
    ],
)
def test_configs_that_are_no_whole_sweep_are_named_one_by_one(names: list[str]) -> None:
    assert contract(names, USUAL) == (names, {})


SWEEP: dict[str, list[int | float]] = {"decoys": [2, 16], "near_miss": [0.01, 0.05]}
CONFIGS = ("lex-locate", "lex-scattered", "unary-decoys")


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished sweep of two parameters at 4k, 3 examples each."""
    folder = tmp_path_factory.mktemp("swept") / "plb"
    build_predicate(folder, CONFIGS, splits=("4k",), settings=Settings(examples=3), sweep=SWEEP)
    return folder


def test_a_built_sweep_is_proven_and_says_what_its_configs_are(swept: Path) -> None:
    assert not any(report.problems for report in validate(swept))
    found = read_build(swept)
    assert [*found["configs"]] == [
        *("unary-decoys--near-miss-0.01", "unary-decoys--near-miss-0.05"),
        *("lex-locate", "lex-scattered--decoys-2", "lex-scattered--decoys-16"),
    ]
    assert found["sweep"]["lex-scattered--decoys-2"] == {"variant": "lex-scattered", "parameters": {"decoys": 2}}
    assert "lex-locate" not in found["sweep"]
    card = (swept / "README.md").read_text("utf-8")
    assert "| `lex-scattered--decoys-16` | Lexicographic, near-sorted, scattered (16 decoys) | Decoys | " in card
    assert "--near-miss 0.01,0.05" in card and "one point of a sweep" in card


def test_the_default_value_has_the_rows_of_the_plain_config(swept: Path, built: Path) -> None:
    one, other = (pq.read_table(swept / "unary-decoys--near-miss-0.05"), pq.read_table(built / "unary-decoys"))
    assert nameless(one.to_pylist()) == nameless(other.to_pylist())


@pytest.mark.parametrize("configs", [CONFIGS, ("lex-locate", *reversed([*names_of(CONFIGS, SWEEP)]))])
def test_shards_workers_and_single_names_give_the_same_rows(
    tmp_path: Path, swept: Path, monkeypatch: pytest.MonkeyPatch, configs: tuple[str, ...]
) -> None:
    monkeypatch.setattr(build, "_WORTH_WORKERS", 0)
    given: dict[str, Any] = {
        "splits": ("4k",),
        "settings": Settings(examples=3),
        "sweep": SWEEP if configs == CONFIGS else None,
    }
    build_predicate(tmp_path, configs, shard=(2, 3), **given)
    done = build_predicate(tmp_path, configs, workers=2, **given)
    digests = {name: of["4k"]["digest"] for name, of in read_build(done.folder)["configs"].items()}
    assert digests == {name: of["4k"]["digest"] for name, of in read_build(swept)["configs"].items()}


def test_one_value_is_a_setting_and_no_sweep(tmp_path: Path) -> None:
    told = Settings(examples=1, decoys=4)
    build_predicate(tmp_path, ["lex-scattered"], splits=("4k",), settings=told)
    assert [*read_build(tmp_path)["configs"]] == ["lex-scattered"] and "sweep" not in read_build(tmp_path)
