"""The hook client alone, before daemons that answer badly or are not there, read by Claude Code.

What the bad daemons say holds an allow wherever it can: a client that passes on what it should
not is a silent pass.
"""

from __future__ import annotations

import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping

from bench.faults.calls import DANGER, Observation
from bench.faults.cell import Cell, Kind, Probe
from bench.faults.host_rules import Ended
from bench.faults.servers import Answering, Faulty, dribbles, floods, hangs, http, says, slams
from bench.faults.stage import Stage, end_group, trial
from signoff.frontends.hosts.claude_code.kinds import answer_or_refuse

NAME = "hook client"
ALLOW = b'{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}'
DEADLINE_S = 0.6
CLIENT_S = 2.5  # under the deadline of a client that is left alone


def good(body: bytes = ALLOW, **changed: str) -> bytes:
    """Return a response as the daemon gives it."""
    return http(body, signoff_exit=changed.pop("signoff_exit", "0"), **changed)


ANSWERS: Mapping[str, tuple[Kind, Answering]] = {
    "the daemon hangs up at once": (Kind.GARBAGE, slams),
    "half a head": (Kind.GARBAGE, says(b"HTTP/1.1 200 OK\r\ncontent-le")),
    "an answer cut short": (Kind.GARBAGE, says(good()[:-4])),
    "more than the answer": (Kind.GARBAGE, says(good() + ALLOW)),
    "half an object": (Kind.GARBAGE, says(good(ALLOW[:-5]))),
    "text instead of JSON": (Kind.GARBAGE, says(good(b"allowed"))),
    "an empty body": (Kind.GARBAGE, says(good(b""))),
    "no status line": (Kind.GARBAGE, says(ALLOW)),
    "binary garbage": (Kind.GARBAGE, says(bytes(range(256)) * 20)),
    "an allow under status 500": (Kind.GARBAGE, says(good(status="500 Internal Server Error"))),
    "an allow under status 404": (Kind.VERSION, says(good(status="404 Not Found"))),
    "a redirect": (Kind.GARBAGE, says(good(status="302 Found", location="http://127.0.0.1/"))),
    "an allow that names no exit status": (Kind.VERSION, says(http(ALLOW))),
    "an exit status that is no number": (Kind.VERSION, says(good(signoff_exit="yes"))),
    "an answer of another protocol": (Kind.VERSION, says(b"SSH-2.0-server\r\n")),
    "an endless answer": (Kind.OVERLOAD, floods(b"HTTP/1.1 200 OK\r\n\r\n")),
    "no answer at all": (Kind.SLOW, hangs),
    "one byte now and then": (Kind.SLOW, dribbles(good())),
}


def answered(answering: Answering) -> Probe:
    """Return the probe of a daemon that answers like this."""

    def probe(stage: Stage) -> Observation:
        with Faulty(answering, path=stage.socket) as daemon:
            seen = stage.client(DANGER, deadline_s=DEADLINE_S)
        served = f"asked {daemon.served} times" if daemon.served else ""
        return Observation(trials=(seen,), evidence=served)

    return probe


def no_socket(spoil: Callable[[Stage], object]) -> Probe:
    """Return the probe of a socket that is none."""

    def probe(stage: Stage) -> Observation:
        spoil(stage)
        seen = stage.client(DANGER, deadline_s=DEADLINE_S)
        return Observation(trials=(seen,), evidence="nobody listens there")

    return probe


def stale(stage: Stage) -> None:
    """Leave a socket behind that nobody listens on."""
    with socket.socket(socket.AF_UNIX) as gone:
        gone.bind(str(stage.socket))


SOCKETS: Mapping[str, Callable[[Stage], object]] = {
    "the socket is not there": lambda stage: None,
    "the socket is a file": lambda stage: stage.socket.write_text("", encoding="utf-8"),
    "the socket is a folder": lambda stage: stage.socket.mkdir(),
    "the socket is stale": stale,
    "the socket is a link to nowhere": lambda stage: stage.socket.symlink_to("gone"),
    "the state folder is gone": lambda stage: shutil.rmtree(stage.state),
}


def ended_by(number: signal.Signals) -> Probe:
    """Return the probe of a client that a signal ends while it waits, in the installed line."""

    def probe(stage: Stage) -> Observation:
        # `timeout` stands between line and client, and sends the signal.
        words = shlex.join(["timeout", "-s", str(number.value), "0.4", *stage.client_words()])
        with Faulty(hangs, path=stage.socket) as daemon:
            started = time.monotonic()
            line = stage.build.line(answer_or_refuse(words))
            ended = stage.run(["/bin/sh", "-c", line], stage.event(DANGER))
            is_early = time.monotonic() - started < CLIENT_S
        said = f"ended by {number.name} while it waited" if daemon.served and is_early else ""
        return Observation(trials=(trial(DANGER, ended),), evidence=said)

    return probe


def endless_event(stage: Stage) -> Observation:
    """Keep the event's end open."""
    with Faulty(says(good()), path=stage.socket):
        process = stage.start(stage.client_words(deadline_s=DEADLINE_S), stdin=subprocess.PIPE)
        if process.stdin:
            process.stdin.write(b'{"tool_name": "Bash"')
            process.stdin.flush()
        try:
            process.wait(timeout=10)
            ended = Ended(status=process.returncode)
        except subprocess.TimeoutExpired:
            ended = Ended(status=None)
        end_group(process)
    return Observation(trials=(trial(DANGER, ended),), evidence="the event had no end")


def large_event(stage: Stage) -> Observation:
    """Send an event over the limit."""
    with Faulty(says(good()), path=stage.socket):
        ended = stage.run(stage.client_words(), stage.event(DANGER) + b" " * 2_000_000)
    return Observation(trials=(trial(DANGER, ended),), evidence="2 MB of event")


def broken_copy(change: Callable[[str], str | None]) -> Probe:
    """Return the probe of half an upgrade: the client's module is not what it was."""

    def probe(stage: Stage) -> Observation:
        client = stage.build.client_in(stage.folder)
        place = stage.folder / "half"
        place.mkdir()
        shutil.copy(client, place)
        text = change(client.with_name("exchange.py").read_text(encoding="utf-8"))
        if text is not None:
            (place / "exchange.py").write_text(text, encoding="utf-8")
        words = [sys.executable, "-I", "-S", str(place / "client.py"), "claude-code"]
        words += ["--socket", str(stage.socket), "--deadline", "1", "--without", "refuse"]
        with Faulty(says(good()), path=stage.socket) as daemon:
            ended = stage.run(words, stage.event(DANGER))
        return Observation(
            trials=(trial(DANGER, ended),), evidence="" if daemon.served else "broken on the way"
        )

    return probe


COPIES: Mapping[str, Callable[[str], str | None]] = {
    "its module is missing": lambda text: None,
    "its module is empty": lambda text: "",
    "its module is cut short": lambda text: text[: len(text) // 2],
    "its module ends politely": lambda text: "raise SystemExit(0)",
}


def cells() -> Iterator[Cell]:
    """Yield every cell."""
    for fault, (kind, answering) in ANSWERS.items():
        yield Cell(component=NAME, fault=fault, kind=kind, probe=answered(answering))
    for fault, spoil in SOCKETS.items():
        yield Cell(component=NAME, fault=fault, kind=Kind.SOCKET, probe=no_socket(spoil))
    for fault, change in COPIES.items():
        yield Cell(component=NAME, fault=fault, kind=Kind.MISSING, probe=broken_copy(change))
    for number in (signal.SIGKILL, signal.SIGTERM):
        fault = f"ended by {number.name} while it waits"
        yield Cell(
            component=NAME,
            fault=fault,
            kind=Kind.KILLED,
            probe=ended_by(number),
            needs=("timeout",),
        )
    yield Cell(component=NAME, fault="an event without end", kind=Kind.SLOW, probe=endless_event)
    yield Cell(component=NAME, fault="an event of 2 MB", kind=Kind.OVERLOAD, probe=large_event)
