"""What `signoff mcp` adds to a call: the same calls to a server bare, and through the proxy.

    python -m bench.mcp [--calls 500]

The server answers at once, so the difference is the proxy's and the daemon's. It starts a daemon
and everything else in a home of its own, and ends it. Goal: at most 2 ms at the median.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench.warm_home import give_patterns

GOAL_MS = 2.0
START_S = 60.0
SERVER = """
import json, sys
TOOL = {"name": "get_note", "description": "Gets a note.", "inputSchema": {"type": "object"}}
for line in sys.stdin:
    said = json.loads(line)
    if said["method"] == "tools/list":
        result = {"tools": [TOOL]}
    else:
        result = {"content": [{"type": "text", "text": "milk, bread and " * 20}]}
    print(json.dumps({"jsonrpc": "2.0", "id": said["id"], "result": result}), flush=True)
"""


@dataclass(frozen=True)
class Latencies:
    """Milliseconds of single calls, in order of size."""

    values: Sequence[float]

    @property
    def p50(self) -> float:
        """The median."""
        return median(self.values)

    @property
    def p99(self) -> float:
        """The value that one call in a hundred exceeds."""
        return self.values[int(len(self.values) * 0.99)]


def measured(words: Sequence[str], environment: dict[str, str], calls: int) -> Latencies:
    """Start a server, list its tools, and make so many calls one after another."""
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the server has no pipes")
        found = []
        try:
            for number in range(calls + 21):
                name = {"name": "get_note", "arguments": {"id": f"note-{number}"}}
                said = (
                    {"method": "tools/call", "params": name} if number else {"method": "tools/list"}
                )
                line = json.dumps({"jsonrpc": "2.0", "id": number, **said}).encode() + b"\n"
                started = time.perf_counter()
                process.stdin.write(line)
                process.stdin.flush()
                answer = json.loads(process.stdout.readline())
                found.append((time.perf_counter() - started) * 1000)
                if "result" not in answer or answer["result"].get("isError"):
                    raise RuntimeError(f"a call was not made: {answer}")
        finally:
            process.stdin.close()
            process.wait(timeout=20)
    return Latencies(sorted(found[21:]))


def compared(calls: int) -> tuple[Latencies, Latencies]:
    """Return the latencies without and with the proxy."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        give_patterns(home)
        server = home / "server.py"
        server.write_text(SERVER, encoding="utf-8")
        environment = {"PATH": os.environ["PATH"], "HOME": folder}
        bare = [sys.executable, str(server)]
        ours = [sys.executable, "-I", "-m", "signoff"]
        daemon = subprocess.Popen(
            [*ours, "serve", "--port", "44461"],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            until = time.monotonic() + START_S
            while not (home / ".local" / "state" / "signoff" / "daemon.sock").exists():
                if time.monotonic() > until or daemon.poll() is not None:
                    raise RuntimeError("the daemon does not start")
                time.sleep(0.05)
            proxied = [*ours, "mcp", "--name", "notes", "--", *bare]
            return measured(bare, environment, calls), measured(proxied, environment, calls)
        finally:
            daemon.send_signal(signal.SIGTERM)
            daemon.wait(timeout=20)


def main() -> None:
    """Print both and the difference."""
    parser = argparse.ArgumentParser(description="What the MCP proxy adds to a call.")
    parser.add_argument("--calls", type=int, default=500)
    bare, proxied = compared(parser.parse_args().calls)
    added = proxied.p50 - bare.p50
    print(f"bare     p50 {bare.p50:6.2f} ms   p99 {bare.p99:6.2f} ms")
    print(f"proxied  p50 {proxied.p50:6.2f} ms   p99 {proxied.p99:6.2f} ms")
    print(f"added    p50 {added:6.2f} ms   goal {GOAL_MS:g} ms")
    sys.exit(0 if added <= GOAL_MS else 1)


if __name__ == "__main__":
    main()
