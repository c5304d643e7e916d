"""Models behind an OpenAI-compatible chat endpoint, on one server or on several alike."""

import asyncio
import difflib
import time
from collections.abc import Sequence
from typing import Any

from lengthwise.contracts import Message, Reply, ReplyError, Request, Sampling
from lengthwise.errors import InputError, unknown_name
from lengthwise.evaluators.providers.base import DEFAULT_TIMEOUT, Notify, Window
from lengthwise.evaluators.providers.bodies import error_message, is_filtered, read_error, read_reply
from lengthwise.evaluators.providers.hosts import Host, sampling_fields
from lengthwise.evaluators.providers.http import HttpModel, check_url, parse_json
from lengthwise.evaluators.providers.logprobs import logprob_fields, refuses_logprobs
from lengthwise.evaluators.providers.replicas import Replica, Replicas
from lengthwise.evaluators.providers.templates import template_counter
from lengthwise.evaluators.retry import PassingError

# Characters of a prompt by which it is told whether two begin alike: beyond what instructions before a text take.
_BEGINNING = 4000
# With these, another replica may do better: it is busy, broken, or was started with another model or key.
_REFUSALS = frozenset({401, 403, 404, 408, 425, 429})
# Of one server of several, in a row, before the user is told.
_FAILURES = 3


class _UnreachableError(InputError):
    """Nobody answers at an address; somebody may later."""


class ChatModel(HttpModel):
    """A model behind `POST BASE_URL/chat/completions`, on one server or several.

    Of several, the least loaded is asked, and where that fails the next one at once; who failed rests for a while.

    Args:
        spec: see `Model`.
        kind: see `Model`.
        base_url: `http(s)://host[:port]/v1`, without query or user name; several parted by commas.
        name: the model, as the server calls it.
        host: how this host names settings.
        key_env: environment variable that holds the key; None sends none.
        timeout: seconds for a whole reply: a prefill of 128K tokens on a busy server takes minutes.
        notify: told of servers that do not answer at the start.

    Raises:
        InputError: a URL of another form or one that comes twice, or a time-out that is not positive.
    """

    def __init__(
        self,
        spec: str,
        kind: str,
        base_url: str,
        name: str,
        host: Host,
        key_env: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        notify: Notify = lambda _: None,
    ) -> None:
        super().__init__(spec, kind, name, key_env, timeout)
        self.base_urls = tuple(check_url(one.strip()) for one in base_url.split(","))
        if len(set(self.base_urls)) < len(self.base_urls):
            raise InputError(f"--model {spec}: names an address twice")
        self.host = host
        self._replicas = Replicas(self.base_urls)
        self._notify = notify
        self._tokens: int | None = None
        self._gives_logprobs = True

    @property
    def base_url(self) -> str:
        """The address, or the first of several."""
        return self.base_urls[0]

    def _move(self, base_url: str) -> None:
        """Take another address in the place of all."""
        self.base_urls = (base_url,)
        self._replicas = Replicas(self.base_urls)

    def check(self, sampling: Sampling) -> None:
        """Raise InputError for a setting that the host takes no place for."""
        sampling_fields(self.host, sampling)

    def describe(self) -> dict[str, Any]:
        """Return what run.json says of the model: the name of the key's variable, never the key."""
        several = {"base_urls": list(self.base_urls)} if len(self.base_urls) > 1 else {}
        return {**super().describe(), "base_url": self.base_url, **several, "api_key_env": self.key_env}

    def body(self, request: Request) -> dict[str, Any]:
        """Return the body of a request for a chat completion, log-probabilities left out."""
        return {
            "model": self.name,
            "messages": [{"role": one.role, "content": one.content} for one in request.messages],
            **sampling_fields(self.host, request.sampling),
        }

    async def _ask(self, request: Request) -> Reply:
        body = self.body(request)
        asked_for = logprob_fields(request.alternatives if self._gives_logprobs else 0)
        prefix = beginning_of(request.messages)
        status, answer, retry_after, latency = await self._post("/chat/completions", body | asked_for, prefix)
        if asked_for and refuses_logprobs(status, error_message(parse_json(answer))[0]):
            # The answer is worth having without them.
            self._gives_logprobs = False
            status, answer, retry_after, latency = await self._post("/chat/completions", body, prefix)
        if status == 200:
            parsed = self._parsed(answer)
            try:
                return read_reply(parsed, latency)
            except ReplyError as error:
                raise self._redacted(error) from None
        problem = parse_json(answer)
        if is_filtered(status, problem):
            return Reply(None, finish_reason="content_filter", latency=latency)
        raise self._redacted(read_error(status, problem, retry_after))

    async def _post(self, path: str, body: Any, prefix: int) -> tuple[int, str, float | None, float]:
        """Return (status, body text, Retry-After, seconds) of the first replica that takes it, or of the last.

        Each is asked once at most, and none again after a time-out: that is for who retries.
        """
        tried: list[Replica] = []
        while True:
            replica = self._replicas.choose(prefix, tried)
            assert replica is not None
            tried.append(replica)
            try:
                await self._check_late(replica)
                started = time.monotonic()
                with self._replicas.asking(replica, prefix):
                    status, answer, retry_after = await self._send("POST", replica.base_url + path, body)
                latency = time.monotonic() - started
            except PassingError as error:
                self._failed(replica, error.retry_after, str(error))
                if error.timed_out or self._replicas.choose(prefix, tried) is None:
                    raise
                continue
            if status not in _REFUSALS and status < 500:
                self._replicas.succeeded(replica)
                if replica.told_of:
                    replica.told_of = False
                    self._notify(f"{replica.base_url} answers again")
                return status, answer, retry_after, latency
            self._failed(replica, retry_after, f"HTTP {status}")
            if self._replicas.choose(prefix, tried) is None:
                return status, answer, retry_after, latency

    def _failed(self, replica: Replica, retry_after: float | None, why: str) -> None:
        """Have a replica rest, and tell of one of several that fails time and again: the run is slower without it."""
        self._replicas.failed(replica, retry_after)
        if len(self._replicas.all) > 1 and replica.failures >= _FAILURES and not replica.told_of:
            replica.told_of = True
            self._notify(f"careful: {replica.base_url} fails ({why}); the others are asked, and it now and then")

    async def _check_late(self, replica: Replica) -> None:
        """Check a replica that did not answer when the run began, before the first request to it."""
        if replica.checked:
            return
        try:
            tokens = await self._window_of(replica.base_url)
        except InputError as error:
            raise PassingError(str(error)) from error
        if self._tokens is not None and tokens is not None and tokens < self._tokens:
            raise PassingError(f"{replica.base_url} allows {tokens:,} tokens, and the others {self._tokens:,}")
        replica.checked = True

    async def window(self) -> Window:
        """Ask every server for its limit: vLLM's `max_model_len`, llama.cpp's `n_ctx`, a router's `context_length`.

        The smallest counts. A server of several that does not answer is checked when it does.

        Raises:
            InputError: nobody answers, a key is refused, or a server certainly has no such model.
        """
        found = await asyncio.gather(*(self._window_of(one) for one in self.base_urls), return_exceptions=True)
        limits: dict[str, int | None] = {}
        missing: list[_UnreachableError] = []
        for replica, one in zip(self._replicas.all, found, strict=True):
            if isinstance(one, _UnreachableError):
                missing.append(one)
                replica.checked, replica.told_of = False, True
                self._replicas.failed(replica)
            elif isinstance(one, BaseException):
                raise one
            else:
                limits[replica.base_url] = one
        if not limits:
            raise missing[0]
        for error in missing:
            self._notify(f"careful: {error}; the others are asked, and this one when it answers")
        known = {url: tokens for url, tokens in limits.items() if tokens is not None}
        if len(set(known.values())) > 1:
            each = ", ".join(f"{url} {tokens:,}" for url, tokens in known.items())
            self._notify(f"careful: the servers differ in the tokens they allow ({each}); the smallest counts")
        self._tokens = min(known.values(), default=None)
        return Window(self._tokens, "the server", template_counter(self.name))

    async def _window_of(self, base_url: str) -> int | None:
        try:
            status, answer, _ = await self._send("GET", base_url + "/models")
        except ReplyError as error:
            raise _UnreachableError(f"--model {self.spec}: {error}") from error
        if status in (401, 403):
            raise self._refused_key(status, error_message(parse_json(answer))[0])
        if status >= 500 and len(self.base_urls) > 1:
            raise _UnreachableError(f"--model {self.spec}: HTTP {status} from {base_url}/models")
        listed = _listed_models(parse_json(answer)) if status == 200 else {}
        about = listed.get(self.name, {})
        if listed and not about:
            owners = {str(one.get("owned_by")) for one in listed.values()}
            if self.host.lists_all or owners == {"vllm"}:
                # A host may list hundreds: the nearest are enough.
                near = difflib.get_close_matches(self.name, listed, n=8, cutoff=0.3)
                raise unknown_name("model", self.name, near or list(listed)[:8])
            # llama.cpp takes any name for the one model that it has.
            if owners == {"llamacpp"} and len(listed) == 1:
                about = next(iter(listed.values()))
        tokens = _first_count(about, "max_model_len", "context_length", "max_context_length", "context_window")
        if tokens is None and about.get("owned_by") == "llamacpp":
            tokens = await self._slot_size(base_url) or _first_count(about.get("meta"), "n_ctx")
        return tokens

    async def _slot_size(self, base_url: str) -> int | None:
        """Return llama.cpp's context per slot: `n_ctx` of the command line divided by the number of slots."""
        try:
            status, answer, _ = await self._send("GET", base_url.removesuffix("/v1") + "/props")
        except ReplyError:
            return None
        props = parse_json(answer) if status == 200 else None
        return _first_count(props.get("default_generation_settings"), "n_ctx") if isinstance(props, dict) else None


def beginning_of(messages: Sequence[Message]) -> int:
    """Return what stands for the beginning of a conversation."""
    beginning = ""
    for message in messages:
        beginning += message.content[: _BEGINNING - len(beginning)]
        if len(beginning) >= _BEGINNING:
            break
    return hash(beginning)


def _listed_models(body: Any) -> dict[str, dict[str, Any]]:
    models = body.get("data") if isinstance(body, dict) else None
    return {str(one["id"]): one for one in models or [] if isinstance(one, dict) and "id" in one}


def _first_count(about: Any, *names: str) -> int | None:
    for name in names:
        value = about.get(name) if isinstance(about, dict) else None
        if isinstance(value, int) and value > 0:
            return value
    return None
