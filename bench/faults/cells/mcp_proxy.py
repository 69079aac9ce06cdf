"""The MCP proxy before a daemon that fails: the server must not get the call.

A tool of the server leaves a file where it ran, so whether it ran is seen there and nowhere else.
"""

from __future__ import annotations

import json
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from bench.faults.calls import Call, Observation, Seen, Trial
from bench.faults.cell import Cell, Kind, Probe
from bench.faults.cells.client import ANSWERS as HOOK_ANSWERS
from bench.faults.servers import Answering, Faulty, dribbles, hangs, http, says, slams
from bench.faults.stage import Stage, end_group

NAME = "MCP proxy"
SERVER = Path(__file__).parents[3] / "tests" / "e2e" / "notes_server.py"
TOOL = "list_notes"
PATIENCE_S = 40.0
QUICK = ("text instead of JSON", "it dies over the call")
ALLOW = b'{"verdict":"allow","reason":"","is_followed":false}'
CALL = Call(command=TOOL, at_most=Seen.REFUSED)
LINES = (
    {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": TOOL, "arguments": {}}},
)


def good(body: bytes = ALLOW, **changed: str) -> bytes:
    """Return a response as the daemon gives it."""
    return http(body, signoff_exit="0", **changed)


ANSWERS: dict[str, tuple[Kind, Answering]] = {
    **{name: one for name, one in HOOK_ANSWERS.items() if one[0] is not Kind.SLOW},
    "half a verdict": (Kind.GARBAGE, says(good(ALLOW[:-4]))),
    "the verdict of an adapter that is not known": (Kind.VERSION, says(http(ALLOW))),
    "a verdict without an end": (Kind.KILLED, says(good()[:-4])),
    "it dies over the call": (Kind.KILLED, slams),
    "no answer at all": (Kind.SLOW, hangs),
    "one byte now and then": (Kind.SLOW, dribbles(good())),
}


def put(stage: Stage) -> Trial:
    """Have a client call the tool through a proxy; whether it ran is seen by its file."""
    stage.write("signoff.yaml", "hosts: {without_daemon: refuse}\nmcp: {wait_s: 1}\n")
    words = stage.build.words("mcp", "--name", "notes", "--", sys.executable, str(SERVER))
    process = stage.start(words, stdin=subprocess.PIPE)
    try:
        said = _answered(process)
    finally:
        end_group(process)
    has_run = (stage.project / TOOL).exists()
    seen = Seen.RUNS if has_run else Seen.REFUSED if said else Seen.HANGS
    return Trial(call=CALL, seen=seen, words=said)


def _answered(process: subprocess.Popen[bytes]) -> str:
    """Return what the client is answered to its call, "" if nothing in time."""
    if process.stdin is None or process.stdout is None:
        return ""
    for line in LINES:
        process.stdin.write(json.dumps(line).encode() + b"\n")
        process.stdin.flush()
    deadline, got = time.monotonic() + PATIENCE_S, b""
    while time.monotonic() < deadline and b'"id":2' not in got.replace(b" ", b""):
        if not select.select([process.stdout], [], [], 1)[0]:
            continue
        piece = process.stdout.read1(65_536)  # type: ignore[attr-defined]  # it is buffered
        if not piece:
            break
        got += piece
    return got.rpartition(b'"jsonrpc"')[2].decode(errors="replace")


def before(answering: Answering) -> Probe:
    """Return the probe of a daemon that answers like this."""

    def probe(stage: Stage) -> Observation:
        judged: list[bytes] = []

        def answer(link: socket.socket) -> None:
            """Read texts as a working daemon does, so that the call itself meets the fault."""
            head, _, body = daemon.request.partition(b"\r\n\r\n")
            if b"/v1/inspections" in head:
                found = ",".join('{"findings":[]}' for _ in json.loads(body)["texts"])
                link.sendall(http(f'{{"texts":[{found}]}}'.encode()))
                return
            judged.append(head)
            answering(link)

        with Faulty(answer, path=stage.socket) as daemon:
            found = put(stage)
        return Observation(trials=(found,), evidence=f"asked {len(judged)} times" if judged else "")

    return probe


def without_daemon(stage: Stage) -> Observation:
    """Leave a socket behind that nobody listens on."""
    with socket.socket(socket.AF_UNIX) as gone:
        gone.bind(str(stage.socket))
    found = put(stage)
    return Observation(trials=(found,), evidence="nobody listens there")


def cells() -> Iterator[Cell]:
    """Yield every cell."""
    yield Cell(
        component=NAME, fault="no daemon", kind=Kind.DOWN, probe=without_daemon, limit_s=PATIENCE_S
    )
    for name, (kind, answering) in ANSWERS.items():
        yield Cell(
            component=NAME,
            fault=name,
            kind=kind,
            probe=before(answering),
            limit_s=PATIENCE_S,
            is_quick=name in QUICK,
        )
