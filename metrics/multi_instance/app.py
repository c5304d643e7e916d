"""The page of this module's Space: a table to fill in, and its figures."""

from pathlib import Path
from typing import Any

EXAMPLE = [
    ['{"reasoning": "counted", "answer": 7}', "7"],
    ["The answer is 4.", "5"],
]


def page() -> Any:
    """Return the page, a `gradio.Interface`; evaluate and gradio are imported only here."""
    import evaluate

    from lengthwise.metrics.space import table_page

    here = Path(__file__)
    module = evaluate.load(str(here.with_name("multi_instance.py")))
    return table_page(module, here.with_name("README.md"), EXAMPLE)


if __name__ == "__main__":
    page().launch()
