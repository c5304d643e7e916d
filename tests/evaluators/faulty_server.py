"""A loopback server that speaks the chat protocol and fails by script.

Which steps a request meets is decided by the row it is about: prompts of the tests hold `[id]`. Each step is used up
by one request; with none left the server answers as `default` says.
"""

import json
import re
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def completion(content: Any = "<answer>a b c</answer>", finish: str = "stop", **message: Any) -> dict[str, Any]:
    """Return the body of a good answer."""
    return {
        "object": "chat.completion",
        "model": "fake-1",
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content} | message}
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "prompt_tokens_details": None},
    }


def text_of(content: Any) -> str:
    """Return the text of a message's content: a string, or a list of blocks."""
    return content if isinstance(content, str) else "".join(block["text"] for block in content)


@dataclass
class Step:
    """What the server does with one request."""

    status: int = 200
    body: Any = field(default_factory=completion)
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    reset: bool = False
    before: Callable[[], None] | None = None


def error(status: int, message: str, code: Any = None, **headers: str) -> Step:
    """Return the step that answers with an error."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Step(status, {"error": {"message": message, "code": code, "type": "error"}}, named)


@dataclass(frozen=True)
class Seen:
    """One request that came in."""

    id: str
    at: float
    body: dict[str, Any]
    authorization: str | None
    headers: dict[str, str]
    path: str


class FaultyServer:
    """The server; use it as a context manager.

    Args:
        idle: seconds after which it closes a connection that nothing comes over; None for never.

    Attributes:
        script: steps per row id, used up from the front.
        default: makes the step for a request with no step left, from its body.
        models: entries of `/v1/models`; None answers 404.
        pages: further bodies to get, by path.
        seen: chat requests so far.
        answered: how many whole answers went out, per row id.
        most_at_once: most chat requests that were under way together.
        unready: whether to answer 503 to everything but chat requests.
    """

    def __init__(self, idle: float | None = None) -> None:
        self.script: dict[str, list[Step]] = {}
        self.default: Callable[[dict[str, Any]], Step] = lambda body: Step()
        self.models: list[dict[str, Any]] | None = [{"id": "fake", "owned_by": "vllm", "max_model_len": 40_960}]
        self.pages: dict[str, Any] = {}
        self.props: dict[str, Any] | None = None
        self.seen: list[Seen] = []
        self.answered: Counter[str] = Counter()
        self.most_at_once = 0
        self.unready = False
        self._under_way = 0
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"owner": self, "timeout": idle})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    @property
    def spec(self) -> str:
        return f"{self.url}#fake"

    def asked(self) -> Counter[str]:
        return Counter(one.id for one in self.seen)

    def take(self, body: dict[str, Any], headers: dict[str, str], path: str) -> tuple[str, Step]:
        text = "\n".join(text_of(message["content"]) for message in body["messages"])
        found = re.search(r"\[(\S+?)\]", text)
        row = found[1] if found else "?"
        with self._lock:
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
            self.seen.append(Seen(row, time.monotonic(), body, headers.get("authorization"), headers, path))
            steps = self.script.get(row)
            return row, steps.pop(0) if steps else self.default(body)

    def done(self) -> None:
        with self._lock:
            self._under_way -= 1

    def __enter__(self) -> "FaultyServer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: FaultyServer

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        if self.owner.unready:
            self._send(503, {"error": {"message": "not up yet"}})
        elif self.path in self.owner.pages:
            self._send(200, self.owner.pages[self.path])
        elif self.path == "/v1/models" and self.owner.models is not None:
            self._send(200, {"object": "list", "data": self.owner.models})
        elif self.path == "/props" and self.owner.props is not None:
            self._send(200, self.owner.props)
        else:
            self._send(404, {"error": {"message": "not found"}})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        row, step = self.owner.take(body, headers, self.path)
        if step.before is not None:
            step.before()
        time.sleep(step.delay)
        # Before the answer goes out: the client may be quick to ask again.
        self.owner.done()
        if step.reset:
            # Linger 0: the client sees a reset, not an orderly end.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            self.connection.close()
            return
        try:
            self._send(step.status, step.body, step.headers)
        except OSError:
            self.close_connection = True
            return
        self.owner.answered[row] += 1

    def _send(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def finish(self) -> None:
        if not self.connection._closed:  # type: ignore[attr-defined]
            super().finish()
