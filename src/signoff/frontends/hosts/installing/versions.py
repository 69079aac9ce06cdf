"""Which version of a host is installed here, and what is to be said of it.

version_of("/usr/bin/codex")  ->  (0, 169, 0)
"""

from __future__ import annotations

import subprocess

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
            # A program that knows no `--version` may wait for input.
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    for word in done.stdout[:OUTPUT_LIMIT].split():
        parts = word.strip("v,;:()").rstrip(".").split(".")
        # One number alone may be a year, or a count.
        if len(parts) >= 2 and all(part.isascii() and part.isdigit() for part in parts[:3]):
            # Cut, as `int` raises on thousands of digits.
            return tuple(int(part[:9]) for part in parts[:3])
    return ()


def older_than(title: str, found: tuple[int, ...], tried: tuple[int, ...], older: str) -> str:
    """Return what is to be said of a version, "" if it is none before the one that was tried."""
    if found >= tried:
        return ""
    return (
        f"{title} {_text(found)} is older than {_text(tried)}, which all of this was tried with:"
        f" {older}"
    )


def _text(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
