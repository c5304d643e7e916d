from pathlib import Path

import pytest

from lengthwise.builders.longnovel.records import Candidate, Injected, Injection, Reference, Verdict, WindowKey
from lengthwise.builders.longnovel.steps_tables import (
    CANDIDATES_FILE,
    INJECTED_FILE,
    REFERENCES_FILE,
    read_candidates,
    read_injected,
    read_references,
    write_candidates,
    write_injected,
    write_references,
)
from lengthwise.errors import InputError

ONE, TWO = WindowKey("s", "iliad", 1, 4), WindowKey("s", "iliad", 3, 7)


def test_references(tmp_path: Path) -> None:
    kept = Reference(ONE, "Text.", 1, 900, False, 0, None, "", "human:a")
    made = Reference(TWO, "文。", 2, 900, True, 2, 3, "so", "human:a")
    write_references(tmp_path, [made, kept])
    assert read_references(tmp_path) == [kept, made]


def test_candidates(tmp_path: Path) -> None:
    verdicts = (Verdict("judge-1", 5, "all well"), Verdict("judge-2", 1, "no"))
    candidates = [
        Candidate(ONE, "generator-1", "Text.", verdicts, 2, "r", ("entity", "causal")),
        Candidate(ONE, "generator-2", "Text.", (), 5, "r"),
    ]
    write_candidates(tmp_path, candidates[::-1])
    assert read_candidates(tmp_path) == candidates


def test_injected_keep_their_order(tmp_path: Path) -> None:
    injections = (
        Injection("entity", "T1", "B.", "A.", "injector-2", 1),
        Injection("event", "", "D.", "", "injector-2", 3),
    )
    injected = [Injected(ONE, "B. D.", injections, 2), Injected(ONE, "B.", injections[:1], 2)]
    write_injected(tmp_path, injected)
    assert read_injected(tmp_path) == injected


def test_no_rows(tmp_path: Path) -> None:
    write_references(tmp_path, [])
    write_candidates(tmp_path, [])
    write_injected(tmp_path, [])
    assert read_references(tmp_path) == read_candidates(tmp_path) == read_injected(tmp_path) == []


def test_the_key_stands_in_front_as_in_windows(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    write_references(tmp_path, [])
    write_candidates(tmp_path, [])
    write_injected(tmp_path, [])
    for file in (REFERENCES_FILE, CANDIDATES_FILE, INJECTED_FILE):
        assert pq.read_schema(tmp_path / file).names[:4] == ["scale", "book", "unit_start", "unit_end"]


def test_missing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--until arbitration"):
        read_candidates(tmp_path)


def test_damaged(tmp_path: Path) -> None:
    write_references(tmp_path, [])
    data = (tmp_path / REFERENCES_FILE).read_bytes()
    (tmp_path / REFERENCES_FILE).write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match="is damaged"):
        read_references(tmp_path)


def test_columns_of_something_else(tmp_path: Path) -> None:
    write_injected(tmp_path, [Injected(ONE, "B.", (), 2)])
    (tmp_path / INJECTED_FILE).rename(tmp_path / REFERENCES_FILE)
    with pytest.raises(InputError, match="is damaged"):
        read_references(tmp_path)
