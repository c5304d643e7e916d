"""What the families of figures share: which runs and configs they show, at which length, and over which rows."""

from collections.abc import Sequence
from dataclasses import replace

from lengthwise.builders.predicate.settings import Settings
from lengthwise.builders.predicate.variants import VARIANTS, Value, parse_config, point
from lengthwise.errors import InputError
from lengthwise.evaluators.figures.model import Point, as_point
from lengthwise.evaluators.main_table import split_order
from lengthwise.evaluators.naming import configs_of
from lengthwise.evaluators.results import CellResult, Results
from lengthwise.evaluators.scoring import Scored

INTERVALS = "exact 95 % (Clopper-Pearson) intervals"


def shown(runs: Sequence[Scored]) -> list[Scored]:
    """Return the runs of real models; those of reference models only where there is nothing else."""
    return [run for run in runs if run.results.reference is None] or list(runs)


def parsed(config: str) -> tuple[str, dict[str, Value]]:
    """Return the variant that a config is of and the parameters in its name; a foreign name is its own variant."""
    try:
        variant, parameters = parse_config(config)
    except InputError:
        return config, {}
    return variant.name, parameters


def by_paper_names(runs: Sequence[Scored]) -> list[Scored]:
    """Return the runs with points of sweeps that stand at the builder's defaults under the names that say less.

    `lex-clustered--decoys-4--radius-100` is `lex-clustered--decoys-4`, and `lex-scattered--decoys-8` is
    `lex-scattered`: the same rows whether a build had a list of values or not. A run that has both keeps both.
    """
    return [_by_paper_names(run) for run in runs]


def _by_paper_names(run: Scored) -> Scored:
    configs = {cell.config for cell in run.results.cells}
    shorter: dict[str, str] = {}
    for config in sorted(configs):
        variant, parameters = parsed(config)
        rest = {name: value for name, value in parameters.items() if value != getattr(Settings(), name)}
        if len(rest) < len(parameters):
            name = point(VARIANTS[variant], rest).name
            if name not in configs and name not in shorter.values():
                shorter[config] = name
    if not shorter:
        return run
    cells = tuple(replace(cell, config=shorter.get(cell.config, cell.config)) for cell in run.results.cells)
    budgets = tuple(replace(one, config=shorter.get(one.config, one.config)) for one in run.results.budgets)
    rows = {name: {**row, "config": shorter.get(row["config"], row["config"])} for name, row in run.rows.items()}
    return replace(run, rows=rows, results=replace(run.results, cells=cells, budgets=budgets))


def plain_configs(runs: Sequence[Scored]) -> list[str]:
    """Return the configs that were run, in the table's order, without points of sweeps, which have their own figures.

    Where nothing but points of sweeps was run, these are returned.
    """
    configs = configs_of(runs)
    return [config for config in configs if not parsed(config)[1]] or configs


def shared_split(runs: Sequence[Results], configs: Sequence[str]) -> str | None:
    """Return the longest length at which every run that has all of `configs` has all of them.

    None where no run has them all at one length, or the runs share none.
    """
    lengths = []
    for run in runs:
        of_config = [{cell.split for cell in run.cells if cell.config == config} for config in configs]
        if all(of_config) and (common := set.intersection(*of_config)):
            lengths.append(common)
    return max(set.intersection(*lengths), key=split_order, default=None) if lengths else None


def cell_at(run: Results, config: str, split: str | None) -> CellResult | None:
    """Return a run's figures of a config at a length, or at its own longest where `split` is None."""
    cells = [cell for cell in run.cells if cell.config == config and split in (None, cell.split)]
    return max(cells, key=lambda cell: split_order(cell.split), default=None)


def point_of(cell: CellResult | None) -> Point | None:
    """Return a cell's accuracy as a point."""
    return None if cell is None else as_point(cell.accuracy)


def at_length(split: str | None) -> str:
    """Return a length as the end of a title: ", 128k"; nothing for documents, which have their own lengths."""
    return f", {split}" if split not in (None, "full") else ""
