"""Speed and memory of `lengthwise build multi-instance`: the whole default build, beside encoding its prompts once.

    pip install -e '.[bench]' && python benchmarks/instances.py

Goals: the default build (8 tasks, all sizes, 5 seeds, generated pools) in under 60 s on 2 cores, and time that grows
with the number of instances, not with its square.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

SIZES = (10_000, 20_000, 40_000, 80_000)


def sampling() -> None:
    """Print how drawing and shuffling grow with the number of instances."""
    from lengthwise.builders.multi_instance import length_selections, random_selections, shuffled

    for size in SIZES:
        start = time.process_time()
        drawn = random_selections(range(2 * size), (size // 2, size), (1, 2, 3))
        shuffled(drawn[f"random_{size}_seed1"], 6)
        length_selections(range(2 * size), range(2 * size), (size // 2, size))
        print(f"  {size:>7,} of {2 * size:>7,} instances: {time.process_time() - start:6.3f} s")


def main() -> None:
    """Measure, and print a table."""
    from build import floor, timed  # the folder's own module

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("configs", nargs="*", help="all by default")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "built"
        command = [sys.executable, "-m", "lengthwise", "build", "multi-instance", *arguments.configs]
        command += ["--out", str(out), "--quiet", "--workers", str(arguments.workers)]
        seconds, used, peak = timed(command)
        least, rows, tokens = floor(out, arguments.workers)
    print(f"{rows:,} rows, {tokens:,} tokens, {arguments.workers} processes, start-up included")
    print(f"  build           {seconds:7.1f} s  {tokens / seconds:12,.0f} tokens/s")
    print(f"  processor time  {used:7.1f} s  peak memory of all processes {peak / 1e6:,.0f} MB")
    print(f"  floor           {least:7.1f} s  (every prompt encoded once);  build / floor = {seconds / least:.2f}")
    print("sampling: three seeds at two sizes, an order, and the sets by length")
    sampling()


if __name__ == "__main__":
    # `statistics.py` in this folder would stand in for the standard library's, which others import.
    here = sys.path.pop(0)
    import statistics  # noqa: F401  (taken from the standard library before this folder is back)

    sys.path.append(here)
    main()
