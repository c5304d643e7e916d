"""Embeddings behind an OpenAI-compatible endpoint: `POST BASE_URL/embeddings`, over aiohttp."""

import base64
import binascii
import json
import struct
from collections.abc import Sequence
from typing import Any

from lengthwise.contracts import Reply, ReplyError, Request, Usage
from lengthwise.evaluators.embeddings import pack_vectors
from lengthwise.evaluators.providers.base import Window
from lengthwise.evaluators.providers.bodies import read_error
from lengthwise.evaluators.providers.chat import ChatModel, beginning_of
from lengthwise.evaluators.retry import PassingError


class EmbeddingModel(ChatModel):
    """A model behind `POST BASE_URL/embeddings`: vLLM, text-embeddings-inference, a host with a key, ...

    All that `ChatModel` says of keys and addresses holds here. A text that is longer than the model takes is for the
    server to refuse or to cut; one that cuts seldom says so.
    """

    _dimension: int | None = None

    async def window(self) -> Window:
        """Make sure that the server is there; each text has the window to itself.

        Raises:
            InputError: see `ChatModel.window`.
        """
        return Window((await super().window()).tokens, "the server of embeddings")

    async def _ask(self, request: Request) -> Reply:
        texts = [message.content for message in request.messages]
        body = {"model": self.name, "input": texts, "encoding_format": "float"}
        status, answer, retry_after, latency = await self._post("/embeddings", body, beginning_of(request.messages))
        try:
            parsed = json.loads(answer)
        except (ValueError, RecursionError) as error:
            if status == 200:
                raise PassingError(f"the answer is not JSON: {self._safe(answer)[:200]!r}") from error
            parsed = answer
        if status != 200:
            raise self._redacted(read_error(status, parsed, retry_after))
        vectors = self._checked(parsed, len(texts))
        usage = parsed.get("usage")
        tokens = usage.get("prompt_tokens") if isinstance(usage, dict) else None
        named = parsed.get("model")
        return Reply(
            pack_vectors(vectors),
            usage=Usage(input=tokens if isinstance(tokens, int) else None, output=0),
            latency=latency,
            model=named if isinstance(named, str) else None,
        )

    def _checked(self, body: Any, count: int) -> list[list[float]]:
        try:
            vectors = vectors_of(body, count)
        except ReplyError as error:
            raise self._redacted(error) from None
        dimension = len(vectors[0])
        if self._dimension is None:
            self._dimension = dimension
        if dimension != self._dimension:
            raise ReplyError(f"the server sent vectors of {dimension} numbers, before of {self._dimension}")
        return vectors


def vectors_of(body: Any, count: int) -> list[list[float]]:
    """Return the vectors of a body of a 200 answer in the order of the texts.

    Args:
        body: parsed JSON.
        count: how many texts were sent.

    Raises:
        PassingError: the body has not the form of a list of embeddings, or holds another number of them.
    """
    if isinstance(body, dict) and body.get("error"):
        code = body["error"].get("code") if isinstance(body["error"], dict) else None
        raise read_error(code if isinstance(code, int) else 502, body, None)
    try:
        entries = body["data"]
        places = [entry.get("index", place) for place, entry in enumerate(entries)]
        vectors = {place: _numbers(entry["embedding"]) for place, entry in zip(places, entries, strict=True)}
    except (KeyError, TypeError, ValueError, AttributeError, struct.error, binascii.Error) as error:
        raise PassingError(f"the answer is no list of embeddings ({error!r})") from error
    if sorted(vectors, key=str) != sorted(range(count), key=str) or len(entries) != count:
        raise PassingError(f"the answer holds {len(entries)} embeddings for {count} texts")
    return [vectors[place] for place in range(count)]


def _numbers(embedding: Sequence[float] | str) -> list[float]:
    if isinstance(embedding, str):
        # Some servers send float32 in base64 whatever they are asked for.
        content = base64.b64decode(embedding, validate=True)
        return list(struct.unpack(f"<{len(content) // 4}f", content))
    return [float(number) for number in embedding]
