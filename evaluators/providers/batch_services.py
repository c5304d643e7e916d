"""How OpenAI and Anthropic take a batch, tell of it, and give its results."""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any, ClassVar

from lengthwise.contracts import Reply, ReplyError, Request
from lengthwise.evaluators.providers.anthropic import AnthropicModel
from lengthwise.evaluators.providers.anthropic_bodies import messages_body, read_message, read_refusal
from lengthwise.evaluators.providers.batch_journal import Batch
from lengthwise.evaluators.providers.bodies import is_filtered, read_error, read_reply
from lengthwise.evaluators.providers.chat import ChatModel
from lengthwise.evaluators.providers.http import HttpModel
from lengthwise.evaluators.providers.logprobs import logprob_fields

# Clocks differ: a batch that is looked for may seem to have been made so many seconds before it was sent.
_CLOCK = 300.0


@dataclass(frozen=True, slots=True)
class State:
    """What a provider says of a batch.

    Attributes:
        over: whether nothing more will come of it.
        done: calls that have ended, as far as it tells.
        note: what went wrong with all of it.
        files: where its results are.
    """

    over: bool
    done: int = 0
    note: str | None = None
    files: tuple[str, ...] = ()


class BatchService(ABC):
    """A provider's batches.

    Attributes:
        most_calls: in one batch.
        most_bytes: of the requests of one batch.
        frame: what stands before, between and behind the requests in a file.
    """

    most_calls: ClassVar[int]
    most_bytes: ClassVar[int]
    frame: ClassVar[tuple[bytes, bytes, bytes]]

    @abstractmethod
    def line(self, name: str, request: Request) -> bytes:
        """Return a request as it stands in the file, under its `custom_id`."""

    @abstractmethod
    async def submit(self, path: Path, batch: Batch) -> str:
        """Send a file of requests; return the id that the provider gives it.

        Raises:
            PassingError: it may or may not have arrived.
            ReplyError: it was refused.
        """

    @abstractmethod
    async def find(self, batch: Batch, known: frozenset[str]) -> str | None:
        """Return the id of a batch of which it is not known whether it arrived; None if it did not.

        Args:
            batch: as noted before it was sent.
            known: ids of the others.
        """

    @abstractmethod
    async def state(self, provider_id: str) -> State:
        """Return what the provider says of a batch."""

    @abstractmethod
    async def download(self, provider_id: str, state: State, file: IO[bytes]) -> None:
        """Write the results of a batch that is over: a line of JSON each, in any order."""

    @abstractmethod
    def read(self, line: Mapping[str, Any]) -> Reply:
        """Return the reply that a line of results holds.

        Raises:
            ReplyError: it holds an error.
        """


class _Http:
    """Requests with parsed answers, by the session of a model."""

    def __init__(self, model: HttpModel) -> None:
        self._model = model

    async def call(self, method: str, url: str, body: Any = None) -> Mapping[str, Any]:
        status, parsed, retry_after = await self._model.send(method, url, body)
        if status != 200:
            raise read_error(status, parsed, retry_after)
        if not isinstance(parsed, dict):
            raise ReplyError(f"{url}: the answer is no object")
        return parsed


class OpenAIBatches(BatchService):
    """Batches of chat completions: a file of requests is uploaded, and a batch made of it."""

    most_calls = 50_000
    most_bytes = 190_000_000
    frame = (b"", b"\n", b"\n")

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._http = _Http(model)

    def line(self, name: str, request: Request) -> bytes:
        """Return a request as it stands in the file, under its `custom_id`."""
        body = self._model.body(request) | logprob_fields(request.alternatives)
        return json.dumps({"custom_id": name, "method": "POST", "url": "/v1/chat/completions", "body": body}).encode()

    async def submit(self, path: Path, batch: Batch) -> str:
        """Upload the file, then make the batch; its tag goes with it, so that it can be found."""
        import aiohttp

        with path.open("rb") as file:
            form = aiohttp.FormData()
            form.add_field("purpose", "batch")
            form.add_field("file", file, filename=f"{batch.tag}.jsonl", content_type="application/jsonl")
            uploaded = await self._http.call("POST", self._model.base_url + "/files", form)
        made = {
            "input_file_id": uploaded["id"],
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "metadata": {"lengthwise": batch.tag},
        }
        return str((await self._http.call("POST", self._model.base_url + "/batches", made))["id"])

    async def find(self, batch: Batch, known: frozenset[str]) -> str | None:
        """Look for the batch with the tag among those made since."""
        after = ""
        while True:
            page = await self._http.call("GET", f"{self._model.base_url}/batches?limit=100{after}")
            entries = page.get("data") or []
            for one in entries:
                if (one.get("metadata") or {}).get("lengthwise") == batch.tag:
                    return str(one["id"])
            if not entries or not page.get("has_more") or entries[-1].get("created_at", 0) < batch.at - _CLOCK:
                return None
            after = f"&after={entries[-1]['id']}"

    async def state(self, provider_id: str) -> State:
        """Return what the provider says of a batch."""
        about = await self._http.call("GET", f"{self._model.base_url}/batches/{provider_id}")
        status = about.get("status")
        counts = about.get("request_counts") or {}
        problems = (about.get("errors") or {}).get("data") or []
        note = "; ".join(str(one.get("message")) for one in problems[:3]) or None
        if note is None and status in ("failed", "expired", "cancelled"):
            note = f"the batch was {status}" if status == "cancelled" else f"the batch {status}"
        files = tuple(str(about[name]) for name in ("output_file_id", "error_file_id") if about.get(name))
        over = status in ("completed", "failed", "expired", "cancelled")
        return State(over, (counts.get("completed") or 0) + (counts.get("failed") or 0), note, files)

    async def download(self, provider_id: str, state: State, file: IO[bytes]) -> None:
        """Write the file of replies, and behind it that of errors."""
        for name in state.files:
            await self._model.fetch(f"{self._model.base_url}/files/{name}/content", file)
            file.write(b"\n")

    def read(self, line: Mapping[str, Any]) -> Reply:
        """Return the reply that a line of results holds."""
        response = line.get("response")
        if line.get("error") or not isinstance(response, dict):
            error = line.get("error") or {}
            raise ReplyError(f"{error.get('code') or 'error'}: {error.get('message') or 'no reply in the batch'}")
        status, body = int(response.get("status_code") or 0), response.get("body")
        if status == 200:
            return read_reply(body, 0.0)
        if is_filtered(status, body):
            return Reply(None, finish_reason="content_filter")
        raise read_error(status, body, None)


class AnthropicBatches(BatchService):
    """Batches of messages: all requests go in one body."""

    most_calls = 100_000
    most_bytes = 240_000_000
    frame = (b'{"requests":[', b",", b"]}")

    def __init__(self, model: AnthropicModel) -> None:
        self._model = model
        self._http = _Http(model)
        self._url = model.base_url + "/v1/messages/batches"

    def line(self, name: str, request: Request) -> bytes:
        """Return a request as it stands in the body, under its `custom_id`."""
        params = messages_body(self._model.name, request, own=self._model.own)
        return json.dumps({"custom_id": name, "params": params}).encode()

    async def submit(self, path: Path, batch: Batch) -> str:
        """Send the body."""
        with path.open("rb") as file:
            return str((await self._http.call("POST", self._url, file))["id"])

    async def find(self, batch: Batch, known: frozenset[str]) -> str | None:
        """Look for a batch of as many calls that was made then; there is no place for a tag."""
        after = ""
        while True:
            page = await self._http.call("GET", f"{self._url}?limit=100{after}")
            entries = page.get("data") or []
            late = [one for one in entries if _seconds(one.get("created_at")) >= batch.at - _CLOCK]
            # The latest first: the one that was made next after the moment of sending stands last.
            for one in reversed(late):
                counts = (one.get("request_counts") or {}).values()
                if one["id"] not in known and sum(counts) == len(batch.names):
                    return str(one["id"])
            if len(late) < len(entries) or not page.get("has_more"):
                return None
            after = f"&after_id={entries[-1]['id']}"

    async def state(self, provider_id: str) -> State:
        """Return what the provider says of a batch."""
        about = await self._http.call("GET", f"{self._url}/{provider_id}")
        counts = about.get("request_counts") or {}
        done = sum(count for name, count in counts.items() if name != "processing")
        return State(about.get("processing_status") == "ended", done)

    async def download(self, provider_id: str, state: State, file: IO[bytes]) -> None:
        """Write the results; their address is the batch's own, whatever `results_url` says: the key goes there."""
        await self._model.fetch(f"{self._url}/{provider_id}/results", file)

    def read(self, line: Mapping[str, Any]) -> Reply:
        """Return the reply that a line of results holds."""
        result = line.get("result")
        result = result if isinstance(result, dict) else {}
        if result.get("type") == "succeeded":
            return read_message(result.get("message"), 0.0)
        if result.get("type") == "errored" and isinstance(result.get("error"), dict):
            raise read_refusal(result["error"])
        raise ReplyError(f"{result.get('type') or 'error'}: no reply in the batch")


def _seconds(text: Any) -> float:
    try:
        return datetime.fromisoformat(str(text)).timestamp()
    except ValueError:
        return 0.0
