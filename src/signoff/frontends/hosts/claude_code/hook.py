"""The door Claude Code knocks at before a tool runs: `signoff hook claude-code`.

Reads one event on stdin and writes exactly one JSON object on stdout. Everything else that may
happen (an unreadable event, an exception, a full pipe, its own deadline, a signal) ends with exit
status 2 and a reason on stderr, or with a status the installed command turns into 2: for Claude
Code that is a refusal. While it works, stdout is closed to everybody but the answer, so that no
library can write into it.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence

from signoff.actions.action import Action
from signoff.challenge.visible import visible
from signoff.decide.decision import Decision
from signoff.errors import BadPayload
from signoff.frontends.hosts.claude_code.answer import NO_DECISION, answer
from signoff.frontends.payloads import parse_object, read_call
from signoff.frontends.strict_json import MAX_BYTES
from signoff.settings import HostsAllow

SOURCE = "claude-code"
REFUSED = 2
# Events that report what has happened already: nothing is left to decide.
REPORTS = frozenset({"PostToolUse", "PostToolUseFailure"})

Decide = Callable[[Action], Decision]
Connect = Callable[[], tuple[Decide, HostsAllow]]


def connect() -> tuple[Decide, HostsAllow]:
    """Load and build what decides; done late, so that its failure is a refusal as well."""
    from signoff.frontends.hosts.claude_code import connection  # noqa: PLC0415 - as said above

    return connection.connect()


def run(arguments: Sequence[str], connect: Connect = connect) -> int:
    """Answer one event; return the exit status.

    Args:
        arguments: `--deadline SECONDS` or nothing.
    """
    try:
        _arm(arguments)
        out = os.dup(1)
        os.dup2(2, 1)
        event = sys.stdin.buffer.read(MAX_BYTES + 1)
        _write(out, f"{respond(event, connect)}\n".encode())
    except BaseException as error:  # noqa: BLE001 - no failure of any kind may let a call through
        return _refuse(error)
    return 0


def respond(event: bytes, connect: Connect) -> str:
    """Return the answer to one event.

    Raises:
        BadPayload: the event cannot be read.
    """
    names = parse_object(event)
    if names.get("hook_event_name") in REPORTS:
        return NO_DECISION
    if "tool_name" not in names:
        raise BadPayload("event names no tool")
    call = read_call(names, source=SOURCE)
    decide, hosts_allow = connect()
    return answer(decide(call.action), hosts_allow)


def _arm(arguments: Sequence[str]) -> None:
    """End this process at its deadline, whatever it is doing then.

    The signal keeps its default action: the kernel ends the process even while it is stuck in a
    library, and the installed command refuses for it.
    """
    match list(arguments):
        case []:
            return
        case ["--deadline", seconds]:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
            signal.setitimer(signal.ITIMER_REAL, float(seconds))
        case _:
            raise BadPayload("usage: signoff hook claude-code [--deadline SECONDS]")


def _write(out: int, text: bytes) -> None:
    while text:
        text = text[os.write(out, text) :]


def _refuse(error: BaseException) -> int:
    """Say why on stderr, if anybody listens."""
    reason = visible(f"{type(error).__name__}: {error}"[:500])
    try:
        os.write(2, f"signoff: cannot decide, so it is refused: {reason}\n".encode())
    except OSError:
        return REFUSED
    return REFUSED
