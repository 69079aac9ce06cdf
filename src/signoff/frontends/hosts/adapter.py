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

from signoff.actions.action import Action
from signoff.decide.decision import Decision
from signoff.frontends.payloads import Names, Payload
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
class AgentStop:
    """How an agent has ended its turn, where its host takes words that make it go on.

    Args:
        is_again: it had stopped before and was sent on by a hook; its user has said nothing since.
        last_words: what it said last.
        has_tasks: something of its own still runs, and wakes it when it ends.
    """

    is_again: bool
    last_words: str = ""
    has_tasks: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Something that has happened in a session, nothing left to decide.

    Args:
        call_id: the host's id of the call that has ended, "" where it gives none.
        call: the call that has ended, where the host tells it again.
        has_failed: it has ended in an error.
    """

    kind: ReportKind
    session: str
    agent: str = ""
    cwd: str = ""
    tool: str = ""
    call_id: str = ""
    call: Action | None = None
    has_failed: bool = False
    stop: AgentStop | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HostEvent:
    """One event of a host: a call to be judged, or else a report.

    Args:
        retell: returns changed arguments of the call in the host's own names; raises BadPayload
            where the host cannot be given them.
    """

    call: Payload | None = None
    report: Report | None = None
    retell: Callable[[Names], Names] | None = None


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
        render_edited: says an allow of arguments that a person has changed, which then run in
            place of those that were asked about; None = the host takes no others.
        go_on: tells an agent that has stopped what it is to do; None = the host takes no words.
        repeats: tells whether a call of this adapter is one, as it was let go, of which another
            adapter of the same host has told before it; None = that does not happen.
    """

    name: str
    parse: Callable[[bytes], HostEvent]
    render: Callable[[Decision, HostsAllow], HostAnswer]
    failure: Callable[[str], HostAnswer]
    nothing: HostAnswer
    can_ask: bool = True
    render_edited: Callable[[Decision, Names], HostAnswer] | None = None
    go_on: Callable[[str], HostAnswer] | None = None
    repeats: Callable[[Action, Action], bool] | None = None
