"""Omissions: found with what the reply says, listed in a CSV file, and counted with a person's judgements."""

from pathlib import Path

import pytest
from instance_cases import Asked, instance_run

from lengthwise.contracts import Reply
from lengthwise.errors import InputError
from lengthwise.evaluators.instance_analyses.omissions import (
    Omission,
    find_omissions,
    omission_table,
    omissions_csv,
    read_omissions,
    write_omissions,
)
from lengthwise.evaluators.scoring import Scored
from lengthwise.recording import Key, Record

BATCHES = {"kind": "batches", "text": "please split the list"}


def left_out(n: int, seed: int = 1, limit: dict[str, str] | None = None) -> Asked:
    details = {"omission": True, "missing": n - 1, "missing_at": f"2-{n}", "stated_limit": limit}
    return Asked("parity-instances", n, seed, "wrong", failure="key", details=details)


def whole(n: int, seed: int = 1) -> Asked:
    return Asked("parity-instances", n, seed, details={"omission": False})


def run_of(path: Path, asked: list[Asked], texts: dict[int, str] | None = None, model: str = "toy") -> Scored:
    """A run whose replies are on disk: size -> text."""
    path.mkdir(parents=True, exist_ok=True)
    lines = [
        Record(Key(one.row["id"], 0, 0, "q"), Reply((texts or {}).get(one.n, f"{model} {one.n}"))).to_line()
        for one in asked
    ]
    (path / "replies.jsonl").write_bytes(b"".join(lines))
    return instance_run(asked, model, path=path)


def test_only_replies_that_leave_instances_out_are_listed(tmp_path: Path) -> None:
    (found,) = find_omissions([run_of(tmp_path, [left_out(5, limit=BATCHES), whole(2)])])
    assert (found.model, found.task, found.n_instances, found.missing) == ("toy", "parity", 5, 4)
    assert (found.flagged, found.excerpt) == ("batches", "please split the list")
    # A hyphen would be a date to a spreadsheet.
    assert found.missing_at == "2–5"


def test_what_is_not_flagged_shows_what_stands_beside_the_answers(tmp_path: Path) -> None:
    text = '{"1": 0, "2": "odd", "3": -1.5, "odd": 1, "reasoning": "I stop here."}'
    (found,) = find_omissions([run_of(tmp_path, [left_out(5)], {5: text})])
    assert (found.flagged, found.excerpt) == ("", '{"odd": 1, "reasoning": "I stop here."}')


def test_a_long_reply_shows_its_end(tmp_path: Path) -> None:
    (found,) = find_omissions([run_of(tmp_path, [left_out(5)], {5: "word " * 500 + "the end"})])
    assert found.excerpt.startswith("… ") and found.excerpt.endswith("the end")
    assert len(found.excerpt) == 402


def test_a_key_is_of_one_reply(tmp_path: Path) -> None:
    keys = {
        find_omissions([run_of(tmp_path / name, [left_out(5)], {5: text})])[0].key
        for name, text in (("a", "one"), ("b", "two"), ("c", "one"))
    }
    assert len(keys) == 2
    assert all(key.startswith("o-") and len(key) == 18 for key in keys)


OMISSION = Omission("o-1", "=toy", "parity", 5, 4, "2–5", "", 'says "no, thanks"', "row", 0)


def test_the_list_has_a_column_for_a_person() -> None:
    head, line = omissions_csv([OMISSION], {"o-1": "yes"}).splitlines()
    assert head.startswith("key,suggests_batches,model,")
    # A label cannot become a formula.
    assert line == 'o-1,yes,\'=toy,parity,5,4,2–5,,"says ""no, thanks""",row,0'


def test_judgements_are_read_back(tmp_path: Path) -> None:
    path = write_omissions([OMISSION], tmp_path / "new" / "list.csv", {"o-1": "no"})
    assert read_omissions(path) == {"o-1": "no"}


def test_writing_again_keeps_the_judgements(tmp_path: Path) -> None:
    path = write_omissions([OMISSION], tmp_path / "list.csv", {"o-1": "yes"})
    write_omissions([OMISSION], path)
    assert read_omissions(path) == {"o-1": "yes"}


@pytest.mark.parametrize(
    ("said", "tick"), [("yes", "yes"), (" Y ", "yes"), ("x", "yes"), ("TRUE", "yes"), ("No", "no"), ("0", "no")]
)
def test_what_people_and_spreadsheets_write(tmp_path: Path, said: str, tick: str) -> None:
    (tmp_path / "list.csv").write_text(f"key;suggests_batches;model\no-1;{said};toy\no-2;;toy\n", "utf-8-sig")
    assert read_omissions(tmp_path / "list.csv") == {"o-1": tick}


def test_anything_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("key,suggests_batches\no-1,perhaps\n")
    with pytest.raises(InputError, match="'perhaps' in the line of o-1; write yes, no, or nothing"):
        read_omissions(tmp_path / "list.csv")


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="has no columns key and suggests_batches"):
        read_omissions(tmp_path / "list.csv")
    with pytest.raises(InputError, match="cannot be read"):
        read_omissions(tmp_path / "none.csv")


def test_a_file_of_something_else_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="has no columns"):
        write_omissions([OMISSION], tmp_path / "list.csv")


def test_confirmed_ones_are_counted_by_model(tmp_path: Path) -> None:
    runs = [
        run_of(tmp_path / "a", [left_out(5, limit=BATCHES), left_out(10), whole(2)]),
        run_of(tmp_path / "b", [left_out(5, limit={"kind": "limit", "text": "x"}), whole(2)], model="other"),
    ]
    found = find_omissions(runs)
    table = omission_table(runs, found, {found[1].key: "yes", found[2].key: "no", "o-gone": "yes"})
    assert [one.model for one in found] == ["other", "toy", "toy"]
    assert table is not None
    assert table.rows == (
        ("toy", "3", "2", "1", "0", "2", "1"),
        ("other", "2", "1", "0", "1", "0", "0 so far"),
        ("all models", "5", "3", "1", "1", "2", "1 so far"),
    )
    assert "1 judgements are of replies that are not among these" in table.notes[-1]


def test_without_the_instance_level_setting_there_is_no_table() -> None:
    assert omission_table([instance_run([Asked("parity", 2)])], ()) is None
