"""The golden digests: every synthetic config at 4k, 2 examples, seed 42.

    python tests/builders/predicate/regolden.py            # print what is built now
    python tests/builders/predicate/regolden.py --write    # after a wanted change of the construction: store it

A change here means that the same arguments give other rows: raise `VERSION` in `builders/predicate/settings.py` once a
version with the old rows was published. `test_golden.py` runs this file in fresh processes.
"""

import argparse
import json
import tempfile
from pathlib import Path

from lengthwise.builders.hub_folder import read_build
from lengthwise.builders.predicate import build
from lengthwise.builders.predicate.settings import Settings
from lengthwise.builders.predicate.variants import VARIANTS

GOLDEN = Path(__file__).with_name("golden.json")


def digests(workers: int) -> dict[str, str]:
    """Build everything synthetic; return the digest of each config's split."""
    build._WORTH_WORKERS = 0  # so small a build would be done in one process
    names = [variant.name for variant in VARIANTS.values() if variant.source == "synthetic"]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "golden"
        build.build_predicate(out, names, splits=("4k",), settings=Settings(examples=2), workers=workers)
        return {config: splits["4k"]["digest"] for config, splits in read_build(out)["configs"].items()}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    text = json.dumps(digests(given.workers), indent=1) + "\n"
    if given.write:
        GOLDEN.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
