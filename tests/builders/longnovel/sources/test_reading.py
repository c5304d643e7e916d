import json
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub.errors import LocalEntryNotFoundError

from lengthwise.builders.longnovel.sources.reading import READERS, read_source, source_kind
from lengthwise.errors import InputError


def write(path: Path, *rows: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


def test_a_folder_of_books(tmp_path: Path) -> None:
    write(tmp_path / "b.jsonl", {"text": "One."}, {"text": "Two."})
    (tmp_path / "a.txt").write_text("Chapter 1\n\nThree.\n\nChapter 2\n\nFour with")
    (tmp_path / "SOURCE.txt").write_text("From somewhere.")
    write(tmp_path / "a.summaries.jsonl", {"unit": 1, "summary": "It is.", "summary_origin": "model:m"})
    source = read_source(tmp_path, licence="CC0", redistributable=True)
    assert (source.name, source.kind, source.licence, source.redistributable) == (tmp_path.name, "books", "CC0", True)
    assert [(unit.book, unit.index, unit.summary_origin) for unit in source.units] == [
        ("a", 1, "model:m"), ("a", 2, ""), ("b", 1, ""), ("b", 2, "")
    ]  # fmt: skip
    assert source.damage == ("a unit 2 (Chapter 2): it ends without an end mark (…Four with): cut?",)
    assert source.splits == {}


def test_a_folder_may_not_be_passed_on_unless_its_owner_says_so(tmp_path: Path) -> None:
    write(tmp_path / "b.jsonl", {"text": "One."})
    source = read_source(tmp_path / "b.jsonl")
    assert (source.licence, source.redistributable) == ("unknown", False)


def test_one_id_for_two_books_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "b.jsonl", {"text": "One."})
    (tmp_path / "b.txt").write_text("Two.")
    with pytest.raises(InputError, match="two books have the id 'b'"):
        read_source(tmp_path)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "give a folder"),
        ("./none", "no such folder or file"),
        ("none", "no such folder or file"),
        ("kmfoda/boksum", "no such path exists.*did you mean 'kmfoda/booksum'"),
        ("SII-BDML/LongNovel", "finished rows"),
    ],
)
def test_sources_that_are_none(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_source(name)


def test_files_that_hold_no_books(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no books there"):
        read_source(tmp_path)
    (tmp_path / "a.pdf").write_text("")
    with pytest.raises(InputError, match=r"a\.pdf: not a \.jsonl, \.txt, \.epub file"):
        read_source(tmp_path / "a.pdf")


def test_squality_is_known_by_its_rows(tmp_path: Path) -> None:
    plot = {"question_number": 1, "responses": [{"response_text": "It is."}]}
    row = {"metadata": {"passage_id": "7"}, "document": "It was.", "questions": [plot]}
    write(tmp_path / "dev.jsonl", row, row)
    source = read_source(tmp_path)
    assert (source.name, source.kind, source.redistributable) == ("squality", "squality", True)
    assert source.splits == {"squality_dev_anthology": "validation"}
    assert [unit.index for unit in source.units] == [1, 2]


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    def download(repo: str, *, repo_type: str, revision: str | None, allow_patterns: list[str]) -> str:
        folder = tmp_path / repo.replace("/", "--") / (revision or "main").replace("/", "-") / "0123456789abcdef"
        if not folder.is_dir():
            raise LocalEntryNotFoundError("no connection")
        return str(folder)

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    return tmp_path


def test_the_cleaned_booksum(hub: Path) -> None:
    def row(bid: int, chapter: str) -> dict[str, Any]:
        return {
            "bid": bid,
            "book_title": f"Tale {bid}",
            "chapter_id": f"Tale {bid}.{chapter}",
            "text": f"Text of {chapter}.",
            "summary": [{"source": "shmoop", "text": "It is.", "analysis": None}],
            "is_aggregate": False,
        }

    folder = hub / "ubaada--booksum-complete-cleaned" / "main" / "0123456789abcdef" / "chapters"
    write(folder / "train.jsonl", row(1, "chapter 2"), row(1, "chapter 1"))
    write(folder / "val.jsonl", row(2, "chapter 1"))
    # A book of two splits stays in the first.
    write(folder / "test.jsonl", row(1, "chapter 3"), row(3, "chapter 1"))
    source = read_source("ubaada/booksum-complete-cleaned")
    assert source.name == "ubaada/booksum-complete-cleaned@0123456789ab"
    assert source.splits == {"tale_1_1": "train", "tale_2_2": "validation", "tale_3_3": "test"}
    assert [(unit.book, unit.title) for unit in source.units] == [
        ("tale_1_1", "chapter 1"), ("tale_1_1", "chapter 2"), ("tale_2_2", "chapter 1"), ("tale_3_3", "chapter 1")
    ]  # fmt: skip
    assert "tale_1_1: its 1 chapters in test are left out, as it is in train" in source.damage
    assert not source.redistributable and "study guides" in source.licence


@pytest.mark.parametrize("branch", ["refs-convert-parquet", "main"])
def test_the_other_booksum_from_parquet_or_csv(hub: Path, branch: str) -> None:
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

    folder = hub / "kmfoda--booksum" / branch / "0123456789abcdef"
    splits = ("train", "validation", "test") if branch != "main" else ("train", "dev", "test")
    for bid, split in enumerate(splits):
        table = pa.table(
            {
                "bid": [bid, bid],
                "is_aggregate": [False, True],
                "source": ["shmoop", "shmoop"],
                "book_id": ["Tale.chapter 1", "Tale.chapters 1-2"],
                "chapter": ["It was,\n\nand was.", "More."],
                "summary_text": ["It is.", "It is more."],
            }
        )
        folder.mkdir(parents=True, exist_ok=True)
        if branch == "main":
            pyarrow.csv.write_csv(table, folder / f"{split}.csv")
        else:
            (folder / "default" / split).mkdir(parents=True)
            pyarrow.parquet.write_table(table, folder / "default" / split / "0000.parquet")
    source = read_source("kmfoda/booksum")
    assert list(source.splits.values()) == ["train", "validation", "test"]
    assert [(unit.book, unit.text, unit.summary, unit.summary_origin) for unit in source.units] == [
        (f"tale_{bid}", "It was,\n\nand was.", "It is.", "human:shmoop") for bid in range(3)
    ]


def test_a_data_set_that_cannot_be_had(hub: Path) -> None:
    with pytest.raises(InputError, match=r"source kmfoda/booksum: kmfoda/booksum: the Hub cannot be reached"):
        read_source("kmfoda/booksum")


def test_every_kind_has_a_reader(tmp_path: Path) -> None:
    write(tmp_path / "b.jsonl", {"text": "One."})
    assert {source_kind(str(tmp_path)), source_kind("kmfoda/booksum")} <= set(READERS)


@pytest.mark.shared
def test_the_shared_books(shared_dir: Path) -> None:
    found = {
        name: read_source(shared_dir / "data" / name, headings_as_summaries=True)
        for name in ("novels_en", "novels_zh", "epics_en", "squality")
    }
    assert {name: len(source.units) for name, source in found.items()} == {
        "novels_en": 256, "novels_zh": 240, "epics_en": 60, "squality": 75
    }  # fmt: skip
    assert {unit.summary_origin for unit in found["novels_zh"].units} == {"heading"}
    assert not any(unit.summary for unit in found["novels_en"].units)
    lost = [line for line in found["novels_zh"].damage if "question marks" in line]
    assert len(lost) == 10 and all(line.startswith("sanguoyanyi") for line in lost)
