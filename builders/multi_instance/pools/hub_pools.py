"""Pools from public data sets: fetched once into the Hub's cache, read from its files, and sampled."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from lengthwise.builders.hub_files import Row, fetch, file_rows, origin
from lengthwise.builders.streams import Stream
from lengthwise.errors import InputError, unknown_name

from ..tasks import find_task
from .generated.draws import POOL_VERSION
from .generated_pools import POOL_SEED, POOL_SIZE, generated_pool
from .hub_sources import (
    HUB_SOURCES,
    NER_SOURCES,
    HubSource,
    distinct_instances,
    wsd_instances,
)
from .pool import Instance, Pool

# Tasks whose instances the authors made themselves: there is nothing to fetch.
_MADE = ("arithmetic", "parity")
_WSD_FOLDER = "data/CoarseWSD-20/apple"
_WSD_REPOSITORY = "danlou/bert-disambiguation"
_INSTEAD = "Take another pool for it: generated, or a folder in the authors' layout"


def hub_pool(
    task: str,
    *,
    ner_source: str = "universal-ner",
    size: int | None = None,
    seed: int = POOL_SEED,
    wsd_folder: Path | str | None = None,
) -> Pool:
    """Return the pool of a task from the public data set that the paper's comes from.

    Arithmetic and parity are generated, as the authors' own pools are, and their pools say so (kind "generated").

    Args:
        task: key of `TASKS`, or the authors' name of it.
        ner_source: key of `NER_SOURCES`.
        size: instances to draw, or all if there are not so many; as many as in the paper's pool by default.
        seed: of the draw. The authors' own draw is not published (their pools can be read by path, `folder_pool`).
        wsd_folder: CoarseWSD-20's folder of "apple", which is on no Hub; only for wsd.

    Raises:
        InputError: an unknown task or source, a data set that cannot be fetched, or wsd without its folder.
    """
    name = find_task(task).name
    if size is not None and size < 1:
        raise InputError(f"pool-size must be at least 1, not {size}")
    if ner_source not in NER_SOURCES:
        raise unknown_name("ner-source", ner_source, NER_SOURCES)
    if name in _MADE:
        return generated_pool(name, POOL_SIZE if size is None else size, seed)
    if name == "wsd":
        return _wsd_pool(wsd_folder, size or POOL_SIZE, seed)
    source = NER_SOURCES[ner_source] if name == "ner" else HUB_SOURCES[name]
    where, instances = read_source(source)
    return _sampled(name, where, source.licence, source.redistributable, instances, size or source.size, seed)


def read_source(source: HubSource) -> tuple[str, list[Instance]]:
    """Return where a source was read ("REPO@COMMIT") and all its instances that differ.

    Raises:
        InputError: none of its copies can be fetched, or what was fetched has other files or rows than expected.
    """
    copy, folder = fetch(f"pool hub of {source.task}", source.copies, _INSTEAD)
    instances = distinct_instances(source.instances(file_rows(folder, copy, "pool hub")))
    if not instances:
        raise InputError(f"pool hub of {source.task}: no row of {copy.repo} is of use; has the data set changed?")
    return origin(copy, folder), instances


def draw(task: str, instances: Sequence[Instance], size: int, seed: int) -> tuple[Instance, ...]:
    """Return `size` of some instances, or all if there are not so many, in their own order, drawn by our stream."""
    stream = Stream("multi-instance", POOL_VERSION, "hub", task, seed)
    places = stream.sample(len(instances), min(size, len(instances)))
    return tuple(instances[place] for place in sorted(places.tolist()))


def _wsd_pool(folder: Path | str | None, size: int, seed: int) -> Pool:
    if folder is None:
        raise InputError(
            f"pool hub of wsd: CoarseWSD-20 is on no Hub. Take the folder {_WSD_FOLDER} of the GitHub repository "
            f"{_WSD_REPOSITORY} (CC BY-NC 4.0) and give it as --wsd-folder, or take another pool for wsd"
        )
    root = Path(folder).expanduser()
    instances = distinct_instances(wsd_instances(_wsd_rows(root)))
    return _sampled("wsd", f"CoarseWSD-20 apple, {root.name}", "CC BY-NC 4.0 (CoarseWSD-20)", False, instances, size,
                    seed)  # fmt: skip


def _wsd_rows(root: Path) -> Iterator[Row]:
    """Yield the sentences of train and test beside their senses (0 company, 1 fruit)."""
    for part in ("train", "test"):
        columns = {}
        for kind in ("data", "gold"):
            path = root / f"{part}.{kind}.txt"
            if not path.is_file():
                raise InputError(f"--wsd-folder {str(root)!r}: {path.name} is missing; it should be {_WSD_FOLDER} of "
                                 f"{_WSD_REPOSITORY}")  # fmt: skip
            columns[kind] = path.read_text("utf-8").strip("\n").split("\n")
        if len(columns["data"]) != len(columns["gold"]):
            raise InputError(f"--wsd-folder {str(root)!r}: {part}.data.txt and {part}.gold.txt differ in length")
        for number, (data, gold) in enumerate(zip(columns["data"], columns["gold"], strict=True), 1):
            if "\t" not in data or gold.strip() not in ("0", "1"):
                raise InputError(f"--wsd-folder {str(root)!r}: {part}, line {number} is not a place, a tab and a "
                                 "sentence, with sense 0 or 1")  # fmt: skip
            yield {"data": data, "gold": gold}


def _sampled(
    task: str, origin: str, licence: str, redistributable: bool, instances: list[Instance], size: int, seed: int
) -> Pool:
    drawn = draw(task, instances, size, seed)
    source = f"{origin}, {len(drawn)} of {len(instances)}, seed {seed}"
    return Pool(task, "hub", source, licence, redistributable, drawn)
