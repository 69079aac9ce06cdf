"""What the ASGI middleware adds to a request: the same application bare and guarded, in turns.

Both run in this process without a socket, so that only the application and the middleware are
measured: a socket would add far more than either. The processor time of a request is given beside
the clock, as a busy machine takes time away.

    python -m bench.asgi                 a 1 KB JSON request, 5,000 times each
    python -m bench.asgi --assert-p50 150 --assert-p99 1000
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from signoff.asgi import AsgiMiddleware, responses, standard

TEXT = "We planted three apple trees on Sunday, and they look fine. "
BODY = json.dumps(
    {"id": 7, "title": "The garden", "tags": ["a", "b"], "text": TEXT * 15, "by": {"name": "Ann"}}
).encode()
HEADERS = [
    (b"host", b"notes.example"),
    (b"user-agent", b"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"),
    (b"accept", b"application/json"),
    (b"accept-language", b"en-US,en;q=0.5"),
    (b"accept-encoding", b"gzip, deflate, br"),
    (b"content-type", b"application/json"),
    (b"content-length", str(len(BODY)).encode()),
    (b"origin", b"https://notes.example"),
    (b"cookie", b"sessionid=2f1c9a7be04d; csrftoken=Jx0mQe7TTw2f0oXwTq5K"),
]
Message = dict[str, object]


async def add(request: Request) -> JSONResponse:
    """Read a note and tell its length."""
    note = await request.json()
    return JSONResponse({"length": len(note["text"])})


def application() -> Starlette:
    """Build the bare application."""
    return Starlette(routes=[Route("/notes", add, methods=["POST"])])


async def ask(app: Callable[..., object]) -> tuple[float, float]:
    """Send one request; give the seconds by the clock and of the processor."""
    statuses: list[object] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": BODY, "more_body": False}

    async def send(message: Message) -> None:
        statuses.append(message.get("status"))

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "https",
        "path": "/notes",
        "raw_path": b"/notes",
        "query_string": b"page=2&sort=-date",
        "root_path": "",
        "headers": HEADERS,
        "client": ("203.0.113.7", 50_000),
        "server": ("notes.example", 443),
    }
    clock, processor = time.perf_counter(), time.process_time()
    await app(scope, receive, send)  # type: ignore[misc]  # an ASGI application
    taken = time.perf_counter() - clock, time.process_time() - processor
    if statuses[0] != 200:
        raise RuntimeError(f"status {statuses[0]}, expected 200")
    return taken


async def measure(times: int) -> dict[str, list[tuple[float, float]]]:
    """Ask the three applications in turns, so that a busy moment hits each alike."""
    apps: dict[str, Callable[..., object]] = {
        "bare": application(),
        "requests judged": AsgiMiddleware(application(), default=standard()),
        "requests and responses judged": AsgiMiddleware(
            application(), default=standard(), responses=responses()
        ),
    }
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in apps}
    for turn in range(times + 100):
        for name, app in apps.items():
            seconds = await ask(app)
            if turn >= 100:
                taken[name].append(seconds)
    return taken


def quantile(values: list[float], share: float) -> float:
    """Give a quantile in microseconds."""
    return 1e6 * sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main() -> int:
    """Measure and print; exit status 1 if a limit is passed."""
    parser = argparse.ArgumentParser(prog="python -m bench.asgi", description=__doc__)
    parser.add_argument("--times", type=int, default=5_000)
    parser.add_argument("--assert-p50", type=float, help="microseconds that may be added")
    parser.add_argument("--assert-p99", type=float, help="microseconds that may be added")
    options = parser.parse_args()
    taken = asyncio.run(measure(options.times))
    bare = {share: quantile([one for one, _ in taken["bare"]], share) for share in (0.5, 0.99)}
    print(f"{len(BODY)} byte body, {options.times} requests each, microseconds")
    added = {0.5: 0.0, 0.99: 0.0}
    for name, pairs in taken.items():
        clock, processor = ([one[at] for one in pairs] for at in (0, 1))
        p50, p99 = (quantile(clock, share) for share in (0.5, 0.99))
        print(
            f"{name:30} p50 {p50:7.0f}  p99 {p99:7.0f}  added p50 {p50 - bare[0.5]:6.0f}  "
            f"p99 {p99 - bare[0.99]:6.0f}  processor p50 {quantile(processor, 0.5):6.0f}  "
            f"p99 {quantile(processor, 0.99):6.0f}"
        )
        if name == "requests judged":
            added = {0.5: p50 - bare[0.5], 0.99: p99 - bare[0.99]}
    limits = {0.5: options.assert_p50, 0.99: options.assert_p99}
    return int(any(limit is not None and added[share] > limit for share, limit in limits.items()))


if __name__ == "__main__":
    sys.exit(main())
