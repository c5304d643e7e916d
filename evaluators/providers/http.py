"""A model reached over HTTP: its session, its key, and what can go wrong on the way."""

import json
import os
from abc import abstractmethod
from contextlib import AbstractAsyncContextManager
from io import IOBase
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from lengthwise.contracts import Ask, Reply, ReplyError, Request
from lengthwise.errors import InputError
from lengthwise.evaluators.contracts import Example
from lengthwise.evaluators.providers.base import DEFAULT_TIMEOUT, Model, check_timeout
from lengthwise.evaluators.providers.bodies import read_error
from lengthwise.evaluators.retry import PassingError, parse_retry_after
from lengthwise.json_text import dump_json

if TYPE_CHECKING:
    import aiohttp

CONNECT_TIMEOUT = 30.0
# Seconds for which an idle connection is kept: less than servers do. vLLM closes one after 5 s, and we may be loading
# a tokenizer then, and not see it.
KEEP_IDLE = 4.0


def _faults() -> tuple[type[BaseException], ...]:
    """Return what can go wrong on the way; aiohttp is imported where it is used."""
    import aiohttp

    return (TimeoutError, aiohttp.ClientError)


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


class HttpModel(Model):
    """What models over HTTP have in common.

    The key goes into one header, to this model's own addresses alone: redirects are not followed, and it is cut out of
    every message.

    Args:
        spec: see `Model`.
        kind: see `Model`.
        name: the model, as the server calls it.
        key_env: environment variable that holds the key; None sends none.
        timeout: seconds for a whole reply: a prefill of 128K tokens on a busy server takes minutes.

    Raises:
        InputError: a time-out that is not positive.
    """

    def __init__(
        self, spec: str, kind: str, name: str, key_env: str | None = None, timeout: float = DEFAULT_TIMEOUT
    ) -> None:
        super().__init__(spec, name)
        check_timeout(timeout)
        self.kind = kind
        self.key_env = key_env
        self.timeout = timeout
        self._key: str | None = None
        self._session: aiohttp.ClientSession | None = None

    def ask_for(self, example: Example, repeat: int) -> Ask:
        """Return the one `ask` there is: it sees the request and nothing else."""
        return self._ask

    @abstractmethod
    async def _ask(self, request: Request) -> Reply:
        """Send one request, and return what came back."""

    def _headers(self, key: str | None) -> dict[str, str]:
        """Return what every request carries."""
        return {"Authorization": f"Bearer {key}"} if key else {}

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
            headers=self._headers(self._key),
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the session."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _send(self, method: str, url: str, body: Any = None) -> tuple[int, str, float | None]:
        """Return (status, body text, Retry-After); network faults and time-outs become `PassingError`.

        Args:
            method: of HTTP.
            url: without a query that could hold a secret.
            body: what becomes JSON, an open file that holds JSON, or the fields of a form (`aiohttp.FormData`); None
                sends none.
        """
        try:
            async with self._request(method, url, body) as response:
                self._check_direct(url, response)
                text = (await response.read()).decode(errors="replace")
                return response.status, text, parse_retry_after(response.headers.get("Retry-After"))
        except _faults() as error:
            raise self._passing(url, error) from error

    async def send(self, method: str, url: str, body: Any = None) -> tuple[int, Any, float | None]:
        """Do what `_send` does, for what is not a request for a reply; the body comes parsed, and without the key."""
        status, answer, retry_after = await self._send(method, url, body)
        return status, parse_json(self._safe(answer)), retry_after

    async def fetch(self, url: str, file: IO[bytes]) -> None:
        """Append what is at an address to a file, piece by piece.

        Raises:
            ReplyError: see `_send`; and any status but 200.
        """
        try:
            async with self._request("GET", url, None) as response:
                self._check_direct(url, response)
                if response.status != 200:
                    text = (await response.read()).decode(errors="replace")
                    raise self._redacted(read_error(response.status, parse_json(text), None))
                async for piece in response.content.iter_chunked(1 << 20):
                    file.write(piece)
        except _faults() as error:
            raise self._passing(url, error) from error

    def _request(self, method: str, url: str, body: Any) -> "AbstractAsyncContextManager[aiohttp.ClientResponse]":
        import aiohttp

        if self._session is None:
            raise RuntimeError("a model is used within `async with`")
        content: dict[str, Any] = {"data": body}
        if body is not None and not isinstance(body, aiohttp.FormData):
            data = body if isinstance(body, IOBase) else dump_json(body)
            content = {"data": data, "headers": {"Content-Type": "application/json"}}
        return self._session.request(method, url, **content, allow_redirects=False, proxy=find_proxy(url))

    def _check_direct(self, url: str, response: "aiohttp.ClientResponse") -> None:
        if 300 <= response.status < 400:
            target = self._safe(response.headers.get("Location", "nowhere"))
            raise ReplyError(
                f"HTTP {response.status}: {url} redirects to {target}; not followed, so that no key goes to "
                "another host: name the final address in --model"
            )

    def _passing(self, url: str, error: BaseException) -> PassingError:
        """Return what a fault on the way comes to."""
        import aiohttp

        if isinstance(error, aiohttp.ServerTimeoutError):
            # Only connecting has a limit of its own.
            return PassingError(f"no connection to {url} within {CONNECT_TIMEOUT:.0f} s", unreachable=True)
        if isinstance(error, TimeoutError):
            return PassingError(f"no whole reply within {self.timeout:g} s (--timeout)", timed_out=True)
        if isinstance(error, aiohttp.ClientConnectorCertificateError):
            way = "if it is the right one, SSL_CERT_FILE can name a file with it, or with that of who signed it"
            return PassingError(f"the certificate of {url} is not trusted ({error.certificate_error}); {way}")
        nobody = isinstance(error, aiohttp.ClientConnectorError)
        return PassingError(self._safe(f"{type(error).__name__}: {error}"), unreachable=nobody)

    def _parsed(self, answer: str) -> Any:
        """Return the parsed body of a good answer.

        Raises:
            PassingError: it is not JSON.
        """
        try:
            return json.loads(answer)
        except (ValueError, RecursionError) as error:
            raise PassingError(f"the answer is not JSON: {self._safe(answer)[:200]!r}") from error

    def _safe(self, text: str) -> str:
        return text.replace(self._key, "[key]") if self._key else text

    def _redacted(self, error: ReplyError) -> ReplyError:
        error.args = (self._safe(str(error)),)
        return error

    def _refused_key(self, status: int, reason: str) -> InputError:
        """Return the error for a key that a server does not take (401, 403)."""
        key = f"the key in {self.key_env}" if self.key_env else "no key was sent; name its variable: --api-key-env"
        return InputError(f"--model {self.spec}: HTTP {status}: {self._safe(reason)} ({key})")


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


def parse_json(text: str) -> Any:
    """Return parsed JSON, or the text itself where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
