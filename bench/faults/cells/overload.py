"""More than can be served: floods of calls, of connections that say nothing, of long texts."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator

from bench.faults.calls import BENIGN, CALLS, DANGER, DOUBT, Call, Observation, Trial
from bench.faults.cell import Cell, Kind, Probe
from bench.faults.stage import Stage, begin_client, ended_client, trial

NAME = "daemon"
LONG = Call(command="true " + "x" * 900_000 + "; rm -rf ~", at_most=DANGER.at_most)
MANY = Call(command="; ".join(["true"] * 30_000) + "; rm -rf ~", at_most=DOUBT.at_most)
DEEP = Call(command="$(" * 20_000 + "rm -rf ~" + ")" * 20_000, at_most=DOUBT.at_most)


def flood(count: int) -> Probe:
    """Return the probe of many calls at once."""

    def probe(stage: Stage) -> Observation:
        with stage.served():
            calls = [(DANGER, BENIGN)[at % 2] for at in range(count)]
            running = [begin_client(stage, call) for call in calls]
            trials = tuple(
                trial(call, ended_client(process))
                for call, process in zip(calls, running, strict=True)
            )
        return Observation(trials=trials, evidence=f"{count} calls at once")

    return probe


def silent_connections(stage: Stage) -> Observation:
    """Hold connections that never finish their request, on both sockets."""
    with stage.served() as daemon, contextlib.ExitStack() as held:
        for at in range(300):
            if at % 2:
                link = socket.create_connection(("127.0.0.1", daemon.port))
            else:
                link = socket.socket(socket.AF_UNIX)
                link.connect(str(stage.socket))
            held.enter_context(link)
            link.sendall(b"POST /hooks/claude-code HTTP/1.1\r\nhost: localhost\r\ncontent-le")
        trials = tuple(map(stage.client, CALLS))
    return Observation(trials=trials, evidence="300 connections were held")


def hard(call: Call) -> Probe:
    """Return the probe of a call that is hard to read."""

    def probe(stage: Stage) -> Observation:
        with stage.served():
            trials: tuple[Trial, ...] = (stage.client(call), *map(stage.client, CALLS))
        return Observation(trials=trials, evidence=f"a line of {len(call.command)} characters")

    return probe


def cells() -> Iterator[Cell]:
    """Yield every cell."""
    for fault, probe, is_quick in (
        ("40 calls at once", flood(40), True),
        ("200 calls at once", flood(200), False),
        ("300 connections that say nothing", silent_connections, True),
        ("a line of 900 kB", hard(LONG), True),
        ("a line of 30,000 commands", hard(MANY), False),
        ("a line 20,000 deep", hard(DEEP), False),
    ):
        yield Cell(
            component=NAME, fault=fault, kind=Kind.OVERLOAD, probe=probe, is_quick=is_quick,
            limit_s=60,
        )  # fmt: skip
