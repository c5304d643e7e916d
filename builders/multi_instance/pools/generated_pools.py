"""The pools that need no download: instances made by grammars and by arithmetic, their labels true by construction."""

import importlib

from lengthwise.errors import InputError

from ..settings import VERSION
from ..tasks import find_task
from .pool import Pool

# As many as in the paper's pools (4.3); every generator has 5,000 and more to give.
POOL_SIZE = 2500
POOL_SEED = 42


def generated_pool(task: str, size: int = POOL_SIZE, seed: int = POOL_SEED) -> Pool:
    """Return a pool of generated instances; a larger pool begins with a smaller one.

    Args:
        task: key of `TASKS`; the module of that name under `generated/` makes the instances.
        size: number of instances (>= 1).
        seed: another seed, other instances.

    Raises:
        InputError: an unknown task, or more instances than the generator has.
    """
    if size < 1:
        raise InputError(f"pool-size must be at least 1, not {size}")
    if find_task(task).alone:
        raise InputError(f"{task}: no instances of it are generated; it has a source on the Hub (--pool hub)")
    module = importlib.import_module(f".generated.{find_task(task).name}", __package__)
    try:
        instances = module.generate(size, seed)
    except ValueError as error:
        raise InputError(f"pool-size {size:,}: {task} has not so many different instances ({error})") from error
    return Pool(task, "generated", f"lengthwise {task} v{VERSION}, seed {seed}", "Apache-2.0", True, tuple(instances))
