"""One self-contained HTML page about runs: a function a section, composed by `page`."""

from lengthwise.evaluators.report.page import render_report, write_report

__all__ = ["render_report", "write_report"]
