"""GitHub Copilot CLI and agents in VS Code: one file of hooks that both read."""

from __future__ import annotations

from pathlib import Path

from signoff.actions.action import Json
from signoff.frontends.hosts.copilot.adapter import ADAPTER, NAME
from signoff.frontends.hosts.copilot.transcripts import FORMAT as TRANSCRIPTS
from signoff.frontends.hosts.host import HostManifest
from signoff.frontends.hosts.installing.targets import Target, hooks_file
from signoff.frontends.hosts.launch import hook_line, report_line

FIRST: dict[str, Json] = {"version": 1}
# Where there is no POSIX shell there is no signoff: a hook that fails refuses.
NOT_HERE = "[Console]::Error.WriteLine('signoff: does not run on Windows'); exit 2"


def targets(folder: Path, *, is_user: bool) -> tuple[Target, ...]:
    """Return the settings file to change, in the user's folder or the repository's."""
    place = folder / (".copilot" if is_user else ".github") / "hooks"
    hook: Json = {
        "type": "command",
        "bash": hook_line(ADAPTER),
        "powershell": NOT_HERE,
        "timeoutSec": ADAPTER.wait.host_s,
    }
    report: Json = {"type": "command", "bash": report_line(ADAPTER), "powershell": "exit 0"}
    hooks = {"preToolUse": hook, "postToolUse": report}
    return (hooks_file(place / "signoff.json", hooks, adapters=(NAME,), first=FIRST),)


HOST = HostManifest(
    name=NAME,
    title="GitHub Copilot CLI and VS Code",
    adapters=(ADAPTER,),
    programs=("copilot", "code", "code-insiders"),
    folders=(".copilot",),
    targets=targets,
    tried=(1, 0, 102),
    older="older versions were not tried; the first ones had no hooks of the user",
    notes=(
        "hooks of a repository run only in folders you trust; your own always do",
        "VS Code runs these hooks where `chat.hooks` is on and your organisation allows it",
    ),
    moved_by="COPILOT_HOME",
    prompt="its own prompt; headless runs (`-p`) are denied",
    guards="blocks and asks; a hook that crashes is a refusal, one that is too slow is not",
    transcripts=TRANSCRIPTS,
)
