"""Models behind an OpenAI-compatible chat endpoint, over aiohttp."""

import difflib
import json
import os
import time
from dataclasses import asdict
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from lengthwise.contracts import Ask, Reply, ReplyError, Request, Sampling
from lengthwise.errors import InputError, unknown_name
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.providers.base import DEFAULT_TIMEOUT, Model, Window
from lengthwise.evaluators.providers.bodies import error_message, is_filtered, read_error, read_reply
from lengthwise.evaluators.providers.hosts import Host, sampling_fields
from lengthwise.evaluators.providers.logprobs import logprob_fields, refuses_logprobs
from lengthwise.evaluators.providers.templates import template_counter
from lengthwise.evaluators.retry import PassingError, parse_retry_after

if TYPE_CHECKING:
    import aiohttp

CONNECT_TIMEOUT = 30.0
# Seconds for which an idle connection is kept: less than servers do. vLLM closes one after 5 s, and we may be loading
# a tokenizer then, and not see it.
KEEP_IDLE = 4.0


def read_key(variable: str) -> str:
    """Return the key in an environment variable.

    Raises:
        InputError: not the name of a variable, it is not set, or it holds what cannot go into a header.
    """
    if not variable.isidentifier():
        # Somebody may have given the key itself: do not repeat it.
        raise InputError("--api-key-env: takes the name of an environment variable, never the key")
    key = os.environ.get(variable, "").strip()
    if not key:
        raise InputError(f"the environment variable {variable} is not set; it must hold the key of this model's host")
    if not key.isascii() or not key.isprintable():
        raise InputError(f"the environment variable {variable} holds characters that no key has")
    return key


class ChatModel(Model):
    """A model behind `POST BASE_URL/chat/completions`.

    The key goes into one header, to this host alone: redirects are not followed, and it is cut out of every message.

    Args:
        spec: see `Model`.
        kind: see `Model`.
        base_url: `http(s)://host[:port]/v1`, without query or user name.
        name: the model, as the server calls it.
        host: how this host names settings.
        key_env: environment variable that holds the key; None sends none.
        timeout: seconds for a whole reply: a prefill of 128K tokens on a busy server takes minutes.

    Raises:
        InputError: a URL of another form, or a time-out that is not positive.
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
    ) -> None:
        super().__init__(spec, name)
        if not timeout > 0:
            raise InputError(f"--timeout {timeout}: must be above 0 (seconds)")
        self.kind = kind
        self.base_url = check_url(base_url)
        self.host = host
        self.key_env = key_env
        self.timeout = timeout
        self._gives_logprobs = True
        self._key: str | None = None
        self._session: aiohttp.ClientSession | None = None

    def check(self, sampling: Sampling) -> None:
        """Raise InputError for a setting that the host takes no place for."""
        sampling_fields(self.host, sampling)

    def describe(self) -> dict[str, Any]:
        """Return what run.json says of the model: the name of the key's variable, never the key."""
        return {**super().describe(), "base_url": self.base_url, "api_key_env": self.key_env}

    def ask_for(self, example: Example, repeat: int) -> Ask:
        """Return the one `ask` there is: it sees the request and nothing else."""
        return self._ask

    async def __aenter__(self) -> Self:
        """Read the key and open the session.

        Raises:
            InputError: see `read_key`.
        """
        import aiohttp

        self._key = read_key(self.key_env) if self.key_env else None

        # No limit on connections: the runner has one, and waiting for a connection would count as connecting.
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEP_IDLE),
            timeout=aiohttp.ClientTimeout(total=self.timeout, sock_connect=CONNECT_TIMEOUT),
            headers={"Authorization": f"Bearer {self._key}"} if self._key else {},
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the session."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _ask(self, request: Request) -> Reply:
        body = {
            "model": self.name,
            "messages": [asdict(message) for message in request.messages],
            **sampling_fields(self.host, request.sampling),
        }
        asked_for = logprob_fields(request.alternatives if self._gives_logprobs else 0)
        started = time.monotonic()
        status, answer, retry_after = await self._send("POST", self.base_url + "/chat/completions", body | asked_for)
        if asked_for and refuses_logprobs(status, error_message(_parse(answer))[0]):
            # The answer is worth having without them.
            self._gives_logprobs = False
            started = time.monotonic()
            status, answer, retry_after = await self._send("POST", self.base_url + "/chat/completions", body)
        latency = time.monotonic() - started
        if status == 200:
            try:
                parsed = json.loads(answer)
            except ValueError as error:
                raise PassingError(f"the answer is not JSON: {self._safe(answer)[:200]!r}") from error
            try:
                return read_reply(parsed, latency)
            except ReplyError as error:
                raise self._redacted(error) from None
        problem = _parse(answer)
        if is_filtered(status, problem):
            return Reply(None, finish_reason="content_filter", latency=latency)
        raise self._redacted(read_error(status, problem, retry_after))

    async def _send(self, method: str, url: str, body: Any = None) -> tuple[int, str, float | None]:
        """Return (status, body text, Retry-After); network faults and time-outs become `PassingError`."""
        import aiohttp

        if self._session is None:
            raise RuntimeError("a model is used within `async with`")
        try:
            sent = self._session.request(method, url, json=body, allow_redirects=False, proxy=find_proxy(url))
            async with sent as response:
                if 300 <= response.status < 400:
                    target = self._safe(response.headers.get("Location", "nowhere"))
                    raise ReplyError(
                        f"HTTP {response.status}: {url} redirects to {target}; not followed, so that no key goes to "
                        "another host: name the final address in --model"
                    )
                text = (await response.read()).decode(errors="replace")
                return response.status, text, parse_retry_after(response.headers.get("Retry-After"))
        except aiohttp.ServerTimeoutError as error:
            # Only connecting has a limit of its own.
            raise PassingError(f"no connection to {url} within {CONNECT_TIMEOUT:.0f} s") from error
        except TimeoutError as error:
            raise PassingError(f"no whole reply within {self.timeout:g} s (--timeout)", timed_out=True) from error
        except aiohttp.ClientError as error:
            raise PassingError(self._safe(f"{type(error).__name__}: {error}")) from error

    def _safe(self, text: str) -> str:
        return text.replace(self._key, "[key]") if self._key else text

    def _redacted(self, error: ReplyError) -> ReplyError:
        error.args = (self._safe(str(error)),)
        return error

    async def window(self) -> Window:
        """Ask the server for its limit: vLLM's `max_model_len`, llama.cpp's `n_ctx`, a router's `context_length`.

        Raises:
            InputError: nobody answers, the key is refused, or the server certainly has no such model.
        """
        try:
            status, answer, _ = await self._send("GET", self.base_url + "/models")
        except ReplyError as error:
            raise InputError(f"--model {self.spec}: {error}") from error
        if status in (401, 403):
            reason = self._safe(error_message(_parse(answer))[0])
            key = f"the key in {self.key_env}" if self.key_env else "no key was sent; name its variable: --api-key-env"
            raise InputError(f"--model {self.spec}: HTTP {status}: {reason} ({key})")
        listed = _listed_models(_parse(answer)) if status == 200 else {}
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
            tokens = await self._slot_size() or _first_count(about.get("meta"), "n_ctx")
        return Window(tokens, "the server", template_counter(self.name))

    async def _slot_size(self) -> int | None:
        """Return llama.cpp's context per slot: `n_ctx` of the command line divided by the number of slots."""
        try:
            status, answer, _ = await self._send("GET", self.base_url.removesuffix("/v1") + "/props")
        except ReplyError:
            return None
        props = _parse(answer) if status == 200 else None
        return _first_count(props.get("default_generation_settings"), "n_ctx") if isinstance(props, dict) else None


def find_proxy(url: str) -> str | None:
    """Return the proxy that the environment names for a URL (HTTP_PROXY, HTTPS_PROXY, NO_PROXY); none for loopback.

    aiohttp would find it too if told to trust the environment, but would then send passwords of .netrc as well.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    if host in ("localhost", "127.0.0.1", "::1") or proxy_bypass(host):
        return None
    return getproxies().get(parts.scheme)


def check_url(base_url: str) -> str:
    """Return a base URL without a slash at its end.

    Raises:
        InputError: not http(s), no host, or parts that could hold a secret and would be written into run.json.
    """
    try:
        parts = urlsplit(base_url)
        port_is_fine = parts.port is None or parts.port > 0
    except ValueError as error:
        raise InputError(f"--model: {error} in the address; write http://host:port/v1#name") from error
    if parts.username or parts.password or parts.query:
        raise InputError("--model: put no user, password or query into the address; a key goes by --api-key-env NAME")
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_is_fine:
        raise InputError(f"--model {base_url!r}: not an address; write http://host:port/v1#name")
    return base_url.rstrip("/")


def _parse(text: str) -> Any:
    """Return parsed JSON, or the text itself where it is none."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _listed_models(body: Any) -> dict[str, dict[str, Any]]:
    models = body.get("data") if isinstance(body, dict) else None
    return {str(one["id"]): one for one in models or [] if isinstance(one, dict) and "id" in one}


def _first_count(about: Any, *names: str) -> int | None:
    for name in names:
        value = about.get(name) if isinstance(about, dict) else None
        if isinstance(value, int) and value > 0:
            return value
    return None
