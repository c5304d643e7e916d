"""Speed and memory of `lengthwise build predicate`, beside its floor and beside RULER's generator in lm-eval.

Run it in a venv with the extra `bench`:

    pip install -e '.[bench]' && python benchmarks/build.py

Seconds depend on the machine and on what else it does; the ratios, all taken in one run, are what to compare. Goals:
all rows in at most 2.5 times the floor (tokenising each prompt once); at least 4 times the rows per second of
lm-eval's generator with the same tokenizer, 15 times as it ships; at most 1.02 tokens encoded per token kept.
"""

import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LENGTH = 131_072
PEER = Path(__file__).with_name("peer_ruler.py")


def timed(command: list[str]) -> tuple[float, float, int]:
    """Run a command; return wall seconds, processor seconds, and the peak memory of it and its children in bytes."""
    import psutil

    before = os.times()
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    peak = 0
    while process.poll() is None:
        try:
            family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
            peak = max(peak, sum(one.memory_info().rss for one in family))
        except psutil.Error:
            pass
        time.sleep(0.02)
    seconds = time.perf_counter() - start
    after = os.times()
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}\n{process.stderr.read().decode() if process.stderr else ''}")
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return seconds, used, peak


def count_tokens(prompts: list[str]) -> int:
    """Return the tokens of some prompts, each encoded once."""
    from lengthwise.builders.tokens import load_tokenizer

    tokenizer = load_tokenizer()
    return sum(map(tokenizer.count, prompts))


def floor(folder: Path, workers: int) -> tuple[float, int, int]:
    """Return the seconds it takes to encode every prompt once, the number of prompts, and their tokens."""
    import pyarrow.parquet as pq

    prompts: list[str] = []
    for path in sorted(folder.glob("*/*.parquet")):
        prompts += pq.read_table(path, columns=["prompt"])["prompt"].to_pylist()
    pieces = [prompts[start : start + 10] for start in range(0, len(prompts), 10)]
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        pool.map(count_tokens, [["warm"]] * workers)
        start = time.perf_counter()
        tokens = sum(pool.imap_unordered(count_tokens, pieces))
        return time.perf_counter() - start, len(prompts), tokens


def encoded_per_kept(examples: int) -> float:
    """Return tokens encoded per token kept, over all synthetic configs, counted in this process."""
    from lengthwise.builders.predicate.build import build_predicate
    from lengthwise.builders.predicate.settings import Settings
    from lengthwise.builders.tokens import TiktokenTokenizer

    encode = TiktokenTokenizer._encode
    encoded = 0

    def counting(self: TiktokenTokenizer, text: str):  # type: ignore[no-untyped-def]
        nonlocal encoded
        tokens = encode(self, text)
        encoded += len(tokens)
        return tokens

    TiktokenTokenizer._encode = counting  # type: ignore[method-assign]
    try:
        with tempfile.TemporaryDirectory() as folder:
            result = build_predicate(folder, splits=["128k"], settings=Settings(examples=examples))
    finally:
        TiktokenTokenizer._encode = encode  # type: ignore[method-assign]
    assert result.splits is not None
    return encoded / sum(sum(fact.n_tokens) for fact in result.splits.values())


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=100)
    parser.add_argument("--workers", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--peers", default="repeat,needle", help="haystacks of lm-eval's generator; '' for none")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "built"
        seconds, used, peak = timed(
            [sys.executable, "-m", "lengthwise", "build", "predicate", "--out", str(out), "--split", "128k", "--quiet",
             "--examples", str(arguments.examples), "--workers", str(arguments.workers)]
        )  # fmt: skip
        least, rows, tokens = floor(out, arguments.workers)
    ratio = encoded_per_kept(5)
    print(f"{rows} rows of 9 configs, {tokens:,} tokens, {arguments.workers} processes, start-up included")
    print(f"  build           {seconds:7.1f} s  {rows / seconds:8.1f} rows/s  {tokens / seconds:12,.0f} tokens/s")
    print(f"  processor time  {used:7.1f} s  peak memory of all processes {peak / 1e6:,.0f} MB")
    print(f"  floor           {least:7.1f} s  (every prompt encoded once);  build / floor = {seconds / least:.2f}")
    print(f"  tokens encoded per token kept: {ratio:.3f} (a list is encoded once for all its questions and decoys)")
    for haystack in filter(None, arguments.peers.split(",")):
        for tokenizer in ("tiktoken", "fast"):
            with tempfile.NamedTemporaryFile(suffix=".json") as told:
                command = [
                    sys.executable,
                    str(PEER),
                    haystack,
                    tokenizer,
                    str(LENGTH),
                    str(arguments.examples),
                    told.name,
                ]
                peer_seconds, _, peer_peak = timed(command)
                facts = json.loads(Path(told.name).read_text())
            rate = arguments.examples / peer_seconds
            named = "same tokenizer" if tokenizer == "tiktoken" else "as it ships (HF fast)"
            print(
                f"  lm-eval niah, {haystack}, {named}: "
                f"{peer_seconds:.1f} s, {rate:.2f} rows/s, {facts['encoded'] / facts['kept']:.2f} encoded per kept, "
                f"{peer_peak / 1e6:,.0f} MB; ours is {rows / seconds / rate:.1f} times as fast"
            )


if __name__ == "__main__":
    # The first entry is this folder, whose statistics.py would stand in for the standard library's.
    sys.path.pop(0)
    main()
