"""One form for the paths of Windows: `C:/Users/ada/a.txt`, with the case of the known folders.

Only for calls on Windows: the project or the home folder lies on a drive. A file of Linux may
really be called `C:\\\\x`. A text that may name several files has several readings; all are judged,
and the worst counts.

    readings("/c/users/ADA/proj/a.py", place)  ->  C:/Users/ada/proj/a.py
    readings("C:x", place)                     ->  C:/Users/ada/proj/x and C:/x
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from msgspec import Struct

from signoff.actions.facts import FileFact
from signoff.actions.place import is_on_drive
from signoff.actions.windows.short_names import long_paths
from signoff.values import replace

_DEVICE = re.compile(r"/[/?][?.]/+")  # `\\?\`, `\\.\`, `\??\`
_VOLUME = re.compile(
    r"(?:globalroot/)?(?:device/[^/]+|volume\{[^}/]*\})(?:/|$)|globalroot(?:/|$)", re.IGNORECASE
)
_SHARE = re.compile(r"//+(?P<server>[^/]+)/+(?P<share>[^/]+)(?P<rest>(?:/.*)?)", re.DOTALL)
_LINUX = re.compile(r"wsl(?:\.localhost|\$)", re.IGNORECASE)
_NEAR = re.compile(r"localhost|127\.[0-9.]+|\.|\[?::1\]?|--1\.ipv6-literal\.net", re.IGNORECASE)
_MOUNTED = re.compile(
    r"(?P<mount>(?:/proc)?/cygdrive|/mnt)?/(?P<drive>[a-zA-Z])(?P<rest>/.*)?", re.DOTALL
)
_DRIVE_INSIDE = re.compile(r"(?<=[^/?.])/(?P<drive>[a-zA-Z]:)(?=/|$)")
_OF_DRIVE = re.compile(
    r"/(?:windows|users|programdata|program files|progra~[0-9]|recovery|boot)[^/]*(?:/|$)",
    re.IGNORECASE,
)


class PathReading(Struct, frozen=True, kw_only=True):
    """An absolute path that a text may name.

    Args:
        is_remote: it lies on another machine.
    """

    path: str
    is_remote: bool = False


def plain_folder(folder: str) -> str:
    """Return a folder of Windows in the one form; others as they are."""
    if not is_on_drive(folder):
        return folder
    return _normal(folder[0], folder[2:].replace("\\", "/")).rstrip("/")


def plain_path(path: str) -> str:
    """Return a path of Git Bash or Windows with slashes and, where it has one, its drive first."""
    slashed = path.replace("\\", "/")
    mounted = _MOUNTED.fullmatch(slashed)
    if mounted is not None and mounted["mount"] != "/mnt":
        return _normal(mounted["drive"], mounted["rest"] or "")
    is_absolute = is_on_drive(slashed) and slashed[2:3] in ("", "/")
    return _normal(slashed[0], slashed[2:]) if is_absolute else slashed


def plain_files(files: Mapping[str, FileFact], folders: tuple[str, ...]) -> Mapping[str, FileFact]:
    """Return facts about files, found by the one form of their paths as well."""
    found: dict[str, FileFact] = {}
    for path, fact in files.items():
        real = respelled(plain_folder(fact.real_path), folders)
        told = replace(fact, real_path=real) if real != fact.real_path else fact
        found[path] = found[respelled(plain_folder(path), folders)] = told
    return found


def readings(text: str, cwd: str, folders: tuple[str, ...]) -> list[PathReading]:
    """Return the absolute paths that a text may name; none where the folder in force is unknown.

    Args:
        text: a path with slashes, variables and `~` put in.
        cwd: the folder in force, "" if it is unknown.
        folders: folders whose spelling counts, the inner ones first.
    """
    found: dict[str, PathReading] = {}
    for one in _absolute(text, cwd):
        for path in (one.path, *long_paths(one.path)):
            spelled = respelled(path, folders)
            found.setdefault(spelled, PathReading(path=spelled, is_remote=one.is_remote))
    return list(found.values())


@lru_cache(maxsize=1024)
def respelled(path: str, folders: tuple[str, ...]) -> str:
    """Write the part of a path that is a known folder as that folder is written."""
    lower = path.lower()
    for folder in folders:
        if lower == folder.lower() or lower.startswith(f"{folder.lower()}/"):
            return folder + path[len(folder) :]
    return path


def _absolute(text: str, cwd: str) -> Iterator[PathReading]:
    is_relative = text[:1] != "/" and not is_on_drive(text)
    if is_relative and not cwd:
        return
    text = f"{cwd}/{text}" if is_relative else text
    # `D:/b` was joined to a folder: no name on Windows has a colon.
    drives = list(_DRIVE_INSIDE.finditer(text))
    text = text[drives[-1].start("drive") :] if drives else text
    device = _DEVICE.match(text)
    if device is not None:
        yield from _in_device(text[device.end() :], cwd)
    elif text[:2] == "//":
        yield from _on_share(text)
    elif text[:1] == "/":
        yield from _from_root(text, cwd)
    else:
        yield from _on_drive(text, cwd)


def _in_device(rest: str, cwd: str) -> Iterator[PathReading]:
    """What stands behind `\\\\?\\`: a drive, a share, a volume or a device."""
    if rest[:4].lower() == "unc/":
        yield from _on_share(f"//{rest[4:]}")
    elif is_on_drive(rest) and rest[2:]:
        yield from _on_drive(rest, cwd)
    elif volume := _VOLUME.match(rest):
        yield PathReading(path=_normal("C", rest[volume.end() :]))
    elif rest[:5].lower() == "pipe/":
        yield PathReading(path=f"/{rest}", is_remote=True)
    else:
        yield PathReading(path=posixpath.normpath(f"/dev/disk/{rest}"))


def _on_share(text: str) -> Iterator[PathReading]:
    """A share may be a drive of a machine, this one among them, or the files of a Linux."""
    yield PathReading(path=posixpath.normpath(f"/{text.lstrip('/')}"), is_remote=True)
    match = _SHARE.fullmatch(text)
    if match is None:
        return
    rest, share = match["rest"], match["share"].lower()
    is_far = _NEAR.fullmatch(match["server"]) is None
    if _LINUX.fullmatch(match["server"]):
        yield PathReading(path=posixpath.normpath(rest or "/"))
    elif share == "admin$":
        yield PathReading(path=_normal("C", f"Windows{rest}"), is_remote=is_far)
    elif len(share) == 2 and share[1] in "$:" and share[0].isalpha():
        yield PathReading(path=_normal(share[0], rest), is_remote=is_far)


def _from_root(text: str, cwd: str) -> Iterator[PathReading]:
    """A path of Git Bash, where `/c` is a drive, or of Windows, from the root of a drive."""
    for path in dict.fromkeys((text, posixpath.normpath(text))):  # `/c/../d` is another drive
        mounted = _MOUNTED.fullmatch(path)
        if mounted is not None:
            yield PathReading(path=_normal(mounted["drive"], mounted["rest"] or ""))
        if mounted is None or mounted["mount"] == "/mnt":
            yield PathReading(path=path)
        if _OF_DRIVE.match(path):
            yield PathReading(path=_normal(cwd[0] if is_on_drive(cwd) else "C", path))


def _on_drive(text: str, cwd: str) -> Iterator[PathReading]:
    drive, rest = text[0], text[2:]
    # `C:x` starts from the folder in force on that drive, known for one drive only.
    if rest[:1] not in ("", "/") and cwd[:1].lower() == drive.lower() and is_on_drive(cwd):
        yield PathReading(path=_normal(drive, f"{cwd[2:]}/{rest}"))
    yield PathReading(path=_normal(drive, rest))


def _normal(drive: str, rest: str) -> str:
    """Join a drive and a path on it; no `..` leads out of the drive."""
    return f"{drive.upper()}:{posixpath.normpath('/' + rest.lstrip('/'))}"
