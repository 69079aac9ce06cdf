"""Starting, ending and asking the daemon from the command line, over its Unix socket.

start(places)                   idempotent; returns once it is healthy
ask(places, "/v1/status")       what it answers, as JSON
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import subprocess
import sys
import time
from importlib import metadata

from msgspec import Struct

from signoff.actions.action import Json
from signoff.errors import SignoffError
from signoff.frontends.client.places import Places
from signoff.frontends.server.instance import end_process, running_process
from signoff.system.files import CLOEXEC, NOFOLLOW
from signoff.system.links import connect
from signoff.system.processes import APART

START_WITHIN_S = 30.0
END_WITHIN_S = 8.0
ANSWER_WITHIN_S = 3.0
ANSWER_LIMIT = 8 << 20
POLL_S = 0.02


class NotRunning(SignoffError):
    """The daemon is not running or does not answer."""


class Started(Struct, frozen=True, kw_only=True):
    """The result of starting the daemon."""

    pid: int
    was_running: bool


def command() -> list[str]:
    """Return the command line that runs the daemon from this environment."""
    return [sys.executable, "-I", "-m", "signoff", "serve"]


def start(places: Places) -> Started:
    """Start the daemon, unless one of this version runs, and wait until it is healthy.

    Raises:
        NotRunning: it does not come up; the message says what it said.
        StoreError: its folders cannot be made.
    """
    places.make()
    deadline = time.monotonic() + START_WITHIN_S
    pid = running_process(places)
    if pid and _becomes_healthy(places, min(deadline, time.monotonic() + END_WITHIN_S)):
        return Started(pid=pid, was_running=True)
    if pid:  # hung, or of another version
        end_process(places, patience_s=END_WITHIN_S)
    process = _spawn(places)
    while not is_healthy(places):
        ended = process.poll() is not None
        # Of two starts at once the other one may have won.
        if (ended and not running_process(places)) or time.monotonic() > deadline:
            raise NotRunning(_why_not(places, is_running=not ended))
        time.sleep(POLL_S)
    return Started(pid=running_process(places), was_running=False)


def stop(places: Places) -> bool:
    """Stop the daemon; return whether one ran."""
    return end_process(places, patience_s=END_WITHIN_S)


def is_healthy(places: Places) -> bool:
    """Return whether a daemon of this version can decide and record."""
    try:
        said = ask(places, "/readyz")
    except NotRunning:
        return False
    # After an update the daemon of the old version is no good: a start replaces it.
    return said.get("status") == "ok" and said.get("version") == metadata.version("signoff")


def ask(places: Places, path: str) -> dict[str, Json]:
    """Send a GET to the daemon and return its JSON answer.

    Raises:
        NotRunning: it does not answer, or not in JSON.
    """
    return _exchanged(places, "GET", path, None)


def tell(places: Places, path: str, said: dict[str, Json]) -> dict[str, Json]:
    """Send JSON to the daemon in a POST request and return its JSON answer.

    Raises:
        NotRunning: it does not answer, or not in JSON.
    """
    return _exchanged(places, "POST", path, json.dumps(said).encode())


def _exchanged(places: Places, method: str, path: str, body: bytes | None) -> dict[str, Json]:
    link = _LocalConnection(places.socket)
    try:
        link.request(method, path, body, {"content-type": "application/json"} if body else {})
        said = json.loads(link.getresponse().read(ANSWER_LIMIT))
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise NotRunning("the daemon is not running: `signoff up` starts it") from error
    finally:
        link.close()
    if not isinstance(said, dict):
        raise NotRunning("what answers on the daemon's socket is no daemon")
    return said


class _LocalConnection(http.client.HTTPConnection):
    """An HTTP connection to the daemon's own socket."""

    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=ANSWER_WITHIN_S)
        self._path = path

    def connect(self) -> None:
        """Connect to the daemon."""
        self.sock = connect(self._path, within_s=ANSWER_WITHIN_S)


def _becomes_healthy(places: Places, deadline: float) -> bool:
    """Wait for a daemon that may still be starting; another version never becomes it."""
    while time.monotonic() < deadline and running_process(places):
        try:
            if ask(places, "/healthz").get("version") != metadata.version("signoff"):
                return False
        except NotRunning:
            time.sleep(POLL_S)
            continue
        if is_healthy(places):
            return True
        time.sleep(POLL_S)
    return False


def _spawn(places: Places) -> subprocess.Popen[bytes]:
    """Start the daemon apart from this process and its terminal.

    Raises:
        NotRunning: its log cannot be written, or is a link.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | NOFOLLOW | CLOEXEC
    try:
        log = os.open(places.start_log, flags, 0o600)
    except OSError as error:
        raise NotRunning(f"cannot use the log `{places.start_log}`: {error.strerror}") from error
    try:
        return subprocess.Popen(  # noqa: S603 - our own command
            command(),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            # In the caller's folder it would keep a disk from being unmounted.
            cwd=places.state,
            # Ctrl-C in the terminal that started it must not end it.
            start_new_session=True,
            creationflags=APART,
        )
    finally:
        os.close(log)


def _why_not(places: Places, *, is_running: bool) -> str:
    """Say why a start came to nothing: what it said itself, or what ails it."""
    if is_running:
        with contextlib.suppress(NotRunning):
            said = ask(places, "/readyz").get("status")
            return f"the daemon runs and says `{said}`: `signoff doctor` says what fixes it"
    return f"the daemon does not start: {_said(places)}"


def _said(places: Places) -> str:
    """Return the end of what the daemon said before its log was open."""
    try:
        with open(places.start_log, encoding="utf-8", errors="replace") as file:
            return file.read(65_536).strip()[-2_000:] or "it said nothing"
    except OSError:
        return "it said nothing"
