"""A home of its own for each cell: where signoff runs, and which frontend takes a call.

stage.hook(DANGER)                  in a process of its own, read as Claude Code reads it
with stage.served() as daemon: ...  a daemon, ended by its process id
stage.client(DANGER)                the hook client alone, read the same way
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.faults.builds import Build
from bench.faults.calls import Call, Trial
from bench.faults.host_rules import Ended, seen_by
from bench.ports import free_port, is_listening
from signoff.actions.action import Json
from signoff.frontends.hosts.claude_code.kinds import answer_or_refuse
from signoff.frontends.hosts.registry import ADAPTERS

PATIENCE_S = 15.0
START_S = 30.0
CANARY = "rm -rf /"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One home, one build, and everything the probe started."""

    folder: Path
    build: Build
    more: Mapping[str, str] = field(default_factory=dict)  # of the environment

    @property
    def home(self) -> Path:
        """The home of everything that runs here."""
        return self.folder / "home"

    @property
    def project(self) -> Path:
        """The agent's folder."""
        return self.home / "project"

    @property
    def config(self) -> Path:
        """Where settings and rules are."""
        return self.home / ".config" / "signoff"

    @property
    def state(self) -> Path:
        """Where the record is."""
        return self.home / ".local" / "state" / "signoff"

    @property
    def socket(self) -> Path:
        """The daemon's."""
        return self.state / "daemon.sock"

    @property
    def environment(self) -> dict[str, str]:
        """The environment of everything that runs here."""
        return {"PATH": os.environ["PATH"], "HOME": str(self.home), **self.more}

    def set_up(self, template: Path | None = None) -> None:
        """Make the home; what a first start compiles is taken from another one."""
        for folder in (self.project / ".git", self.config, self.state):
            folder.mkdir(parents=True, exist_ok=True)
        self.state.chmod(0o700)
        if template is not None:
            shutil.copytree(template, self.state, dirs_exist_ok=True)

    def write(self, name: str, text: str | bytes) -> Path:
        """Write a file of settings."""
        path = self.config / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        path.chmod(0o600)
        return path

    def event(self, call: Call, host: str = "claude-code") -> bytes:
        """Return a call as a host tells it."""
        if host == "claude-code":
            said: Mapping[str, Json] = {
                "hook_event_name": "PreToolUse",
                "session_id": "faults",
                "cwd": str(self.project),
                "tool_name": "Bash",
                "tool_input": {"command": call.command},
            }
        else:
            said = ADAPTERS[host].canary
        text = json.dumps(said).replace(json.dumps(CANARY), json.dumps(call.command))
        return text.replace('"cwd": "/"', f'"cwd": {json.dumps(str(self.project))}').encode()

    def run(
        self,
        words: Sequence[str],
        event: bytes = b"",
        *,
        patience_s: float = PATIENCE_S,
        more: Mapping[str, str] | None = None,
    ) -> Ended:
        """Run a command in this home to its end, or for as long as patience lasts."""
        process = self.start(words, stdin=subprocess.PIPE, more=more)
        try:
            out, err = process.communicate(event, timeout=patience_s)
        except subprocess.TimeoutExpired:
            end_group(process)
            return Ended(status=None)
        return Ended(status=process.returncode, stdout=_text(out), stderr=_text(err))

    def start(
        self,
        words: Sequence[str],
        *,
        stdin: int = subprocess.DEVNULL,
        more: Mapping[str, str] | None = None,
    ) -> subprocess.Popen[bytes]:
        """Start a command in this home, in a group of its own."""
        return subprocess.Popen(
            words,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.project,
            env={**self.environment, **(more or {})},
            start_new_session=True,
        )

    def signoff(self, *words: str) -> Ended:
        """Run our command line."""
        return self.run(self.build.words(*words), patience_s=60)

    def hook(
        self, call: Call, *, host: str = "claude-code", within: Sequence[str] = (), **more: str
    ) -> Trial:
        """Judge a call in a process of its own, by the command as Claude Code has it installed.

        Args:
            within: words of a program that runs the rest as its command.
        """
        words = [*within, *self.build.words("hook", host, "--deadline", "8")]
        line = ["/bin/sh", "-c", self.build.line(answer_or_refuse(shlex.join(words)))]
        return trial(call, self.run(line, self.event(call, host), more=more), host)

    def client_words(
        self, *, host: str = "claude-code", deadline_s: float = 3, without: str = "refuse"
    ) -> list[str]:
        """Return the command of the hook client."""
        client = str(self.build.client_in(self.folder))
        words = [sys.executable, "-I", "-S", client, host, "--socket", str(self.socket)]
        return [*words, "--deadline", f"{deadline_s:g}", "--without", without]

    def client(
        self,
        call: Call,
        *,
        host: str = "claude-code",
        deadline_s: float = 3,
        without: str = "refuse",
    ) -> Trial:
        """Put a call to the daemon by the hook client."""
        words = self.client_words(host=host, deadline_s=deadline_s, without=without)
        return trial(call, self.run(words, self.event(call, host)), host)

    @contextlib.contextmanager
    def served(
        self, *options: str, within: Sequence[str] = (), more: Mapping[str, str] | None = None
    ) -> Iterator[Daemon]:
        """Run a daemon until the block ends."""
        daemon = self.start_daemon(*options, within=within, more=more)
        try:
            yield daemon
        finally:
            daemon.end()

    def start_daemon(
        self, *options: str, within: Sequence[str] = (), more: Mapping[str, str] | None = None
    ) -> Daemon:
        """Start a daemon and wait until it answers."""
        port = free_port()
        words = [*within, *self.build.words("serve", "--port", str(port), *options)]
        with open(self.folder / "serve.log", "ab") as log:
            process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**self.environment, **(more or {})},
                start_new_session=True,
            )
        daemon = Daemon(stage=self, process=process, port=port)
        wait_until(lambda: is_listening(port) or process.poll() is not None)
        if process.poll() is not None:
            said = (self.folder / "serve.log").read_text(errors="replace")
            raise RuntimeError(f"the daemon did not start: {said[-400:]}")
        return daemon

    def recorded(self) -> int:
        """Return how many allows are on record, -1 if the record cannot be read."""
        done = self.signoff("audit", "tail", "-n", "1000", "--json")
        return done.stdout.count('"verdict":"allow"') if done.status == 0 else -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Daemon:
    """A running daemon."""

    stage: Stage
    process: subprocess.Popen[bytes]
    port: int

    @property
    def pid(self) -> int:
        """The daemon's own process id, also where another program runs it."""
        return int((self.stage.state / "daemon.lock").read_text(encoding="ascii"))

    @property
    def is_gone(self) -> bool:
        """Whether it has ended."""
        return self.process.poll() is not None

    def send(self, number: signal.Signals) -> None:
        """Send it a signal; after a fatal one wait for its end."""
        os.kill(self.pid, number)
        if number in (signal.SIGKILL, signal.SIGTERM):
            self.process.wait(timeout=20)

    @property
    def is_stopped(self) -> bool:
        """Whether a signal has stopped it."""
        stat = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii")
        return stat.rpartition(")")[2].split()[0] == "T"

    def end(self) -> None:
        """End it, whatever state it is in."""
        end_group(self.process)


def trial(call: Call, ended: Ended, host: str = "claude-code") -> Trial:
    """Read how a hook ended as its host does."""
    words = " ".join(f"{ended.stdout} {ended.stderr}".split())
    return Trial(call=call, seen=seen_by(host, ended), words=words[:300])


def begin_client(stage: Stage, call: Call, *, without: str = "refuse") -> subprocess.Popen[bytes]:
    """Start a client and give it its event, without waiting for what it says."""
    process = stage.start(stage.client_words(without=without, deadline_s=9), stdin=subprocess.PIPE)
    if process.stdin:
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(stage.event(call))
            process.stdin.close()
        process.stdin = None
    return process


def ended_client(process: subprocess.Popen[bytes]) -> Ended:
    """Return how a client ended that was begun before."""
    try:
        out, err = process.communicate(timeout=15)
    except subprocess.TimeoutExpired:
        end_group(process)
        return Ended(status=None)
    return Ended(status=process.returncode, stdout=out.decode(), stderr=err.decode())


def end_group(process: subprocess.Popen[bytes]) -> None:
    """End a process we started and all it started in its group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


def wait_until(is_so: object, seconds: float = START_S) -> bool:
    """Wait until something is so; tell whether it came to be in time."""
    deadline = time.monotonic() + seconds
    while not (is_so() if callable(is_so) else is_so):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def in_namespace(setup: str) -> list[str]:
    """Return the words that run a command after a setup in mounts of its own."""
    mine = ["-m"] if os.geteuid() == 0 else ["-r", "-m"]
    return ["unshare", *mine, "sh", "-ec", f'{setup}\nexec "$@"', "sh"]


def _text(raw: bytes) -> str:
    return raw.decode(errors="replace")
