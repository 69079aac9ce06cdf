"""A real daemon in a home of its own, spoken to over real sockets."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.ports import free_port, is_listening
from bench.warm_home import give_patterns

from signoff_start import StartedProcess, run_signoff, start_signoff

START_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def said(self) -> Any:  # noqa: ANN401 - any JSON value
        """The body as JSON."""
        return json.loads(self.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveDaemon:
    """A home with a daemon in it, running or not.

    Attributes:
        links: to its inbox, as they were given; pages are asked for under the host of the last.
    """

    home: Path
    port: int
    variables: Mapping[str, str] = field(default_factory=dict)
    links: list[str] = field(default_factory=list)

    @property
    def state(self) -> Path:
        """The state folder."""
        return self.home / ".local" / "state" / "signoff"

    @property
    def config(self) -> Path:
        """The configuration folder, made if need be."""
        folder = self.home / ".config" / "signoff"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    @property
    def socket(self) -> Path:
        """The Unix socket."""
        return self.state / "daemon.sock"

    @property
    def token(self) -> str:
        """The token."""
        return (self.state / "token").read_text(encoding="ascii").strip()

    @property
    def environment(self) -> dict[str, str]:
        """The environment of everything in this home."""
        return {"PATH": os.environ["PATH"], "HOME": str(self.home), **self.variables}

    @property
    def pid(self) -> int:
        """The daemon's process."""
        return int((self.state / "daemon.lock").read_text(encoding="ascii"))

    def signoff(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run our command line in this home."""
        return run_signoff(*words, env=self.environment, cwd=self.home)

    @property
    def inbox_host(self) -> str:
        """The host of its pages, as far as a link has told it."""
        return urlsplit(self.links[-1]).netloc if self.links else f"localhost:{self.port}"

    def acts(self) -> list[tuple[str, str, str, str]]:
        """Return the administrative acts on the audit log: what, by whom, where, and how."""
        told = self.signoff("audit", "tail", "-n", "1000", "--json").stdout.splitlines()
        entries = [one for line in told if (one := json.loads(line)).get("kind") == "admin"]
        return [
            (one["action_redacted"]["command"], one["approver"], one["channel"], one["reason"])
            for one in entries
        ]

    def request(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        *,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Send a request as a good caller does; `headers` add to it."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        if path.startswith("/web"):
            sent["Host"] = self.inbox_host
        try:
            link.request(method, path, body, {**sent, **(headers or {})})
            answer = link.getresponse()
            return Reply(status=answer.status, headers=dict(answer.headers), body=answer.read())
        finally:
            link.close()

    def act(self, command: str, **names: object) -> Reply:
        """Ask about a shell line."""
        call = {"tool_name": "Bash", "tool_input": {"command": command}, "cwd": str(self.home)}
        return self.request("POST", "/v1/actions", json.dumps({**call, **names}).encode())

    def tell_of(self, event: str, call_id: str, command: str, session: str = "s1") -> None:
        """Send an event of Claude Code about a call of a shell."""
        said = {
            "session_id": session,
            "cwd": str(self.home),
            "hook_event_name": event,
            "tool_name": "Bash",
            "tool_input": {"command": command},
            "tool_use_id": call_id,
            "tool_response": {"stdout": ""},
        }
        reply = self.request("POST", "/hooks/claude-code", json.dumps(said).encode())
        assert 200 == reply.status

    def raw(self, text: bytes, *, is_end: bool = False) -> bytes:
        """Send bytes over TCP, and the end of them, and return what comes back to the end."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as link:
            with contextlib.suppress(OSError):
                link.sendall(text)
            if is_end:
                with contextlib.suppress(OSError):
                    link.shutdown(socket.SHUT_WR)
            found = b""
            with contextlib.suppress(OSError):
                while piece := link.recv(65_536):
                    found += piece
            return found


@contextlib.contextmanager
def served(
    home: Path,
    *words: str,
    variables: Mapping[str, str] | None = None,
    stderr: int = subprocess.DEVNULL,
    program: Sequence[str] = (),
) -> Iterator[LiveDaemon]:
    """Run a daemon in the foreground until the block ends; `variables` are its environment's.

    Args:
        program: what Python runs, where it is another signoff.
    """
    give_patterns(home)
    daemon = LiveDaemon(home=home, port=free_port(), variables=variables or {})
    serve = ("serve", "--port", str(daemon.port), *words)
    process: StartedProcess
    if program:
        process = subprocess.Popen(
            [sys.executable, "-I", *program, *serve],
            env=daemon.environment,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
        )
    else:
        process = start_signoff(*serve, env=daemon.environment, stderr=stderr)
    try:
        wait_until(lambda: is_listening(daemon.port))
        yield daemon
    finally:
        for number in (signal.SIGCONT, signal.SIGTERM):
            process.send_signal(number)
        try:
            process.wait(timeout=60)
        finally:
            process.kill()
            process.wait()


def wait_until(is_so: Any, seconds: float = START_S) -> None:  # noqa: ANN401 - any callable
    """Wait until something is so."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "it did not come to be in time"
        time.sleep(0.02)
