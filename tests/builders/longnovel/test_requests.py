import csv
from pathlib import Path

import pytest

from lengthwise.builders.longnovel.requests import PAPER_REQUESTS, Request, read_requests
from lengthwise.errors import InputError

HEAD = "split\tscale\tzh\ten\toriginal\terhg\tmma\thallucinated"
SUBSETS = {"train": "Train", "validation": "Valid", "test": "Test"}
SCALES = {"s": "16k", "m": "32k", "l": "64k", "xl": "100k"}


@pytest.mark.shared
def test_the_papers_requests_are_its_table_7(shared_dir: Path) -> None:
    with (shared_dir / "reference" / "longnovel_table_7.tsv").open() as file:
        table = {line["subset"]: line for line in csv.DictReader(file, delimiter="\t")}
    found = {}
    for one in PAPER_REQUESTS:
        found[f"{SUBSETS[one.split]}_{SCALES[one.scale]}"] = {
            "total": one.total, **one.languages, **one.origins, "hallucinated": one.hallucinated,
            "non_hallucinated": one.total - one.hallucinated,
        }  # fmt: skip
    assert found == {name: {key: int(line[key]) for key in line if key != "subset"} for name, line in table.items()}


def test_the_models_own_rows_split_exactly() -> None:
    kinds = {f"{one.split} {one.scale}": (one.kinds["mma", True], one.kinds["mma", False]) for one in PAPER_REQUESTS}
    assert kinds["train s"] == (491, 616)
    assert kinds["test xl"] == (30, 12)


def test_a_table_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "requests.tsv"
    path.write_text(f"{HEAD}\tTemporal Hallucination\ntest\t8k\t0\t4\t1\t2\t1\t3\t2\n")
    (found,) = read_requests(path)
    assert (found.total, found.types, found.kinds["mma", True]) == (4, {"temporal": 2}, 1)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("test\t8k\t0\t5\t1\t2\t1\t3", "the languages add up to 5 and the origins to 4"),
        ("test\t8k\t0\t4\t1\t2\t1\t1", "hallucinated 1 of 4, where all erhg"),
        ("test\t8k\t0\t4\t1\t2\t1\t4", "hallucinated 4 of 4, where all erhg"),
        ("train\txl\t0\t4\t1\t2\t1\t3", "xl has test only"),
        ("dev\txl\t0\t4\t1\t2\t1\t3", "the split 'dev' is none of"),
        ("test\thuge\t0\t4\t1\t2\t1\t3", "scale 'huge'"),
        ("test\t8k\t0\tmany\t1\t2\t1\t3", "whole number"),
        ("test\t8k\t0\t4\t-1\t4\t1\t4", "negative"),
    ],
)
def test_a_request_that_cannot_be(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "requests.tsv"
    path.write_text(f"{HEAD}\n{line}\n")
    with pytest.raises(InputError, match=said):
        read_requests(path)


def test_other_columns(tmp_path: Path) -> None:
    (tmp_path / "r.tsv").write_text("subset\ttotal\n")
    with pytest.raises(InputError, match="the columns must be"):
        read_requests(tmp_path / "r.tsv")


def test_no_rows_at_all_is_a_request() -> None:
    assert Request("test", "s", {}, {}, 0).total == 0
