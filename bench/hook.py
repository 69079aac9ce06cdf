"""The hook as a whole process, beside the cheapest Python process there is.

Each round starts every command once, in turn, so that a busy machine takes from all alike; what
counts is the middle of all rounds and the ratio of the middles.

    .venv/bin/python bench/hook.py --rounds 100
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from signoff.frontends.client.words import CLIENT
from signoff.frontends.hosts.claude_code.kinds import answer_or_refuse

PYTHON = str(Path(sys.executable).absolute())


@contextlib.contextmanager
def daemon(home: str) -> Iterator[str]:
    """Run a daemon; give its socket."""
    environment = {"PATH": os.environ["PATH"], "HOME": home}
    process = subprocess.Popen(
        [PYTHON, "-I", "-m", "signoff", "serve", "--port", "0"], env=environment
    )
    path = Path(home, ".local/state/signoff/daemon.sock")
    try:
        while not path.exists():
            time.sleep(0.02)
        yield str(path)
    finally:
        process.terminate()
        process.wait(timeout=20)


def took_s(words: list[str], event: bytes, environment: dict[str, str]) -> float:
    """Return how long a command takes from its start to its end."""
    started = time.perf_counter()
    done = subprocess.run(
        words, input=event, stdout=subprocess.PIPE, env=environment, check=True, cwd="/tmp"
    )
    assert b"pass" in str(words).encode() or b'"allow"' in done.stdout, done.stdout
    return time.perf_counter() - started


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=60)
    rounds = parser.parse_args().rounds
    call = {
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "git status"},
        "cwd": "/tmp",
        "session_id": "bench",
    }
    event = json.dumps(call).encode()
    with tempfile.TemporaryDirectory() as home, daemon(home) as socket:
        client = [PYTHON, "-I", "-S", str(CLIENT), "claude-code", "--socket", socket]
        client += ["--deadline", "20", "--without", "refuse"]
        line = answer_or_refuse(" ".join(client))
        commands = {
            "python -I -S -c pass": [PYTHON, "-I", "-S", "-c", "pass"],
            "the client": client,
            "sh -c, python -I -S -c pass": ["/bin/sh", "-c", f"{PYTHON} -I -S -c pass; exit 0"],
            "sh -c, the installed command": ["/bin/sh", "-c", line],
            "a process of its own, judging": [PYTHON, "-I", "-m", "signoff", "hook", "claude-code"],
        }
        environment = {"PATH": os.environ["PATH"], "HOME": home}
        taken: dict[str, list[float]] = {name: [] for name in commands}
        for number in range(rounds + 3):
            for name, words in commands.items():
                seconds = took_s(words, event, environment)
                if number >= 3:
                    taken[name].append(seconds * 1000)
    middles = {name: statistics.median(times) for name, times in taken.items()}
    least = middles["python -I -S -c pass"]
    for name, middle in middles.items():
        best = min(taken[name])
        print(f"{name:<32} {middle:7.2f} ms  best {best:7.2f}  {middle / least:5.2f} x")
    limit = 1.3 * least + 2
    client_ms = middles["the client"]
    print(f"target 1.3 x + 2 ms = {limit:.2f} ms: {'met' if client_ms <= limit else 'MISSED'}")


if __name__ == "__main__":
    main()
