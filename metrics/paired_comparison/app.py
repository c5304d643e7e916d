"""The page of this module's Space: a table to fill in, and its figures."""

from pathlib import Path
from typing import Any

EXAMPLE = [
    ["Score: 1", "Score: 1", 1],
    ["Score: 1", "Score: 4", 1],
    ["Score: 5", "Score: 5", 0],
    ["Score: 5", "Score: 1", 0],
]


def page() -> Any:
    """Return the page, a `gradio.Interface`; evaluate and gradio are imported only here."""
    import evaluate

    from lengthwise.metrics.space import table_page

    here = Path(__file__)
    module = evaluate.load(str(here.with_name("paired_comparison.py")))
    return table_page(module, here.with_name("README.md"), EXAMPLE)


if __name__ == "__main__":
    page().launch()
