from typing import Any

import pyarrow as pa
import pytest
import yaml
from huggingface_hub import DatasetCardData

from lengthwise.builders.card import (
    SEEN_BEGIN,
    SEEN_END,
    class_label,
    column_feature,
    feature,
    front_matter,
    histogram,
    put_seen,
    size_category,
    table,
)
from lengthwise.builders.hub_folder import SplitFacts
from lengthwise.builders.predicate.schema import SCHEMA
from lengthwise.errors import InputError

FACTS = {
    ("a", "4k"): SplitFacts(2, "d1", 100, 60, (5, 6)),
    ("b", "4k"): SplitFacts(3, "d2", 200, 90, (5, 6, 7)),
    ("b", "8k"): SplitFacts(4, "d3", 400, 95, (9, 9, 9, 9)),
}


def block(default: str = "b") -> dict[str, Any]:
    text = front_matter(FACTS, SCHEMA, {"a": "first: one", "b": "second"}, default, {"license": "apache-2.0"})
    head, yaml_text, end = text.split("---\n")
    assert (head, end) == ("", "")
    found: dict[str, Any] = yaml.safe_load(yaml_text)
    return found


def test_configs_with_the_default_first() -> None:
    configs = block()["configs"]
    assert [config["config_name"] for config in configs] == ["b", "a"]
    assert [config.get("default") for config in configs] == [True, None]
    assert configs[0]["data_files"] == [
        {"split": "4k", "path": "b/4k-*.parquet"},
        {"split": "8k", "path": "b/8k-*.parquet"},
    ]
    assert configs[1]["description"] == "first: one"


def test_sizes_of_configs_and_splits() -> None:
    info = {entry["config_name"]: entry for entry in block()["dataset_info"]}
    assert (info["b"]["download_size"], info["b"]["dataset_size"]) == (185, 600)
    assert info["b"]["splits"][1] == {"name": "8k", "num_bytes": 400, "num_examples": 4}
    assert block()["size_categories"] == ["n<1K"]


def test_no_yaml_aliases() -> None:
    assert "&id" not in front_matter(FACTS, SCHEMA, {"a": "", "b": ""}, "a", {})


@pytest.mark.parametrize(
    ("kind", "entry"),
    [
        (pa.int32(), {"name": "x", "dtype": "int32"}),
        (pa.large_string(), {"name": "x", "dtype": "large_string"}),
        (pa.list_(pa.string()), {"name": "x", "list": "string"}),
        (pa.list_(pa.list_(pa.int64())), {"name": "x", "list": {"list": "int64"}}),
        (pa.struct([("y", pa.string())]), {"name": "x", "struct": [{"name": "y", "dtype": "string"}]}),
        (pa.list_(pa.struct([("y", pa.string())])), {"name": "x", "list": [{"name": "y", "dtype": "string"}]}),
    ],
)
def test_features(kind: Any, entry: dict[str, Any]) -> None:
    assert feature("x", kind) == entry


def test_datasets_reads_the_features_as_the_schema() -> None:
    from datasets.info import DatasetInfosDict

    read = DatasetInfosDict.from_dataset_card_data(DatasetCardData(**block()))
    assert read["a"].features.arrow_schema.equals(SCHEMA)


def test_datasets_reads_the_configs() -> None:
    from datasets.utils.metadata import MetadataConfigs

    read = MetadataConfigs.from_dataset_card_data(DatasetCardData(**block()))
    assert read.get_default_config_name() == "b" and {*read} == {"a", "b"}


@pytest.mark.parametrize(
    ("rows", "name"),
    [(1, "n<1K"), (999, "n<1K"), (1000, "1K<n<10K"), (99_999, "10K<n<100K"), (10**6, "1M<n<10M"), (10**8, "n>10M")],
)
def test_size_categories(rows: int, name: str) -> None:
    assert size_category(rows) == name


@pytest.mark.parametrize("values", [[5], [3, 3, 3], [1, 2], [*range(100)], [131_000, 131_072, 130_500, 131_071]])
@pytest.mark.parametrize("bars", [1, 3, 8])
def test_a_histogram_counts_every_value_once(values: list[int], bars: int) -> None:
    found = histogram(values, bars)
    assert len(found) <= bars and sum(count for _, count in found) == len(values)
    edges = [[int(end.replace(",", "")) for end in name.split("-")] for name, _ in found]
    assert [count for _, count in found] == [sum(edge[0] <= v <= edge[-1] for v in values) for edge in edges]


def test_pipes_do_not_break_a_table() -> None:
    assert table(["a"], [["x|y"]]).splitlines()[2] == "| x\\|y |"


@pytest.mark.parametrize("text", [SEEN_BEGIN, SEEN_END, f"{SEEN_END}\n{SEEN_BEGIN}", f"{SEEN_BEGIN}{SEEN_END}" * 2])
def test_marker_lines_that_do_not_pair(text: str) -> None:
    with pytest.raises(InputError, match="needs the line"):
        put_seen(text, "x")


def test_a_class_label_stands_with_its_names() -> None:
    field = class_label("hallucinated", ("no", "yes"))
    assert field.type == pa.int64()
    assert column_feature(field)["dtype"] == {"class_label": {"names": {"0": "no", "1": "yes"}}}


def test_a_view_names_the_files_of_another_config_and_adds_no_rows() -> None:
    view = {("b-en", "4k"): SplitFacts(1, "d4", 50, 30, (5,))}
    descriptions = {"a": "", "b": "", "b-en": ""}
    text = front_matter(FACTS, SCHEMA, descriptions, "b", {}, view, {("b-en", "4k"): "b/4k-en-*.parquet"})
    found = yaml.safe_load(text.split("---\n")[1])
    assert found["configs"][2]["data_files"] == [{"split": "4k", "path": "b/4k-en-*.parquet"}]
    assert found["size_categories"] == ["n<1K"]
    assert [one["config_name"] for one in found["dataset_info"]] == ["b", "a", "b-en"]
