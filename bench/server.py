"""The daemon under load: durable decisions a second, latency, memory; a bare server beside it.

The server runs on one core, the client on another. What a busy machine takes away shows in the
clock but not in the processor time a decision costs, so both are given.

    .venv/bin/python bench/server.py --seconds 10
    .venv/bin/python bench/server.py --memory 100000
    .venv/bin/python bench/server.py --folder /dev/shm
    .venv/bin/python bench/server.py --against OTHER/src    another checkout, in turns, as ratios
    .venv/bin/python bench/server.py --idle 2000            beside connections that say nothing
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import resource
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import uvloop

from bench.ports import free_port
from signoff.values import replace

COMMANDS = (
    "git status",
    "ls -la src",
    "pytest -q tests/unit",
    "rg -n TODO src",
    "git commit -m 'Fix the parser'",
    "cat README.md | head -40",
    "npm run build",
    "sed -n 1,80p src/app.py",
    "git diff HEAD~1 -- src",
    "python -m mypy src",
)
TICK_S = os.sysconf("SC_CLK_TCK")

BARE = """
import sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
async def act(request):
    await request.body()
    return Response(b'{"verdict":"allow"}', media_type="application/json")
app = Starlette(routes=[Route("/v1/actions", act, methods=["POST"])])
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), http="httptools", loop="uvloop",
            access_log=False, log_level="error", lifespan="off")
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A running server."""

    name: str
    pid: int
    port: int
    token: str = ""
    project: str = "/tmp"


@dataclass(slots=True, kw_only=True)
class Caller(asyncio.Protocol):
    """One keep-alive connection that hands on each whole answer it gets."""

    request: Callable[[int], bytes]
    started: float = 0.0
    count: int = 0
    transport: asyncio.Transport | None = None
    buffer: bytes = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self.transport = cast(asyncio.Transport, transport)
        self.ask()

    def ask(self) -> None:
        """Send the next request."""
        assert self.transport is not None
        self.started = time.perf_counter()
        self.transport.write(self.request(self.count))
        self.count += 1

    def data_received(self, data: bytes) -> None:
        """Take in what has come of an answer."""
        self.buffer += data
        found = whole_answer(self.buffer)
        if found is not None:
            self.buffer = b""
            self.answered(*found)

    def answered(self, head: bytes, body: bytes) -> None:
        """Take in a whole answer."""
        raise NotImplementedError


@dataclass(slots=True, kw_only=True)
class Client(Caller):
    """Asks again as soon as it is answered, until time is up."""

    until: float
    taken: list[float] = field(default_factory=list)
    done: asyncio.Future[None] | None = None

    def answered(self, head: bytes, body: bytes) -> None:
        """Note how long it took; ask again until time is up."""
        now = time.perf_counter()
        # On a starved machine an answer may come as a number to ask with, which counts as taken.
        is_late = b" 202 " in head[:20]
        assert is_late or (b" 200 " in head[:20] and b'"allow"' in body), (head, body[:500])
        self.taken.append(now - self.started)
        if now < self.until:
            self.ask()
        elif self.done is not None and not self.done.done():
            self.done.set_result(None)


def whole_answer(buffer: bytes) -> tuple[bytes, bytes] | None:
    """Return head and body of an answer, None where more of it is to come."""
    head, gap, body = buffer.partition(b"\r\n\r\n")
    if not gap:
        return None
    length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    return (head, body) if len(body) >= length else None


def requests(target: Target, connection: int, *, is_different: bool) -> Callable[[int], bytes]:
    """Return what makes the requests of one connection: a session of its own."""
    head = (
        f"POST /v1/actions HTTP/1.1\r\nHost: 127.0.0.1:{target.port}\r\n"
        f"Authorization: Bearer {target.token}\r\nContent-Type: application/json\r\n"
    )

    def request(number: int) -> bytes:
        command = COMMANDS[number % len(COMMANDS)]
        call = {
            "tool_name": "Bash",
            "tool_input": {"command": f"{command} {number}" if is_different else command},
            "cwd": target.project,
            "session_id": f"bench-{connection}",
        }
        body = json.dumps(call).encode()
        return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body

    if is_different:
        return request
    made = [request(number) for number in range(len(COMMANDS))]
    return lambda number: made[number % len(made)]


async def load(
    target: Target, connections: int, seconds: float, *, is_different: bool = False
) -> list[float]:
    """Ask on so many connections for so long; return how long each answer took."""
    loop, clients = asyncio.get_running_loop(), []
    for number in range(connections):
        client = Client(
            request=requests(target, number, is_different=is_different),
            until=time.perf_counter() + seconds,
        )
        client.done = loop.create_future()
        await loop.create_connection(lambda client=client: client, "127.0.0.1", target.port)  # type: ignore[misc]  # a default binds the loop's variable
        clients.append(client)
    await asyncio.gather(*(client.done for client in clients if client.done is not None))
    for client in clients:
        if client.transport is not None:
            client.transport.close()
    return [taken for client in clients for taken in client.taken]


def cpu_s(pid: int) -> float:
    """Return the processor time a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK_S


def rss_mb(pid: int) -> float:
    """Return the memory a process holds."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What came of a load.

    Args:
        a_second: answers.
        cpu_us: processor time of the server for each.
        p50_ms, p99_ms: how long an answer took.
    """

    a_second: float
    cpu_us: float
    p50_ms: float
    p99_ms: float


def measure(
    target: Target, connections: int, seconds: float, *, is_different: bool = False
) -> Figures:
    """Load a server, print what came of it, and return it."""
    uvloop.run(load(target, connections, min(2.0, seconds)))  # warm
    used, started = cpu_s(target.pid), time.perf_counter()
    taken = sorted(uvloop.run(load(target, connections, seconds, is_different=is_different)))
    wall, used = time.perf_counter() - started, cpu_s(target.pid) - used
    at = {share: taken[int(len(taken) * share)] * 1000 for share in (0.5, 0.99)}
    kind = "all different" if is_different else "ten commands"
    print(
        f"{target.name:<8} {kind:<13} {connections:>3} connections: {len(taken) / wall:8.0f}/s"
        f"  {len(taken) / used:8.0f} per cpu second  {used / len(taken) * 1e6:6.0f} us cpu each"
        f"  p50 {at[0.5]:7.2f} ms  p99 {at[0.99]:7.2f} ms  RSS {rss_mb(target.pid):5.0f} MB",
        flush=True,
    )
    return Figures(
        a_second=len(taken) / wall, cpu_us=used / len(taken) * 1e6, p50_ms=at[0.5], p99_ms=at[0.99]
    )


@contextlib.contextmanager
def running(name: str, command: list[str], *, port: int, home: str) -> Iterator[Target]:
    """Run a server on one core until the block ends."""
    environment = {"PATH": os.environ["PATH"], "HOME": home}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    try:
        for _ in range(3_000):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.02)
        os.sched_setaffinity(process.pid, {0})
        for task in Path(f"/proc/{process.pid}/task").iterdir():
            os.sched_setaffinity(int(task.name), {0})
        token = Path(home, ".local/state/signoff/token")
        shown = token.read_text(encoding="ascii").strip() if token.exists() else ""
        project = Path(home, "project")
        (project / ".git").mkdir(parents=True, exist_ok=True)
        yield Target(name=name, pid=process.pid, port=port, token=shown, project=str(project))
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=20)


def memory(target: Target, count: int) -> None:
    """Make so many decisions and print the memory on the way."""
    done = 0
    while done < count:
        done += len(uvloop.run(load(target, 64, 5.0)))
        print(f"{done:>8} decisions: RSS {rss_mb(target.pid):6.1f} MB", flush=True)


SERVE = "import sys; sys.path.insert(0, sys.argv.pop(1)); from signoff.__main__ import main; main()"


@contextlib.contextmanager
def daemon(home: str, *, source: str = "", name: str = "signoff") -> Iterator[Target]:
    """Run a daemon, of another checkout's `source` folder if one is given."""
    port = free_port()
    start = ["-c", SERVE, source] if source else ["-m", "signoff"]
    command = [sys.executable, "-I", *start, "serve", "--port", str(port)]
    with running(name, command, port=port, home=home) as target:
        yield target


def compare(source: str, *, seconds: float, rounds: int, folder: str | None) -> None:
    """Measure another checkout and this one in turns; print the medians of the ratios."""
    found: dict[str, list[tuple[Figures, Figures]]] = {}
    for number in range(rounds):
        for is_different in (False, True):
            pair = []
            # Each is first as often as the other: the machine changes while they run.
            both = [("before", source), ("after", "")]
            for name, where in both if number % 2 else reversed(both):
                with (
                    tempfile.TemporaryDirectory(dir=folder) as home,
                    daemon(home, source=where, name=name) as target,
                ):
                    pair.append(measure(target, 64, seconds, is_different=is_different))
            before, after = pair if number % 2 else reversed(pair)
            kind = "all different" if is_different else "ten commands"
            found.setdefault(kind, []).append((before, after))
    for kind, pairs in found.items():
        said = "  ".join(
            f"{what} {statistics.median(getattr(a, what) / getattr(b, what) for b, a in pairs):.3f}"
            for what in ("a_second", "cpu_us", "p50_ms", "p99_ms")
        )
        print(f"after / before, {kind}, median of {len(pairs)}: {said}", flush=True)


def beside_idle(count: int, *, seconds: float) -> None:
    """Measure a daemon in turns: alone, and beside so many connections that say nothing."""
    with tempfile.TemporaryDirectory() as home, daemon(home) as target:
        for _ in range(3):
            measure(target, 8, seconds)
            with contextlib.ExitStack() as stack:
                for _ in range(count):
                    stack.enter_context(socket.create_connection(("127.0.0.1", target.port)))
                measure(replace(target, name="idle"), 8, seconds)


def main() -> None:
    """Measure both servers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--memory", type=int, metavar="DECISIONS", help="show memory instead")
    parser.add_argument("--folder", help="where the record is, /dev/shm takes the disk's sync off")
    parser.add_argument("--against", metavar="FOLDER", help="the `src` of another checkout")
    parser.add_argument("--rounds", type=int, default=5, help="of --against")
    parser.add_argument("--idle", type=int, metavar="CONNECTIONS", help="that say nothing")
    chosen = parser.parse_args()
    os.sched_setaffinity(0, {1} if (os.cpu_count() or 1) > 1 else {0})
    if chosen.against:
        compare(chosen.against, seconds=chosen.seconds, rounds=chosen.rounds, folder=chosen.folder)
        return
    if chosen.idle:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 65_536)), hard))
        beside_idle(chosen.idle, seconds=chosen.seconds)
        return
    with tempfile.TemporaryDirectory(dir=chosen.folder) as home:
        port = free_port()
        if not chosen.memory:
            with running(
                "bare", [sys.executable, "-c", BARE, str(port)], port=port, home=home
            ) as bare:
                for connections in (1, 64):
                    measure(bare, connections, chosen.seconds)
        with daemon(home) as target:
            if chosen.memory:
                memory(target, chosen.memory)
                return
            for connections in (1, 64):
                for is_different in (False, True):
                    measure(target, connections, chosen.seconds, is_different=is_different)


if __name__ == "__main__":
    main()
