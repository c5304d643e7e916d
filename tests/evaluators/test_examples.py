import os
import shutil
import subprocess
import sys

import pytest
from run_helpers import make_row, write_data

from lengthwise.errors import InputError
from lengthwise.evaluators.examples import Cell, choose_cells, ids_by_cell, open_data, stratified_sample

CELLS = {"lex-locate/4k": 12, "lex-locate/8k": 12, "lex-longest/4k": 12, "documents-locate/full": 4}


@pytest.fixture
def folder(tmp_path):
    return write_data(tmp_path / "data", CELLS)


def test_all_cells_in_the_order_of_the_build(folder):
    _, cells = open_data(str(folder))
    assert [str(cell) for cell in cells] == list(CELLS)


def test_configs_and_splits_choose_cells(folder):
    data, _ = open_data(str(folder))
    assert choose_cells(data, ["lex-locate"], ["8k"]) == [Cell("lex-locate", "8k")]
    assert choose_cells(data, [], ["4k"]) == [Cell("lex-locate", "4k"), Cell("lex-longest", "4k")]


@pytest.mark.parametrize(
    ("configs", "splits", "message"),
    [
        (["lex-lokate"], [], "unknown config 'lex-lokate': did you mean 'lex-locate'"),
        ([], ["5k"], "unknown split '5k'"),
        (["lex-longest"], ["8k"], "unknown split '8k'"),
        (["lex-locate", "documents-locate"], ["8k"], "'documents-locate' has only full"),
    ],
)
def test_what_is_not_there_is_named(folder, configs, splits, message):
    with pytest.raises(InputError, match=message):
        open_data(str(folder), configs, splits)


def test_short_columns_lead_with_the_cell_and_hold_no_long_text(folder):
    data, cells = open_data(str(folder))
    table = data.short_columns(cells)
    assert table.column_names[:3] == ["id", "config", "split"]
    assert not {"prompt", "question"} & set(table.column_names)
    assert len(table) == sum(CELLS.values())


def test_the_stream_gives_the_wanted_rows_in_file_order(folder):
    data, _ = open_data(str(folder))
    cell = Cell("lex-locate", "4k")
    rows = [make_row("lex-locate", "4k", index) for index in (11, 2, 3)]
    found = list(data.stream({cell: frozenset(row["id"] for row in rows)}))
    assert [example.id[-4:] for example in found] == ["0002", "0003", "0011"]
    assert found[0].prompt == rows[1]["prompt"]
    assert found[0].columns["config"] == "lex-locate"
    assert found[0].columns["question"] == rows[1]["question"]
    assert "prompt" not in found[0].columns


def sample(folder, limit, seed=0):
    data, cells = open_data(str(folder))
    table = stratified_sample(data.short_columns(cells), limit, seed)
    return {str(cell): ids for cell, ids in ids_by_cell(table).items()}


def test_a_sample_is_spread_over_the_cells_in_proportion(folder):
    assert {cell: len(ids) for cell, ids in sample(folder, 20).items()} == {
        "lex-locate/4k": 6,
        "lex-locate/8k": 6,
        "lex-longest/4k": 6,
        "documents-locate/full": 2,
    }


@pytest.mark.parametrize("limit", [1, 3, 7, 39, 40, 1000])
def test_a_sample_has_the_size_that_was_asked_for(folder, limit):
    assert sum(map(len, sample(folder, limit).values())) == min(limit, 40)


def test_configs_with_the_same_lists_are_sampled_alike(folder):
    found = sample(folder, 20)
    numbers = {cell: {row[-4:] for row in ids} for cell, ids in found.items()}
    assert numbers["lex-locate/4k"] == numbers["lex-longest/4k"]


def test_seeds_differ_and_a_larger_sample_holds_the_smaller(folder):
    assert sample(folder, 20, seed=1) != sample(folder, 20, seed=2)
    assert sample(folder, 20)["lex-locate/4k"] < sample(folder, 36)["lex-locate/4k"]


def test_a_limit_below_one_is_refused(folder):
    with pytest.raises(InputError, match="--limit 0"):
        sample(folder, 0)


def test_a_path_that_is_not_there_is_taken_as_a_folder_and_says_so():
    with pytest.raises(InputError, match=r"'\./nowhere' \(taken as a folder\): no such folder"):
        open_data("./nowhere")


def test_a_folder_without_its_build_file(tmp_path):
    with pytest.raises(InputError, match=r"has no build\.json"):
        open_data(str(tmp_path))


def test_a_damaged_build_file(tmp_path):
    (tmp_path / "build.json").write_text('{"benchmark": 3')
    with pytest.raises(InputError, match="not what `lengthwise build` writes"):
        open_data(str(tmp_path))


def test_a_missing_or_damaged_parquet_file(folder):
    data, _ = open_data(str(folder))
    file = folder / "lex-locate" / "4k-00000-of-00001.parquet"
    file.write_bytes(b"PAR1 but no more")
    with pytest.raises(InputError, match="cannot be read as Parquet"):
        data.short_columns([Cell("lex-locate", "4k")])
    file.unlink()
    with pytest.raises(InputError, match="is missing"):
        data.short_columns([Cell("lex-locate", "4k")])


def test_an_id_that_comes_twice_is_refused(folder):
    shutil.copy(
        folder / "lex-locate" / "4k-00000-of-00001.parquet", folder / "lex-locate" / "4k-00001-of-00002.parquet"
    )
    data, cells = open_data(str(folder))
    with pytest.raises(InputError, match="same id"):
        data.short_columns(cells)


HUB = """
import sys
from lengthwise.errors import InputError
from lengthwise.evaluators.examples import open_data
try:
    data, cells = open_data(sys.argv[1], ["lex-locate"], ["4k"])
    print(data.revision, len(data.short_columns(cells)), next(data.stream({cells[0]: frozenset(
        data.short_columns(cells)["id"].to_pylist())})).prompt[:8])
except InputError as error:
    print(error)
"""


def hub(tmp_path, name):
    """Open a Hub id in a fresh process that has a cache and no network."""
    env = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf")}
    done = subprocess.run([sys.executable, "-c", HUB, name], env=env, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_hub_data_set_is_read_from_the_hubs_cache(tmp_path):
    commit = "0123456789abcdef0123456789abcdef01234567"
    repo = tmp_path / "hf" / "hub" / "datasets--org--plb"
    write_data(repo / "snapshots" / commit, {"lex-locate/4k": 3, "lex-locate/8k": 3})
    (repo / "refs").mkdir()
    (repo / "refs" / "main").write_text(commit)
    assert hub(tmp_path, "org/plb") == f"{commit} 3 Words: x"
    assert hub(tmp_path, f"org/plb@{commit}") == f"{commit} 3 Words: x"


@pytest.mark.parametrize(
    ("name", "message"),
    [("org/elsewhere", "cannot be reached"), ("a/b/c", "not a Hub id"), ("not a name", "not a Hub id")],
)
def test_what_is_no_path_is_taken_as_a_hub_id_and_says_so(tmp_path, name, message):
    said = hub(tmp_path, name)
    assert f"{name!r}: no such path, so taken as a Hub data set" in said
    assert message in said
    assert "\n" not in said
