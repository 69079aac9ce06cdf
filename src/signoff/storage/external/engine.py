"""A policy engine in a process of its own: asked with a deadline, killed where it misses it.

    engine = PolicyEngine("cedar", {"work.cedar": "forbid(...);"}, timeout_s=0.2)
    engine.start()                               # BadSettings where policies are refused
    engine.ask(b'{"tool": "Bash", ...}').verdict  # "deny", "ask", "allow" or "" = no opinion

No answer is an `EngineFailed`: whoever asks denies the call.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Mapping

import msgspec
from msgspec import Struct

from signoff.errors import BadSettings, SignoffError

# A start may load and compile many policies; while calls wait, a restart gets less.
START_S = 10.0
RESTART_S = 3.0
DOCUMENT_LIMIT = 2_000_000  # bytes
ANSWER_LIMIT = 100_000
WORKER = "signoff.storage.external.worker"


class EngineFailed(SignoffError):
    """The policy engine gave no usable answer."""


class Opinion(Struct, frozen=True):
    """What external policies say about a call; "" = no opinion."""

    verdict: str
    reason: str


class _Answer(Struct, frozen=True):
    verdict: str = ""
    reason: str = ""
    error: str = ""
    ready: bool = False


_decode = msgspec.json.Decoder(_Answer).decode


class PolicyEngine:
    """Runs Cedar or Rego policies in a process, one call at a time.

    Args:
        policies: texts by file name.
    """

    def __init__(self, engine: str, policies: Mapping[str, str], *, timeout_s: float) -> None:
        self.name = engine
        self._setup = msgspec.json.encode({"engine": engine, "policies": dict(policies)})
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._pid = 0  # of the process that started it: a fork must not share the pipes
        atexit.register(self.close)

    def start(self) -> None:
        """Start the process and load the policies.

        Raises:
            BadSettings: it cannot be started, or a policy is not valid.
        """
        with self._lock:
            try:
                self._begin(START_S)
            except EngineFailed as error:
                raise BadSettings(f"external_rules: {error}") from error

    def ask(self, document: bytes) -> Opinion:
        """Return the opinion of the policies about a call.

        Args:
            document: the call as JSON, from `document_of`.

        Raises:
            EngineFailed: there is no answer in time, or an error.
        """
        # Refused before it is sent: reading it would take the engine's whole time (T-58).
        if len(document) > DOCUMENT_LIMIT:
            raise EngineFailed(f"the call has more than {DOCUMENT_LIMIT:,} bytes")
        with self._lock:
            if (
                self._process is None
                or self._pid != os.getpid()
                or self._process.poll() is not None
            ):
                self._begin(RESTART_S)
            answer = self._exchange(document, self._timeout_s)
        if answer.error:
            raise EngineFailed(answer.error)
        return Opinion(answer.verdict, answer.reason)

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        # After a fork it is the parent's process: the child must not end it.
        if process is None or self._pid != os.getpid():
            return
        with contextlib.suppress(OSError):
            process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        process.wait()

    def _begin(self, timeout_s: float) -> None:
        self.close()
        # Isolated: no variable and no file of the project makes it load something else (T-57).
        command = [sys.executable, "-I", "-m", WORKER]
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own module
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except OSError as error:
            raise EngineFailed(f"the engine cannot be started: {error}") from error
        self._pid = os.getpid()
        answer = self._exchange(self._setup, timeout_s)
        if not answer.ready:
            self.close()
            raise EngineFailed(self._explained(answer.error))

    def _explained(self, error: str) -> str:
        if error.startswith("ModuleNotFoundError"):
            return f"{self.name} is not installed: install `signoff[{self.name}]` ({error})"
        return f"{self.name} refuses the policies: {error or 'no reason given'}"

    def _exchange(self, line: bytes, timeout_s: float) -> _Answer:
        """Send a line and read one; what misses the deadline or breaks ends the process."""
        deadline = time.monotonic() + timeout_s
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise EngineFailed("the engine does not run")
        try:
            self._write(process.stdin.fileno(), line + b"\n", deadline)
            return _decode(self._line(process.stdout.fileno(), deadline))
        except TimeoutError as error:
            self.close()
            raise EngineFailed(f"no answer in {timeout_s:g} s") from error
        except (OSError, msgspec.MsgspecError) as error:
            self.close()
            raise EngineFailed(f"the engine broke off: {error}") from error

    @staticmethod
    def _write(pipe: int, text: bytes, deadline: float) -> None:
        os.set_blocking(pipe, False)
        while text:
            if not select.select([], [pipe], [], max(0.0, deadline - time.monotonic()))[1]:
                raise TimeoutError
            text = text[os.write(pipe, text) :]

    @staticmethod
    def _line(pipe: int, deadline: float) -> bytes:
        found = b""
        while not found.endswith(b"\n"):
            if not select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise TimeoutError
            piece = os.read(pipe, 65_536)
            if not piece or len(found) > ANSWER_LIMIT:
                raise OSError("it ended")
            found += piece
        return found
