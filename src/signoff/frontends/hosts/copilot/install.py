"""GitHub Copilot CLI and agents in VS Code: one file of hooks that both read."""

from __future__ import annotations

from pathlib import Path

from signoff.actions.action import Json
from signoff.frontends.hosts.installing.installer import Installer, Target, hooks_file
from signoff.frontends.hosts.launch import hook_line, report_line
from signoff.frontends.hosts.waits import WAITS

FIRST: dict[str, Json] = {"version": 1}
# Where there is no POSIX shell there is no signoff: a hook that fails refuses.
NOT_HERE = "[Console]::Error.WriteLine('signoff: does not run on Windows'); exit 2"


def targets(folder: Path, *, is_user: bool) -> tuple[Target, ...]:
    """Return the file, in the user's folder or the repository's."""
    place = folder / (".copilot" if is_user else ".github") / "hooks"
    hook: Json = {
        "type": "command",
        "bash": hook_line("copilot"),
        "powershell": NOT_HERE,
        "timeoutSec": WAITS["copilot"].host_s,
    }
    report: Json = {"type": "command", "bash": report_line("copilot"), "powershell": "exit 0"}
    hooks = {"preToolUse": hook, "postToolUse": report}
    return (hooks_file(place / "signoff.json", hooks, adapters=("copilot",), first=FIRST),)


INSTALLER = Installer(
    name="copilot",
    title="GitHub Copilot CLI and VS Code",
    programs=("copilot", "code", "code-insiders"),
    folders=(".copilot",),
    targets=targets,
    canaries={
        "copilot": {
            "sessionId": "signoff-doctor",
            "cwd": "/",
            "toolName": "bash",
            "toolArgs": {"command": "rm -rf /"},
        }
    },
    tried=(1, 0, 102),
    older="older versions were not tried; the first ones had no hooks of the user",
    notes=(
        "hooks of a repository run only in folders you trust; your own always do",
        "VS Code runs these hooks where `chat.hooks` is on and your organisation allows it",
    ),
    moved_by="COPILOT_HOME",
    guards="blocks and asks; a hook that crashes is a refusal, one that is too slow is not",
)
