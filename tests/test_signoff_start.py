"""What `run_signoff` starts is a process like one that a user starts."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from bench.warm_home import give_patterns

from signoff_start import SIGNOFF, run_signoff, start_signoff

DENIED = '{"tool_name": "Bash", "tool_input": {"command": "rm -rf /"}}'


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home in which signoff ran before."""
    give_patterns(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "stdin"),
    [
        (["--version"], ""),
        (["check", "--", "rm", "-rf", "/"], ""),
        (["check", "--json"], DENIED),
        (["approvers", "add", "bob"], ""),
        (["no-such-command"], ""),
        (["hook", "claude-code"], "no JSON"),
        (["programs", "explain", "git"], ""),
    ],
    ids=lambda one: "-".join(one) if isinstance(one, list) else "",
)
def test_it_says_what_an_exec_says(home: Path, words: list[str], stdin: str) -> None:
    """The same output and exit status, by the same environment in the same folder."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(home)}

    forked = run_signoff(*words, env=environment, cwd=home, stdin=stdin)
    real = subprocess.run(
        [sys.executable, *SIGNOFF, *words],
        env=environment,
        cwd=home,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert (real.returncode, real.stdout, real.stderr) == (
        forked.returncode,
        forked.stdout,
        forked.stderr,
    )


def test_a_start_ends_by_a_signal(home: Path) -> None:
    """Its status says which, and it is gone."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = str(taken.getsockname()[1])
    process = start_signoff("serve", "--port", port, env={"HOME": str(home)})

    assert process.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.01)
    process.send_signal(signal.SIGKILL)

    assert -signal.SIGKILL == process.wait(30)
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)
