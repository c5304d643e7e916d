"""A loopback model whose reply is decided by the prompt alone: the same for our runner and for every harness.

The rows of a data folder are told by their prompts; each meets the case that its place in the order of ids gives it.
"""

import json
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from lengthwise.evaluators.examples import ids_by_cell, open_data

Row = Mapping[str, Any]
Answer = tuple[int, dict[str, Any]]
Case = Callable[[Row], Answer]


def tagged(row: Row) -> str:
    """Return the right answer in the form that the prompt asks for."""
    return "\n".join(f"<answer>{' '.join(words)}</answer>" for words in row["answers"])


def said(content: str | None, finish: str = "stop", **message: Any) -> Answer:
    return 200, {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content} | message}
        ],
        "usage": {
            "prompt_tokens": 4000,
            "completion_tokens": 17,
            "total_tokens": 4017,
            "prompt_tokens_details": {"cached_tokens": 1000},
            "completion_tokens_details": {"reasoning_tokens": 5},
        },
    }


def refused(message: str, code: Any, kind: str) -> Answer:
    return 400, {"error": {"message": message, "code": code, "type": kind, "param": "messages"}}


OPENAI = "This model's maximum context length is 4096 tokens. However, your messages resulted in 20000 tokens."
VLLM = "This model's maximum context length is 4096 tokens. However, you requested 16000 output tokens and your prompt"
LLAMA = "the request exceeds the available context size (4096 tokens), try increasing it"

CASES: dict[str, Case] = {
    "right": lambda row: said(tagged(row)),
    "right after a blank line": lambda row: said(f"Let me see.\n\nIt is this:\n\n{tagged(row)}\n\n"),
    "wrong": lambda row: said("<answer>qqq www eee</answer>"),
    "a part": lambda row: said(f"<answer>{' '.join(row['answers'][0][:-1])}</answer>"),
    "decoy": lambda row: said(f"<answer>{decoy(row)}</answer>"),
    "right in think tags only": lambda row: said(f"<think>{tagged(row)}</think>\n\nI could not tell."),
    "wrong in think tags, right after": lambda row: said(f"<think><answer>a b</answer></think>\n\n{tagged(row)}"),
    "right in the reasoning field only": lambda row: said("I could not tell.", reasoning_content=tagged(row)),
    "a lone end of reasoning": lambda row: said(f"so a b c?</think>{tagged(row)}"),
    "refusal": lambda row: said("I'm sorry, but I can't help with that."),
    "refusal in its field": lambda row: said(None, refusal="I'm sorry, I cannot assist with that."),
    "unparsable": lambda row: said("There are many words in this list and all are nice."),
    "truncated": lambda row: said("First I look at every word, one by one, and then I", "length"),
    "truncated behind the answer": lambda row: said(f"{tagged(row)}\n\nTo check, I look at", "length"),
    "no text, all reasoning": lambda row: said(None, "length", reasoning_content="First I look at every word"),
    "no text": lambda row: said(None),
    "blank": lambda row: said(" \n"),
    "filtered": lambda row: said("", "content_filter"),
    "too long, as OpenAI says it": lambda row: refused(OPENAI, "context_length_exceeded", "invalid_request_error"),
    "too long, as vLLM says it": lambda row: refused(VLLM, 400, "BadRequestError"),
    "too long, as llama.cpp says it": lambda row: refused(LLAMA, 400, "exceed_context_size_error"),
    "prompt filtered, as Azure says it": lambda row: refused("filtered", "content_filter", "invalid_request_error"),
}


def decoy(row: Row) -> str:
    """Return the words of the row's first decoy; of a row without one, of its list's beginning."""
    start, end = row["list_span"]
    words = row["prompt"][start:end].split()
    spot = row["decoys"][0] if row["decoys"] else {"start": 0, "length": 3}
    return " ".join(words[spot["start"] : spot["start"] + spot["length"]])


# For any benchmark: its row says what is right, and how often it was asked.
COMMON: dict[str, Case] = {
    "right": lambda row: said(row["answer_text"]),
    "wrong": lambda row: said(json.dumps({"answer": -12345, "score": 5 if row.get("hallucinated") else 0})),
    "right at the second time": lambda row: said(row["answer_text"] if row["asked"] > 1 else "Let me think."),
    "right in think tags only": lambda row: said(f"<think>{row['answer_text']}</think>\n\nI could not tell."),
    "unparsable": lambda row: said("There are many words in this text and all are nice. " * 9),
    "refusal": lambda row: said("I'm sorry, but I can't help with that."),
    "truncated": CASES["truncated"],
    "no text, all reasoning": CASES["no text, all reasoning"],
    "no text": CASES["no text"],
    "filtered": CASES["filtered"],
    "too long, as OpenAI says it": CASES["too long, as OpenAI says it"],
    "too long, as vLLM says it": CASES["too long, as vLLM says it"],
    "prompt filtered, as Azure says it": CASES["prompt filtered, as Azure says it"],
}


def read_rows(data: Path) -> list[dict[str, Any]]:
    """Return all rows of a data folder, prompts included, in the order of their ids."""
    found, cells = open_data(str(data))
    rows = [{**one.columns, "prompt": one.prompt} for one in found.stream(ids_by_cell(found.short_columns(cells)))]
    return sorted(rows, key=lambda row: str(row["id"]))


class ScriptedServer:
    """The model, at `url`; used as a context manager.

    Args:
        data: the folder with the rows.
        cases: what the rows meet in turn; the names of cases that stand in `CASES`, or others' answers.

    Attributes:
        cases: the name of the case of each row, by id.
        bodies: what was asked, by id; an entry per request.
        prompts: the texts of requests that are of no row.
    """

    def __init__(self, data: Path, cases: Mapping[str, Case] = CASES) -> None:
        names = list(cases)
        rows = read_rows(data)
        self.cases = {row["id"]: names[place % len(names)] for place, row in enumerate(rows)}
        self.bodies: dict[str, list[dict[str, Any]]] = {row["id"]: [] for row in rows}
        self.prompts: list[Any] = []
        self._answers = cases
        self._rows = {row["prompt"]: row for row in rows}
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: Any) -> None:
                pass

            def do_GET(self) -> None:
                self.send((200, {"object": "list", "data": [{"id": "scripted", "object": "model"}]}))

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self.send(server.reply(body))

            def send(self, answer: Answer) -> None:
                status, content = answer
                raw = json.dumps(content).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def reply(self, body: dict[str, Any]) -> Answer:
        """Return the status and body for a request."""
        messages = body.get("messages") or [{"content": body.get("prompt")}]
        text = messages[0]["content"]
        row = self._rows.get(text) if len(messages) == 1 and isinstance(text, str) else None
        if row is None:
            self.prompts.append(messages)
            return 422, {"error": {"message": "the prompt is not that of any row", "code": "no_such_row"}}
        self.bodies[row["id"]].append(body)
        return self._answers[self.cases[row["id"]]]({**row, "asked": len(self.bodies[row["id"]])})

    def __enter__(self) -> "ScriptedServer":
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
