"""A relay that no client started by pipes says so."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def test_a_file_as_input_is_an_error_with_a_next_step(tmp_path: Path) -> None:
    """The event loop's library would abort the process without a word."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    words = [sys.executable, "-m", "signoff", "mcp", "--url", "http://x.example/"]
    ended = subprocess.run(
        words, stdin=subprocess.DEVNULL, capture_output=True, env=environment, timeout=60
    )

    assert ended.returncode == 2
    assert b"standard input is no pipe; start `signoff mcp` from an MCP client" in ended.stderr
