import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lengthwise.builders.benchmarks import validate
from lengthwise.builders.hub_folder import read_build
from lengthwise.builders.longnovel.steps_files import WINDOWS_FILE, read_units, write_units

Rows = list[dict[str, Any]]


def problems(folder: Path) -> list[str]:
    return [line for report in validate(folder) for line in report.problems if "digest" not in line]


def spoil(folder: Path, change: Callable[[Rows], None], file: str = "4k/test-en") -> list[str]:
    """Change the rows of a file and return what validate has to say beside the digests."""
    (path,) = folder.glob(f"{file}-*.parquet")
    table = pq.read_table(path, partitioning=None)
    rows = table.to_pylist()
    change(rows)
    pq.write_table(pa.Table.from_pylist(rows, table.schema), path, write_page_index=True)
    return problems(folder)


def of(rows: Rows, origin: str, **wanted: Any) -> dict[str, Any]:
    return next(row for row in rows if row["origin"] == origin and all(row[k] == v for k, v in wanted.items()))


def test_a_build_without_faults_has_none(finished: Path) -> None:
    assert [line for report in validate(finished) for line in report.problems] == []


def test_rows_are_counted_once_though_the_test_split_has_them_as_prompts_too(finished: Path) -> None:
    rows = sum(line["total"] for line in read_build(finished)["composition"].values())
    assert validate(finished)[-1].rows == rows > 0


def test_a_folder_from_the_hub_has_no_steps_and_no_faults(copied: Path) -> None:
    shutil.rmtree(copied / "steps")
    assert [line for report in validate(copied) for line in report.problems] == []


def other_class(rows: Rows) -> None:
    rows[0]["hallucinated"] = 1 - rows[0]["hallucinated"]


def original_that_is_hallucinated(rows: Rows) -> None:
    of(rows, "original").update(score=2, hallucinated=1)


def injected_that_is_faithful(rows: Rows) -> None:
    of(rows, "erhg").update(score=4, hallucinated=0, types=[])


def no_score(rows: Rows) -> None:
    rows[0]["score"] = 6


def score_of_three_types(rows: Rows) -> None:
    row = of(rows, "erhg", score=2)
    row.update(score=1, answer_text=row["answer_text"].replace('"score": 2', '"score": 1'))


def types_out_of_order(rows: Rows) -> None:
    of(rows, "erhg", score=1)["types"].reverse()


def unknown_type(rows: Rows) -> None:
    of(rows, "mma", hallucinated=1)["types"] = ["omission"]


def type_that_was_not_injected(rows: Rows) -> None:
    row = of(rows, "erhg", score=2)
    row["types"] = ["entity", "temporal"] if row["types"] != ["entity", "temporal"] else ["entity"]


def faithful_with_types(rows: Rows) -> None:
    of(rows, "mma", hallucinated=0)["types"] = ["entity"]


def other_reply(rows: Rows) -> None:
    rows[0]["answer_text"] = '{"score": 0, "reason": "no"}'


def nobody_judged(rows: Rows) -> None:
    of(rows, "mma")["judges"] = []


def judge_out_of_range(rows: Rows) -> None:
    of(rows, "mma")["judges"][0]["score"] = 9


def injected_sentence_gone(rows: Rows) -> None:
    row = of(rows, "erhg")
    row["summary"] = row["summary"].replace(row["injections"][0]["hallucinated"], "")


def original_gone(rows: Rows) -> None:
    row = of(rows, "erhg")
    row["reference"] = row["reference"].replace(row["injections"][0]["original"], "")


def something_else_changed(rows: Rows) -> None:
    row = of(rows, "erhg")
    row["summary"] += " The end."


def injection_that_changes_nothing(rows: Rows) -> None:
    row = of(rows, "erhg")
    one = row["injections"][0]
    row["summary"] = row["summary"].replace(one["hallucinated"], one["original"])
    one["hallucinated"] = one["original"]


def injection_elsewhere(rows: Rows) -> None:
    of(rows, "mma")["injections"] = of(rows, "erhg")["injections"]


def not_its_reference(rows: Rows) -> None:
    of(rows, "original")["summary"] += " And more."


def other_language(rows: Rows) -> None:
    of(rows, "mma")["summary"] = (
        "这是一段中文摘要，说的是老船长每天走到码头去数船，数完了就回家，从来不间断，直到有一天他病倒了。"
    )


def other_count(rows: Rows) -> None:
    rows[0]["n_tokens"] += 1


def other_tokenizer(rows: Rows) -> None:
    rows[0]["tokenizer"] = "gpt2"


def window_too_long(rows: Rows) -> None:
    rows[0]["article"] *= 5


def other_article(rows: Rows) -> None:
    rows[0]["article"] = rows[0]["article"].replace("captain", "painter")


def no_such_window(rows: Rows) -> None:
    rows[0]["unit_end"] += 1


def units_backwards(rows: Rows) -> None:
    rows[0]["unit_end"] = 0


def other_scale(rows: Rows) -> None:
    rows[0]["scale"] = "8k"


def id_of_another(rows: Rows) -> None:
    rows[0]["id"] = "4k-x-0001-0002-original"


def id_twice(rows: Rows) -> None:
    rows[1]["id"] = rows[0]["id"]


def pair_of_one(rows: Rows) -> None:
    of(rows, "erhg").update(pair_id="", pair_kind="")


def pair_without_kind(rows: Rows) -> None:
    of(rows, "erhg")["pair_kind"] = ""


def pair_of_another_kind(rows: Rows) -> None:
    name = of(rows, "erhg")["pair_id"]
    for row in rows:
        if row["pair_id"] == name:
            row["pair_kind"] = "window"


def pair_of_two_windows(rows: Rows) -> None:
    one, other = [row for row in rows if row["origin"] == "erhg"][:2]
    one["pair_id"], other["pair_id"] = other["pair_id"], one["pair_id"]


def models_summaries(rows: Rows) -> None:
    rows[0]["summary_origin"] = "model:m"


def lost_row(rows: Rows) -> None:
    rows.pop()


def replacement_character(rows: Rows) -> None:
    rows[0]["reason"] += "\ufffd"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (other_class, "hallucinated is"),
        (original_that_is_hallucinated, "original with the score 2"),
        (injected_that_is_faithful, "erhg with the score 4"),
        (no_score, "score 6 is not from 0 to 5"),
        (score_of_three_types, "score 1 with"),
        (types_out_of_order, "types are not canonical names in their order"),
        (unknown_type, "unknown hallucination type 'omission'"),
        (type_that_was_not_injected, "types are not those of its injections"),
        (faithful_with_types, "a faithful summary with the types entity"),
        (other_reply, "answer_text is not the JSON of score, reason and types"),
        (nobody_judged, "nobody judged it"),
        (judge_out_of_range, "a judge's score"),
        (injected_sentence_gone, "an injected sentence does not stand in the summary"),
        (original_gone, "an original sentence does not stand in the reference"),
        (something_else_changed, "besides the injected sentences the summary differs"),
        (injection_that_changes_nothing, "an injected sentence stands in the reference too"),
        (injection_elsewhere, "injections in a row that is not erhg"),
        (not_its_reference, "an original summary that is not its reference"),
        (other_language, "the summary is not in en"),
        (other_count, "n_tokens is"),
        (other_tokenizer, "counted by 'gpt2'"),
        (window_too_long, "outside 2,000 to 8,000"),
        (other_article, "the article is not the text of its units"),
        (no_such_window, "has no such window"),
        (units_backwards, "are no window"),
        (other_scale, "scale '8k' in the config 4k"),
        (id_of_another, "the id is not that of its window and origin"),
        (id_twice, "the id is on two rows"),
        (pair_of_one, "1 rows, where it has one of each class"),
        (pair_without_kind, "a pair's id without its kind"),
        (pair_of_another_kind, "erhg and original as window"),
        (pair_of_two_windows, "its rows are of two windows"),
        (models_summaries, "stand in one table"),
        (lost_row, "the counts in build.json are not those of its rows"),
        (replacement_character, "U+FFFD"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_planted_fault_is_named(copied: Path, change: Callable[[Rows], None], said: str) -> None:
    found = spoil(copied, change)
    assert any(said in line for line in found), found


def test_a_changed_prompt_is_named(copied: Path) -> None:
    def change(rows: Rows) -> None:
        rows[0]["prompt"] += "!"

    assert any("the prompt is not made of the row of 4k" in line for line in spoil(copied, change, "4k-prompt/test"))


def test_a_book_in_two_splits_is_named_as_in_the_papers_own_slip(copied: Path) -> None:
    (train,) = copied.glob("4k/train-en-*.parquet")
    (validation,) = copied.glob("4k/validation-en-*.parquet")
    shutil.copyfile(train, validation)
    assert any("is in train and validation" in line for line in problems(copied))


def test_a_window_file_of_other_lengths_is_named(copied: Path) -> None:
    path = copied / WINDOWS_FILE
    table = pq.read_table(path, partitioning=None)
    rows = [{**row, "n_tokens": row["n_tokens"] + 1} for row in table.to_pylist()]
    pq.write_table(pa.Table.from_pylist(rows, table.schema), path)
    assert any(f"{WINDOWS_FILE} says" in line for line in problems(copied))


def test_a_window_over_missing_chapters_is_named(copied: Path) -> None:
    units = [replace(one, unit=replace(one.unit, gap=one.unit.index == 2)) for one in read_units(copied)]
    write_units(copied, [replace(one, flags=("gap",) * one.unit.gap) for one in units])
    found = problems(copied)
    assert found and all("runs over a place where the source lacks chapters" in line for line in found)


def test_a_view_of_other_rows_is_named(copied: Path) -> None:
    build = read_build(copied)
    build["views"]["4k-en"]["test"]["rows"] += 1
    (copied / "build.json").write_text(json.dumps(build))
    assert any("4k-en/test: its files hold other rows" in line for line in problems(copied))


def test_other_prompts_are_named(copied: Path) -> None:
    build = read_build(copied)
    (copied / "build.json").write_text(json.dumps({**build, "prompt_template": "0"}))
    assert any("the prompts are others" in line for line in problems(copied))
