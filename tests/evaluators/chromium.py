"""A headless chromium, driven over the two pipes of its debugging protocol: real keys, clicks, screens and schemes."""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

_FLAGS = (
    "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-sync "
    "--disable-component-update --disable-extensions --hide-scrollbars --remote-debugging-pipe"
)
# What is not plain by the key itself.
_KEYS = {"Escape": (27, ""), "Enter": (13, "\r")}
_PATIENCE = 60.0
_KEEP = """
var saved;
URL.createObjectURL = (made) => { saved = made; return "about:blank"; };
HTMLAnchorElement.prototype.click = () => {};
"""


def find_chromium() -> str:
    """Return the path of a chromium; skip the test where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no chromium on the path")
    return found


def _high(descriptor: int) -> int:
    """Move a file descriptor out of the way of 3 and 4, which the browser takes for its pipes."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 20)
    os.close(descriptor)
    return moved


class Chromium:
    """One tab."""

    def __init__(self, profile: Path, width: int = 1280, height: int = 900, dark: bool = False, phone: bool = False):
        """Start a browser; a phone has a coarse pointer and two pixels to one."""
        theirs_in, self._out = (_high(one) for one in os.pipe())
        self._in, theirs_out = (_high(one) for one in os.pipe())

        def lay_pipes() -> None:
            os.dup2(theirs_in, 3)
            os.dup2(theirs_out, 4)

        self._process = subprocess.Popen(
            [find_chromium(), *_FLAGS.split(), f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(3, 4), preexec_fn=lay_pipes, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(theirs_in)
        os.close(theirs_out)
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self.errors: list[str] = []
        target = next(one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Runtime", "Log", "Page"):
            self.call(f"{domain}.enable")
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=2 if phone else 1, mobile=phone,
        )  # fmt: skip
        if phone:
            self.call("Emulation.setTouchEmulationEnabled", enabled=True)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def __enter__(self) -> "Chromium":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None):
        try:
            self._session = None
            self.call("Browser.close")
            self._process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait(10)
        finally:
            os.close(self._in)
            os.close(self._out)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol and return what it answers."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return answer["result"]
            # What a script threw, and what the page's policy blocked.
            if answer.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
                self.errors.append(json.dumps(answer["params"])[:2000])

    def _read(self) -> dict[str, Any]:
        until = time.monotonic() + _PATIENCE
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], max(0.0, until - time.monotonic()))
            chunk = os.read(self._in, 1 << 20) if ready else b""
            if not chunk:
                raise OSError("the browser is gone, or does not answer")
            self._buffer += chunk
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def evaluate(self, script: str) -> Any:
        """Return what a script's value, or the value that it promises, is as JSON."""
        found = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def wait(self, condition: str, seconds: float = 20.0) -> None:
        """Wait until a script is true."""
        until = time.monotonic() + seconds
        while not self.evaluate(f"Boolean({condition})"):
            assert time.monotonic() < until, f"never true: {condition}; errors: {self.errors}"
            time.sleep(0.02)

    def open(self, path: Path, hash: str = "") -> None:
        """Open a file, at an anchor or none."""
        self.call("Page.navigate", url=path.as_uri() + hash)
        self.wait("document.readyState === 'complete'")

    def press(self, key: str) -> None:
        """Press a key: a letter or sign, Escape or Enter."""
        code, text = _KEYS.get(key, (ord(key.upper()[0]), key))
        about = {"key": key, "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown", **about, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **about)

    def type(self, text: str) -> None:
        """Put a text where the cursor is."""
        self.call("Input.insertText", text=text)

    def click(self, selector: str, place: int = 0) -> None:
        """Click the middle of one of the elements that match."""
        one = f"document.querySelectorAll({json.dumps(selector)})[{place}]"
        self.evaluate(f"{one}.scrollIntoView({{block: 'nearest', behavior: 'instant'}})")
        self.settle()
        box = f"{one}.getClientRects()[0]"
        at = self.evaluate(f"[{box}.x + {box}.width / 2, {box}.y + {box}.height / 2]")
        about = {"x": at[0], "y": at[1], "button": "left", "clickCount": 1}
        self.call("Input.dispatchMouseEvent", type="mousePressed", **about)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", **about)

    def choose(self, selector: str, value: str) -> None:
        """Choose an option of the first list that matches."""
        self.evaluate(
            f"(() => {{ const one = document.querySelector({json.dumps(selector)}); one.value = {json.dumps(value)};"
            "one.dispatchEvent(new Event('input')); })()"
        )

    def settle(self) -> None:
        """Wait until what was done is on the screen: two frames."""
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def text(self, selector: str) -> str:
        """Return the text of the first element that matches."""
        return str(self.evaluate(f"document.querySelector({json.dumps(selector)}).textContent"))

    def keep_downloads(self) -> None:
        """Have the page at hand keep what it would save, instead of saving it."""
        self.evaluate(_KEEP)

    def saved(self) -> str:
        """Return the text of what was saved last."""
        return str(self.evaluate("saved.text()"))

    def screenshot(self, path: Path) -> Path:
        """Write what is on the screen as PNG."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
        return path
