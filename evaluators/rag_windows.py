"""Which stretch of a document each segment of its summary is judged by (appendix D): similarity, anchors, windows.

A document has N blocks, its summary M. Anchors follow the order of the story: none goes back.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Candidates of a segment (step 2).
TOP = 5
# Similarities are compared to so many decimals: what differs between machines in the last bits of a sum must not
# choose another anchor.
_DECIMALS = 9


@dataclass(frozen=True, slots=True)
class Window:
    """The blocks that a segment is judged by.

    Attributes:
        anchor: the block that it was built around.
        left: the first block.
        right: the last block, included.
    """

    anchor: int
    left: int
    right: int


def similarities(segments: "NDArray[np.float32]", blocks: "NDArray[np.float32]") -> "NDArray[np.float64]":
    """Return the cosine of each segment's vector and each block's, M by N (equation 2).

    Args:
        segments: M by dimensions; no vector is zero.
        blocks: N by dimensions, likewise.

    >>> import numpy as np
    >>> similarities(np.float32([[2, 0]]), np.float32([[5, 0], [0, 1], [-1, 0]])).tolist()
    [[1.0, 0.0, -1.0]]
    """
    import numpy as np

    rows, columns = segments.astype(np.float64), blocks.astype(np.float64)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    columns /= np.linalg.norm(columns, axis=1, keepdims=True)
    cosines: NDArray[np.float64] = rows @ columns.T
    return cosines


def nearest(cosines: "NDArray[np.float64]", top: int = TOP) -> list[list[int]]:
    """Return for each segment the indices of the blocks most like it, best first; of equals the earlier.

    >>> import numpy as np
    >>> nearest(np.array([[0.1, 0.9, 0.5, 0.9]]), 3)
    [[1, 3, 2]]
    """
    import numpy as np

    order = np.argsort(-np.round(cosines, _DECIMALS), axis=1, kind="stable")
    found: list[list[int]] = order[:, :top].tolist()
    return found


def anchors(candidates: Sequence[Sequence[int]]) -> list[int]:
    """Return the anchor of each segment, steps 1 and 2.

    The first is block 0. Of a later segment's candidates those count that do not go back behind the anchor before;
    the block right after that anchor is taken first, then the anchor itself, then the nearest beyond. Without any the
    anchor stays.

    Args:
        candidates: for each segment, the blocks most like it; those of the first are not looked at.

    >>> anchors([[7], [3, 1], [9, 1], [5, 4], [0, 2], [8, 6]])
    [0, 1, 1, 4, 4, 6]
    """
    found: list[int] = []
    for place, of_segment in enumerate(candidates):
        before = found[-1] if found else 0
        valid = [block for block in of_segment if block >= before]
        if place == 0 or not valid:
            found.append(before)
        elif before + 1 in valid:
            found.append(before + 1)
        else:
            # The anchor itself is the smallest there can be.
            found.append(min(valid))
    return found


def windows(found: Sequence[int], n_blocks: int) -> list[Window]:
    """Return the window of each segment, step 3.

    The radius is floor(N / 3) - 1, never under 0. A right edge is never left of the one before, and the last window
    goes on to the end of the document. Left edges are those of the radius.

    Args:
        found: anchors, at least one.
        n_blocks: N (> 0).

    >>> [(one.left, one.right) for one in windows([0, 1, 4, 4], 9)]
    [(0, 2), (0, 3), (2, 6), (2, 8)]
    """
    radius = max(0, n_blocks // 3 - 1)
    made: list[Window] = []
    for anchor in found:
        right = min(n_blocks - 1, anchor + radius)
        made.append(Window(anchor, max(0, anchor - radius), max(right, made[-1].right if made else 0)))
    made[-1] = Window(made[-1].anchor, made[-1].left, n_blocks - 1)
    return made
