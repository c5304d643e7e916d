import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lengthwise.builders.benchmarks import validate
from lengthwise.builders.hub_folder import read_build
from lengthwise.builders.longnovel.labels import reply_text

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


def replaced(row: dict[str, Any], column: str, old: str, new: str) -> None:
    assert old in row[column]
    row[column] = row[column].replace(old, new, 1)


def test_a_build_without_faults_has_none(small: Path) -> None:
    reports = validate(small)
    assert [line for report in reports for line in report.problems] == []
    assert (reports[-1].rows, reports[-1].digest) == (12, read_build(small)["digest"])


def another_class(rows: Rows) -> None:
    rows[1]["hallucinated"] = 1


def another_score(rows: Rows) -> None:
    score = next(score for score in (3, 4, 5) if score != rows[1]["score"])
    rows[1].update(score=score, answer_text=reply_text("en", score, rows[1]["reason"], ()))


def another_word_in_the_article(rows: Rows) -> None:
    replaced(rows[0], "article", " the ", " a ")
    rows[1]["article"] = rows[0]["article"]


def a_true_summary_that_is_called_hallucinated(rows: Rows) -> None:
    rows[0]["summary"] = rows[1]["summary"]


def an_untrue_summary_that_is_called_faithful(rows: Rows) -> None:
    rows[1]["summary"] = rows[0]["summary"]


def another_reference(rows: Rows) -> None:
    for row in rows[:2]:
        row["reference"] += " And so on."


def another_type(rows: Rows) -> None:
    types = ["temporal"] if rows[0]["types"] != ["temporal"] else ["causal"]
    rows[0]["injections"][0]["type"] = types[0]


def another_subtype(rows: Rows) -> None:
    rows[0]["injections"][0]["subtype"] = "T9"


def another_truth(rows: Rows) -> None:
    rows[0]["injections"][0]["original"] = rows[1]["summary"].split(". ")[0] + "."


def evidence_elsewhere(rows: Rows) -> None:
    rows[0]["evidence"][0]["starts"][0] += 1


def evidence_outside(rows: Rows) -> None:
    rows[0]["evidence"][0]["ends"][0] = 10**6


def evidence_left_out(rows: Rows) -> None:
    for name in ("units", "starts", "ends"):
        rows[0]["evidence"][0][name].pop()


def evidence_of_a_faithful_row(rows: Rows) -> None:
    rows[1]["evidence"] = rows[0]["evidence"]


def evidence_nearer(rows: Rows) -> None:
    rows[0]["evidence"][0]["distance"] -= 1


def another_count(rows: Rows) -> None:
    rows[0]["n_tokens"] += 1


def another_novel(rows: Rows) -> None:
    for row in rows[:2]:
        row.update(book=rows[2]["book"])


def no_novel(rows: Rows) -> None:
    for row in rows[:2]:
        row.update(book="moby_dick")


def fewer_units(rows: Rows) -> None:
    for row in rows[:2]:
        row["unit_end"] += 1


def no_partner(rows: Rows) -> None:
    rows[0]["pair_id"] = "other"


def another_question(rows: Rows) -> None:
    rows[0]["question"] += "!"


def another_language(rows: Rows) -> None:
    rows[0]["language"] = "zh"


FAULTS = [fault for name, fault in list(globals().items()) if name.split("_")[0] in
          ("another", "a", "an", "evidence", "no", "fewer") and callable(fault)]  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_is_found(copied: Path, fault: Callable[[Rows], None]) -> None:
    assert spoil(copied, fault) != []


def test_a_lie_that_both_rows_of_a_pair_tell_is_found(copied: Path) -> None:
    def lie(rows: Rows) -> None:
        wrong = rows[0]["injections"][0]
        replaced(rows[1], "summary", wrong["original"], wrong["hallucinated"])

    assert any("-original: " in line and "summary" in line for line in spoil(copied, lie))


def test_chinese_rows_are_proved_too(copied: Path) -> None:
    found = spoil(copied, lambda rows: rows[0].update(article=rows[0]["article"] + "完。"), "4k/test-zh")
    assert any("article is not the prose" in line for line in found)


def test_a_prompt_that_is_another_rows_is_found(copied: Path) -> None:
    found = spoil(copied, lambda rows: rows[0].update(prompt=rows[1]["prompt"]), "4k-prompt/test")
    assert any("the prompt is not made of the row" in line for line in found)


def test_novels_that_are_missing_are_counted(copied: Path) -> None:
    build = json.loads((copied / "build.json").read_text("utf-8"))
    build["plan"]["settings"]["train"] = 8
    (copied / "build.json").write_text(json.dumps(build), "utf-8")
    assert any("2 novels that the settings name are missing" in line for line in problems(copied))


def test_counts_in_build_json_are_counted_again(copied: Path) -> None:
    build = json.loads((copied / "build.json").read_text("utf-8"))
    build["composition"]["test 4k"]["hallucinated"] += 1
    (copied / "build.json").write_text(json.dumps(build), "utf-8")
    assert problems(copied) == ["test 4k: the counts in build.json are not those of its rows"]


def test_novels_in_other_words_cannot_be_proved_and_that_is_said_once(copied: Path) -> None:
    build = json.loads((copied / "build.json").read_text("utf-8"))
    build["plan"]["wording"]["zh"] = "0" * 64
    (copied / "build.json").write_text(json.dumps(build), "utf-8")
    (line,) = problems(copied)
    assert line.startswith("the novels in zh were told in other words")
