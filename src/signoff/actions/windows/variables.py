"""Variables of Windows that name a folder: `%APPDATA%`, `$env:APPDATA`, `${env:APPDATA}`.

folder_of("%LocalAppData%\\\\signoff", on_windows=True)  ->  ("~/AppData/Local", 14)
bash_variables("C:/Users/ada")["APPDATA"] == "C:/Users/ada/AppData/Roaming"
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from signoff.actions.place import is_on_drive

# What they hold on a machine as it is set up; `~` is the user's home.
FOLDERS: Mapping[str, str] = MappingProxyType(
    {
        "USERPROFILE": "~",
        "HOME": "~",
        "HOMEPATH": "~",
        "APPDATA": "~/AppData/Roaming",
        "LOCALAPPDATA": "~/AppData/Local",
        "TEMP": "/tmp",  # noqa: S108 - a name to compare with, nothing is written there
        "TMP": "/tmp",  # noqa: S108 - as above
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


def spelled(form: str, names: str) -> dict[str, str]:
    """Return the folders of some variables by how a shell writes them.

    Args:
        form: with `{}` in place of the name, as `%{}%`.
        names: parted by blanks.
    """
    return {form.format(name): FOLDERS[name] for name in names.split()}


# Read on every system: a call may be meant for another one.
_ON_ANY_SYSTEM: Mapping[str, str] = {
    **dict.fromkeys(("${HOME}", "$HOME"), "~"),
    **dict.fromkeys(("${TMPDIR}", "$TMPDIR"), "/tmp"),  # noqa: S108 - as above
    **dict.fromkeys(("${PWD}", "$PWD"), "."),
    **spelled(
        "%{}%",
        "USERPROFILE HOMEPATH APPDATA LOCALAPPDATA TEMP TMP SYSTEMROOT WINDIR PROGRAMDATA"
        " PROGRAMFILES",
    ),
    **spelled("$env:{}", "USERPROFILE HOME APPDATA LOCALAPPDATA TEMP SYSTEMROOT"),
}
_SPELLED = re.compile(
    r"%(?P<percent>[a-z0-9_()]+)%|\$\{env:(?P<braced>[a-z0-9_()]+)\}|\$env:(?P<plain>[a-z0-9_]+)"
    r"(?![a-z0-9_:])",
    re.IGNORECASE,
)
_IN_TWO = re.compile(
    r"(?:%HOMEDRIVE%%HOMEPATH%|\$env:HOMEDRIVE\$env:HOMEPATH)(?=[\\/]|$)", re.IGNORECASE
)


def folder_of(text: str, *, on_windows: bool) -> tuple[str, int] | None:
    """Return the folder that a variable at the start of a text names, and where the rest begins.

    None where no known variable stands there as a whole component.
    """
    for name, folder in _ON_ANY_SYSTEM.items():
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
    folder = FOLDERS.get(name.upper())
    return (folder, match.end()) if folder is not None else None


def bash_variables(home: str) -> Mapping[str, str]:
    """Return what Git Bash takes over from Windows: their names are in upper case there.

    Nothing where the home lies on no drive.
    """
    if not is_on_drive(home):
        return {}
    kept = {name: value for name, value in FOLDERS.items() if name.isalnum() and name != "HOME"}
    return {name: home + value[1:] if value[0] == "~" else value for name, value in kept.items()}
