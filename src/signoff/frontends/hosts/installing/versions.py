"""Which version of a host is installed here, and what is to be said of it.

str(version_of("/usr/bin/codex"))  ->  "0.169.0"
"""

from __future__ import annotations

import re
import subprocess

from msgspec import Struct

TIMEOUT_S = 20
OUTPUT_LIMIT = 2_000
PARTS = 3
# One number alone may be a year, or a count. Nine digits: `int` raises on thousands of them.
VERSION = re.compile(
    r"\(?v?(?P<numbers>\d{1,9}(?:\.\d{1,9}){1,2})(?P<rest>(?![0-9]).*)", re.ASCII | re.DOTALL
)
# A date or a hash behind the numbers names a build of that version; these words come before it.
PRERELEASE = re.compile(
    r"[-.+_]?(?:a|alpha|b|beta|c|rc|pre|preview|dev|nightly|canary|next|insiders?)(?![a-z])"
)


class HostVersion(Struct, frozen=True, kw_only=True):
    """A program's version.

    Args:
        prerelease: the suffix of a prerelease, "" for a release.
    """

    numbers: tuple[int, ...]
    prerelease: str = ""

    def is_before(self, release: tuple[int, ...]) -> bool:
        """Return whether this version is older than a release."""
        mine, other = _padded(self.numbers), _padded(release)
        return mine < other or (mine == other and bool(self.prerelease))

    def __str__(self) -> str:
        return f"{_text(self.numbers)}{self.prerelease}"


def version_of(program: str) -> HostVersion | None:
    """Return the version that a program prints, None if it prints none."""
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
        return None
    read = map(read_version, done.stdout[:OUTPUT_LIMIT].split())
    return next((version for version in read if version is not None), None)


def read_version(word: str) -> HostVersion | None:
    """Parse a version such as `1.2.3-rc1`, None if the word is not one."""
    found = VERSION.fullmatch(word)
    if found is None:
        return None
    rest = found["rest"].rstrip(".,;:()")
    if rest and rest[0] not in "-.+_abcr":
        return None
    is_before = PRERELEASE.match(rest.casefold()) is not None
    numbers = tuple(map(int, found["numbers"].split(".")))
    return HostVersion(numbers=numbers, prerelease=rest if is_before else "")


def older_than(title: str, found: HostVersion, tried: tuple[int, ...], older: str) -> str:
    """Return a warning if the version is older than the tested one, else "".

    Args:
        title: name of the host.
        tried: the tested version.
        older: what differs in older ones.
    """
    if not found.is_before(tried):
        return ""
    return (
        f"{title} {found} is older than {_text(tried)}, which all of this was tried with: {older}"
    )


def _padded(numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Return three numbers: `1.2` is `1.2.0`."""
    return (*numbers, *(0,) * PARTS)[:PARTS]


def _text(numbers: tuple[int, ...]) -> str:
    return ".".join(map(str, numbers))
