"""The tables as text: what is still called by its old name."""

from lengthwise.evaluators.main_table import Table
from lengthwise.evaluators.result_tables import budgets_table, details_table, main_grid, pairs_table
from lengthwise.evaluators.results import Results
from lengthwise.evaluators.table_formats.grid import GridTable
from lengthwise.evaluators.table_formats.render import Format as Format
from lengthwise.evaluators.table_formats.render import below as below
from lengthwise.evaluators.table_formats.render import render_grid as render_grid
from lengthwise.evaluators.table_formats.render import render_tables


def render_table(table: Table, format: Format = "text") -> str:
    """Return the main table as text."""
    return render_tables([main_grid(table)], format)


def render_own(table: GridTable, format: Format = "text") -> str:
    """Return a benchmark's own table as text."""
    return render_tables([table], format)


def render_details(run: Results, format: Format = "text") -> str:
    """Return what Table 2 leaves out, per cell."""
    return render_tables([details_table(run)], format)


def render_pairs(run: Results, format: Format = "text") -> str:
    """Return each variant of a run against its reference row; empty if the run has no such rows."""
    table = pairs_table(run)
    return "" if table is None else render_tables([table], format)


def render_budgets(run: Results, format: Format = "text") -> str:
    """Return the accuracy of a run under each output budget; empty if no budget was asked for."""
    table = budgets_table(run)
    return "" if table is None else render_tables([table], format)
