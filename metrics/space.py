"""The page of a metric's Space: a table to fill in, and the figures of it.

`evaluate`'s own widget is written for a gradio of years ago and fails with any since. This one is a plain
`gr.Interface`; gradio is imported when a page is made.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)


def columns_of(rows: Sequence[Sequence[Any]], features: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return a table as a metric's columns, without the rows that are empty.

    Args:
        rows: cells as the page gives them: text, numbers or None.
        features: the metric's, in the order of the cells: whole numbers, text, or else JSON.
    """
    filled = [row for row in rows if any(cell not in ("", None) for cell in row)]
    return {
        name: [_cell(row[place], feature) for row in filled] for place, (name, feature) in enumerate(features.items())
    }


def _cell(cell: Any, feature: Any) -> Any:
    dtype = getattr(feature, "dtype", None)
    if dtype == "string":
        return "" if cell is None else str(cell)
    return int(cell) if dtype == "int64" else json.loads(cell)


def table_page(metric: Any, card: Path, example: Sequence[Sequence[Any]], **options: Any) -> Any:
    """Return a gradio page that computes a metric over a table.

    Args:
        metric: a loaded evaluate module.
        card: its README.md, shown below the table.
        example: rows that the table holds at first, cells in the order of the metric's features; whatever is neither
            text nor a whole number is put as JSON.
        options: keyword arguments of the metric's `compute`.
    """
    import gradio as gr

    def figures(rows: list[list[Any]]) -> Any:
        return metric.compute(**columns_of(rows, metric.features), **options)

    return gr.Interface(
        fn=figures,
        inputs=gr.Dataframe(headers=list(metric.features), value=[list(row) for row in example], type="array"),
        outputs=gr.JSON(label=metric.name),
        title=metric.name,
        description=metric.description,
        article=_FRONT_MATTER.sub("", card.read_text("utf-8")),
    )
