"""Service files that start the daemon with the session of its user: systemd and launchd.

The variables that choose folders go with the command: a daemon on other folders than the hooks'
would answer nobody.

    systemd_unit(["/venv/bin/python", "-I", "-m", "signoff", "serve"], folder_variables())
"""

from __future__ import annotations

import plistlib
from collections.abc import Mapping, Sequence
from pathlib import Path

LABEL = "org.signoff.daemon"


def systemd_file(home: Path, chosen: Mapping[str, str]) -> Path:
    """Return the path of the user's systemd unit.

    Args:
        chosen: environment variables.
    """
    config = Path(chosen.get("XDG_CONFIG_HOME") or home / ".config")
    return config / "systemd" / "user" / "signoff.service"


def launchd_file(home: Path) -> Path:
    """Return the path of the user's launchd agent."""
    return home / "Library" / "LaunchAgents" / f"{LABEL}.plist"


def systemd_unit(command: Sequence[str], chosen: Mapping[str, str]) -> str:
    """Return the text of a systemd user unit that runs the command and restarts it on failure.

    Args:
        chosen: environment variables to set.
    """
    variables = (f"Environment={quoted(f'{name}={value}')}\n" for name, value in chosen.items())
    return (
        "[Unit]\n"
        "Description=signoff, the sign-off layer between AI agents and what they do\n"
        "\n"
        "[Service]\n"
        f"ExecStart={' '.join(map(quoted, command)).replace('$', '$$')}\n"
        f"{''.join(variables)}"
        "Restart=on-failure\n"
        "RestartSec=1\n"
        "UMask=0077\n"
        "NoNewPrivileges=true\n"
        "\n"
        "[Install]\n"
        "WantedBy=default.target\n"
    )


def launchd_plist(command: Sequence[str], chosen: Mapping[str, str]) -> str:
    """Return the text of a launchd agent that runs the command and restarts it on failure.

    Args:
        chosen: environment variables to set.
    """
    said = {
        "Label": LABEL,
        "ProgramArguments": list(command),
        **({"EnvironmentVariables": dict(chosen)} if chosen else {}),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "Umask": 0o077,
    }
    return plistlib.dumps(said).decode()


def quoted(word: str) -> str:
    """Return a word quoted for a systemd unit, with `$` doubled."""
    # `%` begins a specifier in every value of a unit (systemd.unit(5)).
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'
