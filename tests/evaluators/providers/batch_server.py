"""A loopback server that takes batches as OpenAI and Anthropic do, and gives them back when it is told to."""

import json
import re
import socket
import struct
import threading
from collections import Counter
from datetime import UTC, datetime
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

GOOD = "<answer>a b c</answer>"


def row_of(text: str) -> str:
    return re.search(r"\[(\S+?)\]", text)[1]


class BatchServer:
    """The server; use it as a context manager.

    Attributes:
        held: whether batches stay under way.
        ends: how the call about a row ends, used up from the front: "error", "overlength", "expired", "missing";
            without any it gets a reply.
        failing: statuses to answer the next requests to make a batch with.
        losing: whether the next batch is taken, but its sender hears nothing.
        failed: a reason for which the whole next batch fails (OpenAI).
        batches: those made, by id.
        asked: how often each row was sent.
        seen: (method, path, headers) of every request.
    """

    def __init__(self) -> None:
        self.held = False
        self.ends: dict[str, list[str]] = {}
        self.failing: list[int] = []
        self.losing = False
        self.failed: str | None = None
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.asked: Counter[str] = Counter()
        self.seen: list[tuple[str, str, dict[str, str]]] = []
        handler = type("Handler", (_Handler,), {"owner": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def spec(self, provider: str) -> str:
        return f"batch:{self.url}/v1#fake" if provider == "openai" else f"batch:anthropic:{self.url}#fake"

    def take(self, provider: str, requests: list[dict[str, Any]], **more: Any) -> str:
        name = f"batch_{len(self.batches)}"
        for one in requests:
            body = one["body"] if provider == "openai" else one["params"]
            assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", one["custom_id"])
            assert body["model"] == "fake" and body["max_tokens"] > 0
            self.asked[row_of(body["messages"][0]["content"])] += 1
        self.batches[name] = {"provider": provider, "requests": requests, "at": datetime.now(UTC), **more}
        self.batches[name]["failed"], self.failed = self.failed, None
        return name

    def end_of(self, body: dict[str, Any]) -> str:
        ends = self.ends.get(row_of(body["messages"][0]["content"]))
        return ends.pop(0) if ends else "reply"

    def about_openai(self, name: str) -> dict[str, Any]:
        batch = self.batches[name]
        about = {"id": name, "created_at": int(batch["at"].timestamp()), "metadata": batch["metadata"]}
        if batch["failed"]:
            return about | {"status": "failed", "errors": {"data": [{"message": batch["failed"]}]}}
        if self.held:
            return about | {"status": "in_progress", "request_counts": {"completed": 0, "failed": 0}}
        if "status" not in batch:
            good, bad = [], []
            # In another order than they came.
            for one in reversed(batch["requests"]):
                end, line = self.end_of(one["body"]), {"custom_id": one["custom_id"]}
                if end == "reply":
                    message = {"role": "assistant", "content": GOOD}
                    usage = {"prompt_tokens": 100, "completion_tokens": 10}
                    body = {"model": "fake-1", "choices": [{"finish_reason": "stop", "message": message}]}
                    good.append(line | {"response": {"status_code": 200, "body": body | {"usage": usage}}})
                elif end == "expired":
                    bad.append(line | {"response": None, "error": {"code": "batch_expired", "message": "too late"}})
                elif end != "missing":
                    said = "maximum context length is 5 tokens" if end == "overlength" else "server had an error"
                    status = 400 if end == "overlength" else 500
                    bad.append(line | {"response": {"status_code": status, "body": {"error": {"message": said}}}})
            for kind, lines in (("output", good), ("error", bad)):
                if lines:
                    batch[f"{kind}_file_id"] = f"{kind}-{name}"
                    self.files[f"{kind}-{name}"] = "\n".join(map(json.dumps, lines)).encode()
            batch["status"] = "expired" if any("expired" in json.dumps(one) for one in bad) else "completed"
        kept = {key: batch[key] for key in ("status", "output_file_id", "error_file_id") if key in batch}
        return about | kept

    def about_anthropic(self, name: str) -> dict[str, Any]:
        batch = self.batches[name]
        count = len(batch["requests"])
        counts = {"processing": count, "succeeded": 0} if self.held else {"processing": 0, "succeeded": count}
        status = "in_progress" if self.held else "ended"
        return {"id": name, "created_at": batch["at"].isoformat(), "processing_status": status} | {
            "request_counts": counts
        }

    def results_anthropic(self, name: str) -> bytes:
        lines = []
        for one in reversed(self.batches[name]["requests"]):
            end, result = self.end_of(one["params"]), None
            if end == "reply":
                usage = {"input_tokens": 100, "output_tokens": 10}
                message = {"type": "message", "model": "fake-1", "content": [{"type": "text", "text": GOOD}]}
                result = {"type": "succeeded", "message": message | {"stop_reason": "end_turn", "usage": usage}}
            elif end == "expired":
                result = {"type": "expired"}
            elif end != "missing":
                long = end == "overlength"
                kind, said = ("invalid_request_error", "prompt is too long") if long else ("api_error", "had an error")
                error = {"type": "error", "error": {"type": kind, "message": said}}
                result = {"type": "errored", "error": error}
            if result is not None:
                lines.append(json.dumps({"custom_id": one["custom_id"], "result": result}))
        return "\n".join(lines).encode() + b"\n"

    def __enter__(self) -> "BatchServer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: BatchServer

    def log_message(self, *_: object) -> None:
        pass

    def _note(self) -> str:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.owner.seen.append((self.command, self.path, headers))
        return self.path.partition("?")[0]

    def do_GET(self) -> None:
        path, owner = self._note(), self.owner
        if path == "/v1/models":
            self._send({"data": [{"id": "fake", "owned_by": "vllm", "max_model_len": 40_960}]})
        elif path in ("/v1/batches", "/v1/messages/batches"):
            about = owner.about_anthropic if "messages" in path else owner.about_openai
            # The latest first.
            self._send({"data": [about(name) for name in reversed(owner.batches)], "has_more": False})
        elif match := re.fullmatch(r"/v1/batches/(\w+)", path):
            self._send(owner.about_openai(match[1]))
        elif match := re.fullmatch(r"/v1/files/([\w-]+)/content", path):
            self._send(owner.files[match[1]])
        elif match := re.fullmatch(r"/v1/messages/batches/(\w+)", path):
            self._send(owner.about_anthropic(match[1]))
        elif match := re.fullmatch(r"/v1/messages/batches/(\w+)/results", path):
            self._send(owner.results_anthropic(match[1]))
        else:
            self._send({"error": {"message": "not found"}}, 404)

    def do_POST(self) -> None:
        path, owner = self._note(), self.owner
        content = self._content()
        if path == "/v1/files":
            head = f"Content-Type: {self.headers['content-type']}\n\n".encode()
            parts = BytesParser().parsebytes(head + content).get_payload()
            fields = {part.get_param("name", header="content-disposition"): part for part in parts}
            assert fields["purpose"].get_payload() == "batch"
            name = f"file-{len(owner.files)}"
            owner.files[name] = fields["file"].get_payload(decode=True)
            self._send({"id": name})
            return
        if owner.failing:
            self._send({"error": {"message": "not now"}}, owner.failing.pop(0))
            return
        body = json.loads(content)
        if path == "/v1/batches":
            assert (body["endpoint"], body["completion_window"]) == ("/v1/chat/completions", "24h")
            requests = [json.loads(line) for line in owner.files[body["input_file_id"]].splitlines()]
            name = owner.take("openai", requests, metadata=body["metadata"])
        else:
            assert path == "/v1/messages/batches"
            name = owner.take("anthropic", body["requests"])
        if owner.losing:
            owner.losing = False
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            self.connection.close()
            return
        self._send({"id": name})

    def _content(self) -> bytes:
        if self.headers.get("transfer-encoding") != "chunked":
            return self.rfile.read(int(self.headers["content-length"]))
        found = b""
        while size := int(self.rfile.readline(), 16):
            found += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return found

    def _send(self, body: Any, status: int = 200) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def finish(self) -> None:
        if not self.connection._closed:  # type: ignore[attr-defined]
            super().finish()
