"""The daemon asked by Claude Code itself: an http hook with `onFailure: block`.

A status that is no success, no connection and no answer in time are a block there; any answer
with status 200 must say itself whether the call may run.
"""

from __future__ import annotations

import http.client
import shutil
import signal
import socket
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from bench.faults.calls import BENIGN, CALLS, DANGER, Call, Observation, Seen, Trial
from bench.faults.cell import Cell, Kind, Probe
from bench.faults.host_rules import seen_over_http
from bench.faults.stage import Daemon, Stage, wait_until
from bench.ports import free_port
from signoff.frontends.client.places import Places, hook_token
from signoff.values import replace

NAME = "http hook"
PATH = "/hooks/claude-code"
LIMIT_S = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A request as Claude Code sends it."""

    path: str = PATH
    headers: Mapping[str, str]
    body: bytes
    announced: int | None = None


def letter(stage: Stage, call: Call) -> Letter:
    """Return the request of a call."""
    token = hook_token(Places(str(stage.state)).token(), "claude-code")
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    return Letter(headers=headers, body=stage.event(call))


def post(port: int, call: Call, sent: Letter) -> Trial:
    """Send it, and read what comes as the host does: a failure of the hook is a block."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT_S)
    try:
        length = len(sent.body) if sent.announced is None else sent.announced
        link.putrequest("POST", sent.path, skip_host="Host" in sent.headers)
        for name, value in {"Content-Length": str(length), **sent.headers}.items():
            link.putheader(name, value)
        link.endheaders(sent.body)
        if sent.announced is not None and link.sock is not None:
            link.sock.shutdown(socket.SHUT_WR)
        answer = link.getresponse()
        body = answer.read()
        said = f"{answer.status} {body[:120].decode(errors='replace')}"
        return Trial(call=call, seen=seen_over_http(answer.status, body), words=said)
    except (OSError, http.client.HTTPException) as error:
        return Trial(call=call, seen=Seen.REFUSED, words=f"blocked: {type(error).__name__}")
    finally:
        link.close()


def after(fault: Callable[[Daemon], object]) -> Probe:
    """Return the probe of calls after something was done to the daemon."""

    def probe(stage: Stage) -> Observation:
        with stage.served() as daemon:
            letters = [(call, letter(stage, call)) for call in CALLS]
            before = post(daemon.port, BENIGN, letters[-1][1])
            done = fault(daemon)
            trials = tuple(post(daemon.port, call, sent) for call, sent in letters)
        return Observation(
            trials=trials, evidence=str(done) if done and before.seen is Seen.RUNS else ""
        )

    return probe


def sent_as(change: Callable[[Letter], Letter]) -> Probe:
    """Return the probe of a request that arrives changed; it must never run anything."""

    def probe(stage: Stage) -> Observation:
        with stage.served() as daemon:
            good = letter(stage, BENIGN)
            before = post(daemon.port, BENIGN, good)
            calls = (DANGER, BENIGN.must_not_run())
            trials = [post(daemon.port, call, change(letter(stage, call))) for call in calls]
        is_there = before.seen is Seen.RUNS and change(good) != good
        return Observation(trials=tuple(trials), evidence="sent changed" if is_there else "")

    return probe


def with_header(**headers: str) -> Callable[[Letter], Letter]:
    """Return the change of a header."""
    return lambda sent: replace(sent, headers={**sent.headers, **headers})


def with_body(change: Callable[[bytes], bytes]) -> Callable[[Letter], Letter]:
    """Return the change of the body."""
    return lambda sent: replace(sent, body=change(sent.body))


LETTERS: Mapping[str, tuple[Kind, Callable[[Letter], Letter]]] = {
    "a token of another installation": (Kind.GARBAGE, with_header(Authorization="Bearer 00")),
    "the name of another host": (Kind.GARBAGE, with_header(Host="rebound.example:4440")),
    "no body": (Kind.GARBAGE, with_body(lambda _: b"")),
    "half an event": (Kind.GARBAGE, with_body(lambda body: body[: len(body) // 2])),
    "two events": (Kind.GARBAGE, with_body(lambda body: body + body)),
    "a name twice": (
        Kind.GARBAGE,
        with_body(lambda body: b'{"tool_input": {"command": "ls"}, ' + body[1:]),
    ),
    "an event that is no text": (Kind.GARBAGE, with_body(lambda body: b"\xff\xfe" + body)),
    "an event of no kind": (Kind.VERSION, with_body(lambda _: b'{"hook_event_name": "Other"}')),
    "depth without end": (Kind.OVERLOAD, with_body(lambda _: b"[" * 100_000)),
    "an event of 2 MB": (Kind.OVERLOAD, with_body(lambda body: body + b" " * 2_000_000)),
    "an event cut on the way": (
        Kind.GARBAGE,
        lambda sent: replace(sent, announced=len(sent.body) + 100),
    ),
    "a path of another version": (Kind.VERSION, lambda sent: replace(sent, path="/hooks/claude")),
}


def _killed(daemon: Daemon) -> str:
    daemon.send(signal.SIGKILL)
    return "killed by SIGKILL"


def _ended(daemon: Daemon) -> str:
    daemon.send(signal.SIGTERM)
    return "ended by SIGTERM"


def _hung(daemon: Daemon) -> str:
    daemon.send(signal.SIGSTOP)
    return "stopped by SIGSTOP" if wait_until(lambda: daemon.is_stopped, 5) else ""


def _without_state(daemon: Daemon) -> str:
    shutil.rmtree(daemon.stage.state)
    return "the state folder was removed"


def _settings_broken(daemon: Daemon) -> str:
    daemon.stage.write("signoff.yaml", "pack: [")
    wait_until(lambda: False, 0.6)
    return "the settings were broken while it ran"


def not_there(stage: Stage) -> Observation:
    """Ask where no daemon listens."""
    Places(str(stage.state)).make()
    port = free_port()
    trials = tuple(post(port, call, letter(stage, call)) for call in CALLS)
    return Observation(trials=trials, evidence="nobody listens on the port")


def cells() -> Iterator[Cell]:
    """Yield every cell."""
    for fault, (kind, change) in LETTERS.items():
        yield Cell(component=NAME, fault=fault, kind=kind, probe=sent_as(change), limit_s=40)
    yield Cell(component=NAME, fault="no daemon", kind=Kind.DOWN, probe=not_there)
    for fault, kind, done in (
        ("the daemon is killed", Kind.KILLED, _killed),
        ("the daemon has ended", Kind.DOWN, _ended),
        ("the daemon hangs", Kind.SLOW, _hung),
        ("the state folder is removed", Kind.CORRUPT, _without_state),
        ("the settings are broken", Kind.RULES, _settings_broken),
    ):
        yield Cell(component=NAME, fault=fault, kind=kind, probe=after(done), limit_s=40)
