"""The shell line a host runs as its hook: an answer in JSON, or the host's refusal.

Whatever becomes of the guard (a missing interpreter, a crash, a signal, its deadline, silence,
half an answer, an answer in a form this host does not know), the line around it refuses in a form
the host honours. It needs nothing but a POSIX shell.

    hook_line("codex")
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from signoff.errors import BadSettings
from signoff.frontends.hosts.wording import one_line

DEADLINE_S = 50
TIMEOUT_S = 60  # the host's limit as installed: the guard's own deadline comes first
NO_ANSWER = "signoff did not let this call through"


@dataclass(frozen=True, slots=True)
class Form:
    """What a host's hook may print, and how the line refuses where nothing of that came.

    Args:
        answers: shell patterns of whole answers.
        refusal: printed with exit status 0; "" = exit status 2 and words on stderr.
        deadline_s: seconds the guard gives itself.
    """

    answers: tuple[str, ...]
    refusal: str = ""
    deadline_s: int = DEADLINE_S


NOTHING = "'{}'"
# What two adapters of one host share stands in their own line below.
FORMS: Mapping[str, Form] = {
    "codex": Form((NOTHING, """'{"hookSpecificOutput": {'*'}}'""")),
    "codex-permission": Form((NOTHING, """'{"hookSpecificOutput": {'*'}}'""")),
    "cursor": Form((NOTHING, """'{"permission": "'*'"}'""")),
    "cursor-tool": Form((NOTHING, """'{"permission": "'*'"}'""")),
    "copilot": Form(
        (NOTHING, """'{"permissionDecision": "'*'"}}'"""),
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
    "gemini": Form((NOTHING, """'{"decision": "deny", '*'"}'""")),
    "antigravity": Form(
        ("""'{"decision": "'*'"}'""",),
        refusal=one_line({"decision": "deny", "reason": NO_ANSWER}),
    ),
    "windsurf": Form((NOTHING,)),
    "kiro": Form((NOTHING,), deadline_s=25),
    "cline": Form(
        ("""'{"cancel": false}'""", """'{"cancel": true, '*'"}'"""),
        refusal=one_line({"cancel": True, "errorMessage": NO_ANSWER}),
        deadline_s=25,
    ),
}


def hook_line(host: str, guard: str = "") -> str:
    """Return the shell line for a host's adapter.

    Args:
        guard: the shell words that run the guard, if not those of this environment.

    Raises:
        BadSettings: it cannot be told which Python this is.
    """
    form = FORMS[host]
    if form.refusal:
        refuse = f"printf '%s\\n' {shlex.quote(form.refusal)}"
    else:
        refuse = f"echo '{NO_ANSWER}' >&2; exit 2"
    return (
        f"if answer=$({guard or shlex.join(guard_words(host, form.deadline_s))}); then "
        f'case "$answer" in {"|".join(form.answers)}) printf \'%s\\n\' "$answer"; exit 0;; '
        f"esac; fi; {refuse}"
    )


def guard_words(host: str, deadline_s: int = DEADLINE_S) -> list[str]:
    """Return the command that answers one event of a host.

    Raises:
        BadSettings: it cannot be told which Python this is.
    """
    if not sys.executable:
        raise BadSettings("cannot tell which Python runs signoff; start it by its full path")
    python = str(Path(sys.executable).absolute())
    return [python, "-I", "-m", "signoff", "hook", host, "--deadline", str(deadline_s)]


def is_ours(text: str, *hosts: str) -> bool:
    """Tell whether a command is a hook of ours for one of these adapters."""
    padded = f" {text.replace(chr(34), ' ').replace(chr(39), ' ').replace(',', ' ')} "
    known = (f" {host} " in padded for host in hosts)
    return any(known) and ("signoff hook " in padded or "/signoff/" in padded)
