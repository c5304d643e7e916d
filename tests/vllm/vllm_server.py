"""vLLM's own server in a process of its own, and what it counts."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from while_held import PATIENCE

# Nothing may leave the machine, and 131,072 tokens of a tiny model take 100 MB.
ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    "VLLM_HOST_IP": "127.0.0.1",
}

WHILE_HELD = Path(__file__).with_name("while_held.py")

# Nothing is compiled, and little memory is set aside: the server is up sooner.
QUICK = ("--enforce-eager", "--max-num-seqs=8")


class VllmServer:
    """A running server; use it as a context manager.

    Args:
        command: program and arguments, without host and port; see `api_server`.
        name: what the server calls the model.
        log: file for what it prints.
        patience: seconds until it must be healthy.

    Attributes:
        address: `http://127.0.0.1:PORT`.
        spec: how `lengthwise run --model` names it.
        seconds: how long it took to start.
    """

    def __init__(self, command: Sequence[str], name: str, log: Path, patience: float = 180.0) -> None:
        self._command = command
        self._log = log
        self._patience = patience
        self.address = f"http://127.0.0.1:{free_port()}"
        self.spec = f"{self.address}/v1#{name}"
        self.seconds = 0.0
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        port = self.address.rpartition(":")[2]
        started = time.monotonic()
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, str(WHILE_HELD), *self._command, "--host", "127.0.0.1", "--port", port],
                stdout=log,
                stderr=subprocess.STDOUT,
                # Held by these tests: server and engine go when they do, however that comes about.
                stdin=subprocess.PIPE,
                env={**os.environ, **ENVIRONMENT},
                # A group of its own: the engine is a child of the server, and must not outlive it.
                start_new_session=True,
            )
        with contextlib.ExitStack() as stack:
            stack.callback(self.stop)
            while not self._healthy():
                self.seconds = time.monotonic() - started
                if self._process.poll() is not None or self.seconds > self._patience:
                    raise RuntimeError(f"vLLM is not up after {self.seconds:.0f} s:\n{self.tail()}")
                time.sleep(0.2)
            # It is up, and ends with this object's own `with`.
            stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End the server and its engine, and nothing else."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(PATIENCE + 5)
        except subprocess.TimeoutExpired:
            pass
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def tail(self, lines: int = 30) -> str:
        return "\n".join(self._log.read_text(errors="replace").splitlines()[-lines:])

    def _healthy(self) -> bool:
        try:
            return self._get("/health") is not None
        except (urllib.error.URLError, OSError):
            return False

    def _get(self, path: str) -> str:
        # No proxy of the environment: the server is on this machine.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(self.address + path, timeout=10) as answer:
            return answer.read().decode()

    def count(self, name: str, **labels: str) -> float:
        """Return the sum of a metric's values over all its series that have the given labels."""
        found = 0.0
        for line in self._get("/metrics").splitlines():
            match = re.fullmatch(r"([\w:]+)\{(.*)\} (\S+)", line)
            if match and match[1] == name:
                series = dict(re.findall(r'(\w+)="([^"]*)"', match[2]))
                if labels.items() <= series.items():
                    found += float(match[3])
        return found

    def finished(self) -> int:
        """Return how many requests were answered to their end."""
        return sum(
            int(self.count("vllm:request_success_total", finished_reason=reason)) for reason in ("stop", "length")
        )


def api_server(model: Path, window: int, *more: str) -> list[str]:
    """Return the command that serves a model.

    `vllm serve` is the same server, but does not start where vLLM was installed as `vllm-cpu`: it looks for the
    version of a distribution of the other name.
    """
    options = [f"--model={model}", f"--max-model-len={window}", *QUICK, *more]
    return [sys.executable, "-m", "vllm.entrypoints.openai.api_server", *options]


def free_port() -> int:
    """Return a port that nobody listened on a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
