"""Variables of Windows that name a folder: `%APPDATA%`, `$env:APPDATA`, `${env:APPDATA}`.

folder_of("%LocalAppData%\\\\signoff", on_windows=True)  ->  ("~/AppData/Local", 14)
bash_variables("C:/Users/ada")["APPDATA"] == "C:/Users/ada/AppData/Roaming"
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

# What they hold on a machine as it is set up; `~` is the user's home.
FOLDERS: Mapping[str, str] = MappingProxyType(
    {
        "USERPROFILE": "~",
        "HOME": "~",
        "HOMEPATH": "~",
        "APPDATA": "~/AppData/Roaming",
        "LOCALAPPDATA": "~/AppData/Local",
        "TEMP": "/tmp",  # noqa: S108 - a name to compare with, nothing is written there
        "SYSTEMROOT": "C:/Windows",
        "WINDIR": "C:/Windows",
        "SYSTEMDRIVE": "C:",
        "HOMEDRIVE": "C:",
        "PROGRAMDATA": "C:/ProgramData",
        "ALLUSERSPROFILE": "C:/ProgramData",
        "PROGRAMFILES": "C:/Program Files",
        "PROGRAMFILES(X86)": "C:/Program Files (x86)",
        "PROGRAMW6432": "C:/Program Files",
        "COMMONPROGRAMFILES": "C:/Program Files/Common Files",
        "PUBLIC": "C:/Users/Public",
        "ONEDRIVE": "~/OneDrive",
    }
)
# Read on every system: a call may be meant for another one.
_ON_ANY_SYSTEM: tuple[tuple[str, str], ...] = (
    ("${HOME}", "~"),
    ("$HOME", "~"),
    ("$env:USERPROFILE", "~"),
    ("$env:HOME", "~"),
    ("%USERPROFILE%", "~"),
    ("%HOMEPATH%", "~"),
    ("%APPDATA%", "~/AppData/Roaming"),
    ("%LOCALAPPDATA%", "~/AppData/Local"),
    ("$env:APPDATA", "~/AppData/Roaming"),
    ("$env:LOCALAPPDATA", "~/AppData/Local"),
    ("%TEMP%", "/tmp"),  # noqa: S108 - a name to compare with, nothing is written there
    ("%TMP%", "/tmp"),  # noqa: S108 - as above
    ("$env:TEMP", "/tmp"),  # noqa: S108 - as above
    ("${TMPDIR}", "/tmp"),  # noqa: S108 - as above
    ("$TMPDIR", "/tmp"),  # noqa: S108 - as above
    ("%SYSTEMROOT%", "C:/Windows"),
    ("%WINDIR%", "C:/Windows"),
    ("%PROGRAMDATA%", "C:/ProgramData"),
    ("%PROGRAMFILES%", "C:/Program Files"),
    ("$env:SYSTEMROOT", "C:/Windows"),
    ("${PWD}", "."),
    ("$PWD", "."),
)
_TEMP = {"TMP": "/tmp"}  # noqa: S108 - as above
_SPELLED = re.compile(
    r"%(?P<percent>[a-z0-9_()]+)%|\$\{env:(?P<braced>[a-z0-9_()]+)\}|\$env:(?P<plain>[a-z0-9_]+)"
    r"(?![a-z0-9_:])",
    re.IGNORECASE,
)


def folder_of(text: str, *, on_windows: bool) -> tuple[str, int] | None:
    """Return the folder that a variable at the start of a text names, and where the rest begins.

    None where no known variable stands there as a whole component.
    """
    for name, folder in _ON_ANY_SYSTEM:
        end = len(name)
        if text[:end].lower() == name.lower() and text[end : end + 1] in ("", "/", "\\"):
            return folder, end
    return _on_windows(text) if on_windows else None


def _on_windows(text: str) -> tuple[str, int] | None:
    match = _SPELLED.match(text)
    if match is None or text[match.end() :][:1] not in ("", "/", "\\"):
        in_two = _IN_TWO.match(text)
        return ("~", in_two.end()) if in_two else None
    name = match["percent"] or match["braced"] or match["plain"]
    folder = {**FOLDERS, **_TEMP}.get(name.upper())
    return (folder, match.end()) if folder is not None else None


_IN_TWO = re.compile(
    r"(?:%HOMEDRIVE%%HOMEPATH%|\$env:HOMEDRIVE\$env:HOMEPATH)(?=[\\/]|$)", re.IGNORECASE
)


def bash_variables(home: str) -> Mapping[str, str]:
    """Return what Git Bash takes over from Windows: their names are in upper case there.

    Nothing where the home lies on no drive.
    """
    if home[1:2] != ":":
        return {}
    values = {**FOLDERS, **_TEMP}
    kept = {name: value for name, value in values.items() if name.isalnum() and name != "HOME"}
    return {name: home + value[1:] if value[0] == "~" else value for name, value in kept.items()}
