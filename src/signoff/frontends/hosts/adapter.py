"""What a host's adapter is: how its hook's JSON is read, and how it is answered.

One adapter a host, listed in `registry.py`. `parse` reads an event; `render` says a decision in
the form the host honours; `failure` says a refusal where nothing could be decided; `nothing` is
the answer to an event that only reports. An answer is exactly one JSON object on stdout or
nothing, and an exit status: over HTTP the body is `stdout`, or `stderr` where the status is not 0.

    Adapter(name="claude-code", parse=parse, render=render, failure=failure, nothing=NOTHING)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from signoff.decide.decision import Decision
from signoff.frontends.payloads import Payload
from signoff.settings import HostsAllow


class ReportKind(StrEnum):
    """What a host tells of a session."""

    START = "start"  # a session began or was taken up again
    PROMPT = "prompt"  # a person said something
    TOOL_DONE = "tool_done"  # a call has happened
    WAITING = "waiting"  # the host waits for a person
    STOP = "stop"  # the agent has ended its turn
    END = "end"  # the session is over
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Something that has happened in a session, nothing left to decide."""

    kind: ReportKind
    session: str
    agent: str = ""
    cwd: str = ""
    tool: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event of a host: a call to be judged, or else a report."""

    call: Payload | None = None
    report: Report | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HostAnswer:
    """What the host's hook process says and how it ends."""

    stdout: str = ""
    stderr: str = ""
    status: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapter:
    """A host's own language.

    Args:
        parse: reads an event; raises BadPayload.
        render: says a decision, told which allows the host is to hear.
        failure: says a refusal with its reason, whatever went wrong.
        nothing: answers a report.
        can_ask: the host has a prompt of its own that a hook can call for.
    """

    name: str
    parse: Callable[[bytes], Event]
    render: Callable[[Decision, HostsAllow], HostAnswer]
    failure: Callable[[str], HostAnswer]
    nothing: HostAnswer
    can_ask: bool = True
