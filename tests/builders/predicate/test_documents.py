import json
from pathlib import Path

import pytest

from lengthwise.builders.predicate.documents import SourceDocument, read_documents
from lengthwise.errors import InputError


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def record(number: int, context: str) -> dict[str, str]:
    """One record with the fields of LongBench v2."""
    return {
        "_id": f"66f3{number}",
        "domain": "Single-Document QA",
        "sub_domain": "Literary",
        "difficulty": "easy",
        "length": "short",
        "question": "Who speaks?",
        "choice_A": "a",
        "choice_B": "b",
        "choice_C": "c",
        "choice_D": "d",
        "answer": "A",
        "context": context,
    }


def ids(source: Path) -> list[str]:
    return [document.id for document in read_documents(str(source))]


def message(source: Path | str) -> str:
    with pytest.raises(InputError) as caught:
        list(read_documents(str(source)))
    return str(caught.value)


def test_text_file_is_one_document(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one two\n")
    found = list(read_documents(str(tmp_path / "a.txt")))
    assert found == [SourceDocument("a", "one two\n", "a", "unknown", "unknown", "unknown", "file:a.txt")]


def test_byte_order_mark_and_carriage_returns_go(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo")
    assert next(read_documents(str(tmp_path))).text == "one\ntwo"


def test_byte_order_mark_before_json_goes(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b'\xef\xbb\xbf{"text": "one"}\n')
    assert next(read_documents(str(tmp_path))).text == "one"


def test_folder_is_read_by_name_and_below(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("b.txt", "a.txt", "sub/a.TXT"):
        (tmp_path / name).write_text("words")
    assert ids(tmp_path) == ["a", "b", "sub/a"]


@pytest.mark.parametrize("name", ["LICENSE.txt", "licence-x.txt", "COPYING.txt", "SOURCE.txt", "Readme.txt", ".x.txt"])
def test_files_about_the_documents_are_passed_over(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.txt").write_text("words")
    (tmp_path / name).write_text("words")
    assert ids(tmp_path) == ["a"]


def test_files_of_other_kinds_and_hidden_folders_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("words")
    (tmp_path / "a.pdf").write_bytes(b"\xff")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "b.txt").write_text("words")
    assert ids(tmp_path) == ["a"]


def test_rows_of_a_book_are_joined_by_unit(tmp_path: Path) -> None:
    rows = [{"book_id": "b", "title": "B", "unit": unit, "text": f"part {unit}"} for unit in (10, 2, "1")]
    found = list(read_documents(str(write(tmp_path / "x.jsonl", *rows))))
    assert [(document.id, document.title) for document in found] == [("b", "B")]
    assert found[0].text == "part 1\n\npart 2\n\npart 10"


def test_books_in_one_file_are_kept_apart(tmp_path: Path) -> None:
    rows = [{"document_id": name, "unit": unit, "text": f"{name}{unit}"} for unit in (1, 2) for name in "ab"]
    found = list(read_documents(str(write(tmp_path / "x.jsonl", *rows))))
    assert [document.text for document in found] == ["a1\n\na2", "b1\n\nb2"]


def test_unit_that_is_no_number(tmp_path: Path) -> None:
    rows = [{"book_id": "b", "unit": unit, "text": "x"} for unit in (1, "two")]
    assert "x.jsonl, line 2: unit 'two' is not a number" in message(write(tmp_path / "x.jsonl", *rows))


def test_rows_without_id_are_named_by_line(tmp_path: Path) -> None:
    assert ids(write(tmp_path / "x.jsonl", {"text": "a"}, {"context": "b"})) == ["x-1", "x-2"]


@pytest.mark.parametrize("indent", [None, 4])
def test_json_array_of_longbench_records(tmp_path: Path, indent: int | None) -> None:
    rows = [record(number, f"text ] {number}") for number in range(3)]
    (tmp_path / "data.json").write_text(json.dumps(rows, indent=indent))
    found = list(read_documents(str(tmp_path / "data.json")))
    assert [document.id for document in found] == ["66f30", "66f31", "66f32"]
    assert found[2].text == "text ] 2"
    assert (found[0].domain, found[0].sub_domain) == ("Single-Document QA", "Literary")


def test_json_array_larger_than_a_chunk(tmp_path: Path) -> None:
    rows = [record(number, f"wörter {number} " * 200_000) for number in range(3)]
    (tmp_path / "data.json").write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    found = list(read_documents(str(tmp_path / "data.json")))
    assert [document.text for document in found] == [row["context"] for row in rows]


def test_json_file_with_one_record(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{\n  "_id": "x",\n  "text": "words"\n}\n')
    assert ids(tmp_path) == ["x"]


@pytest.mark.parametrize(
    ("content", "line"),
    [('[{"text": "a"},\n{"text": "b"}', 2), ('[\n{"text": "a"},\n{"text": \n', 4), ('[{"text": "a"},\n\n{,}]', 3)],
    ids=["no-bracket", "cut-in-a-record", "broken"],
)
def test_broken_json_array(tmp_path: Path, content: str, line: int) -> None:
    (tmp_path / "a.json").write_text(content)
    assert f"a.json, line {line}: not JSON" in message(tmp_path)


def test_broken_json_line(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "a"}\n\n{"text": \n')
    assert "a.jsonl, line 3: not JSON" in message(tmp_path)


def test_line_separators_inside_a_record_do_not_cut_it(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", {"text": "one\u2028two\u0085three"})
    assert next(read_documents(str(path))).text == "one\u2028two\u0085three"


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.json"])
def test_bad_utf8_names_the_line(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b'{"text":\n"caf\xe9"}')
    assert message(tmp_path) == f"documents {name}, line 2: not UTF-8; save the file as UTF-8"


def test_row_without_text(tmp_path: Path) -> None:
    assert "x.jsonl, line 2: no text" in message(write(tmp_path / "x.jsonl", {"text": "a"}, {"body": "b"}))


def test_row_that_is_no_record(tmp_path: Path) -> None:
    assert "x.jsonl, line 1: a list, not a record" in message(write(tmp_path / "x.jsonl", ["a"]))


def test_empty_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(" \n")
    assert "a.txt: the text is empty" in message(tmp_path)


def test_no_documents(tmp_path: Path) -> None:
    assert "no document there" in message(tmp_path)


def test_same_id_twice_names_both_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("words")
    write(tmp_path / "b.jsonl", {"_id": "a", "text": "words"})
    assert "'a' names two documents, in file:a.txt and file:b.jsonl" in message(tmp_path)


def test_id_with_a_line_end(tmp_path: Path) -> None:
    assert "not printable" in message(write(tmp_path / "b.jsonl", {"_id": "a\nb", "text": "words"}))


def test_index_says_what_the_documents_are(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("words")
    (tmp_path / "note.txt").write_text("not a document")
    row = {
        "path": "a.txt",
        "_id": "alpha",
        "title": "A",
        "domain": "D",
        "sub_domain": "S",
        "licence": "MIT",
        "origin": "o",
    }
    write(tmp_path / "index.jsonl", row)
    assert list(read_documents(str(tmp_path))) == [SourceDocument("alpha", "words", "A", "D", "S", "MIT", "o")]


def test_index_may_name_a_book_in_parts(tmp_path: Path) -> None:
    write(tmp_path / "b.jsonl", *[{"book_id": "b", "unit": unit, "text": str(unit)} for unit in (1, 2)])
    write(tmp_path / "index.jsonl", {"path": "b.jsonl", "_id": "beta", "domain": "D"})
    found = next(read_documents(str(tmp_path)))
    assert (found.id, found.text, found.domain) == ("beta", "1\n\n2", "D")


@pytest.mark.parametrize("path", ["gone.txt", "../outside.txt", None])
def test_index_with_a_path_that_is_not_there(tmp_path: Path, path: str | None) -> None:
    (tmp_path / "outside.txt").write_text("words")
    (tmp_path / "folder").mkdir()
    write(tmp_path / "folder" / "index.jsonl", {"path": path})
    assert "index.jsonl, line 1: path" in message(tmp_path / "folder")


@pytest.mark.parametrize("source", ["./nowhere", "/no/where", "../nowhere/x", "nowhere", "a/b/c"])
def test_source_that_is_neither_path_nor_hub_id(source: str) -> None:
    assert "no such folder or file, and not a Hub id" in message(source)


def test_empty_source_is_not_the_current_folder() -> None:
    assert "no source" in message("")


def test_file_of_another_kind(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF")
    assert "not a .txt, .jsonl, .json file" in message(tmp_path / "a.pdf")


def test_hub_id_downloads_data_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = tmp_path / "snapshots" / "2b48e494"
    snapshot.mkdir(parents=True)
    (snapshot / "data.json").write_text(json.dumps([record(1, "first"), record(2, "second")]))
    asked: list[dict[str, str]] = []

    def download(**arguments: str) -> str:
        asked.append(arguments)
        return str(snapshot / "data.json")

    monkeypatch.setattr("huggingface_hub.hf_hub_download", download)
    found = list(read_documents("zai-org/LongBench-v2"))
    assert asked == [{"repo_id": "zai-org/LongBench-v2", "repo_type": "dataset", "filename": "data.json"}]
    assert [(document.id, document.text) for document in found] == [("66f31", "first"), ("66f32", "second")]
    assert found[0].origin == "hub:zai-org/LongBench-v2@2b48e494/data.json"
    assert found[0].licence.startswith("data set Apache-2.0")


def test_hub_that_cannot_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub.errors import LocalEntryNotFoundError

    def download(**arguments: str) -> str:
        raise LocalEntryNotFoundError("no network")

    monkeypatch.setattr("huggingface_hub.hf_hub_download", download)
    assert "could not be had from the Hub (LocalEntryNotFoundError: no network)" in message("zai-org/LongBench-v2")


@pytest.mark.shared
def test_real_index(shared_dir: Path) -> None:
    found = list(read_documents(str(shared_dir / "data" / "longdocs")))
    assert len(found) == 8
    assert {document.licence for document in found if document.id == "sqlalchemy_docs"} == {"MIT"}


@pytest.mark.shared
@pytest.mark.parametrize(("folder", "books"), [("novels_en", 3), ("epics_en", 3), ("novels_zh", 3)])
def test_real_books(shared_dir: Path, folder: str, books: int) -> None:
    found = list(read_documents(str(shared_dir / "data" / folder)))
    assert len(found) == books
    assert min(len(document.text) for document in found) > 100_000
