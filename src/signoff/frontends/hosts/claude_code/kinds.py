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
from signoff.frontends.client.places import Places, hook_token
from signoff.frontends.client.words import client_words
from signoff.frontends.hosts.claude_code.settings_file import EVENT, HOST, OURS
from signoff.frontends.hosts.waits import IN_PROCESS, WAITS, stop_wait
from signoff.settings import Settings

WAIT = WAITS[HOST]
REPORT_S = 5
ENDED = ("PostToolUse", "PostToolUseFailure")
# What tells the daemon how a session goes; nothing is decided there, and nobody waits.
REPORTED = ("SessionStart", *ENDED, "Notification", "Stop", "StopFailure", "SessionEnd")
STOP = "Stop"

Hook = dict[str, Json]


class HookKind(StrEnum):
    """How Claude Code reaches signoff."""

    COMMAND = "command"
    HTTP = "http"
    IN_PROCESS = "in_process"


def hooks_of(kind: HookKind, settings: Settings) -> Mapping[str, Hook]:
    """Return the hooks of a kind by event.

    Raises:
        BadSettings: it is unknown which Python this is.
        StoreError: the token cannot be made or read.
    """
    match kind:
        case HookKind.IN_PROCESS:
            return {EVENT: _command(own_command(), IN_PROCESS.host_s)}
        case HookKind.COMMAND:
            line = answer_or_refuse(
                shlex.join(client_words(HOST, settings, deadline_s=WAIT.deadline_s))
            )
            return {EVENT: _command(line, WAIT.host_s), **_reports(settings)}
        case HookKind.HTTP:
            return {EVENT: _http(settings), **_reports(settings)}
        case _:
            assert_never(kind)


def command_line(interpreter: str, *, deadline_s: int = IN_PROCESS.deadline_s) -> str:
    """Return the shell command that judges in a process of its own."""
    return answer_or_refuse(f"{shlex.quote(interpreter)} -I {OURS} --deadline {deadline_s}")


def own_command() -> str:
    """Return the command that judges in a process of this environment.

    Raises:
        BadSettings: it is unknown which Python this is.
    """
    if not sys.executable:
        raise BadSettings("cannot tell which Python runs signoff; start it by its full path")
    return command_line(str(Path(sys.executable).absolute()))


def answer_or_refuse(guard: str) -> str:
    """Return the shell command Claude Code runs: an answer in JSON, or exit status 2.

    A missing interpreter or package, a crash, a signal, silence and anything on stdout that is no
    JSON object all end in status 2, which every version of Claude Code takes for a refusal.
    """
    return (
        f"if answer=$({guard}); then "
        "case \"$answer\" in '{'*'}') printf '%s\\n' \"$answer\"; exit 0;; esac; fi; "
        "echo 'signoff gave no answer, so this call is blocked' >&2; exit 2"
    )


def _command(line: str, timeout_s: int) -> Hook:
    return {
        "type": "command",
        "command": line,
        "timeout": timeout_s,
        "onFailure": "block",
        "statusMessage": "signoff",
    }


def _http(settings: Settings) -> Hook:
    """Return the hook that asks the daemon directly; its token is good for this hook only."""
    places = Places(settings.state_dir)
    places.make()
    return {
        "type": "http",
        "url": f"http://127.0.0.1:{settings.port}/hooks/{HOST}",
        "headers": {"Authorization": f"Bearer {hook_token(places.token(), HOST)}"},
        "timeout": WAIT.host_s,
        "onFailure": "block",
        "statusMessage": "signoff",
    }


def _reports(settings: Settings) -> Mapping[str, Hook]:
    line = shlex.join(client_words(HOST, settings, deadline_s=REPORT_S, is_report=True))
    reports: dict[str, Hook] = {
        event: {"type": "command", "command": line, "async": True} for event in REPORTED
    }
    if settings.stops.mode is not StopMode.OFF:
        reports[STOP] = _stop(settings)
    return reports


def _stop(settings: Settings) -> Hook:
    """Return the hook that waits for what an agent that has stopped is told; it refuses nothing."""
    wait = stop_wait(settings.stops.wait_s)
    line = shlex.join(client_words(HOST, settings, deadline_s=wait.deadline_s, is_report=True))
    return {
        "type": "command",
        "command": line,
        "timeout": wait.host_s,
        "statusMessage": "signoff: what next?",
    }
