from typing import Any

import pytest

from lengthwise.builders.longnovel.requests import PAPER_REQUESTS, Request
from lengthwise.builders.longnovel.settings import NovelSettings
from lengthwise.errors import InputError

NONE = Request("test", "s", {}, {}, 0)


def test_the_paper_requests_rows_of_its_four_scales() -> None:
    assert NovelSettings(requests=PAPER_REQUESTS).scales == ("s", "m", "l", "xl")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"scales": ()}, "scales must be at least one"),
        ({"scales": ("s", "s")}, "each given once"),
        ({"scales": ("huge",)}, "scale 'huge'"),
        ({"seed": 0}, "seed must be between"),
        ({"scales": ("s",), "requests": (NONE, NONE)}, "test s is requested twice"),
        ({"scales": ("m",), "requests": (NONE,)}, "the scale s is not built"),
        ({"scales": ("s", "8k"), "requests": (NONE,)}, "none is of 8k"),
    ],
)
def test_what_cannot_be_used_is_said(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        NovelSettings(**options)
