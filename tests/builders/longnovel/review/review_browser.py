"""A real Chromium, driven by its own debugging protocol: clicks and keys as a person gives them."""

import asyncio
import json
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

_FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
          "--disable-sync", "--disable-component-update", "--remote-debugging-port=0")  # fmt: skip
_CODES = {"Enter": 13, "Escape": 27, "Tab": 9, " ": 32}


class Tab:
    """One tab.

    Attributes:
        complaints: what the page's console said: errors, and what its policy blocked.
        asked: addresses of everything that it loaded.
    """

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._number = 0
        self.complaints: list[str] = []
        self.asked: list[str] = []

    async def send(self, method: str, **values: Any) -> Any:
        self._number += 1
        await self._socket.send_json({"id": self._number, "method": method, "params": values})
        while True:
            said = await self._socket.receive_json(timeout=30)
            if said.get("id") == self._number:
                assert "error" not in said, said
                return said["result"]
            if said.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
                self.complaints.append(json.dumps(said["params"]))
            if said.get("method") == "Network.requestWillBeSent":
                self.asked.append(said["params"]["request"]["url"])

    async def run(self, script: str) -> Any:
        found = await self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    async def until(self, script: str) -> None:
        """Wait until a script gives something true."""
        for _ in range(200):
            if await self.run(f"!!({script})"):
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"never came true: {script}; the page says {await self.text('.work')}")

    async def text(self, selector: str) -> str:
        return str(await self.run(f"document.querySelector({selector!r})?.innerText ?? ''"))

    async def go(self, url: str) -> None:
        for domain in ("Runtime", "Log", "Network", "Page"):
            await self.send(f"{domain}.enable")
        await self.send("Page.navigate", url=url)
        await self.until("document.getElementById('main')?.dataset.shown")

    async def click(self, selector: str) -> None:
        box = await self.run(
            f"(() => {{ const one = document.querySelector({selector!r}); one.scrollIntoView({{block: 'center'}});"
            "const box = one.getClientRects()[0]; return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            await self.send("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    async def press(self, key: str, control: bool = False) -> None:
        code = _CODES.get(key, ord(key.upper()[0]))
        for kind in ("keyDown", "keyUp"):
            await self.send(
                "Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, modifiers=2 * control
            )

    async def write(self, text: str) -> None:
        await self.send("Input.insertText", text=text)

    async def choose(self, selector: str, value: str) -> None:
        await self.run(
            f"(() => {{ const one = document.querySelector({selector!r}); one.value = {value!r};"
            "one.dispatchEvent(new Event('change')); })()"
        )


@asynccontextmanager
async def chromium(profile: Path) -> AsyncIterator[Tab]:
    """Open a browser with a profile of its own; skips where there is none."""
    path = next(
        (path for one in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(one))), None
    )
    if path is None:
        pytest.skip("no chromium on the path")
    with (profile.parent / "chromium.log").open("wb") as log:
        process = subprocess.Popen(
            [path, *_FLAGS, f"--user-data-dir={profile}", "--window-size=1500,950", "about:blank"], stderr=log
        )
        try:
            async with aiohttp.ClientSession() as session:
                port = await _port(profile / "DevToolsActivePort")
                async with session.get(f"http://127.0.0.1:{port}/json/list") as reply:
                    pages = [one for one in await reply.json() if one["type"] == "page"]
                async with session.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                    yield Tab(socket)
        finally:
            process.kill()
            process.wait(timeout=20)


async def _port(path: Path) -> int:
    for _ in range(600):
        if path.is_file() and (lines := path.read_text().splitlines()):
            return int(lines[0])
        await asyncio.sleep(0.05)
    raise AssertionError("chromium did not open its port")
