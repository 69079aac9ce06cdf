"""What is put before a command people approved: `signoff exec`, in the shell that runs it.

Claude Code judges the command it is given back by its own rules, so the command itself stays in
it: replaced by one word of ours, the host's deny and ask rules would never see it. The host's
shell ends at `exit`, before it has read the rest.

    preceded(action, "9f...")["command"]
        -> "/.../python -I -m signoff exec 9f... || exit 126\\ngit push origin main"
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from signoff.actions.action import Action, Json
from signoff.errors import BadSettings

REFUSED = 126  # as a shell says that a program may not be started
SESSION_VARIABLE = "CLAUDE_CODE_SESSION_ID"  # set by the host for the commands it runs


def preceded(action: Action, request_id: str) -> dict[str, Json]:
    """Return the whole input of the shell tool, with the last look before its command.

    Raises:
        BadSettings: it is unknown which Python this is.
    """
    if not sys.executable:
        raise BadSettings("cannot tell which Python runs signoff; start it by its full path")
    # By its full path: what `signoff` is on the PATH of the command is for others to say.
    python = str(Path(sys.executable).absolute())
    look = shlex.join([python, "-I", "-m", "signoff", "exec", request_id])
    told: dict[str, Json] = {"description": action.description} if action.description else {}
    command = f"{look} || exit {REFUSED}\n{action.text('command')}"
    return {**action.arguments, **told, "command": command}
