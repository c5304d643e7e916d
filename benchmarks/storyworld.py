"""The story world's quality, measured: variety, distance, no giveaway, solvable, speed. The card prints the outcome.

    pip install -e '.[bench]' && python benchmarks/storyworld.py [--novels ../shared/data] [--json FILE]

Each part can be run by itself: `--part variety`. The giveaways are looked for in 1,300 pairs of every type in each
language, so that 0.55 is 3.6 standard errors above chance; with fewer pairs (`--pairs 200`) the limits are wider.
"""

import sys
from pathlib import Path

# A script's folder comes first on the path: `statistics.py` here must not stand in for the standard library's.
HERE = Path(__file__).resolve().parent
sys.path = [entry for entry in sys.path if Path(entry or ".").resolve() != HERE]
sys.path.append(str(HERE / "story_quality"))

import argparse  # noqa: E402
import json  # noqa: E402
from typing import Any  # noqa: E402

PARTS = ("variety", "distance", "giveaways", "solvable", "speed")


def main() -> None:
    """Measure, print, and write what was measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS, action="append", help="may be repeated; all by default")
    parser.add_argument("--novels", type=Path, help="a folder with novels_en and novels_zh, to compare with")
    parser.add_argument("--pairs", type=int, default=1300, help="of each type and language")
    parser.add_argument("--worlds", type=int, default=24, help="per language, that are read")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", type=Path, help="where the figures go; those of parts that are not run stay there")
    options = parser.parse_args()
    found: dict[str, Any] = {}
    if options.json is not None and options.json.exists():
        found = json.loads(options.json.read_text("utf-8"))
    for part in options.part or PARTS:
        found[part] = _measure(part, options)
        print(f"{part}:")
        _print(found[part], 1)
    failed = [line for part in found.values() for line in part["failed"]]
    for line in failed:
        print(f"NOT MET  {line}")
    if options.json is not None:
        options.json.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.exit(bool(failed))


def _measure(part: str, options: argparse.Namespace) -> dict[str, Any]:
    # Each part imports what it needs: scikit-learn for one, the tests' reader for another.
    if part == "variety":
        from variety import measure_variety

        return measure_variety(options.novels)
    if part == "distance":
        from distance import measure_distance

        return measure_distance(options.worlds)
    if part == "giveaways":
        from giveaways import measure_giveaways

        return measure_giveaways(options.pairs, options.workers)
    if part == "solvable":
        from solvable import measure_solvable

        return measure_solvable(options.worlds, options.workers)
    from speed import measure_speed

    return measure_speed(options.workers)


def _print(found: Any, depth: int) -> None:
    for name, value in found.items() if isinstance(found, dict) else ():
        if isinstance(value, dict):
            print(f"{'  ' * depth}{name}")
            _print(value, depth + 1)
        else:
            shown = f"{value:.4g}" if isinstance(value, float) else value
            print(f"{'  ' * depth}{name:<28} {shown}")


if __name__ == "__main__":
    main()
