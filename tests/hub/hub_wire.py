"""HTTP of the tests' Hub: requests and answers as plain values, and the server that turns one into the other."""

import json
import socket
import urllib.parse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any


@dataclass(frozen=True)
class Answer:
    """Of the server."""

    status: int
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    content_type: str = "application/json"


def as_json(content: Any, status: int = 200, **headers: str) -> Answer:
    return Answer(status, json.dumps(content).encode(), tuple((k.replace("_", "-"), v) for k, v in headers.items()))


def refusal(status: int, code: str, said: str) -> Answer:
    return as_json({"error": said}, status, X_Error_Code=code, X_Error_Message=said)


@dataclass(frozen=True)
class Asked:
    """A request."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Handler(BaseHTTPRequestHandler):
    answer_to: Callable[[Asked], Answer]
    connections: set[socket.socket]
    protocol_version = "HTTP/1.1"

    def setup(self) -> None:
        super().setup()
        type(self).connections.add(self.connection)

    def log_message(self, format: str, *args: object) -> None:
        pass

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _serve(self) -> None:
        url = urllib.parse.urlsplit(self.path)
        asked = Asked(
            self.command, url.path, dict(urllib.parse.parse_qsl(url.query)),
            {name.lower(): value for name, value in self.headers.items()}, self._body(),
        )  # fmt: skip
        answer = type(self).answer_to(asked)
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        if not any(name == "Content-Length" for name, _ in answer.headers):
            self.send_header("Content-Length", str(len(answer.body)))
        for name, value in answer.headers:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _serve
