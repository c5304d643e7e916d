import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lengthwise.builders.longnovel.records import Unit, Window, WindowKey
from lengthwise.builders.longnovel.windows import length_range, make_windows, window_spans
from lengthwise.errors import InputError


def spans(*lengths: int, least: int = 14, most: int = 20) -> list[tuple[int, int]]:
    return list(window_spans(lengths, least, most))


def test_ranges_of_the_paper_and_beyond() -> None:
    assert [length_range(scale) for scale in ("s", "m", "l", "xl", "4k", "1000k")] == [
        (14_000, 20_000), (30_000, 36_000), (62_000, 68_000), (98_000, 104_000), (2000, 8000), (998_000, 1_004_000)
    ]  # fmt: skip


def test_the_next_window_begins_behind_the_middle() -> None:
    # Units 1 to 4 make 16, m is 2; units 3 to 6 make 16, m is 4; from unit 5 on there are 12: thrown away.
    assert spans(4, 4, 4, 4, 4, 4, 4) == [(1, 4), (3, 6)]


def test_the_middle_of_an_odd_number_of_units_is_rounded_down() -> None:
    # (1 + 3) // 2 + 1 is 3, (3 + 5) // 2 + 1 is 5.
    assert spans(5, 5, 5, 5, 5, 5, 5) == [(1, 3), (3, 5), (5, 7)]


def test_a_window_of_one_unit_is_followed_by_the_next() -> None:
    assert spans(14, 20, 15) == [(1, 1), (2, 2), (3, 3)]


def test_a_window_that_jumps_past_the_range_loses_its_first_units() -> None:
    # 10 + 3 is too short, + 8 too long; without the 10 it is too short again, and grows to 16.
    assert spans(10, 3, 8, 5) == [(2, 4)]
    assert spans(6, 6, 10) == [(2, 3)]


def test_a_window_that_jumps_past_the_range_twice_is_given_up() -> None:
    # 10, 3, 8 is too long, 3, 8 too short, 3, 8, 10 too long again: on from 14.
    assert spans(10, 3, 8, 10, 14) == [(5, 5)]


def test_a_unit_that_alone_is_too_long_is_skipped() -> None:
    assert spans(10, 21, 10, 5) == [(3, 4)]
    assert spans(21) == []


def test_no_window_of_no_units() -> None:
    assert spans() == []


def by_the_letter(lengths: list[int], least: int, most: int) -> list[tuple[int, int]]:
    """The steps on a line of units that are taken from it one by one, as slowly as they are written."""
    rest = list(enumerate(lengths, 1))
    found: list[tuple[int, int]] = []
    window: list[tuple[int, int]] = []
    trimmed = False

    def total() -> int:
        return sum(length for _, length in window)

    while rest or total() >= least:
        if total() < least or not window:
            window.append(rest.pop(0))
            continue
        if total() > most and (trimmed or window[-1][1] > most):
            window, trimmed = [], False
        elif total() > most:
            trimmed = True
            while total() > most:
                window.pop(0)
        else:
            found.append((window[0][0], window[-1][0]))
            middle = (window[0][0] + window[-1][0]) // 2
            rest = [unit for unit in window if unit[0] > middle] + rest
            window, trimmed = [], False
    return found


@given(st.lists(st.integers(0, 30), max_size=60), st.integers(1, 40), st.integers(0, 12))
@example([0] * 20, 1, 0)
def test_properties(lengths: list[int], least: int, width: int) -> None:
    most = least + width
    found = list(window_spans(lengths, least, most))
    assert found == by_the_letter(lengths, least, most)
    for first, last in found:
        assert 1 <= first <= last <= len(lengths)
        assert least <= sum(lengths[first - 1 : last]) <= most
    for (first, last), (later, _) in pairwise(found):
        assert later > (first + last) // 2 >= first


@given(st.lists(st.integers(1, 6), min_size=1, max_size=60))
def test_small_units_leave_no_gap(lengths: list[int]) -> None:
    # No unit is wider than the range, so none can be jumped over: all but a short rest is in a window.
    found = spans(*lengths)
    covered = {unit for first, last in found for unit in range(first, last + 1)}
    assert covered == set(range(1, max(covered, default=0) + 1))
    assert sum(lengths[max(covered, default=0) :]) < 14


def unit(book: str, index: int, text: str = "") -> Unit:
    return Unit(book, index, "en", "", text)


def test_windows_of_books_and_scales_are_sorted_and_know_their_length() -> None:
    units = [(unit(book, index), 3000) for book in ("b", "a") for index in range(1, 6)]
    assert make_windows(["s", "4k"], units)[-2:] == [
        Window(WindowKey("s", "a", 1, 5), "en", 15_000), Window(WindowKey("s", "b", 1, 5), "en", 15_000)
    ]  # fmt: skip
    assert make_windows(["4k"], units)[0] == Window(WindowKey("4k", "a", 1, 1), "en", 3000)


@given(st.lists(st.tuples(st.integers(0, 9000), st.booleans()), max_size=40))
def test_no_window_runs_over_a_gap_and_each_stretch_is_a_book_of_its_own(made: list[tuple[int, bool]]) -> None:
    units = [(Unit("a", n, "en", "", "", gap=gap), count) for n, (count, gap) in enumerate(made, 1)]
    found = [(one.key.unit_start, one.key.unit_end, one.n_tokens) for one in make_windows(["s"], units)]
    expected, start = [], 0
    for end in range(1, len(made) + 1):
        if end == len(made) or made[end][1]:
            lengths = [count for count, _ in made[start:end]]
            expected += [
                (start + first, start + last, sum(lengths[first - 1 : last]))
                for first, last in window_spans(lengths, *length_range("s"))
            ]
            start = end
    assert found == expected
    assert not any(made[index][1] for first, last, _ in found for index in range(first, last))


def test_units_out_of_order_are_refused() -> None:
    with pytest.raises(InputError, match="'a' has unit 2 where unit 1"):
        make_windows(["s"], [(unit("a", 2), 1)])
    with pytest.raises(InputError, match="'a' do not stand together"):
        make_windows(["s"], [(unit("a", 1), 1), (unit("b", 1), 1), (unit("a", 1), 1)])
    with pytest.raises(InputError, match="more than one language"):
        make_windows(["s"], [(unit("a", 1), 1), (Unit("a", 2, "zh", "", ""), 1)])


@pytest.mark.shared
def test_windows_of_the_epics(shared_dir: Path) -> None:
    rows = [
        json.loads(line)
        for path in sorted((shared_dir / "data/epics_en").glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]
    units = [(Unit(row["book_id"], row["unit"], "en", "", "", row["summary"]), row["n_tokens"]) for row in rows]
    assert sum(count > 6000 for _, count in units) == 48
    words = {(one.book, one.index): len(one.summary.split()) for one, _ in units}
    found: dict[str, list[int]] = {}
    for window in make_windows(["s", "m", "l", "xl"], units):
        key = window.key
        joined = sum(words[key.book, index] for index in range(key.unit_start, key.unit_end + 1))
        found.setdefault(key.scale, []).append(joined)
    assert {scale: (len(joined), min(joined), max(joined)) for scale, joined in found.items()} == {
        "s": (32, 136, 620), "m": (17, 333, 834), "l": (7, 815, 1512), "xl": (5, 1406, 2323)
    }  # fmt: skip
