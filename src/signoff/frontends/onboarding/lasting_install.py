"""Whether this signoff will still be here tomorrow, and how it gets installed to stay if not.

`uvx` and `pipx run` keep their environments in a cache, which can be cleared at any time. A hook
that names a Python in there would then block every call.

    install = lasting_install(Path(sys.prefix), os.environ)
    if install is not None:
        program = install.carry_out()       # ~/.local/bin/signoff
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, TextIO

from msgspec import Struct

from signoff.errors import SignoffError

PACKAGE = "signoff"
CACHE_MARK = "CACHEDIR.TAG"  # https://bford.info/cachedir/
CACHE_FOLDERS = frozenset({".cache"})
INSTALL_S = 600
# As metadata says it: `Requires-Dist: asyncpg>=0.30; extra == 'postgresql'`.
EXTRA = re.compile(r"""extra == ['"]([\w.-]+)['"]""")
NAME = re.compile(r"[\w.-]+")
NO_INSTALLER = (
    "signoff runs from a cache that can be cleared, and every call would be blocked from then on."
    " Install it first, with `pipx install {source}` or `uv tool install {source}`, then run"
    " `signoff init`"
)


class CannotInstall(SignoffError):
    """The lasting installation failed; nothing else was changed."""


class LastingInstall(Struct, frozen=True, kw_only=True):
    """A command that installs signoff permanently.

    Args:
        command: the installer's words; () if this machine has none.
        source: what is installed, in the installer's syntax.
        folder: words of a command that prints the folder of installed programs.
    """

    command: tuple[str, ...]
    source: str
    folder: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        """The command as one would type it."""
        return shlex.join((os.path.basename(self.command[0]), *self.command[1:]))

    def carry_out(self, *, is_quiet: bool = False) -> Path:
        """Run the installer; return the path of the installed program.

        Args:
            is_quiet: hide the installer's own output.

        Raises:
            CannotInstall: there is no installer, or it failed.
        """
        if not self.command:
            raise CannotInstall(NO_INSTALLER.format(source=shlex.quote(self.source)))
        # With `--json` standard output holds the answer and nothing else.
        _run(self.command, stdout=sys.stderr if is_quiet else None)
        program = Path(_run(self.folder, stdout=subprocess.PIPE).strip(), PACKAGE)
        if not program.is_file():
            raise CannotInstall(f"`{self.said}` ended well, but left no {program}")
        return program


def lasting_install(prefix: Path, environment: Mapping[str, str]) -> LastingInstall | None:
    """Return how to install signoff permanently, None if it is already.

    Args:
        prefix: the folder of this environment.
        environment: variables; used to find uv and pipx.
    """
    if not _is_in_cache(prefix):
        return None
    source = _source()
    path = environment.get("PATH", os.defpath)
    # uv names itself in `UV` for what it runs, and need not be on the PATH.
    if uv := shutil.which(environment.get("UV") or "uv", path=path):
        return LastingInstall(
            command=(uv, "tool", "install", source),
            source=source,
            folder=(uv, "tool", "dir", "--bin"),
        )
    if pipx := shutil.which("pipx", path=path):
        return LastingInstall(
            command=(pipx, "install", source),
            source=source,
            folder=(pipx, "environment", "--value", "PIPX_BIN_DIR"),
        )
    return LastingInstall(command=(), source=source)


def without_environment(prefix: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Return variables in which this Python environment's programs are not on the PATH."""
    kept = {name: text for name, text in environment.items() if name != "VIRTUAL_ENV"}
    own = str(prefix / "bin")
    folders = environment.get("PATH", os.defpath).split(os.pathsep)
    return {**kept, "PATH": os.pathsep.join(one for one in folders if one != own)}


def _is_in_cache(prefix: Path) -> bool:
    """Tell whether a folder lies in a cache; uv marks each environment itself, too."""
    return any(
        above.name in CACHE_FOLDERS or (above / CACHE_MARK).is_file() for above in prefix.parents
    )


def _source() -> str:
    """Return where this signoff came from: its file or address, or its version in an index."""
    try:
        found = distribution(PACKAGE)
    except PackageNotFoundError as error:
        raise CannotInstall("it is unknown where this signoff came from") from error
    # PEP 610: only there if it was installed from a file or an address, not from an index.
    direct = json.loads(found.read_text("direct_url.json") or "{}")
    address = _address(direct)
    extras = ",".join(sorted(_extras(found)))
    name = f"{PACKAGE}[{extras}]" if extras else PACKAGE
    return f"{name} @ {address}" if address else f"{name}=={found.version}"


def _address(direct: Mapping[str, Any]) -> str:
    """Return the address of PEP 610 as an installer takes it, "" if there is none."""
    address, vcs = str(direct.get("url", "")), direct.get("vcs_info")
    if vcs:
        address = f"{vcs['vcs']}+{address}@{vcs['commit_id']}"
    inside = direct.get("subdirectory")
    return f"{address}#subdirectory={inside}" if inside else address


def _extras(found: Distribution) -> Iterator[str]:
    """Yield the extras that are installed here in full."""
    wanted: dict[str, bool] = {}
    for line in found.requires or ():
        package = NAME.match(line)
        if package and (extra := EXTRA.search(line)):
            wanted[extra[1]] = wanted.get(extra[1], True) and _is_installed(package[0])
    yield from (extra for extra, is_whole in wanted.items() if is_whole)


def _is_installed(package: str) -> bool:
    try:
        distribution(package)
    except PackageNotFoundError:
        return False
    return True


def _run(words: tuple[str, ...], *, stdout: TextIO | int | None) -> str:
    """Run an installer; return what it printed."""
    said = shlex.join((os.path.basename(words[0]), *words[1:]))
    try:
        done = subprocess.run(  # noqa: S603 - the user's own installer, after a yes
            words,
            # An installer that asks would wait unseen.
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            text=True,
            check=False,
            timeout=INSTALL_S,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotInstall(f"`{said}` failed: {error}") from error
    if done.returncode:
        raise CannotInstall(f"`{said}` failed with status {done.returncode}; its message is above")
    return str(done.stdout or "")
