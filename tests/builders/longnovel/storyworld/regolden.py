"""The golden digests of generated novels: 4 rows at 4k, in both languages, seed 42.

    python tests/builders/longnovel/storyworld/regolden.py            # print what is built now
    python tests/builders/longnovel/storyworld/regolden.py --write    # after a wanted change: store it

A change here means that the same arguments give other rows, be it by another word in a text file: raise `VERSION` in
`builders/longnovel/storyworld/settings.py` once a version with the old rows was published. `test_golden.py` runs this
file in fresh processes.
"""

import argparse
import json
import tempfile
from pathlib import Path

from lengthwise.builders.hub_folder import read_build
from lengthwise.builders.longnovel.storyworld import build
from lengthwise.builders.longnovel.storyworld.settings import StorySettings

GOLDEN = Path(__file__).with_name("golden.json")


def digests(workers: int) -> dict[str, str]:
    """Build the novels; return the digest of each language's rows, and that of the ready prompts."""
    build._WORTH_WORKERS = 0  # so small a build would be done in one process
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "golden"
        build.build_storyworld(out, StorySettings(("4k",), examples=4), workers=workers)
        made = read_build(out)
        shown = {**made["views"], "4k-prompt": made["configs"]["4k-prompt"]}
        return {config: splits["test"]["digest"] for config, splits in shown.items()}


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
