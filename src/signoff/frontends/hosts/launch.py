"""The shell line a host runs as its hook: an answer in JSON, or the host's refusal.

Whatever becomes of the guard (a missing interpreter, a crash, a signal, its deadline, silence,
half an answer, an answer in a form this host does not know), the line around it refuses in a form
the host honours. It needs nothing but a POSIX shell.

    hook_line("codex")
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass

from signoff.challenge.words.stopping import StopMode
from signoff.frontends.client.words import MARK, REPORT_MARK, client_words
from signoff.frontends.hosts.waits import WAITS, stop_wait
from signoff.frontends.hosts.wording import one_line
from signoff.settings import load_settings

REPORT_S = 5
NO_ANSWER = "signoff did not let this call through"


@dataclass(frozen=True, slots=True)
class HookOutputFormat:
    """What a host's hook may print, and how the line refuses where nothing of that came.

    Args:
        answers: shell patterns of whole answers.
        refusal: printed with exit status 0; "" = exit status 2 and words on stderr.
    """

    answers: tuple[str, ...]
    refusal: str = ""


NOTHING = "'{}'"
CLAUDE_LIKE = '{"hookSpecificOutput": {"hookEventName":'
DECISION = f'{CLAUDE_LIKE} "PreToolUse", "permissionDecision":'
PERMISSION = f'{CLAUDE_LIKE} "PermissionRequest", "decision":'
FORMS: Mapping[str, HookOutputFormat] = {
    "codex": HookOutputFormat(
        (
            NOTHING,
            f"""'{DECISION} "deny", '*'"}}}}'""",
            f"""'{DECISION} "allow", "updatedInput": '*'}}}}'""",
        )
    ),
    "codex-permission": HookOutputFormat(
        (
            NOTHING,
            f"""'{PERMISSION} {{"behavior": "allow"}}}}}}'""",
            f"""'{PERMISSION} {{"behavior": "deny", '*'"}}}}}}'""",
        )
    ),
    "cursor": HookOutputFormat(
        (
            NOTHING,
            """'{"permission": "allow"}'""",
            """'{"permission": "ask", '*'"}'""",
            """'{"permission": "deny", '*'"}'""",
        )
    ),
    "cursor-tool": HookOutputFormat((NOTHING, """'{"permission": "deny", '*'"}'""")),
    "copilot": HookOutputFormat(
        (
            NOTHING,
            """'{"permissionDecision": "allow", '*'"}}'""",
            """'{"permissionDecision": "ask", '*'"}}'""",
            """'{"permissionDecision": "deny", '*'"}}'""",
        ),
        refusal=one_line(
            {
                "permissionDecision": "deny",
                "permissionDecisionReason": NO_ANSWER,
                "hookSpecificOutput": {
                    "hookEventName": "PreToolUse",
                    "permissionDecision": "deny",
                    "permissionDecisionReason": NO_ANSWER,
                },
            }
        ),
    ),
    "gemini": HookOutputFormat(
        (
            NOTHING,
            """'{"decision": "deny", '*'"}'""",
            """'{"decision": "allow", "hookSpecificOutput": {"tool_input": '*'}}'""",
        )
    ),
    "antigravity": HookOutputFormat(
        (
            """'{"decision": "allow"}'""",
            """'{"decision": "force_ask", '*'"}'""",
            """'{"decision": "deny", '*'"}'""",
        ),
        refusal=one_line({"decision": "deny", "reason": NO_ANSWER}),
    ),
    "windsurf": HookOutputFormat((NOTHING,)),
    "kiro": HookOutputFormat((NOTHING,)),
    "cline": HookOutputFormat(
        ("""'{"cancel": false}'""", """'{"cancel": true, '*'"}'"""),
        refusal=one_line({"cancel": True, "errorMessage": NO_ANSWER}),
    ),
}


def hook_line(host: str, guard: str = "", *, patience_s: float | None = None) -> str:
    """Return the shell line for a host's adapter.

    Args:
        guard: the shell words that run the guard, if not those of this environment.
        patience_s: seconds after which a guard that does not even end itself is killed.

    Raises:
        BadSettings: the user's settings cannot be read, or it is unknown which Python this is.
    """
    form = FORMS[host]
    words = guard or shlex.join(guard_words(host))
    watch = _watch(WAITS[host].kill_s if patience_s is None else patience_s)
    if form.refusal:
        refuse = f"printf '%s\\n' {shlex.quote(form.refusal)}"
    else:
        refuse = f"echo '{NO_ANSWER}' >&2; exit 2"
    return (
        f"if answer=$({watch}{words}); then "
        f'case "$answer" in {"|".join(form.answers)}) printf \'%s\\n\' "$answer"; exit 0;; '
        f"esac; fi; {refuse}"
    )


def _watch(patience_s: float) -> str:
    """Return what kills a guard that was stopped by a signal, where this system has it.

    Hosts that run a call at their own time limit would run it then.
    """
    program = shutil.which("timeout", path=os.defpath) or shutil.which("timeout")
    return f"{shlex.quote(program)} -s KILL {patience_s:g} " if program else ""


def report_line(host: str) -> str:
    """Return the shell line that tells the daemon of what has happened already; it decides nothing.

    Raises:
        BadSettings: as `hook_line`.
    """
    return shlex.join(client_words(host, load_settings(), deadline_s=REPORT_S, is_report=True))


def stop_line(host: str) -> tuple[str, int] | None:
    """Return the shell line that waits for what an agent that has stopped is told, and its limit.

    None where the user wants stops only reported. It says words or nothing, and refuses nothing.

    Raises:
        BadSettings: as `hook_line`.
    """
    settings = load_settings()
    if settings.stops.mode is StopMode.OFF:
        return None
    wait = stop_wait(settings.stops.wait_s)
    words = client_words(host, settings, deadline_s=wait.deadline_s, is_report=True)
    return shlex.join(words), wait.host_s


def guard_words(host: str) -> list[str]:
    """Return the command that answers one event of a host, by way of the daemon.

    Raises:
        BadSettings: the user's settings cannot be read, or it is unknown which Python this is.
    """
    return client_words(host, load_settings(), deadline_s=WAITS[host].deadline_s)


def decides(command: str) -> bool:
    """Tell whether a command of ours is one that decides, and not one that only reports."""
    return REPORT_MARK not in command.split()


def is_ours(command: str, *hosts: str) -> bool:
    """Tell whether a command is a hook of ours for one of these adapters."""
    bare = command.replace("'", "")
    marks = (m for host in hosts for m in (f"-m signoff hook {host} ", f" {host} {MARK} "))
    return any(mark in bare for mark in marks)
