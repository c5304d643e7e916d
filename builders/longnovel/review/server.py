"""The review server: a page and a handful of JSON addresses over a desk; on this machine alone unless told otherwise.

Nobody logs in. A name chooses whose labels are written, so a server that others can reach trusts all who reach it.
Other sites' pages cannot: requests must name a host that the server knows, and changes must come as JSON from its own
page.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from lengthwise.errors import InputError
from lengthwise.metrics.fault_types import HallucinationType

from ..records import LANGUAGES
from .desk import PairDesk
from .revisions import StaleError, SummaryDesk
from .texts import page_texts

if TYPE_CHECKING:
    from aiohttp import web

LOOPBACK = "127.0.0.1"
PORT = 8620
_ASSETS = {"page.css": "text/css", "page.js": "text/javascript", "dom.js": "text/javascript",
           "pairs.js": "text/javascript", "summaries.js": "text/javascript"}  # fmt: skip
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class Desk(Protocol):
    """What the page lists and shows, of either mode."""

    def listing(self, annotator: str) -> list[dict[str, Any]]:
        """Return what there is."""

    def show(self, name: str, annotator: str) -> dict[str, Any]:
        """Return one of them."""


@dataclass(frozen=True)
class ServerSettings:
    """How the page is served.

    Attributes:
        language: of the page at first: "en" or "zh".
        host: address to listen on.
        port: 0 for any that is free.
    """

    language: str = "en"
    host: str = LOOPBACK
    port: int = PORT

    def __post_init__(self) -> None:
        page_texts(self.language)
        if not 0 <= self.port <= 65_535:
            raise InputError(f"--port {self.port}: must be in 0 to 65535")


def make_app(desk: PairDesk | SummaryDesk, settings: ServerSettings) -> "web.Application":
    """Return the application over a desk."""
    from aiohttp import web

    mode = "pairs" if isinstance(desk, PairDesk) else "summaries"
    annotators: Sequence[str] = desk.annotators

    async def page(request: "web.Request") -> "web.Response":
        return web.Response(text=_resource("page.html"), content_type="text/html")

    async def asset(request: "web.Request") -> "web.Response":
        name = request.match_info["name"]
        if name not in _ASSETS:
            raise web.HTTPNotFound
        return web.Response(text=_resource(name), content_type=_ASSETS[name])

    async def start(request: "web.Request") -> "web.Response":
        language = request.query.get("language", settings.language)
        return web.json_response(
            {
                "mode": mode,
                "language": language,
                "languages": list(LANGUAGES),
                "annotators": list(annotators),
                "types": [kind.value for kind in HallucinationType],
                "texts": dict(page_texts(language)),
            }
        )

    async def listing(request: "web.Request") -> "web.Response":
        return web.json_response(desk.listing(request.query.get("annotator", "")))

    async def show(request: "web.Request") -> "web.Response":
        return web.json_response(desk.show(request.query.get("id", ""), request.query.get("annotator", "")))

    async def save(request: "web.Request") -> "web.Response":
        body = await _body(request)
        name, annotator = str(body.get("id")), str(body.get("annotator"))
        _writers(desk)[request.match_info["what"]](name, annotator, body)
        return web.json_response({"saved": True})

    app = web.Application(middlewares=[_guard(_hosts(settings.host))], client_max_size=1 << 20)
    app.add_routes(
        [
            web.get("/", page),
            web.get("/assets/{name}", asset),
            web.get("/api/start", start),
            web.get("/api/list", listing),
            web.get("/api/one", show),
            web.post(f"/api/{{what:{'|'.join(_writers(desk))}}}", save),
        ]
    )
    return app


def _writers(desk: PairDesk | SummaryDesk) -> Mapping[str, Callable[[str, str, Mapping[str, Any]], None]]:
    if isinstance(desk, SummaryDesk):
        return {
            "draft": lambda name, who, body: desk.draft(name, who, body.get("text")),
            "version": lambda name, who, body: desk.save(name, who, body.get("text"), body.get("base")),
        }
    return {
        "draft": lambda name, who, body: desk.draft(name, who, body.get("sides")),
        "label": lambda name, who, body: desk.label(name, who, body.get("sides")),
        "decision": lambda name, who, body: desk.decide(name, who, body.get("sides")),
    }


async def serve(
    desk: PairDesk | SummaryDesk, settings: ServerSettings, ready: Callable[[str], object] = lambda url: None
) -> None:
    """Serve a desk until cancelled.

    Args:
        desk: of either mode.
        settings: where.
        ready: told the address once the server listens.

    Raises:
        InputError: the address cannot be listened on.
    """
    from aiohttp import web

    runner = web.AppRunner(make_app(desk, settings), access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, settings.host, settings.port)
        try:
            await site.start()
        except OSError as error:
            raise InputError(
                f"--host {settings.host} --port {settings.port}: cannot listen there ({error.strerror}); "
                "give another, 0 takes any free port"
            ) from error
        host, port = runner.addresses[0][:2]
        ready(f"http://{f'[{host}]' if ':' in host else host}:{port}/")
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()


def _resource(name: str) -> str:
    return (files(__package__) / name).read_text("utf-8")


def _hosts(host: str) -> frozenset[str] | None:
    """Return the names under which the server may be asked for; None for any."""
    if host in ("0.0.0.0", "::"):
        return None
    return frozenset({host, "localhost", LOOPBACK, "::1"})


async def _body(request: "web.Request") -> Mapping[str, Any]:
    try:
        body = await request.json()
    except ValueError as error:
        raise InputError("the request holds no JSON") from error
    if not isinstance(body, dict):
        raise InputError("the request holds no object")
    return body


def _guard(hosts: frozenset[str] | None) -> Any:
    from aiohttp import web

    @web.middleware
    async def guard(
        request: "web.Request", handler: Callable[["web.Request"], Awaitable["web.StreamResponse"]]
    ) -> "web.StreamResponse":
        try:
            response = await handler(request) if _allowed(request, hosts) else _error("not allowed", 403)
        except StaleError as error:
            response = _error(str(error), 409)
        except InputError as error:
            response = _error(str(error), 400)
        except web.HTTPException as error:
            response = _error(error.reason, error.status)
        except OSError as error:
            # A full disk: the page says that nothing was saved.
            response = _error(str(error), 507)
        response.headers.update(_HEADERS)
        return response

    return guard


def _error(message: str, status: int) -> "web.Response":
    from aiohttp import web

    return web.json_response({"error": message}, status=status)


def _allowed(request: "web.Request", hosts: frozenset[str] | None) -> bool:
    """Return whether a request is our own page's: other sites can send some, under names that they point at us."""
    try:
        # Not `request.url`, which aiohttp before 3.10 cannot make with the yarl of today.
        host = urlsplit(f"//{request.host}").hostname
    except ValueError:
        return False
    if hosts is not None and host not in hosts:
        return False
    if request.method != "POST":
        return True
    origin = request.headers.get("Origin")
    return request.content_type == "application/json" and origin in (None, f"http://{request.host}")
