"""`anthropic:NAME`: models behind a messages endpoint, asked in its own terms, so that prompts are cached."""

import difflib
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from lengthwise.contracts import Ask, Reply, ReplyError, Request, Sampling
from lengthwise.errors import InputError, unknown_name
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.providers.anthropic_bodies import (
    DEFAULT_MAX_TOKENS,
    STREAM_ABOVE,
    check_sampling,
    join_stream,
    messages_body,
    read_failure,
    read_message,
)
from lengthwise.evaluators.providers.base import DEFAULT_TIMEOUT, Window
from lengthwise.evaluators.providers.bodies import error_message
from lengthwise.evaluators.providers.http import HttpModel, check_url, parse_json
from lengthwise.evaluators.providers.templates import template_counter

BASE_URL = "https://api.anthropic.com"
KEY_ENV = "ANTHROPIC_API_KEY"
_VERSION = "2023-06-01"
# Characters: the cache takes nothing of less than 1,024 tokens, and a mark costs a quarter more for what it keeps.
LEAST_KEPT = 4096


class AnthropicModel(HttpModel):
    """A model behind `POST BASE_URL/v1/messages`.

    Args:
        spec: see `Model`.
        kind: see `Model`.
        name: the model; behind an address of its own, `http(s)://host[:port]#name`, where it is not Anthropic's.
        key_env: environment variable with the key, for an address of its own; Anthropic's takes ANTHROPIC_API_KEY.
        timeout: seconds for a whole reply.

    Raises:
        InputError: an address without a name or of another form, or another variable for Anthropic's own key.
    """

    def __init__(
        self, spec: str, kind: str, name: str, key_env: str | None = None, timeout: float = DEFAULT_TIMEOUT
    ) -> None:
        self.own = not name.startswith(("http://", "https://"))
        base_url = BASE_URL
        if not self.own:
            base_url, _, name = name.partition("#")
            if not name:
                raise InputError(f"--model {spec}: the model's name is missing; write anthropic:http://host:port#name")
        elif key_env not in (None, KEY_ENV):
            raise InputError(f"--api-key-env: leave it out; anthropic: takes its key from {KEY_ENV}, and no other")
        super().__init__(spec, kind, name, KEY_ENV if self.own else key_env, timeout)
        self.base_url = check_url(base_url).removesuffix("/v1")

    def check(self, sampling: Sampling) -> None:
        """Raise InputError for settings that the endpoint refuses together."""
        check_sampling(sampling)

    def describe(self) -> dict[str, Any]:
        """Return what run.json says of the model: the name of the key's variable, never the key."""
        return {**super().describe(), "base_url": self.base_url, "api_key_env": self.key_env}

    def _headers(self, key: str | None) -> dict[str, str]:
        headers = {"anthropic-version": _VERSION}
        if key:
            headers["x-api-key"] = key
            if not self.own:
                # vLLM looks for its key there on all its endpoints.
                headers["Authorization"] = f"Bearer {key}"
        return headers

    def ask_for(self, example: Example, repeat: int) -> Ask:
        """Return an `ask`; it looks at the example to see which part of the prompt others share, and nothing else."""

        async def ask(request: Request) -> Reply:
            return await self._ask(request, self.shared_in(example, request))

        return ask

    def shared_in(self, example: Example, request: Request) -> int:
        """Return how many leading characters of the first user message other requests of the run begin with."""
        content = next((message.content for message in request.messages if message.role == "user"), "")
        if example.shared >= LEAST_KEPT and content.startswith(example.prompt[: example.shared]):
            return example.shared
        # Two summaries of one article are asked about in every run of LongNovel, whatever the prompt around them.
        article = example.texts.get("article") or ""
        start = content.find(article) if article else -1
        return start + len(article) if start >= 0 and len(article) >= LEAST_KEPT else 0

    async def _ask(self, request: Request, shared: int = 0) -> Reply:
        body = messages_body(self.name, request, shared, self.own)
        streamed = (request.sampling.max_tokens or DEFAULT_MAX_TOKENS) > STREAM_ABOVE
        if streamed:
            body["stream"] = True
        started = time.monotonic()
        status, answer, retry_after = await self._send("POST", self.base_url + "/v1/messages", body)
        latency = time.monotonic() - started
        try:
            if status != 200:
                raise read_failure(status, parse_json(answer), retry_after)
            return read_message(join_stream(answer) if streamed else self._parsed(answer), latency)
        except ReplyError as error:
            raise self._redacted(error) from None

    async def window(self) -> Window:
        """Ask for the model's limit: Anthropic's `max_input_tokens`, vLLM's `max_model_len`, llama.cpp's `n_ctx`.

        Raises:
            InputError: nobody answers, the key is refused, or there is no such model.
        """
        if self.own:
            about = await self._about(f"/v1/models/{quote(self.name, safe='')}")
            if about.get("id"):
                return Window(_limit(about), "Anthropic", template_counter(self.name))
        listed = {str(one.get("id")): one for one in (await self._about("/v1/models")).get("data") or []}
        if (
            listed
            and self.name not in listed
            and (self.own or {one.get("owned_by") for one in listed.values()} == {"vllm"})
        ):
            near = difflib.get_close_matches(self.name, listed, n=8, cutoff=0.3)
            raise unknown_name("model", self.name, near or list(listed)[:8])
        about = listed.get(self.name) or (next(iter(listed.values())) if len(listed) == 1 else {})
        return Window(_limit(about), "the server", template_counter(self.name))

    async def _about(self, path: str) -> Mapping[str, Any]:
        try:
            status, answer, _ = await self._send("GET", self.base_url + path)
        except ReplyError as error:
            raise InputError(f"--model {self.spec}: {error}") from error
        parsed = parse_json(answer)
        if status in (401, 403):
            raise self._refused_key(status, error_message(parsed)[0])
        return parsed if status == 200 and isinstance(parsed, dict) else {}


def _limit(about: Mapping[str, Any]) -> int | None:
    meta = about.get("meta")
    of_slot = meta.get("n_ctx") if isinstance(meta, dict) else None
    for value in (about.get("max_input_tokens"), about.get("max_model_len"), of_slot):
        if isinstance(value, int) and value > 0:
            return value
    return None
