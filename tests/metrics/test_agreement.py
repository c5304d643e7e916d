import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lengthwise.errors import InputError
from lengthwise.metrics.agreement import cohen_kappa, kappa_by_type


def ratings(table: list[list[int]]) -> tuple[list[int], list[int]]:
    """Two raters' labels with these joint counts."""
    cells = [(row, column) for row, counts in enumerate(table) for column, n in enumerate(counts) for _ in range(n)]
    return [row for row, _ in cells], [column for _, column in cells]


def test_a_known_table():
    # Observed 35 of 50; expected (25 * 30 + 25 * 20) / 2500 = 0.5.
    found = cohen_kappa(*ratings([[20, 5], [10, 15]]))
    assert (found.kappa, found.observed, found.expected) == (pytest.approx(0.4), 0.7, 0.5)


def test_agreement_is_one_and_disagreement_minus_one():
    assert cohen_kappa([0, 1, 2, 0], [0, 1, 2, 0]).kappa == 1
    assert cohen_kappa([0, 1], [1, 0]).kappa == -1


@pytest.mark.parametrize("labels", [[1, 1, 1], []])
def test_without_variety_there_is_no_kappa(labels: list[int]):
    found = cohen_kappa(labels, labels)
    assert found.kappa is None
    assert found.reason


def test_one_rater_without_variety_agrees_by_chance():
    assert cohen_kappa([1, 1, 1], [1, 0, 1]).kappa == 0


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40))
def test_names_and_order_of_raters_do_not_matter(items: list[tuple[int, int]]):
    first, second = [a for a, _ in items], [b for _, b in items]
    renamed = [["w", "x", "y", "z"][a] for a in first], [["w", "x", "y", "z"][b] for b in second]
    assert cohen_kappa(first, second).kappa == cohen_kappa(second, first).kappa == cohen_kappa(*renamed).kappa


def test_the_interval_has_the_width_of_the_large_sample_error():
    # J. Fleiss, J. Cohen and B. Everitt, Psychological Bulletin 72, 1969.
    table = [[120, 30, 10], [20, 90, 20], [10, 25, 75]]
    found = cohen_kappa(*ratings(table), confidence_level=0.95)
    p = np.array(table) / np.sum(table)
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    expected, kappa = rows @ columns, found.kappa or 0
    diagonal = sum(p[i, i] * (1 - (rows[i] + columns[i]) * (1 - kappa)) ** 2 for i in range(3))
    rest = sum(p[i, j] * (columns[i] + rows[j]) ** 2 for i in range(3) for j in range(3) if i != j)
    variance = diagonal + (1 - kappa) ** 2 * rest - (kappa - expected * (1 - kappa)) ** 2
    error = np.sqrt(variance / np.sum(table)) / (1 - expected)
    low, high = found.interval or (0, 0)
    assert high - low == pytest.approx(2 * 1.96 * error, rel=0.05)


def test_each_type_is_present_or_not():
    first = [{"event"}, {"event", "entity"}, set(), {"entity"}]
    second = [{"event"}, {"event"}, set(), {"entity"}]
    found = kappa_by_type(first, second, ["entity", "event", "causal"])
    assert list(found) == ["entity", "event", "causal"]
    assert (found["entity"].first, found["entity"].second, found["entity"].both) == (2, 1, 1)
    assert found["entity"].agreement.kappa == pytest.approx(0.5)
    assert found["event"].agreement.kappa == 1
    assert found["causal"].agreement.kappa is None


def test_a_type_outside_the_list_is_named():
    with pytest.raises(InputError, match="types lacks Entity"):
        kappa_by_type([["Entity"]], [[]], ["entity"])


def test_a_bare_string_is_no_rating():
    with pytest.raises(InputError, match="bare string"):
        kappa_by_type(["event"], [["event"]])


def test_lengths_must_agree():
    with pytest.raises(InputError, match="first has 1 labels, second 2"):
        cohen_kappa([1], [1, 0])
    with pytest.raises(InputError, match="first has 0 ratings, second 1"):
        kappa_by_type([], [["event"]])
