import numpy as np
import pytest
from rag_cases import ANCHORS, N_BLOCKS, TOLD, WINDOWS

from lengthwise.evaluators.rag_windows import anchors, nearest, similarities, windows


def edges(found, n_blocks):
    return [(one.left, one.right) for one in windows(found, n_blocks)]


@pytest.mark.parametrize(
    ("candidates", "found"),
    [
        # The first anchor is block 0 whatever is like it.
        ([[7, 6, 5, 4, 3]], [0]),
        # The next block before the anchor itself, that before the smallest beyond.
        ([[0], [0, 1, 2, 9, 8]], [0, 1]),
        ([[0], [5, 0, 2, 9, 8]], [0, 0]),
        ([[0], [5, 9, 2, 7, 8]], [0, 2]),
        # None that does not go back: the anchor stays.
        ([[0], [6, 7, 8, 9, 5], [0, 1, 2, 3, 4], [1, 2, 3, 4, 0]], [0, 5, 5, 5]),
        ([[0], [3], [4], [3, 5], [5, 9], [9, 0]], [0, 3, 4, 5, 5, 9]),
    ],
)
def test_anchors_by_hand(candidates, found):
    assert anchors(candidates) == found


@pytest.mark.parametrize(
    ("found", "n_blocks", "expected"),
    [
        # R = 0 up to five blocks: a segment is judged by its anchor alone, the last by the rest.
        ([0], 1, [(0, 0)]),
        ([0], 5, [(0, 4)]),
        ([0, 1, 1], 2, [(0, 0), (1, 1), (1, 1)]),
        ([0, 2, 3], 5, [(0, 0), (2, 2), (3, 4)]),
        # R = 1.
        ([0, 3, 4], 6, [(0, 1), (2, 4), (3, 5)]),
        # R = 3: the edges of the document hold.
        ([0, 1, 10, 11, 11], 12, [(0, 3), (0, 4), (7, 11), (8, 11), (8, 11)]),
        ([0, 0, 0], 12, [(0, 3), (0, 3), (0, 11)]),
    ],
)
def test_windows_by_hand(found, n_blocks, expected):
    assert edges(found, n_blocks) == expected


def test_a_right_edge_never_goes_back():
    # Anchors that went back would be none of ours, and the edge holds all the same.
    assert edges([0, 5, 2, 3], 12) == [(0, 3), (2, 8), (0, 8), (0, 11)]


def test_the_case_of_the_other_tests_by_hand():
    angles = np.arange(N_BLOCKS) / 6
    blocks = np.stack([np.cos(angles), np.sin(angles)], 1).astype(np.float32)
    candidates = nearest(similarities(blocks[list(TOLD)], blocks))
    assert [sorted(one) for one in candidates[1:]] == [[2, 3, 4, 5, 6], [3, 4, 5, 6, 7], [0, 1, 2, 3, 4]]
    assert tuple(anchors(candidates)) == ANCHORS
    assert tuple(edges(ANCHORS, N_BLOCKS)) == WINDOWS


def test_lengths_of_vectors_do_not_count():
    cosines = similarities(np.float32([[3, 4]]), np.float32([[300, 400], [4, -3], [0.003, -0.004]]))
    assert cosines[0] == pytest.approx([1, 0, -7 / 25], abs=1e-7)


def test_of_equals_the_earlier_and_the_last_bits_do_not_count():
    assert nearest(np.array([[0.5, 0.5 + 1e-12, 0.2, 0.5, 0.1, 0.4, 0.3]])) == [[0, 1, 3, 5, 6]]
    assert nearest(np.array([[0.1, 0.2]])) == [[1, 0]]
