"""A loopback chat server that answers at once, and notes when it was asked: what is measured is the client.

    python stub_server.py PORT [SECONDS]

It prints a line once it listens. `GET /stats` tells what came since the last `GET /reset`.
"""

import asyncio
import json
import sys
import time

USAGE = {"prompt_tokens": 250, "completion_tokens": 8, "total_tokens": 258}
CHOICE = {
    "index": 0,
    "finish_reason": "stop",
    "message": {"role": "assistant", "content": "<answer>a b c d e</answer>"},
}
COMPLETION = {
    "id": "x",
    "object": "chat.completion",
    "created": 1,
    "model": "stub",
    "choices": [CHOICE],
    "usage": USAGE,
}
MODELS = {"object": "list", "data": [{"id": "stub", "object": "model", "owned_by": "stub"}]}


class Stats:
    """What came, and when."""

    def __init__(self) -> None:
        self.count = self.under_way = self.most = 0
        self.first = self.last = 0.0

    def to_json(self) -> dict[str, float]:
        """Return it for `GET /stats`."""
        return {"count": self.count, "first": self.first, "last": self.last, "most": self.most}


STATS = Stats()
DELAY = 0.0


def answer(body: object) -> bytes:
    """Return a whole answer of HTTP with a body of JSON."""
    content = json.dumps(body).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    return head.encode() + content


ANSWER, LISTED = answer(COMPLETION), answer(MODELS)


class Connection(asyncio.Protocol):
    """Reads requests by their length alone; nothing of a body is kept or parsed."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Get ready for the first request."""
        self.transport = transport
        self.head = b""
        self.left = -1

    def data_received(self, data: bytes) -> None:
        """Take what came, and answer what is whole."""
        while data or self.left == 0:
            if self.left < 0:
                self.head += data
                end = self.head.find(b"\r\n\r\n")
                if end < 0:
                    return
                head, data = self.head[:end].decode("latin-1"), self.head[end + 4 :]
                self.head = b""
                self.line, *fields = head.split("\r\n")
                named = dict(field.lower().split(":", 1) for field in fields)
                self.left = int(named.get("content-length", 0))
                if self.line.startswith("POST"):
                    STATS.count += 1
                    STATS.under_way += 1
                    STATS.most = max(STATS.most, STATS.under_way)
                    STATS.first = STATS.first or time.time()
            taken = min(len(data), self.left)
            data, self.left = data[taken:], self.left - taken
            if self.left:
                return
            self.left = -1
            if self.line.startswith("POST"):
                asyncio.get_running_loop().call_later(DELAY, self.reply) if DELAY else self.reply()
            else:
                self.other()

    def reply(self) -> None:
        """Answer a chat request."""
        STATS.under_way -= 1
        STATS.last = time.time()
        self.transport.write(ANSWER)

    def other(self) -> None:
        """Answer whatever else is asked."""
        if "/stats" in self.line:
            self.transport.write(answer(STATS.to_json()))
        elif "/reset" in self.line:
            STATS.__init__()
            self.transport.write(answer({}))
        else:
            self.transport.write(LISTED)


async def main(port: int) -> None:
    """Serve until the process is ended."""
    server = await asyncio.get_running_loop().create_server(Connection, "127.0.0.1", port, backlog=1024)
    print("listening", flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    DELAY = float(sys.argv[2]) if len(sys.argv) > 2 else 0.0
    asyncio.run(main(int(sys.argv[1])))
