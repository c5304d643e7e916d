"""Every config of every benchmark opens in the Hub's viewer: its limits, and types that its statistics know."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from lengthwise.builders.multi_instance.build import build_multi_instance
from lengthwise.builders.multi_instance.settings import InstanceSettings

from .viewer_rules import FIRST_ROWS_BYTES, MOST_COLUMNS, preview, scan_is_small

LONG = ("article", "prompt", "reference", "summary", "question", "answer_text", "reason", "evidence", "injections")


@pytest.fixture(scope="module")
def instances(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("viewer") / "instances"
    build_multi_instance(folder, ["ner", "ner-instances"], settings=InstanceSettings(sizes=(2, 5), seeds=(1,)))
    return folder


@pytest.fixture(params=["built", "story_world", "instances"])
def folder(request: pytest.FixtureRequest) -> Path:
    return Path(request.getfixturevalue(request.param))


def front(folder: Path) -> dict[str, Any]:
    return dict(yaml.safe_load((folder / "README.md").read_text("utf-8").split("---\n")[1]))


def splits(folder: Path) -> Iterator[tuple[str, list[Path]]]:
    for config in front(folder)["configs"]:
        for entry in config["data_files"]:
            yield f"{config['config_name']}/{entry['split']}", sorted(folder.glob(entry["path"]))


def test_every_split_of_the_card_has_files_that_open(folder: Path) -> None:
    import pyarrow.parquet as pq

    for name, files in splits(folder):
        assert files, name
        for path in files:
            assert len(pq.ParquetFile(path).schema_arrow.names) <= MOST_COLUMNS
            assert scan_is_small(path)


def test_first_rows_stay_under_the_limit(folder: Path) -> None:
    import pyarrow.parquet as pq

    for name, files in splits(folder):
        shown = preview(pq.read_table(files[0]).to_pylist())
        assert shown.size <= FIRST_ROWS_BYTES, name
        assert shown.rows > 0
        assert shown.cut <= set(LONG), name


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
