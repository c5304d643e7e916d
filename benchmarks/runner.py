"""What a run costs beside what the model takes: time and memory of `lengthwise run` and of peers on a loopback stub.

    pip install -e '.[bench,inspect,lm-eval]' && python benchmarks/runner.py

Every client is a process of its own and sends the same prompts; when the requests came is noted by the stub. Goals: at
most 2 times the time of bare aiohttp, half of lm-eval's whole time; the first request within a second of the command;
under 250 MB with 100,000 short examples.
"""

import argparse
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path

HERE = Path(__file__).parent
# Our clients, and the run folder of each.
OUT = {"lengthwise": "ours", "with bounds": "bounds"}
OURS = OUT.keys()
TASK = """task: stub
dataset_path: json
dataset_kwargs: {{data_files: {prompts}}}
test_split: train
output_type: generate_until
doc_to_text: prompt
doc_to_target: answer
generation_kwargs: {{max_gen_toks: 100, until: []}}
metric_list: [{{metric: exact_match}}]
"""


@dataclass(frozen=True)
class Measured:
    """One client on one set of prompts.

    Attributes:
        client: its name.
        whole: seconds from the command to its end.
        start: seconds from the command to the first request.
        loop: seconds from there to the last reply.
        processor: seconds that it and its children had of processors.
        memory: peak in MB, of both.
        most: calls that were under way together.
    """

    client: str
    whole: float
    start: float
    loop: float
    processor: float
    memory: float
    most: float


def write_data(folder: Path, count: int, size: int) -> Path:
    """Write a data folder of ours with prompts of `size` characters, and the prompts as lines of JSON beside it."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from lengthwise.builders.predicate.schema import SCHEMA

    (folder / "data/lex-locate").mkdir(parents=True)
    draw = random.Random(size)
    # Every row has words of its own.
    letters = "".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=max(size, 4096)))
    path = folder / "data/lex-locate/4k-00000-of-00001.parquet"
    with pq.ParquetWriter(path, SCHEMA, compression="zstd") as writer, (folder / "prompts.jsonl").open("w") as lines:
        # Groups of as many rows as have some 10 MB, as in data that was built.
        group = max(20, min(1_000, 10_000_000 // size))
        for first in range(0, count, group):
            rows = [_row(index, size, letters, draw) for index in range(first, min(first + group, count))]
            writer.write_table(pa.Table.from_pylist(rows, SCHEMA))
            for row in rows:
                lines.write(json.dumps({"id": row["id"], "prompt": row["prompt"], "answer": "a b c d e"}) + "\n")
    cells = {"lex-locate": {"4k": {"rows": count, "digest": f"{count} of {size}"}}}
    build = {"benchmark": "predicatelongbench", "version": "1", "configs": cells, "digest": "stub"}
    (folder / "data/build.json").write_text(json.dumps(build))
    # Who waits for the disk later is not to wait for this.
    os.sync()
    return folder


def _row(index: int, size: int, letters: str, draw: random.Random) -> dict[str, object]:
    question = "Find the run of exactly 5 consecutive words in strict alphabetical order."
    words: list[str] = []
    length = len(question) + 30
    while length < size:
        start, end = draw.randrange(len(letters) - 10), draw.randrange(3, 9)
        words.append(letters[start : start + end])
        length += end + 1
    prompt = f"Words: {' '.join(words)}\n\n{question}"
    return {
        "id": f"lex-locate-4k-s0-{index:06d}",
        "list_id": f"lex-4k-s0-{index:06d}",
        "axis": "computation",
        "quantifier": "exists",
        "source": "synthetic",
        "k": 5,
        "answer": ["a", "b", "c", "d", "e"],
        "answers": [["a", "b", "c", "d", "e"]],
        "answer_text": "a b c d e",
        "predicates": [{"kind": "lex", "text": "sorted", "position": -1, "parameters": "{}"}],
        "n_words": len(words),
        "n_tokens": max(1, size // 4),
        "tokenizer": "qwen",
        "target_start": 0,
        "decoys": [],
        "list_starts": [0],
        "document_id": None,
        "seed": 0,
        "question": question,
        "list_span": [7, 7 + len(" ".join(words))],
        "prompt": prompt,
    }


def clients(folder: Path, address: str, concurrency: int, python: str, out: Path) -> dict[str, list[str]]:
    """Return the command of every client."""
    prompts = str(folder / "prompts.jsonl")
    (folder / "tasks").mkdir(exist_ok=True)
    # inspect_ai takes a task from the folder that it is started in.
    shutil.copy(HERE / "peer_inspect.py", folder)
    (folder / "tasks/stub.yaml").write_text(TASK.format(prompts=prompts))
    bare = [sys.executable, str(HERE / "peer_clients.py")]
    sdk = [python, str(HERE / "peer_clients.py")]
    arguments = f"model=stub,base_url={address}/chat/completions,num_concurrent={concurrency},tokenized_requests=False"
    ours = [
        *(sys.executable, "-m", "lengthwise", "run", str(folder / "data"), "--model", f"{address}#stub"),
        *("--concurrency", str(concurrency), "--max-tokens", "100", "--quiet"),
    ]
    return {
        "bare aiohttp": [*bare, "aiohttp", address, prompts, str(concurrency)],
        "lengthwise": [*ours, "--out", str(out / OUT["lengthwise"]), "--no-bounds"],
        "with bounds": [*ours, "--out", str(out / OUT["with bounds"])],
        "openai SDK": [*sdk, "openai", address, prompts, str(concurrency)],
        "lm-eval": [
            *(python, "-m", "lm_eval", "run", "--model", "local-chat-completions", "--model_args", arguments),
            *("--tasks", "stub", "--include_path", str(folder / "tasks"), "--apply_chat_template"),
            *("--output_path", str(out / "lm"), "--log_samples"),
        ],
        "inspect_ai": [
            *(python, "-m", "inspect_ai", "eval", "peer_inspect.py", "-T", f"prompts={prompts}"),
            *("--model", "openai-api/stub/stub", "--max-connections", str(concurrency), "--max-tokens", "100"),
            *("--max-samples", str(concurrency), "--log-dir", str(out / "inspect"), "--display", "none"),
        ],
    }


def measure(client: str, command: list[str], address: str, folder: Path, compiled: Path) -> Measured:
    """Run a client, and return what it took."""
    import psutil

    ask(address, "reset")
    if client in OURS:
        # What a run of ours before this one has left; the others stay as they are.
        shutil.rmtree(command[command.index("--out") + 1], ignore_errors=True)
    environment = {
        **os.environ,
        "STUB_API_KEY": "none",
        "STUB_BASE_URL": address,
        "OPENAI_API_KEY": "none",
        "HF_DATASETS_OFFLINE": "1",
        "HF_HUB_OFFLINE": "1",
    }
    if client in OURS:
        # A package that pip installs is compiled; this one is a checkout, which may not be.
        environment |= {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(compiled)}
    before, began = os.times(), time.time()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT, env=environment, cwd=folder)
        peak = 0
        while process.poll() is None:
            try:
                family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
                peak = max(peak, sum(one.memory_info().rss for one in family))
            except psutil.Error:
                pass
            time.sleep(0.02)
        whole = time.time() - began
        if process.returncode:
            said.seek(0)
            raise SystemExit(f"{' '.join(command)}\n{said.read().decode()[-3000:]}")
    after, stats = os.times(), ask(address, "stats")
    used = after.children_user + after.children_system - before.children_user - before.children_system
    loop = stats["last"] - stats["first"]
    return Measured(client, whole, stats["first"] - began, loop, used, peak / 1e6, int(stats["most"]))


def ask(address: str, what: str) -> dict[str, float]:
    """Get something from the stub."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"{address}/{what}") as answer:
        return json.load(answer)


@contextmanager
def stub(delay: float = 0.0) -> Iterator[str]:
    """Start the stub server, and give its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, str(HERE / "stub_server.py"), str(port), str(delay)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None and server.stdout.readline()
        try:
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()


def main() -> None:
    """Measure, and print a table for each size of prompts and number of calls under way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=2_000)
    parser.add_argument("--sizes", type=int, nargs="*", default=[1_000, 500_000])
    parser.add_argument("--concurrency", type=int, nargs="*", default=[16, 256])
    parser.add_argument("--clients", nargs="*", default=None, help="some of them only")
    parser.add_argument("--repeats", type=int, default=3, help="of everything, one client after the other; medians")
    parser.add_argument("--many", type=int, default=100_000, help="short examples, for the memory; 0 leaves it out")
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has lm-eval, inspect_ai, openai")
    options = parser.parse_args()
    with stub() as address:
        for size in options.sizes:
            with tempfile.TemporaryDirectory() as folder:
                write_data(Path(folder), options.requests, size)
                for concurrency in options.concurrency:
                    compare(Path(folder), address, concurrency, options, f"{options.requests:,} x {size:,} characters")
        if options.many:
            with tempfile.TemporaryDirectory() as folder:
                write_data(Path(folder), options.many, 300)
                options.clients, options.repeats = [*OURS], 1
                compare(Path(folder), address, 64, options, f"{options.many:,} x 300 characters")


def compare(folder: Path, address: str, concurrency: int, options: argparse.Namespace, what: str) -> None:
    """Print a table of all clients on one set of prompts."""
    print(f"\n{what}, {concurrency} under way; ms a request from the first to the last")
    print(
        f"{'':16}{'ms/request':>11}{'ratio':>7}{'whole s':>9}{'first s':>9}{'CPU s':>8}{'peak MB':>9}{'at once':>9}",
        flush=True,
    )
    with tempfile.TemporaryDirectory() as out, tempfile.TemporaryDirectory() as compiled:
        chosen = {
            client: command
            for client, command in clients(folder, address, concurrency, options.python, Path(out)).items()
            if not options.clients or client in options.clients
        }
        for client in OURS & chosen.keys():
            # Nothing is measured of the first, which compiles.
            measure(client, chosen[client], address, folder, Path(compiled))
            break
        found: dict[str, list[Measured]] = {client: [] for client in chosen}
        for _ in range(options.repeats):
            for client, command in chosen.items():
                found[client].append(measure(client, command, address, folder, Path(compiled)))
    with (folder / "prompts.jsonl").open() as prompts:
        count = sum(1 for _ in prompts)
    bare = None
    for client, several in found.items():
        one = median_of(several)
        bare = bare or one.loop
        print(
            f"{client:16}{1000 * one.loop / count:11.2f}{one.loop / bare:7.1f}{one.whole:9.1f}{one.start:9.2f}"
            f"{one.processor:8.1f}{one.memory:9.0f}{one.most:9.0f}",
            flush=True,
        )


def median_of(several: list[Measured]) -> Measured:
    """Return the median of each figure."""
    figures = {
        field.name: sorted(getattr(one, field.name) for one in several)[len(several) // 2]
        for field in fields(Measured)
        if field.name != "client"
    }
    return Measured(several[0].client, **figures)


if __name__ == "__main__":
    main()
