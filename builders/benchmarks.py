"""Which benchmarks can be built and validated here: one entry each."""

from collections.abc import Callable
from pathlib import Path

from lengthwise.errors import InputError, unknown_name

from .checks import CellReport
from .hub_folder import read_build
from .longnovel.storyworld.validate import validate_storyworld
from .longnovel.validate import validate_longnovel
from .multi_instance.validate import validate_multi_instance
from .predicate.validate import validate_predicate
from .recipe_card import RECIPE_FILE

# Name in build.json -> (folder, workers, progress) -> a report for each (config, split).
VALIDATORS: dict[str, Callable[[Path, int, bool], list[CellReport]]] = {
    "predicatelongbench": validate_predicate,
    "multi-instance": validate_multi_instance,
    "longnovel": validate_longnovel,
    "longnovel-storyworld": validate_storyworld,
}


def validate(folder: Path | str, workers: int = 1, progress: bool = False) -> list[CellReport]:
    """Check a built folder without a model; all is well if no report has a problem.

    Args:
        folder: a finished build of any benchmark.
        workers: processes.
        progress: show a bar on stderr.

    Raises:
        InputError: the folder holds no finished build of a benchmark that is known here, or a recipe.
    """
    build = read_build(Path(folder))
    if (Path(folder) / RECIPE_FILE).is_file():
        raise InputError(f"{folder} holds a recipe and no rows; build them by the command in its README.md")
    if build.get("benchmark") not in VALIDATORS:
        raise unknown_name("benchmark", str(build.get("benchmark")), VALIDATORS)
    return VALIDATORS[build["benchmark"]](Path(folder), workers, progress)
