"""Which pools a build takes its instances from, as the command line names them."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from lengthwise.errors import InputError

from .generated_pools import POOL_SEED, POOL_SIZE, generated_pool
from .pool import Pool


def pool_source(
    name: str = "generated",
    *,
    pool_size: int = POOL_SIZE,
    pool_seed: int = POOL_SEED,
    ner_source: str = "universal-ner",
    wsd_folder: Path | None = None,
) -> Callable[[str], Pool]:
    """Return what gives the pool of a task.

    Args:
        name: "generated", "hub" (public data sets, fetched once), or a folder in the authors' layout.
        pool_size: instances of each generated pool.
        pool_seed: of generated pools.
        ner_source: which data set "hub" takes for NER, see `hub_pools.NER_SOURCES`.
        wsd_folder: where "hub" finds CoarseWSD-20's "apple", which is on no Hub.

    Raises:
        InputError: it is neither of these words nor a folder.
    """
    if name == "generated":
        return partial(generated_pool, size=pool_size, seed=pool_seed)
    if name == "hub":
        from .hub_pools import hub_pool

        return partial(hub_pool, ner_source=ner_source, wsd_folder=wsd_folder)
    if not Path(name).expanduser().is_dir():
        raise InputError(f"--pool {name!r}: is neither generated, nor hub, nor a folder that exists")
    from .folder_pools import folder_pool

    return partial(folder_pool, Path(name).expanduser())
