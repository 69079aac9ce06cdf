"""What waiting requests cost: the daemon's idle processor time, its memory, the calls of others.

Each request is opened through the daemon's real routes and waits for a person who never answers:
by a hook, which holds a connection, or by `POST /v1/actions`, which is answered with 202 and stays
open. The daemon runs on one core, the client on another.

    .venv/bin/python -m bench.waiting --waiting 0 100 500
    .venv/bin/python -m bench.waiting --waiting 2000 10000 --by actions
    .venv/bin/python -m bench.waiting --flood 1000        so many at once; calls of others meanwhile
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import uvloop

from bench.server import Target, cpu_s, daemon, rss_mb, whole_answer

SETTINGS = """\
channels: [web]
limits: {answer_timeout_s: 7200}
"""
OPENED_WITHIN_S = 1_800.0
PER_SESSION = 50
AT_ONCE = 250  # asks on their way while the waiting requests are opened: fewer than are refused
CALL_GAP_S = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What so many waiting requests cost.

    Args:
        idle_percent: of one core, over the idle seconds.
        calls_ms: how long each harmless call of another session took.
    """

    waiting: int
    opened_s: float
    idle_percent: float
    rss_mb: float
    calls_ms: Sequence[float]

    def print(self) -> None:
        """Print one line."""
        in_order = sorted(self.calls_ms)
        p50, p99 = (in_order[int(len(in_order) * share)] for share in (0.5, 0.99))
        print(
            f"{self.waiting:>6} waiting: opened in {self.opened_s:6.1f} s"
            f"  idle {self.idle_percent:6.2f} % of a core  RSS {self.rss_mb:6.1f} MB"
            f"  calls of others p50 {p50:7.2f} ms  p99 {p99:7.2f} ms  ({len(in_order)} calls)",
            flush=True,
        )


def request(target: Target, path: str, call: dict[str, object]) -> bytes:
    """Return one request."""
    body = json.dumps(call).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{target.port}\r\n"
        f"Authorization: Bearer {target.token}\r\nContent-Type: application/json\r\n"
        f"signoff-deadline: 3600\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def ask(target: Target, number: int, by: str) -> bytes:
    """Return a request that a person must answer: each another one, of one of many sessions."""
    call: dict[str, object] = {
        "tool_name": "Bash",
        "tool_input": {"command": f"git push --force origin topic-{number}"},
        "cwd": target.project,
        "session_id": f"waits-{number // PER_SESSION}",
    }
    if by == "actions":
        return request(target, "/v1/actions", call)
    event = {"hook_event_name": "PreToolUse", "tool_use_id": f"call-{number}"}
    return request(target, "/hooks/claude-code", {**event, **call})


class WaitingHooks:
    """The connections on which hooks wait."""

    def __init__(self) -> None:
        self.open: list[asyncio.StreamWriter] = []

    def close(self) -> None:
        """Go away, as hooks do that are ended."""
        for writer in self.open:
            writer.transport.abort()


async def answered(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """Read one whole answer."""
    buffer = b""
    while (found := whole_answer(buffer)) is None:
        piece = await reader.read(65_536)
        if not piece:
            raise ConnectionError("the daemon closed the connection")
        buffer += piece
    return found


async def send_ask(target: Target, number: int, by: str, held: WaitingHooks) -> None:
    """Ask once; what holds a connection is held."""
    reader, writer = await asyncio.open_connection("127.0.0.1", target.port)
    writer.write(ask(target, number, by))
    if by == "hooks":
        held.open.append(writer)
        return
    head, body = await answered(reader)
    assert b" 202 " in head[:20], (head, body)
    writer.close()


async def pending(target: Target) -> int:
    """Return how many requests wait, as the daemon says."""
    reader, writer = await asyncio.open_connection("127.0.0.1", target.port)
    head = f"GET /v1/status HTTP/1.1\r\nHost: 127.0.0.1:{target.port}\r\n"
    writer.write(f"{head}Authorization: Bearer {target.token}\r\n\r\n".encode())
    _, body = await answered(reader)
    writer.close()
    found: int = json.loads(body)["pending"]
    return found


async def open_requests(target: Target, numbers: range, by: str, held: WaitingHooks) -> None:
    """Open so many requests, a few at a time, and wait until all of them are kept."""
    until = time.perf_counter() + OPENED_WITHIN_S
    for start in range(numbers.start, numbers.stop, AT_ONCE):
        stop = min(start + AT_ONCE, numbers.stop)
        await asyncio.gather(*(send_ask(target, one, by, held) for one in range(start, stop)))
        while (found := await pending(target)) < stop:
            assert time.perf_counter() < until, f"{found} of {stop} requests are open"
            await asyncio.sleep(0.1)


async def call_others(target: Target, seconds: float) -> list[float]:
    """Make harmless calls of another session one after another; return the milliseconds each."""
    reader, writer = await asyncio.open_connection("127.0.0.1", target.port)
    taken: list[float] = []
    until = time.perf_counter() + seconds
    while (started := time.perf_counter()) < until:
        call: dict[str, object] = {
            "tool_name": "Bash",
            "tool_input": {"command": "git status"},
            "cwd": target.project,
            "session_id": "another",
        }
        writer.write(request(target, "/v1/actions", call))
        head, body = await answered(reader)
        assert b'"allow"' in body, (head, body)
        taken.append(1000 * (time.perf_counter() - started))
        await asyncio.sleep(CALL_GAP_S)
    writer.close()
    return taken


async def measure(target: Target, counts: Sequence[int], *, by: str, seconds: float) -> None:
    """Open more and more requests; print what they cost at each number."""
    held, opened = WaitingHooks(), 0
    await call_others(target, 1.0)  # warm
    for count in counts:
        started = time.perf_counter()
        await open_requests(target, range(opened, count), by, held)
        opened, opened_s = count, time.perf_counter() - started
        await asyncio.sleep(2.0)
        used, began = cpu_s(target.pid), time.perf_counter()
        await asyncio.sleep(seconds)
        idle = (cpu_s(target.pid) - used) / (time.perf_counter() - began)
        Cost(
            waiting=count,
            opened_s=opened_s,
            idle_percent=100 * idle,
            rss_mb=rss_mb(target.pid),
            calls_ms=await call_others(target, seconds),
        ).print()
    held.close()


async def flood(target: Target, count: int, *, by: str, seconds: float) -> None:
    """Ask so often at once, each for a session of its own; time the calls of another meanwhile."""
    held = WaitingHooks()
    await call_others(target, 1.0)
    others = asyncio.create_task(call_others(target, seconds))
    asks = [send_ask(target, number * PER_SESSION, by, held) for number in range(count)]
    await asyncio.gather(*asks, return_exceptions=True)
    in_order = sorted(await others)
    said = "  ".join(
        f"p{share} {in_order[min(len(in_order) - 1, len(in_order) * share // 100)]:.1f} ms"
        for share in (50, 99, 100)
    )
    print(f"{count} asks at once; {len(in_order)} calls of others: {said}", flush=True)
    held.close()


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--waiting", type=int, nargs="+", default=[0, 100, 500])
    parser.add_argument("--by", choices=("hooks", "actions"), default="hooks")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--flood", type=int, metavar="ASKS", help="so many at once instead")
    parser.add_argument("--source", default="", help="the `src` of another checkout")
    chosen = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 65_536)), hard))
    os.sched_setaffinity(0, {1} if (os.cpu_count() or 1) > 1 else {0})
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home, ".config/signoff")
        folder.mkdir(parents=True)
        (folder / "signoff.yaml").write_text(SETTINGS, encoding="utf-8")
        with daemon(home, source=chosen.source) as target:
            if chosen.flood:
                work = flood(target, chosen.flood, by=chosen.by, seconds=chosen.seconds)
            else:
                work = measure(target, chosen.waiting, by=chosen.by, seconds=chosen.seconds)
            uvloop.run(work)


if __name__ == "__main__":
    main()
