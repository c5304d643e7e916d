"""The list that a single-instance filter leaves: per task, which instances of which pool (paper section 3.2)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lengthwise.errors import InputError

from ..hub_folder import write_text
from .pools.pool import Pool
from .tasks import TASKS


@dataclass(frozen=True)
class Retained:
    """What is left of one pool.

    Attributes:
        indices: rising, 0-based.
        pool_digest: of the pool that they number; None where that is not known, and then they are taken on trust.
    """

    indices: tuple[int, ...]
    pool_digest: str | None = None

    def check(self, pool: Pool) -> None:
        """Raise InputError unless the indices are of this pool."""
        if self.pool_digest not in (None, pool.digest):
            raise InputError(
                f"retained: the indices of {pool.task} number another pool (digest {str(self.pool_digest)[:12]}) than "
                f"{pool.source} ({pool.digest[:12]}); filter runs on this pool, or build from that one"
            )
        if not self.indices or self.indices[0] < 0 or self.indices[-1] >= len(pool.instances):
            raise InputError(
                f"retained: the indices of {pool.task} must be some of 0 to {len(pool.instances) - 1}, not "
                f"{len(self.indices)} from {min(self.indices, default=0)} to {max(self.indices, default=0)}"
            )


def write_retained(path: Path, retained: Mapping[str, Retained], about: Mapping[str, Any]) -> None:
    """Write the file that `lengthwise build multi-instance --retained` takes.

    Args:
        path: of the file.
        retained: task -> what is left.
        about: what made the list: models, runs, thresholds; JSON types.
    """
    tasks = {
        name: {"pool_digest": one.pool_digest, "retained": len(one.indices), "indices": list(one.indices)}
        for name, one in retained.items()
    }
    write_text(path, json.dumps({"multi_instance_filter": dict(about), "tasks": tasks}, ensure_ascii=False) + "\n")


def read_retained(path: Path) -> dict[str, Retained]:
    """Read such a file.

    Raises:
        InputError: it is missing, or not what `write_retained` writes.
    """
    try:
        tasks = json.loads(path.read_text("utf-8"))["tasks"]
        found = {
            name: Retained(tuple(sorted({int(index) for index in one["indices"]})), one.get("pool_digest"))
            for name, one in tasks.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"--retained {path}: not a file that `lengthwise filter` wrote ({error!r})") from error
    if unknown := found.keys() - TASKS.keys():
        raise InputError(f"--retained {path}: names tasks that are unknown here ({', '.join(sorted(unknown))})")
    return found
