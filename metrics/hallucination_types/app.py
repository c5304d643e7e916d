"""The page of this module's Space: a table to fill in, and its figures."""

from pathlib import Path
from typing import Any

EXAMPLE = [
    [
        '{"score": 2, "reason": "Entity Hallucination: Al sank it, not Bob"}',
        '[{"type": "Entity", "sentence": "Bob sank the ship.", "original": "Al sank the ship."}]',
    ],
]


def page() -> Any:
    """Return the page, a `gradio.Interface`; evaluate and gradio are imported only here."""
    import evaluate

    from lengthwise.metrics.space import table_page

    here = Path(__file__)
    module = evaluate.load(str(here.with_name("hallucination_types.py")))
    return table_page(module, here.with_name("README.md"), EXAMPLE)


if __name__ == "__main__":
    page().launch()
