"""Which version of a host is installed here, and what is to be said of it.

version_warning(installer, "/usr/bin/codex")  ->  "" or "codex 0.90.0 is older than ..."
"""

from __future__ import annotations

import subprocess

from signoff.frontends.hosts.installing.installer import Installer

TIMEOUT_S = 20
OUTPUT_LIMIT = 2_000


def version_of(program: str) -> tuple[int, ...]:
    """Return the version a program says it is, () if it says none."""
    try:
        done = subprocess.run(  # noqa: S603 - the program the user installed, fixed arguments
            [program, "--version"],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIMEOUT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    for word in done.stdout[:OUTPUT_LIMIT].split():
        parts = word.strip("v,;:()").rstrip(".").split(".")
        if len(parts) >= 2 and all(part.isascii() and part.isdigit() for part in parts[:3]):
            return tuple(int(part[:9]) for part in parts[:3])
    return ()


def version_warning(installer: Installer, program: str) -> str:
    """Return what a person should know of the installed version, "" if nothing."""
    if not installer.tried:
        return f"{installer.title} was not tried for real: what signoff does rests on its documents"
    found = version_of(program)
    if not found:
        return f"{program} --version does not name a version"
    if found >= installer.tried:
        return ""
    return (
        f"{installer.title} {_text(found)} is older than {_text(installer.tried)}, which all of"
        f" this was tried with: {installer.older}"
    )


def _text(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
