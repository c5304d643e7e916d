"""Every config of every benchmark opens in the Hub's viewer: its limits, and types that its statistics know."""

import json
from pathlib import Path

import pytest

from lengthwise.builders.multi_instance.build import build_multi_instance
from lengthwise.builders.multi_instance.settings import InstanceSettings
from lengthwise.builders.push_dataset import push_dataset
from lengthwise.builders.viewer import check_viewer, first_rows_size
from lengthwise.errors import InputError

from .card_files import front, splits
from .hub_server import Hub
from .viewer_rules import FIRST_ROWS_BYTES, MOST_COLUMNS, preview, scan_is_small

LONG = {"article", "prompt", "reference", "summary", "question", "answer_text", "reason", "evidence", "injections"}
# Lists: a cell that is cut shows its beginning.
LISTS = {"predicates", "decoys", "list_starts", "answer", "answers", "indices", "labels", "instance_answers"}
GROUP_BYTES = 16 << 20
SHARD_BYTES = 500_000_000


@pytest.fixture(scope="module")
def long_lists(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Half a megabyte a prompt."""
    from lengthwise.builders.predicate.build import build_predicate
    from lengthwise.builders.predicate.settings import Settings

    folder = tmp_path_factory.mktemp("viewer") / "lists"
    configs = ("lex-lists", "unary-all", "lex-short-words", "documents-scattered")
    build_predicate(folder, configs, splits=("4k", "128k"), settings=Settings(examples=12), documents=("storyworld",))
    return folder


@pytest.fixture(scope="module")
def long_novels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from lengthwise.builders.longnovel.storyworld.build import build_storyworld
    from lengthwise.builders.longnovel.storyworld.settings import StorySettings

    folder = tmp_path_factory.mktemp("viewer") / "novels"
    build_storyworld(folder, StorySettings(scales=("s", "xl"), examples=60))
    return folder


@pytest.fixture(scope="module")
def many_instances(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("viewer") / "many"
    configs = ["language", "arithmetic-instances", "ner-noise-tail", "ner-single", "category-instances"]
    build_multi_instance(folder, configs, settings=InstanceSettings(sizes=(2, 200, 2000)))
    return folder


# Of the sizes that are really pushed; beside a row or two of each kind, which are quick.
_REAL = [pytest.param(name, marks=pytest.mark.slow) for name in ("long_lists", "long_novels", "many_instances")]


@pytest.fixture(params=["built", "story_world", "instances", *_REAL])
def folder(request: pytest.FixtureRequest) -> Path:
    return Path(request.getfixturevalue(request.param))


def test_every_split_of_the_card_has_files_that_open(folder: Path) -> None:
    import pyarrow.parquet as pq

    for name, files in splits(folder):
        assert files, name
        for path in files:
            assert len(pq.ParquetFile(path).schema_arrow.names) <= MOST_COLUMNS
            assert scan_is_small(path)
            assert path.stat().st_size <= SHARD_BYTES
            meta = pq.ParquetFile(path).metadata
            for number in range(meta.num_row_groups):
                group = meta.row_group(number)
                assert group.total_byte_size <= GROUP_BYTES * 1.05 or group.num_rows == 1
                assert all(group.column(column).has_offset_index for column in range(meta.num_columns))


def test_first_rows_stay_under_the_limit(folder: Path) -> None:
    import pyarrow.parquet as pq

    for name, files in splits(folder):
        rows = pq.ParquetFile(files[0]).read_row_group(0).slice(0, 100).to_pylist()
        shown = preview(rows)
        assert shown.size <= FIRST_ROWS_BYTES, name
        assert shown.rows >= min(10, len(rows)), name
        assert shown.cut <= LONG | LISTS, name
        assert first_rows_size(rows[:10]) <= FIRST_ROWS_BYTES


def test_long_text_is_cut_and_nothing_else() -> None:
    row = {"id": "xl-1", "label": 1, "article": "x" * 1_000_000}
    shown = preview([row] * 40)
    assert (shown.rows, shown.cut) == (10, {"article"})
    assert shown.size < FIRST_ROWS_BYTES


def test_short_rows_are_all_shown() -> None:
    assert preview([{"id": str(number)} for number in range(300)]).rows == 100


def test_one_config_opens_first_and_its_first_split_is_small(folder: Path) -> None:
    card = front(folder)
    assert [one for one in card["configs"] if one.get("default")] == card["configs"][:1]
    _, files = next(splits(folder))
    assert sum(path.stat().st_size for path in files) < 5_000_000


def test_short_columns_come_before_long_text(folder: Path) -> None:
    import pyarrow.parquet as pq

    for name, files in splits(folder):
        names = pq.ParquetFile(files[0]).schema_arrow.names
        assert names[0] == "id", name
        assert names[-1] in LONG, name


def test_types_are_such_as_statistics_are_made_of(folder: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    for _, files in splits(folder):
        for field in pq.ParquetFile(files[0]).schema_arrow:
            kind = field.type
            simple = (
                pa.types.is_string(kind)
                or pa.types.is_large_string(kind)
                or pa.types.is_integer(kind)
                or pa.types.is_floating(kind)
            )
            assert simple or pa.types.is_boolean(kind) or pa.types.is_list(kind) or pa.types.is_struct(kind), field


def test_what_is_pushed_is_shown(folder: Path) -> None:
    assert list(check_viewer(folder, json.loads((folder / "build.json").read_text("utf-8")))) == []


def test_more_splits_than_are_shown(built: Path) -> None:
    build = json.loads((built / "build.json").read_text("utf-8"))
    (one,) = build["configs"]["lex-locate"].values()
    build["configs"]["lex-locate"] = {f"{number}k": one for number in range(31)}
    assert list(check_viewer(built, build)) == [
        "lex-locate: 31 splits, where the Hub's viewer shows 30 at most: build fewer lengths or sizes, or push them "
        "as several data sets"
    ]


def test_more_configs_than_are_shown(built: Path) -> None:
    build = json.loads((built / "build.json").read_text("utf-8"))
    views = {f"lex-locate--decoys-{number}": {} for number in range(4_000)}
    assert next(check_viewer(built, {**build, "views": views})).startswith("4,011 configs")


def test_a_shard_that_is_too_large(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lengthwise.builders.viewer.SHARD_BYTES", 1_000)
    build = json.loads((built / "build.json").read_text("utf-8"))
    assert any("more than the 1,000 of a shard" in line for line in check_viewer(built, build))


def test_rows_that_no_cut_makes_small_enough() -> None:
    wide = {f"a column of a long name {number}": "x" * 90 for number in range(500)}
    assert first_rows_size([wide] * 10) > FIRST_ROWS_BYTES
    assert first_rows_size([{"id": "a", "article": "x" * 1_000_000}] * 10) < FIRST_ROWS_BYTES


def test_what_the_viewer_would_not_show_is_not_pushed(
    hub: Hub, story_world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lengthwise.builders.viewer.MOST_SPLITS", 0)
    with pytest.raises(InputError, match="is not pushed: 1k: 1 splits, where the Hub's viewer shows 0 at most"):
        push_dataset(story_world, "ORG/novels")
    assert hub.requests == []
