"""The ways Claude Code can reach signoff, and the hooks each of them is installed as.

command     a small client asks the daemon; without one, as `hosts.without_daemon` says
http        Claude Code asks the daemon itself; without one every call is refused
in_process  each call is judged by a process of its own; needs no daemon, and is slower

hooks_of(Kind.COMMAND, settings)["PreToolUse"]
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import assert_never

from signoff.actions.action import Json
from signoff.challenge.words.stopping import StopMode
from signoff.errors import BadSettings
from signoff.frontends.client.found import service_here
from signoff.frontends.client.hook_tokens import wanted_token
from signoff.frontends.client.places import Places, hook_token
from signoff.frontends.client.words import REPORT_MARK, client_words
from signoff.frontends.hosts.claude_code.adapter import ADAPTER, NAME
from signoff.frontends.hosts.claude_code.settings_file import EVENT, OURS
from signoff.frontends.hosts.installing.versions import version_of
from signoff.frontends.hosts.launch import REPORT_S, hook_line
from signoff.frontends.hosts.results.lines import result_line
from signoff.frontends.hosts.waits import CHECKING, IN_PROCESS, WAITING, Wait, stop_wait
from signoff.settings import Settings

BLOCKS_ON_FAILURE = (2, 1, 295)  # the first version that honours onFailure: "block"
WAIT = ADAPTER.wait
ENDED = ("PostToolUse", "PostToolUseFailure")
# What tells the daemon how a session goes; nothing is decided there.
REPORTED = ("SessionStart", *ENDED, "Notification", "Stop", "StopFailure", "SessionEnd")
# What the record needs. Claude Code kills the hooks it does not wait for when a `-p` session ends
# (seen with 2.1.330: one that needs 1 s never finishes), so it has to wait for these.
AWAITED = (*ENDED, "SessionEnd")
REPORT_HOST_S = REPORT_S + 2  # the client gives up first
STOP = "Stop"
RESULT = "PostToolUse"

Hook = dict[str, Json]


class HookKind(StrEnum):
    """How Claude Code reaches signoff."""

    COMMAND = "command"
    HTTP = "http"
    IN_PROCESS = "in_process"


def hooks_of(kind: HookKind, settings: Settings) -> Mapping[str, Hook]:
    """Return the hooks to install, by event.

    Raises:
        BadSettings: it is unknown which Python this is.
        StoreError: the token cannot be made or read.
    """
    match kind:
        case HookKind.IN_PROCESS:
            # No reports: there is no daemon that would keep them.
            return {EVENT: _command(own_command(), IN_PROCESS, shown=CHECKING)}
        case HookKind.COMMAND:
            words = client_words(NAME, settings, deadline_s=WAIT.deadline_s)
            line = answer_or_refuse(shlex.join(words))
            return {EVENT: _command(line, WAIT, shown=WAITING), **_reports(settings)}
        case HookKind.HTTP:
            return {EVENT: _http(settings), **_reports(settings)}
        case _:
            assert_never(kind)


def command_line(interpreter: str, *, deadline_s: int = IN_PROCESS.deadline_s) -> str:
    """Return the shell command that judges in a process of its own.

    Args:
        interpreter: path of Python.
    """
    return answer_or_refuse(f"{shlex.quote(interpreter)} -I {OURS} --deadline {deadline_s}")


def own_command() -> str:
    """Return the shell command that judges with this environment's Python.

    Raises:
        BadSettings: the path of this Python is unknown.
    """
    if not sys.executable:
        raise BadSettings("cannot tell which Python runs signoff; start it by its full path")
    return command_line(str(Path(sys.executable).absolute()))


def answer_or_refuse(guard: str) -> str:
    """Return the shell command to install: it prints an answer in JSON, or exits with 2.

    A missing interpreter or package, a crash, a signal, silence, and output that is no JSON object
    all end in status 2, which every version of Claude Code takes as a denial.
    """
    return hook_line(ADAPTER, guard)


def version_warnings(claude: str | None, *, is_old: bool = False) -> tuple[str, ...]:
    """Return warnings about the installed version of Claude Code, if any.

    Args:
        claude: path of the program; None = not found.
        is_old: only warn if it is too old to fail closed.
    """
    if claude is None:
        return ()
    found = version_of(claude)
    if found is None:
        # A version that nobody knows is no reason to refuse an installation.
        return () if is_old else (f"{claude} --version does not name a version",)
    if not found.is_before(BLOCKS_ON_FAILURE):
        return ()
    return (
        f"Claude Code {found} ignores `onFailure`: if the hook is killed at the"
        " host's time limit or cannot be started at all, calls run unchecked; update to 2.1.295 or"
        " later",
    )


def _command(line: str, wait: Wait, *, shown: str) -> Hook:
    return {
        "type": "command",
        "command": line,
        "timeout": wait.host_s,
        "onFailure": "block",
        "statusMessage": shown,
    }


def _http(settings: Settings) -> Hook:
    """Return the hook that asks the daemon directly; its token is good for this hook only.

    Raises:
        BadSettings: the daemon is a service, and gives this user no token.
    """
    service = service_here()
    if service is not None:
        port, token = wanted_token(service.socket, NAME)
    else:
        places = Places(settings.state_dir)
        places.make()
        port, token = settings.port, hook_token(places.token(), NAME)
    return {
        "type": "http",
        "url": f"http://127.0.0.1:{port}/hooks/{NAME}",
        "headers": {"Authorization": f"Bearer {token}"},
        "timeout": WAIT.host_s,
        "onFailure": "block",
        "statusMessage": WAITING,
    }


def report_hook(event: str, line: str) -> Hook:
    """Return the hook that runs a shell line to report an event."""
    how: Hook = {"timeout": REPORT_HOST_S} if event in AWAITED else {"async": True}
    return {"type": "command", "command": line, **how}


def result_hook(line: str, timeout_s: int) -> Hook:
    """Return the hook that runs a shell line to have a result read."""
    shown = "signoff: reading the result"
    return {"type": "command", "command": line, "timeout": timeout_s, "statusMessage": shown}


def _reports(settings: Settings) -> Mapping[str, Hook]:
    line = shlex.join(client_words(NAME, settings, deadline_s=REPORT_S, mark=REPORT_MARK))
    reports: dict[str, Hook] = {event: report_hook(event, line) for event in REPORTED}
    if (found := result_line(ADAPTER, settings)) is not None:
        reports[RESULT] = result_hook(*found)
    if settings.stops.mode is not StopMode.OFF:
        reports[STOP] = _stop(settings)
    return reports


def _stop(settings: Settings) -> Hook:
    """Return the hook that waits for the text to a stopped agent; it refuses nothing."""
    wait = stop_wait(settings.stops.wait_s)
    words = client_words(NAME, settings, deadline_s=wait.deadline_s, mark=REPORT_MARK)
    line = shlex.join(words)
    return {
        "type": "command",
        "command": line,
        "timeout": wait.host_s,
        "statusMessage": "signoff: what next?",
    }
