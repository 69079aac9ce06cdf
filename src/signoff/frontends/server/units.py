"""Service files that start the daemon with the session of its user: systemd and launchd.

systemd_unit(["/venv/bin/python", "-I", "-m", "signoff", "serve"])
"""

from __future__ import annotations

import plistlib
from collections.abc import Sequence
from pathlib import Path

LABEL = "org.signoff.daemon"


def systemd_file(home: Path) -> Path:
    """Return where the user's unit belongs."""
    return home / ".config" / "systemd" / "user" / "signoff.service"


def launchd_file(home: Path) -> Path:
    """Return where the user's agent belongs."""
    return home / "Library" / "LaunchAgents" / f"{LABEL}.plist"


def systemd_unit(command: Sequence[str]) -> str:
    """Return a user unit that runs the command and restarts it when it fails."""
    return (
        "[Unit]\n"
        "Description=signoff, the sign-off layer between AI agents and what they do\n"
        "\n"
        "[Service]\n"
        f"ExecStart={' '.join(map(_quoted, command))}\n"
        "Restart=on-failure\n"
        "RestartSec=1\n"
        "UMask=0077\n"
        "NoNewPrivileges=true\n"
        "\n"
        "[Install]\n"
        "WantedBy=default.target\n"
    )


def launchd_plist(command: Sequence[str]) -> str:
    """Return a user agent that runs the command and restarts it when it fails."""
    said = {
        "Label": LABEL,
        "ProgramArguments": list(command),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "Umask": 0o077,
    }
    return plistlib.dumps(said).decode()


def _quoted(word: str) -> str:
    """Return a word as a unit's command line has it."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"'
