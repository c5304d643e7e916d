"""The figures of a report as typed data: a module a family, one table of them all, and their files by matplotlib."""

from lengthwise.evaluators.figures.files import INSTALL, FigureFiles, can_write_figures, write_figures
from lengthwise.evaluators.figures.model import Figure
from lengthwise.evaluators.figures.table import FIGURES, make_figures

__all__ = ["FIGURES", "INSTALL", "Figure", "FigureFiles", "can_write_figures", "make_figures", "write_figures"]
