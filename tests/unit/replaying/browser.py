"""A real browser without a window, driven through its debugging pipe: JSON with a zero byte after each message."""

from __future__ import annotations

import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium")
SECONDS = 60  # for an answer; it is there at once, but a shared machine may stand still for a while
QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip


def dump(page: str, folder: Path) -> str:
    """What a page (an address) has become when its script has run, as HTML."""
    assert CHROMIUM
    command = [CHROMIUM, *QUIET, f"--user-data-dir={folder}", "--dump-dom", page]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=SECONDS)
    return done.stdout


class Browser:
    """One browser process, one page at a time."""

    def __init__(self, folder: Path) -> None:
        assert CHROMIUM
        questions, self._to = os.pipe()
        self._from, answers = os.pipe()
        command = [CHROMIUM, *QUIET, f"--user-data-dir={folder}", "--remote-debugging-pipe", "about:blank"]
        # It reads from 3 and writes to 4: high numbers first, so that neither is overwritten before it is copied.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (questions, answers)]
        doing = [(os.POSIX_SPAWN_DUP2, ends[0], 3), (os.POSIX_SPAWN_DUP2, ends[1], 4)]
        quiet = (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)
        self._process = os.posix_spawn(CHROMIUM, command, os.environ, file_actions=[*doing, quiet])
        for end in (questions, answers, *ends):
            os.close(end)
        self._bytes = b""
        self._number = 0
        self._session = ""
        self.events: list[dict[str, Any]] = []

    def open(self, page: str) -> None:
        """Open an address in a new tab and wait until it is there."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.events.clear()
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Page.navigate", url=page)
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self._next()

    def run(self, script: str) -> Any:
        """The value of an expression on the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key, as a person does."""
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def called(self, *methods: str) -> list[dict[str, Any]]:
        """What the page did of these kinds, such as ``Network.requestWillBeSent``."""
        return [event["params"] for event in self.events if event["method"] in methods]

    def call(self, method: str, **values: object) -> dict[str, Any]:
        """Ask the browser something; what it answers."""
        self._number += 1
        session = {"sessionId": self._session} if self._session and not method.startswith("Target.") else {}
        message = {"id": self._number, "method": method, "params": values, **session}
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != self._number:
            pass
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def close(self) -> None:
        """End the process."""
        os.close(self._to)
        os.close(self._from)
        os.kill(self._process, signal.SIGTERM)
        os.waitpid(self._process, 0)

    def _next(self) -> dict[str, Any]:
        end = time.monotonic() + SECONDS
        while b"\0" not in self._bytes:
            ready, _, _ = select.select([self._from], [], [], max(0.0, end - time.monotonic()))
            assert ready, "the browser does not answer"
            received = os.read(self._from, 1 << 20)
            assert received, "the browser has ended"
            self._bytes += received
        line, _, self._bytes = self._bytes.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        if "method" in message:
            self.events.append(message)
        return message
