"""A daemon before the real Claude Code, in its own home, and somebody at its terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import socket
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from claude_code import ClaudeCode

# A host that would let everything through by itself: only the guard can stop a call.
TRUSTING = ("--allowedTools", "Bash,Write,Edit,Read")
LINK = re.compile(r"http://127\.0\.0\.1:\d+/web/sign-in#\S+")
WITHIN_S = 30.0


@contextmanager
def resident(claude: ClaudeCode, files: Mapping[str, str]) -> Iterator[None]:
    """Run a daemon with these files in its configuration; `PORT` stands for its port."""
    config = claude.home / ".config" / "signoff"
    config.mkdir(parents=True, exist_ok=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    for name, text in files.items():
        path = config / name
        path.write_text(text.replace("PORT", str(port)), encoding="utf-8")
        path.chmod(0o600)
    for words in (("install", "claude-code"), ("up",)):
        done = claude.signoff(*words)
        assert done.returncode == 0, done.stderr
    try:
        yield
    finally:
        claude.signoff("down")


def sign_in_link(claude: ClaudeCode) -> str:
    """Return the link a person gets who types `signoff open` at a terminal."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(claude.project)
        words = [sys.executable, "-I", "-m", "signoff", "open"]
        os.execve(sys.executable, words, claude.environment)
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
