"""A daemon before a real agent, in a home of its own, and somebody at its terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from bench.ports import free_port
from fake_messages_api import ToolCall

sys.path.append(str(Path(__file__).parents[1] / "frontends" / "server"))

# A host that would let everything through by itself: only the guard can stop a call.
TRUSTING = ("--allowedTools", "Bash,Write,Edit,Read")
ASK_FIRST = """
version: 1
rules:
  - name: ask-first
    action: escalate
    match: {command: touch}
    reason: a test wants to be asked
"""
LINK = re.compile(r"http://[0-9a-f]{32}\.signoff-[0-9a-f]{16}\.localhost:\d+/web/sign-in#\S+")
WITHIN_S = 30.0


class InItsHome(Protocol):
    """An agent with a home and a project of its own."""

    @property
    def home(self) -> Path:
        """Its home."""

    @property
    def project(self) -> Path:
        """Where it works."""

    @property
    def environment(self) -> dict[str, str]:
        """The environment of everything that runs in this home."""

    def signoff(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run our command line in this home."""


def bash(command: str) -> ToolCall:
    """Return a call of the shell."""
    return ToolCall(name="Bash", input={"command": command, "description": "A step"})


def left_in(agent: InItsHome) -> list[str]:
    """Return what an agent's calls have left behind."""
    return sorted(path.name for path in agent.project.iterdir() if path.name != ".git")


@contextmanager
def resident(
    agent: InItsHome, files: Mapping[str, str], *, hooks: tuple[str, ...] = ("claude-code",)
) -> Iterator[int]:
    """Run a daemon with these files in its configuration; give its port.

    Args:
        files: name to text; `PORT` in it stands for the daemon's port.
        hooks: what `signoff install` is told.
    """
    config = agent.home / ".config" / "signoff"
    config.mkdir(parents=True, exist_ok=True)
    port = free_port()
    for name, text in files.items():
        path = config / name
        path.write_text(text.replace("PORT", str(port)), encoding="utf-8")
        path.chmod(0o600)
    for words in (("install", *hooks), ("up",)):
        done = agent.signoff(*words)
        assert done.returncode == 0, done.stderr
    try:
        yield port
    finally:
        agent.signoff("down")


def sign_in_link(agent: InItsHome) -> str:
    """Return the link a person gets who types `signoff open` at a terminal."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(agent.project)
        words = [sys.executable, "-I", "-m", "signoff", "open"]
        os.execve(sys.executable, words, agent.environment)
    said, deadline = b"", time.monotonic() + WITHIN_S
    while time.monotonic() < deadline and select.select([terminal], [], [], WITHIN_S)[0]:
        try:
            piece = os.read(terminal, 4_096)
        except OSError:  # how the end of a terminal is told
            break
        said += piece
    os.waitpid(pid, 0)
    os.close(terminal)
    found = LINK.search(said.decode())
    assert found is not None, said
    return found[0]
