"""100,000 decisions of ordinary work through a real daemon: recorded, verified, queried, exported.

Sixteen agents call the hook of Claude Code and report each call that may run. Then every command
that reads the log is timed, in processes of their own.

    .venv/bin/python -m bench.record many-decisions --count 100000
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from bench.ordinary_calls import shell_actions, tool_actions
from bench.server import Caller, Target, daemon
from bench.warm_home import give_patterns
from signoff.storage.sqlite import SqliteStore

AGENTS = 16
CALLS_OF_SESSION = 250
COUNT = 100_000
ACTIONS = (*shell_actions(), *tool_actions())
COMMANDS = (
    ("verify",),
    ("verify", "--offline"),
    ("stats",),
    ("query", "--verdict", "deny", "-n", "100"),
    ("query", "--text", "never-in-any-call"),
    ("tail", "-n", "100"),
    ("show", "50000"),
    ("prove", "50000"),
    ("export", "--format", "csv", "-o", "log.csv"),
    ("export", "--format", "ocsf", "-o", "log.ocsf"),
    ("export", "--format", "bundle", "-o", "bundle"),
)


@dataclass(slots=True, kw_only=True)
class Agent(Caller):
    """Calls, and reports each call that was not denied, until it made its share."""

    over: asyncio.Future[None]
    share: int
    decided: int = 0
    is_report: bool = False

    def answered(self, head: bytes, body: bytes) -> None:
        """Go on with a report, or with the next call."""
        assert b" 200 " in head[:20], (head, body[:500])
        if self.is_report:
            self.is_report = False
        else:
            self.decided += 1
            self.is_report = b'"deny"' not in body
        if self.decided < self.share or self.is_report:
            self.ask()
        elif not self.over.done():
            self.over.set_result(None)


def agent_of(target: Target, number: int, *, share: int) -> Agent:
    """Return an agent with calls of its own."""
    head = (
        f"POST /hooks/claude-code HTTP/1.1\r\nHost: 127.0.0.1:{target.port}\r\n"
        f"Authorization: Bearer {target.token}\r\nContent-Type: application/json\r\n"
    )

    def request(_: int) -> bytes:
        nth = agent.decided - agent.is_report
        action = ACTIONS[(nth * 7 + number) % len(ACTIONS)]
        said = {
            "hook_event_name": "PostToolUse" if agent.is_report else "PreToolUse",
            "session_id": f"s{number}-{nth // CALLS_OF_SESSION}",
            "cwd": target.project,
            "tool_name": action.tool,
            "tool_input": dict(action.arguments),
            "tool_use_id": f"toolu_{number}_{nth}",
        }
        body = json.dumps(said).encode()
        return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body

    over = asyncio.get_running_loop().create_future()
    agent = Agent(request=request, over=over, share=share)
    return agent


async def work(target: Target, count: int) -> None:
    """Make so many decisions."""
    loop = asyncio.get_running_loop()
    agents = [agent_of(target, number, share=count // AGENTS) for number in range(AGENTS)]
    for agent in agents:
        await loop.create_connection(lambda agent=agent: agent, "127.0.0.1", target.port)  # type: ignore[misc]  # a default binds the loop's variable
    waiting = asyncio.gather(*(agent.over for agent in agents))
    while not waiting.done():
        await asyncio.wait([waiting], timeout=30)
        print(f"{sum(agent.decided for agent in agents)} decisions", file=sys.stderr, flush=True)
    for agent in agents:
        if agent.transport is not None:
            agent.transport.close()


def run(*, is_control: bool, count: int = COUNT) -> int:
    """Measure and print; exit status 1 if the log does not hold every decision.

    A control changes a byte of the log before it is verified.
    """
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        give_patterns(home)
        start = time.monotonic()
        with daemon(str(home)) as target:
            asyncio.run(work(target, count))
            took_s = time.monotonic() - start
        path = home / ".local/state/signoff/record.db"
        store = SqliteStore(str(path))
        found = store.head().seq
        store.close()
        size_mb = path.stat().st_size / 1e6
        print(f"{found} decisions in {took_s:.1f} s, {size_mb:.0f} MB on disk")
        if is_control:
            _change_a_byte(path)
        failed = sum(_timed(home, *words) for words in COMMANDS)
        line = [sys.executable, "-I", "-S", "bundle/verify.py", "bundle"]
        failed += _process("verify.py of the bundle", line, home)
    made = count // AGENTS * AGENTS
    return 1 if failed or found < made else 0


def _timed(home: Path, *words: str) -> bool:
    """Run an audit command and print how long it took; True if it failed."""
    line = [sys.executable, "-I", "-m", "signoff", "audit", *words]
    return _process(f"audit {' '.join(words)}", line, home)


def _process(name: str, line: list[str], home: Path) -> bool:
    start, cpu_s = time.monotonic(), _cpu_s()
    environment = {"PATH": os.environ["PATH"], "HOME": str(home)}
    done = subprocess.run(
        line, cwd=home, env=environment, capture_output=True, text=True, check=False
    )
    said = (done.stdout or done.stderr).strip().splitlines()
    first = said[0][:60] if said else ""
    took_s, used_s = time.monotonic() - start, _cpu_s() - cpu_s
    print(f"{name:<40} {took_s:6.2f} s, {used_s:6.2f} s of processor  {first}", flush=True)
    return done.returncode != 0


def _cpu_s() -> float:
    """Return the processor time of processes that have ended, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _change_a_byte(path: Path) -> None:
    raw = bytearray(path.read_bytes())
    at = raw.find(b'"tool":"Bash"')
    raw[at + 8] ^= 1
    path.write_bytes(raw)
